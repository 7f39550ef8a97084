//! What an inference found of units and instructions of which it was told formats and sizes only. Infers nothing itself.

use serde::Serialize;

use super::{Difference, State, Total};
use crate::check::compare::Comparison;
use crate::describe::subject::Subject;
use crate::infer::{
    Contradiction, FieldDifference, Outcome, ParameterEvidence, field_differences, indistinguishable_lines, vector_text,
};
use crate::report::cosim::MismatchReport;
use crate::report::thousands;

const CHECK: &str = "inferred = emulator";

/// The inference of a unit or an instruction from its emulator's answers.
#[derive(Debug, Clone, Serialize)]
pub struct Inferred {
    pub subject: String,
    /// That nothing was found is a difference too: the subject is a unit or an instruction.
    pub state: State,
    /// For people.
    pub found: String,
    /// Fields in which the subject's description and what was found differ.
    pub differences: Vec<FieldDifference>,
    /// Values that no vector distinguishes from those of the finding, and why: a line for each parameter and reason.
    pub indistinguishable: Vec<String>,
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
            state: State::Differed,
            found: String::new(),
            differences: Vec::new(),
            indistinguishable: Vec::new(),
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
                row.found = "nothing that fits".to_owned();
                row.first = Some(against(contradiction));
                return row;
            }
        };
        row.asked = finding.asked;
        row.differences = field_differences(subject, &finding.hypothesis);
        row.indistinguishable = finding.parameters.iter().flat_map(indistinguishable).collect();
        let vectors = thousands(row.vectors);
        let unexplained = row.fields(|other| other.reason.is_none());
        (row.state, row.found) = match row.mismatches {
            0 if row.differences.is_empty() => (State::Agreed, "equal to the description".to_owned()),
            0 if unexplained.is_empty() => {
                (State::Agreed, format!("equal but for what cannot show: {}", row.fields(|_| true)))
            }
            0 => (State::Agreed, format!("equal on {vectors} vectors, with no reason known for {unexplained}")),
            mismatches => (State::Differed, format!("another: {mismatches} of {vectors} differ")),
        };
        row.first = compared.and_then(|comparison| comparison.first.as_ref()).map(|first| {
            let has_addend = subject.interface().has_addend();
            MismatchReport::of(has_addend, first).text(row.mismatches, row.vectors)
        });
        row
    }

    /// Whether nothing was found that fits.
    fn is_nothing(&self) -> bool {
        self.state == State::Differed && self.mismatches == 0
    }

    /// Names of fields that are described differently.
    fn fields(&self, which: fn(&FieldDifference) -> bool) -> String {
        let fields = self.differences.iter().filter(|other| which(other)).map(|other| other.field.as_str());
        fields.collect::<Vec<_>>().join(", ")
    }
}

/// That nothing was found, and the answers that no hypothesis explains together.
fn against(contradiction: &Contradiction) -> String {
    let answers = contradiction.together.iter();
    let answers = answers.map(|(vector, answer)| format!("{} gives {answer:#x}", vector_text(vector)));
    match answers.collect::<Vec<_>>().join("; ") {
        together if together.is_empty() => "no hypothesis was found that fits".to_owned(),
        together => format!("no hypothesis was found that explains these answers together: {together}"),
    }
}

fn indistinguishable(parameter: &ParameterEvidence) -> Vec<String> {
    let others = parameter.indistinguishable.iter().map(|other| (other.value.as_str(), other.reason.as_str()));
    indistinguishable_lines(parameter.field, others)
}

/// All rows together.
pub(super) fn total(rows: &[Inferred]) -> Total {
    let mut total = Total { ran: rows.len(), ..Total::of(CHECK) };
    for row in rows {
        total.vectors += row.vectors;
        total.mismatches += row.mismatches;
    }
    total
}

/// In how many inferences nothing was found.
pub fn found_nothing(rows: &[Inferred]) -> usize {
    rows.iter().filter(|row| row.is_nothing()).count()
}

/// What came of all in a sentence: how many found nothing, and how long they took.
pub fn inferences_text(rows: &[Inferred]) -> String {
    let nothing = match found_nothing(rows) {
        0 => String::new(),
        count => format!("Nothing was found of {count} of {}. ", rows.len()),
    };
    let mut seconds: Vec<f64> = rows.iter().map(|row| row.seconds).collect();
    seconds.sort_by(f64::total_cmp);
    let times = seconds.last().map(|longest| {
        let median = seconds[seconds.len() / 2];
        format!("An inference took {median:.1} seconds in the median, {longest:.1} at most.")
    });
    nothing + &times.unwrap_or_default()
}

/// The first vector of each row on which finding and subject differ, or why nothing was found.
pub(super) fn differences(rows: &[Inferred]) -> impl Iterator<Item = Difference> {
    rows.iter().filter_map(|row| {
        let text = row.first.clone()?;
        Some(Difference { of: row.subject.clone(), check: CHECK.to_owned(), text })
    })
}
