//! Every test has vectors for the units that it is for, and they are what a recording needs.

use std::collections::{BTreeSet, HashSet};

use tensorsmith::check::probe::{Units, features, open_questions};
use tensorsmith::check::suite::Suite;

use super::*;

/// Products of fp16 and fp8 numbers do not reach the ends of binary32.
const ENDS: [&str; 5] = [
    "subnormal-conversion",
    "anchor-floor",
    "anchor-floor-by-rounding",
    "overflow-and-back",
    "sign-of-vanished-result",
];

/// Tests that have nothing for a unit that they are for.
fn lacking(unit: &Unit) -> BTreeSet<&'static str> {
    let is_for = |test: &Test| match test.units {
        Units::FloatingPoint => !unit.formats.a.is_integer(),
        Units::Scaled => unit.scales.is_some(),
        Units::Integer => unit.formats.a.is_integer(),
    };
    all()
        .iter()
        .filter(|test| is_for(test) && test.probes(&unit.interface()).is_empty())
        .map(|test| test.name)
        .collect()
}

/// In the ordinary tier for one unit in four, and one with scales.
#[test]
fn every_test_is_there() {
    let expected: [(&str, Vec<&str>); 12] = [
        ("volta-fp16-fp32", ENDS.to_vec()),
        ("ampere-fp16-fp32", ENDS.to_vec()),
        ("hopper-fp16-fp32", ENDS.to_vec()),
        ("cdna3-fp16-fp32", ENDS.to_vec()),
        ("hopper-fp16-fp16", Vec::new()),
        ("ampere-bf16-fp32", Vec::new()),
        ("hopper-tf32-fp32", Vec::new()),
        ("ada-e5m2-fp16", Vec::new()),
        // e4m3 has no infinity.
        ("hopper-e4m3-fp32", [&ENDS[..], &["infinity-times-zero"]].concat()),
        ("amx-bf16-fp32", Vec::new()),
        ("integer-int8-int32-saturate", Vec::new()),
        ("integer-int4-int32", Vec::new()),
    ];
    for (name, expected) in support::sampled(&expected, 4) {
        assert_eq!(lacking(&unit(name)), expected.iter().copied().collect(), "{name}");
    }
    // Scaled units have the tests of scales, and those that tell F and L.
    for name in support::sampled(&["blackwell-nvf4-fp32", "blackwell-mxf4-fp32", "blackwell-mx-e4m3-fp32"], 3) {
        let lacking = lacking(&unit(name));
        for test in ["scale-exponent", "scale-significand", "scale-nan", "datapath-width", "block-width", "truncation"]
        {
            assert!(!lacking.contains(test), "{name}: {test} has no vector");
        }
    }
    println!("{} tests", all().len());
}

#[test]
fn tests_are_named_and_sourced() {
    let tests = all();
    let names: HashSet<&str> = tests.iter().map(|test| test.name).collect();
    assert_eq!(names.len(), tests.len(), "a name is there twice");
    for test in &tests {
        let plain = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '-';
        assert!(test.name.chars().all(plain), "{}", test.name);
        assert!(test.decides.len() > 20 && test.source.len() > 10, "{}", test.name);
    }
}

/// For every unit of the catalogue, in the ordinary tier for one in twelve: encodings of their formats, and no probe twice.
#[test]
fn vectors_fit_every_unit() {
    let mut vectors = 0;
    for unit in support::sampled(&support::one_unit_of_each_entry(), 12) {
        for test in all() {
            let probes = test.probes(&unit.interface());
            let parameters: HashSet<_> = probes.iter().map(|probe| &probe.parameters).collect();
            assert_eq!(parameters.len(), probes.len(), "{} {}: parameters are there twice", unit.name, test.name);
            for Probe { vector, .. } in &probes {
                let (formats, products) = (&unit.formats, unit.products as usize);
                assert_eq!((vector.a.len(), vector.b.len()), (products, products));
                assert_eq!(vector.scale_a.len(), unit.scale_count() as usize);
                assert!(vector.a.iter().all(|a| a & !formats.a.mask() == 0), "{} {}", unit.name, test.name);
                assert!(vector.b.iter().all(|b| b & !formats.b.mask() == 0), "{} {}", unit.name, test.name);
                assert_eq!(vector.c & !formats.c.mask(), 0, "{} {}", unit.name, test.name);
            }
            vectors += probes.len();
        }
    }
    println!("{vectors} vectors fit their units");
}

/// A probe does not know how a unit sums: another alignment, conversion or scheme changes no vector.
#[test]
fn probes_know_formats_only() {
    let unit = unit("hopper-fp16-fp32");
    let mut other = super::unit("cdna3-fp16-fp32");
    (other.products, other.alignment_mut().fraction_bits) = (unit.products, 3);
    assert_eq!((&unit.formats, unit.scheme == other.scheme), (&other.formats, false));
    for test in all() {
        assert_eq!(test.probes(&unit.interface()), test.probes(&other.interface()), "{}", test.name);
    }
}

/// What a suite gives is all tests of its list, whatever seed and number are asked for.
#[test]
fn suites_are_the_lists() {
    let unit = unit("hopper-e4m3-fp32");
    for (suite, tests) in [(Suite::Features, features()), (Suite::Open, open_questions())] {
        let probes: usize = tests.iter().map(|test| test.probes(&unit.interface()).len()).sum();
        let fill = |seed, vectors| {
            let source = suite.source(&unit, seed, vectors).expect("there are vectors");
            let mut batch = source.empty_batch();
            source.fill(0, 100, &mut batch);
            (source.count(), batch)
        };
        assert_eq!(fill(1, 10).0, probes as u64);
        assert_eq!(fill(1, 10), fill(2, 20));
    }
    assert!(Suite::Open.source(&super::unit("integer-int8-int32-saturate"), 1, 10).is_none());
}
