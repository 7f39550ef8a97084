//! Why values do not act where sums are exact: every sum is a result as it is, or is rounded once.

use tensorsmith::describe::subject::Subject;
use tensorsmith::describe::unit::{Addition, Scheme};
use tensorsmith::engine::{Batch, Vector};
use tensorsmith::infer::field_differences;

use super::super::shared::long_tier;
use super::*;

/// d with so many of the fraction bits of binary32.
fn shorter(fraction_bits: u32) -> Setting {
    let padding_bits = 23 - fraction_bits;
    let name = format!("e8m{fraction_bits}");
    Setting::Result(Box::new(Format { name, fraction_bits, padding_bits, ..Format::binary32() }))
}

/// Terms have 13 fraction bits and two before them, and there are four carry bits.
#[test]
fn windows_narrower_than_results() {
    let mut narrow = unit("ada-e4m3-fp32");
    with_result(&mut narrow, Format::binary32());
    for rounding in Rounding::ALL.into_iter().filter(|rounding| *rounding != narrow.unit.conversion.rounding) {
        holds(&Setting::Rounding(rounding), &narrow, "sums have at most");
    }
    holds(&shorter(20), &narrow, "sums have at most");
    acts(&shorter(12), &narrow);
    acts(&Setting::Rounding(Rounding::NearestEven), &unit("ampere-fp16-fp32"));
}

/// Sums of few small products, in a window that loses none.
#[test]
fn exact_sums_that_results_hold() {
    let mut exact = unit("tiny-exact");
    let d = Format::binary32();
    [exact.c, exact.unit.formats.c] = [&Format::e2m1(); 2].map(Format::clone);
    with_result(&mut exact, d);
    holds(&Setting::Rounding(Rounding::TowardPositive), &exact, "sums have at most");
    holds(&shorter(10), &exact, "sums have at most");
    acts(&shorter(2), &exact);
}

/// Overflow follows the rounding, and begins where the largest number ends.
#[test]
fn sums_beyond_the_largest_number() {
    let mut narrow = unit("ada-e4m3-fp32");
    narrow.unit.alignment_mut().fraction_bits = 3;
    narrow.unit.conversion.overflow = Overflow::Ieee;
    narrow.unit.conversion.rounding = Rounding::NearestEven;
    let small = Format { name: "e4m11".to_owned(), exponent_bits: 4, fraction_bits: 11, bias: 7, ..Format::binary32() };
    [narrow.c, narrow.unit.formats.c] = [&small; 2].map(Format::clone);
    with_result(&mut narrow, small);
    acts(&Setting::Rounding(Rounding::TowardZero), &narrow);
    holds(&Setting::Rounding(Rounding::NearestAway), &narrow, "sums have at most");
    narrow.unit.conversion.overflow = Overflow::Saturate;
    holds(&Setting::Rounding(Rounding::TowardZero), &narrow, "sums have at most");
}

#[test]
fn windows_with_a_sticky_bit() {
    let addition = unit("addition-fp16");
    holds(&Setting::FractionBits(15), &addition, "a sticky bit stands 14 places below");
    acts(&Setting::FractionBits(10), &addition);
    acts(&Setting::AlignmentRounding(AlignmentRounding::TowardZero), &addition);
}

/// Sums of products, and addends, of which no window of theirs cuts anything.
#[test]
fn windows_of_two_sums() {
    let mut wide = shared::unit("tiny-then-add");
    wide.alignment_mut().fraction_bits = 20;
    if let Some(addition) = &mut wide.addition {
        (addition.sum_fraction_bits, addition.addend_fraction_bits) = (30, 30);
        addition.product_overflow = ProductOverflow::None;
    }
    let exact = Unit { scheme: Scheme::Exact, addition: None, ..wide.clone() };
    let reason = |unit: &Unit| {
        let rows = field_differences(&Subject::from(unit.clone()), &Instruction::alone(exact.clone()));
        rows.into_iter().find(|row| row.field == "scheme").and_then(|row| row.reason)
    };
    assert!(reason(&wide).is_some_and(|reason| reason.contains("sums of products are multiples")));
    let rows = field_differences(&Subject::from(wide.clone()), &Instruction::alone(exact.clone()));
    assert!(rows.iter().all(|row| row.reason.is_some()), "{rows:?}");
    assert!(equal(&wide, &exact, SAMPLED));
    let changes: [fn(&mut Addition); 3] = [
        |addition| addition.addend_fraction_bits = 3,
        |addition| addition.addend_reach = Some(1),
        |addition| addition.product_overflow = ProductOverflow::Infinity,
    ];
    for change in changes {
        let mut cut = wide.clone();
        cut.addition.as_mut().map(change);
        assert_eq!(reason(&cut), None);
        assert!(!equal(&cut, &exact, 1), "{:?}", cut.addition);
    }
}

/// A product and an addend of few bits, in a window that rounds to odd.
fn sticky(fraction_bits: u32, rounding: Rounding) -> Unit {
    let format = |exponent_bits, fraction_bits| Format {
        name: format!("e{exponent_bits}m{fraction_bits}"),
        exponent_bits,
        fraction_bits,
        bias: (1 << (exponent_bits - 1)) - 1,
        ..Format::e5m2()
    };
    let mut unit = shared::unit("addition-fp16");
    unit.formats.a = format(4, 2);
    (unit.formats.c, unit.formats.d) = (format(4, 3), format(4, 2));
    unit.conversion.nan = unit.formats.d.nan().expect("a format with NaN");
    unit.conversion.rounding = rounding;
    unit.alignment_mut().fraction_bits = fraction_bits;
    unit
}

/// Negative control: the greatest sums wrap without a carry bit.
#[test]
fn sticky_bits_of_sums_that_wrap() {
    let fused = Unit { carry_bits: Some(0), ..sticky(12, Rounding::NearestEven) };
    let exact = Unit { scheme: Scheme::Exact, carry_bits: None, ..fused.clone() };
    let rows = field_differences(&Subject::from(fused.clone()), &Instruction::alone(exact.clone()));
    assert!(rows.iter().any(|row| row.field == "scheme" && row.reason.is_none()), "{rows:?}");
    assert!(!equal(&fused, &exact, 1));
}

/// Over all inputs, in the ordinary tier over a sample: wherever the reason is given, the sums are those of the exact scheme, and it is
/// given from some window on.
#[test]
fn sticky_bits_are_never_missed() {
    let mut claimed = Vec::new();
    for rounding in Rounding::ALL {
        for fraction_bits in 1..=12 {
            let fused = sticky(fraction_bits, rounding);
            let exact = Unit { scheme: Scheme::Exact, ..fused.clone() };
            let window = Alignment { fraction_bits: 40, rounding: AlignmentRounding::TowardZero, ..*fused.alignment() };
            let wide = Unit { alignment: Some(window), ..fused.clone() };
            let explained = |found: Unit| {
                let rows = field_differences(&Subject::from(fused.clone()), &Instruction::alone(found));
                rows.iter().all(|row| row.reason.is_some())
            };
            let reasons = explained(exact);
            assert_eq!(explained(wide.clone()), reasons, "{rounding:?}, {fraction_bits}");
            if reasons {
                claimed.push(fraction_bits);
                assert!(equal(&fused, &wide, SAMPLED), "{rounding:?}, {fraction_bits}");
            }
        }
        // Negative control: the shortest windows do not round so.
        assert!(!equal(&sticky(3, rounding), &sticky(40, rounding), 1), "{rounding:?}");
    }
    assert_eq!((claimed.iter().min(), claimed.len()), (Some(&6), 7 * Rounding::ALL.len()));
}

/// In the ordinary tier units are called equal that are equal with one in so many of all operands a and b.
const SAMPLED: usize = 13;

/// Whether two units with the same formats and one number of products give the same answers to all inputs; in the ordinary tier to
/// those with one in so many of all operands a and b.
fn equal(one: &Unit, other: &Unit, sampled: usize) -> bool {
    let formats = &one.formats;
    let widths = [&formats.a, &formats.b].map(Format::width);
    let pair_bits = widths[0] + widths[1];
    let mut engines = [one, other].map(|unit| Composed::emulated_wide(&Instruction::alone(aligned(unit))));
    let mut answers = [Vec::new(), Vec::new()];
    let mut batch = Batch::of_unit(one);
    for pairs in (0..1u64 << (pair_bits * one.products)).step_by(if long_tier() { 1 } else { sampled }) {
        let pair = |index: u32| pairs >> (pair_bits * index);
        let a: Vec<u64> = (0..one.products).map(|index| pair(index) & formats.a.mask()).collect();
        let b: Vec<u64> = (0..one.products).map(|index| pair(index) >> widths[0] & formats.b.mask()).collect();
        batch.clear();
        for c in 0..=formats.c.mask() {
            batch.push(&Vector { a: a.clone(), b: b.clone(), c, scale_a: Vec::new(), scale_b: Vec::new() });
        }
        for (engine, answers) in engines.iter_mut().zip(&mut answers) {
            engine.run(&batch, answers).expect("it answers");
        }
        if answers[0] != answers[1] {
            return false;
        }
    }
    true
}
