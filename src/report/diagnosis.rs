//! What an engine was found to compute in place of what it should, as text and as part of a report.

use serde::Serialize;

use super::{counted, thousands};
use crate::infer::{Diagnosis, Ended, FieldDifference};
use crate::report::VECTORS;

/// A diagnosis.
#[derive(Debug, Clone, Serialize)]
pub struct DiagnosisReport {
    pub engine: String,
    /// `explained`, `nothing` or `time-up`.
    pub ended: &'static str,
    /// Where the nearest description differs from the one that was given: `found` is the engine's.
    pub differences: Vec<FieldDifference>,
    pub vectors: u64,
    /// Answers that the given description does not explain, and that the nearest does not.
    pub unexplained_before: u64,
    pub unexplained: u64,
    pub seconds: f64,
}

impl DiagnosisReport {
    pub fn new(engine: &str, diagnosis: Diagnosis, seconds: f64) -> DiagnosisReport {
        let ended = match diagnosis.ended {
            Ended::Explained => "explained",
            Ended::Nothing => "nothing",
            Ended::TimeUp => "time-up",
        };
        let Diagnosis { differences, vectors, unexplained_before, unexplained, .. } = diagnosis;
        DiagnosisReport {
            engine: engine.to_owned(),
            ended,
            differences,
            vectors,
            unexplained_before,
            unexplained,
            seconds,
        }
    }

    /// A line, or two, for people; `subject` is what the engine should compute.
    pub fn text(&self, subject: &str) -> String {
        let one = |difference: &FieldDifference| {
            format!("{} {} ({}) for {}", difference.field, difference.found, self.engine, difference.described)
        };
        let differences: Vec<String> = self.differences.iter().map(one).collect();
        let differences = differences.join(", ");
        let share = |count: u64| 100.0 * count as f64 / self.vectors.max(1) as f64;
        let Self { engine, vectors, unexplained, unexplained_before, seconds, .. } = self;
        let (all, before) = (counted(*vectors, VECTORS), share(*unexplained_before));
        match (self.ended, differences.is_empty()) {
            ("explained", _) => format!(
                "  diagnosis: {engine} agrees with {subject} except {differences}: 0 of {all} differ then ({seconds:.1} s)\n"
            ),
            (ended, nothing) => {
                let why = if ended == "time-up" {
                    "the time was up"
                } else {
                    "no description of the hypothesis space explains it"
                };
                let nearest = match nothing {
                    true => format!("nothing is nearer than {subject}"),
                    false => format!("nearest: {subject} with {differences}"),
                };
                format!(
                    "  diagnosis: {why}; {nearest}: {} of {all} still differ, {:.2} % (without the changes {before:.2} %; {seconds:.1} s)\n",
                    thousands(*unexplained),
                    share(*unexplained)
                )
            }
        }
    }
}
