//! `tensorsmith infer`: a unit description from the answers of an engine.

use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use serde::Serialize;

use super::output::say;
use super::{Failure, Verdict, input, output};
use crate::describe::unit::{Scheme, Unit};
use crate::engine::{Emulator, Engine, Kind, Opened, Vector};
use crate::infer::{
    Contradiction, Finding, Interface, Options, Outcome, ParameterEvidence, Refuted, SCHEMES, infer, unit_file,
};

/// Find a unit's description from an engine's answers alone
///
/// Of the subject only the interface is used: formats, number of products, whether there are flags. Directed vectors are
/// asked, hypotheses that answer otherwise fall, and vectors that tell the rest apart are asked next. Where nothing in the
/// space of hypotheses fits, that is said, with answers that contradict each other, and the exit code is 1.
#[derive(Args)]
#[command(
    after_help = "Examples:\n  tensorsmith infer hopper-fp16-fp32 --engine emulator --out found.toml\n  tensorsmith infer amx-bf16-fp32 --engine intel --json evidence.json\n  tensorsmith infer my-unit.toml --engine rtl --confirm 100000"
)]
pub(super) struct Arguments {
    /// Name of a unit or an instruction of the catalogue, or a unit file (.toml), whose interface the engine has
    subject: String,
    /// Engine that answers
    #[arg(long, value_name = "ENGINE")]
    engine: Kind,
    /// Write the unit found to FILE
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Name of the unit found
    #[arg(long, default_value = "inferred", value_name = "NAME")]
    name: String,
    /// Write the evidence as JSON to FILE; `-` is standard output, then without the text
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Seed of the shaped vectors
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Shaped vectors that must agree in the end
    #[arg(long, default_value_t = 1_000_000, value_name = "COUNT")]
    confirm: u64,
    /// Vectors looked through for a difference between two hypotheses, without asking the engine
    #[arg(long, default_value_t = 20_000, value_name = "COUNT", value_parser = clap::value_parser!(u64).range(1..))]
    search: u64,
}

#[derive(Serialize)]
struct Report {
    subject: String,
    engine: String,
    found: bool,
    scheme: Option<&'static str>,
    unit_file: Option<String>,
    asked: u64,
    confirmed: u64,
    seconds: f64,
    parameters: Vec<ParameterRow>,
    refuted: Vec<RefutedRow>,
    equivalent: Vec<&'static str>,
    contradiction: Vec<AnswerRow>,
    space: Vec<&'static str>,
}

#[derive(Serialize)]
struct ParameterRow {
    field: &'static str,
    value: String,
    exclusions: Vec<ExclusionRow>,
    not_told_apart: Vec<OtherRow>,
}

#[derive(Serialize)]
struct ExclusionRow {
    answer: AnswerRow,
    excluded: Vec<String>,
}

#[derive(Serialize)]
struct OtherRow {
    value: String,
    reason: String,
}

#[derive(Serialize)]
struct RefutedRow {
    scheme: &'static str,
    answers_against: usize,
    first: Option<AnswerRow>,
}

#[derive(Serialize)]
struct AnswerRow {
    a: Vec<String>,
    b: Vec<String>,
    c: String,
    d: String,
}

fn answer_row(vector: &Vector, answer: u64) -> AnswerRow {
    let hex = |bits: &u64| format!("{bits:#x}");
    let list = |operands: &[u64]| operands.iter().map(hex).collect();
    AnswerRow { a: list(&vector.a), b: list(&vector.b), c: hex(&vector.c), d: hex(&answer) }
}

fn parameter_row(parameter: &ParameterEvidence) -> ParameterRow {
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

fn refuted_row(refuted: &Refuted) -> RefutedRow {
    RefutedRow {
        scheme: refuted.unit.scheme.name(),
        answers_against: refuted.by.len(),
        first: refuted.by.first().map(|(vector, answer)| answer_row(vector, *answer)),
    }
}

fn schemes() -> Vec<&'static str> {
    SCHEMES.into_iter().map(Scheme::name).collect()
}

fn opened(arguments: &Arguments) -> Result<(Box<dyn Engine>, Unit), Failure> {
    let subject = input::subject(&arguments.subject)?.subject;
    let kind = arguments.engine;
    match kind.open_subject(&subject)? {
        Opened::Ready(engine) => Ok((engine, subject.frame())),
        Opened::Unsupported(reason) => Err(Failure(format!("{}: skipped, because {reason}", kind.name()))),
    }
}

pub(super) fn run(arguments: &Arguments) -> Result<Verdict, Failure> {
    let (mut engine, frame) = opened(arguments)?;
    let refuse = |what: &str| {
        let space = schemes().join(", ");
        Err(Failure(format!("{}: {what}; the hypothesis space holds {space}", arguments.subject)))
    };
    if frame.scales.is_some() {
        return refuse("scales are not in the hypothesis space");
    }
    if frame.formats.a.is_integer() {
        return refuse("integer formats are not in the hypothesis space");
    }
    let start = Instant::now();
    let options = Options { seed: arguments.seed, confirm: arguments.confirm, search: arguments.search };
    let evaluate = |unit: &Unit| -> Box<dyn Engine> { Box::new(Emulator::new(unit)) };
    let outcome = infer(engine.as_mut(), Interface::of(&frame), &evaluate, options)?;
    let mut report = Report {
        subject: arguments.subject.clone(),
        engine: arguments.engine.name().to_owned(),
        found: false,
        scheme: None,
        unit_file: None,
        asked: 0,
        confirmed: 0,
        seconds: start.elapsed().as_secs_f64(),
        parameters: Vec::new(),
        refuted: Vec::new(),
        equivalent: Vec::new(),
        contradiction: Vec::new(),
        space: schemes(),
    };
    match &outcome {
        Outcome::Found(finding) => found(arguments, finding, &mut report)?,
        Outcome::Nothing(contradiction) => nothing(contradiction, &mut report),
    }
    if let Some(path) = &arguments.json {
        output::json(path, &report)?;
    }
    if arguments.json.as_deref() != Some(std::path::Path::new("-")) {
        print(&report);
    }
    Ok(if report.found { Verdict::Agreed } else { Verdict::Differed })
}

fn found(arguments: &Arguments, finding: &Finding, report: &mut Report) -> Result<(), Failure> {
    let text = unit_file(finding, &arguments.name, arguments.engine.name());
    // What is written is what a reader accepts, and is the unit that was found.
    let read = Unit::from_toml("the unit found", &text)?;
    let named = Unit { name: read.name.clone(), summary: read.summary.clone(), ..finding.unit.clone() };
    if (Unit { evidence: Default::default(), ..read }) != named {
        return Err(Failure("the unit file of the unit found describes another unit".to_owned()));
    }
    if let Some(path) = &arguments.out {
        output::write_whole(path, &text)?;
    }
    report.found = true;
    report.scheme = Some(finding.unit.scheme.name());
    report.unit_file = Some(text);
    (report.asked, report.confirmed) = (finding.asked, finding.confirmed);
    report.parameters = finding.parameters.iter().map(parameter_row).collect();
    report.refuted = finding.refuted.iter().map(refuted_row).collect();
    report.equivalent = finding.equivalent.iter().map(|unit| unit.scheme.name()).collect();
    Ok(())
}

fn nothing(contradiction: &Contradiction, report: &mut Report) {
    report.asked = contradiction.asked;
    report.refuted = contradiction.best.iter().map(refuted_row).collect();
    report.contradiction = contradiction.together.iter().map(|(vector, answer)| answer_row(vector, *answer)).collect();
}

fn answer_text(row: &AnswerRow) -> String {
    let list = |operands: &[String]| {
        let end = operands.iter().rposition(|bits| bits != "0x0").map_or(1, |last| last + 1);
        operands[..end.min(operands.len())].join(",")
    };
    format!("a = {}, b = {}, c = {}: {}", list(&row.a), list(&row.b), row.c, row.d)
}

/// At most four values of a list.
fn few(values: &[String]) -> String {
    match values.len() {
        0..=4 => values.join(", "),
        count => format!("{} and {} more", values[..3].join(", "), count - 3),
    }
}

fn print(report: &Report) {
    let (engine, asked, seconds) = (&report.engine, report.asked, report.seconds);
    match report.scheme {
        None => print_nothing(report),
        Some(scheme) => {
            let confirmed = report.confirmed;
            say!("{engine} is {scheme}: {asked} vectors asked, {confirmed} of them to confirm, {seconds:.1} s");
            let rows = report.parameters.iter().map(|row| {
                let excluded: usize = row.exclusions.iter().map(|exclusion| exclusion.excluded.len()).sum();
                let others: Vec<String> = row.not_told_apart.iter().map(|other| other.value.clone()).collect();
                vec![row.field.to_owned(), row.value.clone(), excluded.to_string(), few(&others)]
            });
            let headings = ["parameter", "value", "values excluded", "not told apart from"];
            say!("{}", output::table(&headings, &[2], rows.collect()));
            for row in &report.parameters {
                for exclusion in row.exclusions.iter().take(2) {
                    let (answer, excluded) = (answer_text(&exclusion.answer), few(&exclusion.excluded));
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
                say!("no difference from a unit with scheme {scheme} was found");
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
