//! What `tensorsmith infer` says, to people and to programs.

use serde::Serialize;

use crate::cli::output::{self, say};
use crate::describe::unit::Scheme;
use crate::engine::Vector;
use crate::infer::{ParameterEvidence, Refuted, SCHEMES, few};

#[derive(Serialize)]
pub(super) struct Report {
    pub subject: String,
    pub engine: String,
    pub found: bool,
    pub scheme: Option<&'static str>,
    pub unit_file: Option<String>,
    pub asked: u64,
    pub confirmed: u64,
    pub seconds: f64,
    pub parameters: Vec<ParameterRow>,
    pub refuted: Vec<RefutedRow>,
    pub equivalent: Vec<&'static str>,
    /// Whether the answers were recorded.
    pub recorded: bool,
    pub contradiction: Vec<AnswerRow>,
    pub space: Vec<&'static str>,
}

#[derive(Serialize)]
pub(super) struct ParameterRow {
    field: &'static str,
    value: String,
    exclusions: Vec<ExclusionRow>,
    not_told_apart: Vec<OtherRow>,
}

#[derive(Serialize)]
pub(super) struct ExclusionRow {
    answer: AnswerRow,
    excluded: Vec<String>,
}

#[derive(Serialize)]
pub(super) struct OtherRow {
    value: String,
    reason: String,
}

#[derive(Serialize)]
pub(super) struct RefutedRow {
    scheme: &'static str,
    answers_against: usize,
    first: Option<AnswerRow>,
}

#[derive(Serialize)]
pub(super) struct AnswerRow {
    a: Vec<String>,
    b: Vec<String>,
    c: String,
    d: String,
}

pub(super) fn answer_row(vector: &Vector, answer: u64) -> AnswerRow {
    let hex = |bits: &u64| format!("{bits:#x}");
    let list = |operands: &[u64]| operands.iter().map(hex).collect();
    AnswerRow { a: list(&vector.a), b: list(&vector.b), c: hex(&vector.c), d: hex(&answer) }
}

pub(super) fn parameter_row(parameter: &ParameterEvidence) -> ParameterRow {
    let exclusion = |exclusion: &crate::infer::Exclusion| ExclusionRow {
        answer: answer_row(&exclusion.vector, exclusion.answer),
        excluded: exclusion.excluded.clone(),
    };
    let other =
        |other: &crate::infer::Indifferent| OtherRow { value: other.value.clone(), reason: other.reason.clone() };
    ParameterRow {
        field: parameter.field,
        value: parameter.value.clone(),
        exclusions: parameter.exclusions.iter().map(exclusion).collect(),
        not_told_apart: parameter.indifferent.iter().map(other).collect(),
    }
}

pub(super) fn refuted_row(refuted: &Refuted) -> RefutedRow {
    RefutedRow {
        scheme: refuted.hypothesis.unit.scheme.name(),
        answers_against: refuted.by.len(),
        first: refuted.by.first().map(|(vector, answer)| answer_row(vector, *answer)),
    }
}

pub(super) fn schemes() -> Vec<&'static str> {
    SCHEMES.into_iter().map(Scheme::name).collect()
}

fn answer_text(row: &AnswerRow) -> String {
    let list = |operands: &[String]| {
        let end = operands.iter().rposition(|bits| bits != "0x0").map_or(1, |last| last + 1);
        operands[..end.min(operands.len())].join(",")
    };
    format!("a = {}, b = {}, c = {}: {}", list(&row.a), list(&row.b), row.c, row.d)
}

pub(super) fn print(report: &Report) {
    let (engine, asked, seconds) = (&report.engine, report.asked, report.seconds);
    match report.scheme {
        None => print_nothing(report),
        Some(scheme) => {
            let confirmed = report.confirmed;
            match report.recorded {
                false => {
                    say!("{engine} is {scheme}: {asked} vectors asked, {confirmed} of them to confirm, {seconds:.1} s");
                }
                true => say!("{engine} fits {scheme}: all of {asked} recorded answers, {seconds:.1} s"),
            }
            let rows = report.parameters.iter().map(|row| {
                let excluded: usize = row.exclusions.iter().map(|exclusion| exclusion.excluded.len()).sum();
                let others: Vec<String> = row.not_told_apart.iter().map(|other| other.value.clone()).collect();
                vec![row.field.to_owned(), row.value.clone(), excluded.to_string(), few(&others, 4)]
            });
            let headings = ["parameter", "value", "values excluded", "not told apart from"];
            say!("{}", output::table(&headings, &[2], rows.collect()));
            for row in &report.parameters {
                for exclusion in row.exclusions.iter().take(2) {
                    let (answer, excluded) = (answer_text(&exclusion.answer), few(&exclusion.excluded, 4));
                    say!("{} is not {excluded}: {answer}", row.field);
                }
                if let Some(other) = row.not_told_apart.first() {
                    say!("{} may as well be {}: {}", row.field, other.value, other.reason);
                }
            }
            for row in &report.refuted {
                if let Some(answer) = &row.first {
                    say!("{} does not fit: {}", row.scheme, answer_text(answer));
                }
            }
            for scheme in &report.equivalent {
                match report.recorded {
                    false => say!("no difference from a unit with scheme {scheme} was found"),
                    true => say!("the recorded answers fit a unit with scheme {scheme} as well"),
                }
            }
        }
    }
}

fn print_nothing(report: &Report) {
    let space = report.space.join(", ");
    say!(
        "nothing in the hypothesis space fits {}: {} vectors asked; the space holds {space}",
        report.engine,
        report.asked
    );
    for row in &report.refuted {
        let answer = row.first.as_ref().map_or(String::new(), |answer| format!(", such as {}", answer_text(answer)));
        say!("the best {} is contradicted by {} answers{answer}", row.scheme, row.answers_against);
    }
    if !report.contradiction.is_empty() {
        say!("no hypothesis was found that explains these answers together; without any of them there is one:");
        report.contradiction.iter().for_each(|row| say!("  {}", answer_text(row)));
    }
}
