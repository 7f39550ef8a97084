//! Units of the catalogue, and random ones, from their emulators.

use std::time::Instant;

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use tensorsmith::describe::catalogue;
use tensorsmith::describe::plan::Plan;
use tensorsmith::describe::unit::Unit;
use tensorsmith::infer::{Finding, Outcome, SCHEMES, unit_file};

use super::random_unit::recipe;
use super::shared::long_tier as long;
use super::support::{difference, emulator, inferred};

/// Units of the catalogue whose scheme is in the space.
fn units() -> Vec<Unit> {
    catalogue::units().into_iter().filter(|unit| SCHEMES.contains(&unit.scheme)).collect()
}

/// What the inference finds, if anything fits. Then it differs from the unit on none of `count` vectors, and its file says
/// the same.
fn recovered(unit: &Unit, count: u64) -> Option<Finding> {
    let finding = match inferred(emulator(unit).as_mut(), unit, count.min(20_000)) {
        Ok(Outcome::Found(finding)) => *finding,
        Ok(Outcome::Nothing(_)) => return None,
        Err(error) => panic!("{}: {error}", unit.name),
    };
    if let Some(difference) = difference(unit, &finding.unit, count) {
        panic!("{}: {difference}; found {:?}, the unit {unit:?}", unit.name, finding.unit);
    }
    let text = unit_file(&finding, "found", "emulator");
    let read = Unit::from_toml("found.toml", &text).unwrap_or_else(|error| panic!("{error} in\n{text}"));
    let plain = |unit: &Unit| Unit {
        name: String::new(),
        summary: String::new(),
        evidence: Default::default(),
        ..unit.clone()
    };
    assert_eq!(plain(&read), plain(&finding.unit), "{text}");
    Some(finding)
}

/// The unit answers as its description says; each value that is excluded is excluded by an answer that it does not give.
fn assert_evidence(unit: &Unit, finding: &Finding) {
    let mut own = tensorsmith::engine::Emulator::new(unit);
    for parameter in &finding.parameters {
        for exclusion in &parameter.exclusions {
            assert_eq!(own.evaluate(exclusion.vector.inputs()), exclusion.answer, "{}", parameter.field);
            assert!(!exclusion.excluded.is_empty() && !exclusion.excluded.contains(&parameter.value));
        }
    }
}

#[test]
fn units_of_the_catalogue_are_recovered() {
    let count = if long() { 2_000_000 } else { 200_000 };
    let all = units();
    // In the ordinary tier one of each kind; the long tier takes all.
    let ordinary = [
        "tiny-truncating",
        "tiny-nearest",
        "tiny-riscv",
        "tiny-exact",
        "tiny-fma",
        "tiny-even-odd",
        "tiny-pairwise",
        "volta-fp16-fp16",
        "ampere-fp16-fp16",
        "hopper-fp16-fp32",
        "ada-e4m3-fp32",
    ];
    let mut times = Vec::new();
    for unit in all.iter().filter(|unit| long() || ordinary.contains(&unit.name.as_str())) {
        let start = Instant::now();
        let finding = recovered(unit, count);
        let finding = finding.unwrap_or_else(|| panic!("{}: nothing fits", unit.name));
        times.push((start.elapsed(), finding.asked, unit.name.clone()));
        assert_evidence(unit, &finding);
        let scheme_known =
            finding.unit.scheme == unit.scheme || finding.equivalent.iter().any(|other| other.scheme == unit.scheme);
        assert!(scheme_known, "{} is found as {}", unit.name, finding.unit.scheme.name());
    }
    times.sort();
    times.iter().for_each(|(time, asked, name)| println!("{name}: {time:.1?}, {asked} vectors"));
    assert!(times.len() >= ordinary.len());
}

/// Formats, sizes and parameters of every kind, on words of 64 bits, in the long tier of 128. The search goes from one hypothesis to a better
/// one, so that it may end where nothing fits although something does; what it finds is never another unit.
#[test]
fn random_units_are_recovered() {
    let (wanted, word_bits) = if long() { (500, 128) } else { (30, 64) };
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[11; 32]);
    let mut runner = TestRunner::new_with_rng(Config { failure_persistence: None, ..Config::default() }, rng);
    let (mut missed, mut times) = (Vec::new(), Vec::new());
    while times.len() < wanted {
        let drawn = recipe().new_tree(&mut runner).expect("the strategy draws").current();
        let Ok(unit) = drawn.unit() else { continue };
        if !SCHEMES.contains(&unit.scheme) || Plan::of(&unit).word_bits() > word_bits {
            continue;
        }
        let start = Instant::now();
        if recovered(&unit, 20_000).is_none() {
            println!("not found after {:.1?}:\n{drawn}", start.elapsed());
            missed.push(drawn.to_string());
        }
        times.push(start.elapsed());
        println!("{}: {:.1?}", times.len(), start.elapsed());
    }
    times.sort();
    let (median, longest) = (times[wanted / 2], times[wanted - 1]);
    println!("{} of {wanted} found; median {median:.1?}, longest {longest:.1?}", wanted - missed.len());
    assert!(missed.len() * 10 <= wanted, "nothing fits {} of {wanted} units", missed.len());
}
