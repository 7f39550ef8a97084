//! Units against copies of themselves, faithful and with one planted fault.

use tensorsmith::describe::catalogue;
use tensorsmith::describe::format::Rounding;
use tensorsmith::describe::interface::Frame;
use tensorsmith::describe::unit::Unit;
use tensorsmith::infer::distinguish::{Budget, Candidate, Outcome, distinguish};

use super::{emulator, frame, reference};
use crate::support::{long_tier, unit, vectors};

fn search(units: &[&Unit], products: u32, vectors: u64, seed: u64) -> Outcome {
    let frames: Vec<Frame> = units.iter().map(|unit| frame(unit, products)).collect();
    let mut engines: Vec<_> = units.iter().map(|unit| emulator(unit, products)).collect();
    let both = engines.iter_mut().zip(&frames);
    let mut candidates: Vec<Candidate> = both.map(|(engine, frame)| Candidate { engine, frame }).collect();
    let mut heard = 0;
    let budget = Budget { vectors, seed };
    let outcome = distinguish(&mut candidates, budget, &mut |tried| heard = tried).expect("emulators do not fail");
    assert_eq!(heard, outcome.tried, "progress hears of every vector");
    outcome
}

/// Searches, and asks the reference whether the vector that was found distinguishes the two. Nonzero operands of the vector.
fn distinguished(left: &Unit, right: &Unit) -> u32 {
    let outcome = search(&[left, right], left.products, 300_000, 1);
    let [found] = outcome.distinguished.as_slice() else { panic!("{} and its twin are not distinguished", left.name) };
    let answers = [left, right].map(|unit| reference(unit, &found.vector));
    assert_ne!(answers[0], answers[1], "{}: the references give one answer to {:?}", left.name, found.vector);
    println!("{}: {} vectors, by {}, {:?}", left.name, outcome.tried, found.found_by, found.size);
    found.size.nonzero
}

#[test]
fn equal_units_are_not_distinguished() {
    let count = vectors(20_000);
    for name in ["hopper-fp16-fp32", "blackwell-nvf4-fp32", "cdna2-fp16-fp32", "integer-int8-int32"] {
        let unit = unit(name);
        let outcome = search(&[&unit, &unit.clone()], unit.products, count, 3);
        assert_eq!(
            (outcome.distinguished.len(), outcome.indistinguishable.as_slice()),
            (0, [[0, 1]].as_slice()),
            "{name}"
        );
        assert_eq!((outcome.tried, outcome.all_inputs), (count, false), "{name}");
    }
}

/// A unit of one product with fewer inputs than any of the catalogue has, for the ordinary tier.
const FEW_INPUTS: &str = "name = \"few-inputs\"\nscheme = \"exact\"\nproducts = 1\n\
                          formats = { a = \"e2m1\", b = \"e2m1\", c = \"e5m2\", d = \"e5m2\" }\n\
                          conversion = { rounding = \"nearest-even\", overflow = \"ieee\" }\n";

/// Small units are tried on all inputs, and only then an empty answer is more than one.
#[test]
fn equal_small_units_are_compared_on_all_inputs() {
    let units = catalogue::units();
    let mut unit = units.into_iter().min_by_key(Unit::input_bits).expect("there are units");
    if !long_tier() {
        unit = Unit::from_toml("few-inputs.toml", FEW_INPUTS).expect("a unit file");
    }
    let all = 1 << unit.input_bits();
    let outcome = search(&[&unit, &unit.clone()], unit.products, all, 1);
    assert_eq!((outcome.tried, outcome.all_inputs, outcome.distinguished.len()), (all, true, 0));
    assert!(!search(&[&unit, &unit.clone()], unit.products, all - 1, 1).all_inputs);
}

/// In the ordinary tier those of a window, a NaN and flushed operands.
#[test]
fn planted_faults_are_found() {
    let hopper = unit("hopper-fp16-fp32");
    let mut narrow = hopper.clone();
    narrow.alignment_mut().fraction_bits -= 1;
    // A pair that cancels, and one term: two factors each.
    assert!(distinguished(&hopper, &narrow) <= 6);

    let mut nan = hopper.clone();
    nan.conversion.nan = 0x7fc0_0000;
    assert_eq!(distinguished(&hopper, &nan), 1);

    let mut flushing = unit("cdna2-fp16-fp32");
    flushing.flush.operands = !flushing.flush.operands;
    assert!(distinguished(&unit("cdna2-fp16-fp32"), &flushing) <= 2);

    if !long_tier() {
        return;
    }
    let mut nearest = hopper.clone();
    nearest.conversion.rounding = Rounding::NearestEven;
    assert!(distinguished(&hopper, &nearest) <= 4);

    let mut half = hopper.clone();
    half.products /= 2;
    assert!(distinguished(&hopper, &half) <= 6);

    let bf16 = unit("hopper-bf16-fp32");
    let mut floorless = bf16.clone();
    floorless.alignment_mut().exponent_floor = None;
    // Only terms far below the least normal result meet the floor.
    assert!(distinguished(&bf16, &floorless) <= 6);

    for name in ["blackwell-nvf4-fp32", "cdna3-bf16-fp32", "ada-e4m3-fp32"] {
        let mut narrow = unit(name);
        narrow.alignment_mut().fraction_bits -= 1;
        assert!(distinguished(&unit(name), &narrow) <= 8, "{name}");
    }
}

/// The same seed, the same vectors; and of three units every two.
#[test]
fn all_pairs_and_twice_the_same() {
    let units = ["volta-fp16-fp32", "ampere-fp16-fp32", "hopper-fp16-fp32"].map(unit);
    let all: Vec<&Unit> = units.iter().collect();
    let outcome = search(&all, 16, 200_000, 5);
    assert_eq!(outcome, search(&all, 16, 200_000, 5));
    assert_eq!((outcome.distinguished.len(), outcome.indistinguishable.len()), (3, 0));
    for found in &outcome.distinguished {
        let [left, right] = found.pair.map(|index| reference(&units[index], &found.vector));
        assert_ne!(left, right, "{found:?}");
    }
}
