//! Units and instructions of the catalogue, from their emulators.

use std::time::{Duration, Instant};

use tensorsmith::describe::subject::Subject;
use tensorsmith::engine::Batch;
use tensorsmith::infer::{Finding, field_differences};

use super::recovery::recovered;
use super::shared::long_tier as long;
use super::support::{emulator, short, subjects};

/// The subject answers as its description says; each value that is excluded is excluded by an answer that it does not give.
fn assert_evidence(subject: &Subject, finding: &Finding) {
    let mut own = emulator(subject);
    for parameter in &finding.parameters {
        for exclusion in &parameter.exclusions {
            let mut answers = Vec::new();
            own.run(&Batch::of(&exclusion.vector), &mut answers).expect("an emulator answers");
            assert_eq!(answers, [exclusion.answer], "{}", parameter.field);
            assert!(!exclusion.excluded.is_empty() && !exclusion.excluded.contains(&parameter.value));
        }
    }
}

#[test]
fn units_and_instructions_of_the_catalogue_are_recovered() {
    let count = if long() { 2_000_000 } else { 50_000 };
    // Other tests of the ordinary tier infer other schemes; the long tier takes all.
    let ordinary = ["tiny-riscv", "tiny-even-odd", "tiny-pair-chain", "arm-bfmmla-ebf", "tiny-integer", "tiny-grouped"];
    let chosen = |subject: &Subject| long() || ordinary.contains(&subject.name());
    let mut times: Vec<(Duration, u64, String)> = Vec::new();
    for subject in subjects().iter().filter(|subject| chosen(subject)) {
        let start = Instant::now();
        let finding =
            recovered(subject, short(500_000), count).unwrap_or_else(|missed| panic!("{}: {missed}", subject.name()));
        let found = &finding.hypothesis;
        times.push((start.elapsed(), finding.asked, subject.name().to_owned()));
        for other in field_differences(subject, found) {
            assert!(other.reason.is_some(), "{}: {other:?}", subject.name());
        }
        assert_evidence(subject, &finding);
        let scheme = match subject {
            Subject::Unit(unit) => unit.scheme,
            Subject::Instruction(instruction) => instruction.unit.scheme,
        };
        let mut equivalent = finding.equivalent.iter().map(|other| &other.hypothesis);
        let known = found.unit.scheme == scheme || equivalent.any(|other| other.unit.scheme == scheme);
        assert!(known, "{} is found as {}", subject.name(), found.unit.scheme.name());
    }
    times.sort();
    times.iter().for_each(|(time, asked, name)| println!("{name}: {time:.1?}, {asked} vectors"));
}
