//! Whether an inference finds a subject again from its emulator.

use std::collections::BTreeMap;
use std::fmt;

use tensorsmith::describe::catalogue;
use tensorsmith::describe::subject::Subject;
use tensorsmith::describe::unit::Unit;
use tensorsmith::infer::{Contradiction, Finding, Options, Outcome};
use tensorsmith::prove::Prover;

use super::support::{difference, emulator, inferred_with, short};

/// Why a subject was not recovered.
pub enum Missed {
    /// What was found gives other answers.
    Wrong(String),
    /// What was found differs on rare vectors, and lists the right values as indistinguishable.
    Open(String),
    /// No hypothesis was found, and these came closest.
    Nothing(String),
}

impl fmt::Display for Missed {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Missed::Wrong(difference) => write!(out, "WRONG: {difference}"),
            Missed::Open(difference) => write!(out, "left open: {difference}"),
            Missed::Nothing(nearest) => write!(out, "nothing fits\n{nearest}"),
        }
    }
}

/// What the inference finds with such an effort. It differs from the subject on none of `count` other vectors.
pub fn recovered(subject: &Subject, options: Options, count: u64) -> Result<Finding, Missed> {
    recovered_with(None, subject, options, count)
}

/// The same, where there may be a solver.
pub fn recovered_with(
    prover: Option<&Prover>,
    subject: &Subject,
    options: Options,
    count: u64,
) -> Result<Finding, Missed> {
    let name = subject.name();
    let finding = match inferred_with(prover, emulator(subject).as_mut(), subject, options) {
        Ok(Outcome::Found(finding)) => *finding,
        Ok(Outcome::Nothing(contradiction)) => return Err(Missed::Nothing(nearest(&contradiction))),
        Err(error) => panic!("{name}: {error}"),
    };
    let refuted = finding.refuted.iter().all(|refuted| !refuted.by.is_empty());
    assert!(refuted, "{name}: a hypothesis is called refuted that nothing refutes");
    match difference(subject, &finding.hypothesis, count) {
        None => Ok(finding),
        Some(difference) if leaves_open(&finding, subject) => Err(Missed::Open(difference)),
        Some(difference) => Err(Missed::Wrong(format!("{difference}; found {:?}", finding.hypothesis))),
    }
}

/// Whether every value of a unit that is not the one found is listed as indistinguishable.
fn leaves_open(finding: &Finding, subject: &Subject) -> bool {
    let Subject::Unit(unit) = subject else { return false };
    let listed = |field: &str, value: &toml::Value| {
        let own = finding.parameters.iter().filter(|parameter| parameter.field == field);
        own.flat_map(|parameter| &parameter.indistinguishable).any(|other| {
            let read = toml::from_str::<toml::Table>(&format!("value = {}", other.value));
            read.is_ok_and(|read| read.get("value") == Some(value))
        })
    };
    let found = fields(&finding.hypothesis.unit);
    let own = fields(unit);
    own.len() == found.len()
        && own.iter().zip(&found).all(|((field, own), (other, found))| {
            field == other && (own == found || field == "name" || listed(field, own))
        })
}

/// The fields of a unit and of its tables, rules for subnormal numbers as one.
fn fields(unit: &Unit) -> Vec<(String, toml::Value)> {
    let plain = Unit { summary: String::new(), evidence: BTreeMap::new(), ..unit.clone() };
    let table: toml::Table = toml::from_str(&plain.to_toml()).expect("a unit writes TOML");
    let mut all = Vec::new();
    for (name, value) in table {
        match value {
            toml::Value::Table(inner) if name != "subnormals" => {
                all.extend(inner.into_iter().map(|(field, value)| (format!("{name}.{field}"), value)));
            }
            value => all.push((name, value)),
        }
    }
    all
}

#[test]
fn values_that_a_finding_leaves_open() {
    let unit = catalogue::unit("tiny-nearest").expect("a unit");
    let Ok(finding) = recovered(&unit.clone().into(), short(10_000), 1_000) else { panic!("tiny-nearest is found") };
    let with_floor = |floor| {
        let mut other = unit.clone();
        other.alignment_mut().exponent_floor = Some(floor);
        other.into()
    };
    assert!(leaves_open(&finding, &unit.clone().into()));
    // Windows at floors up to -11 end below every bit there is.
    assert!(leaves_open(&finding, &with_floor(-12)));
    assert!(!leaves_open(&finding, &with_floor(-9)));
}

/// The hypotheses that came closest, each with the answers against it.
fn nearest(contradiction: &Contradiction) -> String {
    let best = contradiction.best.iter().take(4);
    best.map(|refuted| format!("{} answers against {:?}\n", refuted.by.len(), refuted.hypothesis.unit)).collect()
}
