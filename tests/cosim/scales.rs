//! Properties of scales, and block-scaled sums computed by hand.

use std::cell::{Cell, RefCell};

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use tensorsmith::check::stimulus::Stimulus;
use tensorsmith::compute::{Inputs, reference};
use tensorsmith::describe::format::{Class, Format, Overflow, Rounding};
use tensorsmith::describe::instruction::{Instruction, Shape};
use tensorsmith::describe::unit::{Scheme, Unit};
use tensorsmith::engine::{Batch, Emulator, Kind, Opened, Vector};

use super::strategies::vectors;
use super::support::{self, instruction, unit};

/// Vectors of a property.
fn cases() -> u32 {
    support::vectors(2000) as u32
}

const SCALED: [&str; 5] =
    ["blackwell-mx-e4m3-fp32", "blackwell-mxf4-fp32", "blackwell-nvf4-fp32", "tiny-scaled", "tiny-grouped"];

/// Runs a property on vectors of `source`.
fn assert_holds(source: &Unit, property: impl Fn(Vector) -> bool) {
    let config = Config { cases: cases(), failure_persistence: None, ..Config::default() };
    let outcome = TestRunner::new(config).run(&vectors(source), |vector| {
        prop_assert!(property(vector));
        Ok(())
    });
    outcome.unwrap_or_else(|error| panic!("{}: {error}", source.name));
}

fn one(format: &Format) -> u64 {
    format.from_f64(1.0, Rounding::NearestEven, Overflow::Ieee)
}

/// With scales of 1 the elementwise unit is a fused one with the same window.
#[test]
fn emulator_scales_of_one_are_fused() {
    let scaled = unit("blackwell-mx-e4m3-fp32");
    let scales = scaled.scales.clone().expect("scales");
    let fused = Unit { scheme: Scheme::Fused, scales: None, ..scaled.clone() };
    let (ones_a, ones_b) = ([one(&scales.a)], [one(&scales.b)]);
    let (left, right) = (RefCell::new(Emulator::new(&scaled)), RefCell::new(Emulator::new(&fused)));
    assert_holds(&fused, |vector| {
        let plain = Inputs::unscaled(&vector.a, &vector.b, vector.c);
        let inputs = Inputs { scale_a: &ones_a, scale_b: &ones_b, ..plain };
        let expected = right.borrow_mut().evaluate(plain).expect("a vector of the unit");
        left.borrow_mut().evaluate(inputs).expect("a vector of the unit") == expected
            && reference::evaluate(&scaled.arithmetic(), inputs) == expected
    });
}

/// The scale of the next binade, up or down, where both are normal numbers.
fn next_binade(format: &Format, bits: u64, up: bool) -> Option<u64> {
    let binade = 1 << format.fraction_bits;
    let moved = if up { bits + binade } else { bits.checked_sub(binade)? };
    let normal = |bits| bits <= format.mask() && format.decode(bits).class == Class::Normal;
    (normal(bits) && normal(moved)).then_some(moved)
}

/// Doubling a scale of a and halving that of b changes nothing.
#[test]
fn emulator_doubled_and_halved_scales() {
    for name in SCALED {
        let unit = unit(name);
        let scales = unit.scales.clone().expect("scales");
        let emulator = RefCell::new(Emulator::new(&unit));
        let moved = Cell::new(0);
        assert_holds(&unit, |vector| {
            let mut other = vector.clone();
            for (a, b) in other.scale_a.iter_mut().zip(&mut other.scale_b) {
                if let (Some(up), Some(down)) = (next_binade(&scales.a, *a, true), next_binade(&scales.b, *b, false)) {
                    (*a, *b) = (up, down);
                    moved.set(moved.get() + 1);
                }
            }
            let mut emulator = emulator.borrow_mut();
            emulator.evaluate(vector.inputs()).expect("a vector of the unit")
                == emulator.evaluate(other.inputs()).expect("a vector of the unit")
        });
        println!("{name}: {} pairs of scales moved in {} vectors", moved.get(), cases());
        let scales_can_move = name != "tiny-scaled" && name != "tiny-grouped";
        assert!(!scales_can_move || moved.get() > i64::from(cases()) / 2, "{name}: too few scales could be moved");
    }
}

/// One NVFP4 vector: the same elements in all products of a block, one scale of a and of b for each block, c.
fn nvf4(elements: [(f64, f64); 4], scale_a: f64, scale_b: f64, c: f64) -> f64 {
    let unit = unit("blackwell-nvf4-fp32");
    let scales = unit.scales.clone().expect("scales");
    let encode = |format: &Format, value: f64| {
        let bits = format.from_f64(value, Rounding::NearestEven, Overflow::Ieee);
        assert_eq!(format.to_f64(bits), value, "{value} is a number of {}", format.name);
        bits
    };
    let spread = |values: [f64; 4]| values.iter().flat_map(|&value| vec![encode(&unit.formats.a, value); 16]).collect();
    let vector = Vector {
        a: spread(elements.map(|(a, _)| a)),
        b: spread(elements.map(|(_, b)| b)),
        c: encode(&unit.formats.c, c),
        scale_a: vec![encode(&scales.a, scale_a); 4],
        scale_b: vec![encode(&scales.b, scale_b); 4],
    };
    let answer = Emulator::new(&unit).evaluate(vector.inputs()).expect("a vector of the unit");
    assert_eq!(answer, reference::evaluate(&unit.arithmetic(), vector.inputs()));
    unit.formats.d.to_f64(answer)
}

/// Sixteen products of 6 * 6 are 576; with scales of 1.875 a group is 2025, and its exponent is 0, that of the scales. The
/// window ends 35 places below: 2^-35 is kept beside groups that cancel, 2^-36 is not. If the exponents of the elements
/// took part (4 for each product), the last place would be 2^-31.
#[test]
fn nvf4_by_hand() {
    let zero = (0.0, 0.0);
    let cancelling = [(6.0, 6.0), (-6.0, 6.0), zero, zero];
    assert_eq!(nvf4([(6.0, 6.0), zero, zero, zero], 1.875, 1.875, 0.0), 2025.0);
    assert_eq!(nvf4(cancelling, 1.875, 1.875, 2f64.powi(-35)), 2f64.powi(-35));
    assert_eq!(nvf4(cancelling, 1.875, 1.875, 2f64.powi(-36)), 0.0);
    // Scales of 3.75 and 1.875 have exponents 1 and 0: one place less.
    assert_eq!(nvf4(cancelling, 3.75, 1.875, 2f64.powi(-34)), 2f64.powi(-34));
    assert_eq!(nvf4(cancelling, 3.75, 1.875, 2f64.powi(-35)), 0.0);
    // The addend has no scale; 16 * 0.5 * 1.5 * 2 * 448 + 1.
    assert_eq!(nvf4([(0.5, 1.5), zero, zero, zero], 2.0, 448.0, 1.0), 10_753.0);
    // The smallest subnormal scale is 2^-9: 16 * 2^-9 - 16 * 2^-9 * 0.5.
    assert_eq!(nvf4([(1.0, 1.0), (-1.0, 0.5), zero, zero], 2f64.powi(-9), 1.0, 0.0), 2f64.powi(-6));
    // All groups at their largest: 4 * 576 * 448 * 448.
    assert_eq!(nvf4([(6.0, -6.0); 4], 448.0, 448.0, 0.0), -462_422_016.0);
}

/// Blocks of an instruction with scales are whole, so that every index of K keeps its scale.
#[test]
fn instructions_of_scaled_units_have_whole_blocks() {
    let text = r#"
        name = "scaled"
        summary = "an instruction"
        unit = "blackwell-mx-e4m3-fp32"
        shape = { m = 64, n = 8, k = 64 }
        order = "contiguous"
        start = "addend"
        evidence = { grade = "chosen", source = "none" }
    "#;
    let instruction = Instruction::from_toml("scaled.toml", text).expect("two whole blocks");
    assert_eq!((instruction.blocks().len(), instruction.interface().scale_count()), (2, 2));
    for (from, to, message) in [
        ("k = 64", "k = 48", "`shape.k` is 48; allowed: multiples of 32"),
        ("\"contiguous\"", "\"interleaved-pairs\"", "`order` is \"interleaved-pairs\"; allowed: \"contiguous\""),
    ] {
        let error = Instruction::from_toml("scaled.toml", &text.replace(from, to)).expect_err(message).to_string();
        assert!(error.contains(message), "{error}");
    }
}

/// Scales follow their elements through blocks and exchanged operands: each engine against a chain of units by hand.
#[test]
fn instruction_scales_by_hand_shaped() {
    let right = instruction("blackwell-mma-mxf8f6f4-m16n8k32-e5m2-e4m3-fp32");
    assert!(right.exchanged());
    let two_blocks = Instruction { shape: Shape { k: 64, ..right.shape }, ..right };
    let frame = two_blocks.frame();
    let mut batch = Batch::of_interface(&frame);
    Stimulus::shaped(&frame, 31).fill(0, 2000, &mut batch);
    let Opened::Ready(mut engine) = Kind::Emulator.open_instruction(&two_blocks).expect("the engine starts") else {
        panic!("the emulator always runs")
    };
    let mut results = Vec::new();
    engine.run(&batch, &mut results).expect("the emulator answers");
    let mut told_apart = 0;
    for (v, &result) in results.iter().enumerate() {
        let Inputs { a, b, c, scale_a, scale_b } = batch.inputs(v);
        let block = |number: usize, scale: usize, c: u64| {
            let own = 32 * number..32 * number + 32;
            let scales = (&scale_b[scale..=scale], &scale_a[scale..=scale]);
            let inputs = Inputs { a: &b[own.clone()], b: &a[own], c, scale_a: scales.0, scale_b: scales.1 };
            reference::evaluate(&two_blocks.unit.arithmetic(), inputs)
        };
        assert_eq!(result, block(1, 1, block(0, 0, c)), "{:x?}", batch.vector(v));
        told_apart += usize::from(result != block(1, 0, block(0, 1, c)));
    }
    assert!(told_apart > 100, "scales of the wrong block would show: {told_apart}");
}

/// A zero scale makes its terms zero, so that they do not take part in the anchor; a NaN scale makes the result NaN.
#[test]
fn nvf4_special_scales() {
    let unit = unit("blackwell-nvf4-fp32");
    let two = unit.formats.a.from_f64(2.0, Rounding::NearestEven, Overflow::Ieee);
    let mut vector = Vector { a: vec![two; 64], b: vec![two; 64], c: 1, ..Vector::default() };
    vector.scale_a = vec![0; 4];
    vector.scale_b = vec![0x7e; 4];
    let mut emulator = Emulator::new(&unit);
    assert_eq!(emulator.evaluate(vector.inputs()).expect("a vector of the unit"), 1, "the smallest subnormal c");
    vector.scale_b[2] = 0x7f;
    assert_eq!(emulator.evaluate(vector.inputs()).expect("a vector of the unit"), 0x7fff_ffff);
}
