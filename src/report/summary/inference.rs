//! What an inference found of units and instructions of which it was told formats and sizes only. Infers nothing itself.

use serde::Serialize;

use super::{Difference, State, Total};
use crate::check::compare::Comparison;
use crate::describe::instruction::Instruction;
use crate::describe::subject::Subject;
use crate::describe::unit::Unit;
use crate::emit;
use crate::infer::{Outcome, ParameterEvidence, alike};
use crate::report::cosim::MismatchReport;

const CHECK: &str = "inferred = emulator";

/// The inference of a unit or an instruction from its emulator's answers.
#[derive(Debug, Clone, Serialize)]
pub struct Inferred {
    pub subject: String,
    /// `none` where nothing was found.
    pub state: State,
    /// For people.
    pub found: String,
    /// Parameters that the finding describes otherwise than the subject.
    pub otherwise: Vec<String>,
    /// Values that nothing tells from those of the finding, and why: a line for each parameter and reason.
    pub alike: Vec<String>,
    /// Vectors that the inference asked.
    pub asked: u64,
    pub seconds: f64,
    /// Vectors on which finding and subject were compared then, and those on which they differ.
    pub vectors: u64,
    pub mismatches: u64,
    #[serde(skip)]
    first: Option<String>,
}

impl Inferred {
    /// What came of the inference; where something was found, it was compared with the subject.
    pub fn of(subject: &Subject, outcome: &Outcome, compared: Option<&Comparison>, seconds: f64) -> Inferred {
        let mut row = Inferred {
            subject: subject.name().to_owned(),
            state: State::None,
            found: "nothing".to_owned(),
            otherwise: Vec::new(),
            alike: Vec::new(),
            asked: 0,
            seconds,
            vectors: compared.map_or(0, |comparison| comparison.compared),
            mismatches: compared.map_or(0, |comparison| comparison.mismatches),
            first: None,
        };
        let finding = match outcome {
            Outcome::Found(finding) => finding,
            Outcome::Nothing(contradiction) => {
                row.asked = contradiction.asked;
                return row;
            }
        };
        row.asked = finding.asked;
        row.otherwise = otherwise(subject, &finding.hypothesis);
        row.alike = finding.parameters.iter().flat_map(not_told_apart).collect();
        (row.state, row.found) = match (row.mismatches, row.otherwise.is_empty()) {
            (0, true) => (State::Agreed, "equal to the description".to_owned()),
            (0, false) => (State::Agreed, format!("equal but for what does not show: {}", row.otherwise.join(", "))),
            (mismatches, _) => (State::Differed, format!("another: {mismatches} of {} differ", row.vectors)),
        };
        row.first = compared.and_then(|comparison| comparison.first.as_ref()).map(|first| {
            let has_addend = subject.frame().has_addend();
            MismatchReport::of(has_addend, first).text(row.mismatches, row.vectors)
        });
        row
    }
}

fn not_told_apart(parameter: &ParameterEvidence) -> Vec<String> {
    let others = parameter.indifferent.iter().map(|other| (other.value.as_str(), other.reason.as_str()));
    alike(parameter.field, others)
}

/// The parameters by which two descriptions differ, by name.
fn otherwise(subject: &Subject, found: &Instruction) -> Vec<String> {
    let (units, blocks): (Vec<&Unit>, _) = match subject {
        Subject::Unit(unit) => (vec![unit], vec![(0..unit.products as usize).collect()]),
        Subject::Instruction(instruction) => (instruction.units().collect(), instruction.blocks()),
    };
    let found_units: Vec<&Unit> = found.units().collect();
    let mut names = Vec::new();
    if blocks != found.blocks() || units.len() != found_units.len() {
        names.push("composition".to_owned());
    }
    for (place, (own, other)) in units.iter().zip(&found_units).enumerate() {
        let whose = if place == 0 { "" } else { "final addition: " };
        if plain(own) == plain(other) {
            continue;
        }
        let (own, other) = (emit::parameter_table(own), emit::parameter_table(other));
        let differing = own.iter().filter(|row| !other.contains(row));
        let before = names.len();
        names.extend(differing.map(|(name, _)| format!("{whose}{name}")));
        if names.len() == before {
            names.push(format!("{whose}parameters that the table does not show"));
        }
    }
    names
}

/// A unit without name and evidence.
fn plain(unit: &Unit) -> Unit {
    Unit { name: String::new(), summary: String::new(), evidence: Default::default(), ..unit.clone() }
}

/// All rows together; where nothing was found, there is nothing to compare.
pub(super) fn total(rows: &[Inferred]) -> Total {
    let mut total = Total::of(CHECK);
    for row in rows {
        match row.state {
            State::None => total.skipped += 1,
            _ => total.ran += 1,
        }
        total.vectors += row.vectors;
        total.mismatches += row.mismatches;
    }
    total
}

/// The first vector of each row on which finding and subject differ.
pub(super) fn differences(rows: &[Inferred]) -> impl Iterator<Item = Difference> {
    rows.iter().filter_map(|row| {
        let text = row.first.clone()?;
        Some(Difference { of: row.subject.clone(), check: CHECK.to_owned(), text })
    })
}
