//! Right against wrong on the default stimulus.

use tensorsmith::check::compare::{Comparison, Source, compare};
use tensorsmith::check::stimulus::{CHUNK, Exhaustive, Stimulus};
use tensorsmith::compute::Inputs;
use tensorsmith::describe::format::{Format, Overflow, Rounding};
use tensorsmith::describe::unit::{Scheme, Unit};
use tensorsmith::engine::{Emulator, Engine, Kind, Opened};

use super::support::made_up::answering;

const SEED: u64 = 1;
pub const VECTORS: u64 = 1_000_000;

/// The units that align terms and stand for real devices, one of each family; in the ordinary tier those whose RTL is asked there.
pub fn device_units() -> Vec<Unit> {
    let stands_for_a_device = |unit: &Unit| {
        matches!(unit.scheme, Scheme::Fused | Scheme::BlockScaled)
            && !unit.name.starts_with("tiny")
            && !["addition", "riscv", "tf64", "hickmann"].iter().any(|other| unit.name.starts_with(other))
            && super::support::simulates(&[unit])
    };
    let units: Vec<Unit> = super::support::one_unit_of_each_entry().into_iter().filter(stands_for_a_device).collect();
    assert!(units.len() >= 4, "{} units", units.len());
    units
}

/// The right unit's strongest witness: its RTL, else its reference.
pub fn right_engine(unit: &Unit) -> Box<dyn Engine> {
    match Kind::Rtl.open(unit).expect("the engine starts") {
        Opened::Ready(engine) => engine,
        Opened::Absent(reason) => {
            super::support::skip("negative-controls-rtl", &reason);
            match Kind::Reference.open(unit).expect("the reference starts") {
                Opened::Ready(engine) => engine,
                Opened::Absent(reason) => panic!("{reason}"),
            }
        }
    }
}

/// A composition of two right units that is a wrong one: the first sums the products, the second adds c to that sum, which is a
/// factor of its one product; the other factor is 1, in e2m1.
pub fn added_late(name: &'static str, products: &Unit, addition: &Unit) -> Box<dyn Engine> {
    let no_addend = products.formats.c.zero(false);
    let one = Format::e2m1().from_f64(1.0, Rounding::NearestEven, Overflow::Ieee);
    let (mut products, mut addition) = (Emulator::new(products), Emulator::new(addition));
    answering(name, move |batch, v| {
        let sum = products.evaluate(Inputs { c: no_addend, ..batch.inputs(v) }).expect("a vector of the unit");
        addition.evaluate(Inputs::unscaled(&[sum], &[one], batch.c[v])).expect("a vector of the unit")
    })
}

/// Runs both on the default stimulus until they differ, at most a million vectors.
pub fn run(unit: &Unit, engines: impl Fn() -> Vec<Box<dyn Engine>>) -> Comparison {
    run_until(VECTORS, unit, engines)
}

fn run_until(most: u64, unit: &Unit, engines: impl Fn() -> Vec<Box<dyn Engine>>) -> Comparison {
    let shaped = |count| Source::Shaped { stimulus: Stimulus::shaped(unit, SEED), count };
    for count in [4 * CHUNK as u64, 64 * CHUNK as u64] {
        let comparison = compare(engines(), &shaped(count), &mut |_| {}).expect("the engines answer");
        if comparison.mismatches > 0 {
            return comparison;
        }
    }
    compare(engines(), &shaped(most), &mut |_| {}).expect("the engines answer")
}

/// Asserts that a wrong unit's emulator is caught by the right unit.
pub fn assert_unit_caught(fault: &str, right: &Unit, wrong: &Unit) {
    let comparison = run(right, || vec![right_engine(right), Box::new(Emulator::unchecked(wrong))]);
    let mismatches = comparison.mismatches;
    println!("{}: {fault}: {mismatches} of {} vectors differ, seed {SEED}", right.name, comparison.compared);
    assert!(mismatches > 0, "{}: {fault} was not caught in {} vectors", right.name, comparison.compared);
}

/// Asserts that a changed unit answers like the right one: on a fortieth of a million vectors, and on all inputs of a unit
/// with at most 2^16; in the long tier on a million vectors, and on all inputs where there are at most 2^24.
pub fn assert_unit_equivalent(reason: &str, right: &Unit, changed: &Unit) {
    let engines = || -> Vec<Box<dyn Engine>> { vec![right_engine(right), Box::new(Emulator::unchecked(changed))] };
    let (vectors, inputs) = if super::support::long_tier() { (VECTORS, 1 << 24) } else { (VECTORS / 40, 1 << 16) };
    let mut comparison = run_until(vectors, right, engines);
    if let Some(all) = Exhaustive::of(&right.interface()).filter(|all| all.count() <= inputs) {
        comparison = compare(engines(), &Source::Exhaustive(all), &mut |_| {}).expect("the engines answer");
    }
    println!("{}: no effect on {} vectors: {reason}", right.name, comparison.compared);
    assert_eq!(comparison.mismatches, 0, "{}: {reason}, yet {:?}", right.name, comparison.first);
    assert!(comparison.compared >= vectors);
}
