//! `tensorsmith eval`: one vector, with a trace of every stage on request.

use std::path::PathBuf;

use clap::Args;
use dashu_int::IBig;
use serde::Serialize;

use super::operands::{self, Conversion};
use super::output::{note, say};
use super::{Failure, Verdict, engines, input, output};
use crate::cli::table;
use tensorsmith::describe::format::Format;
use tensorsmith::describe::interface::Interface;
use tensorsmith::describe::subject::Subject;
use tensorsmith::describe::unit::{Flags, Scales};
use tensorsmith::engine::{Batch, Emulator, Kind, Opened, Vector};
use tensorsmith::report::Number;

/// Evaluate one vector
#[derive(Args)]
#[command(
    after_help = "Operands are encodings (0x3c00), decimals (-1.5, 2e-3), C99 hexadecimal floats (0x1.8p+3), inf or nan, separated\nby commas; see --operands for numbers that the format does not hold. Integer operands\nare encodings or plain integers. Missing operands are zero, missing scales 1.\n\nExamples:\n  tensorsmith eval volta-fp16-fp32 --a -8192,-0.5,-0.25,-0.125 --b 1024,1,1,1 --c 8388608\n  tensorsmith eval hopper-fp16-fp32 --a 0x3c00 --b 0x1.8p+1 --c -3 --trace\n  tensorsmith eval blackwell-nvf4-fp32 --a 6,1.5 --b 6,-2 --scale-a 0.5 --scale-b 448\n  tensorsmith eval my-unit.toml --a 1,2 --b 3,4 --engines emulator,reference --json -"
)]
pub(super) struct Arguments {
    /// Name of a unit or an instruction of the catalogue, or a unit or instruction file (.toml)
    unit: String,
    /// Operands a, separated by commas
    #[arg(long, value_delimiter = ',', allow_hyphen_values = true, value_name = "NUMBERS")]
    a: Vec<String>,
    /// Operands b, separated by commas
    #[arg(long, value_delimiter = ',', allow_hyphen_values = true, value_name = "NUMBERS")]
    b: Vec<String>,
    /// Scales of a's blocks, separated by commas; missing scales are 1
    #[arg(long, value_delimiter = ',', allow_hyphen_values = true, value_name = "NUMBERS")]
    scale_a: Vec<String>,
    /// Scales of b's blocks, separated by commas; missing scales are 1
    #[arg(long, value_delimiter = ',', allow_hyphen_values = true, value_name = "NUMBERS")]
    scale_b: Vec<String>,
    /// Addend; without it 0
    #[arg(long, allow_hyphen_values = true, value_name = "NUMBER")]
    c: Option<String>,
    #[command(flatten)]
    conversion: operands::Options,
    /// Engines that answer
    #[arg(long, value_delimiter = ',', default_value = "emulator", value_name = "ENGINES")]
    engines: Vec<Kind>,
    /// Show the emulator's value of every stage of a unit
    #[arg(long)]
    trace: bool,
    /// Write the answers as JSON to FILE; `-` is standard output, then without the text
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

#[derive(Serialize)]
pub(super) struct Shown {
    pub operand: String,
    pub hexadecimal: String,
    pub binary: String,
    pub hexadecimal_float: String,
    pub decimal: String,
    /// The flags that are raised, of answers of a unit with flags.
    #[serde(skip_serializing_if = "Option::is_none")]
    flags: Option<Vec<&'static str>>,
}

#[derive(Serialize)]
struct Evaluation {
    unit: String,
    operands: Vec<Shown>,
    conversion: Conversion,
    answers: Vec<Shown>,
    trace: Option<TraceRows>,
}

impl Shown {
    /// The cells of a table: name, encoding, fields, hexadecimal float, decimal.
    pub fn row(&self) -> Vec<String> {
        [&self.operand, &self.hexadecimal, &self.binary, &self.hexadecimal_float, &self.decimal]
            .map(String::clone)
            .to_vec()
    }
}

pub(super) fn shown(operand: String, format: &Format, bits: u64) -> Shown {
    let number = Number { format, bits };
    Shown {
        operand,
        hexadecimal: number.hexadecimal(),
        binary: number.binary(),
        hexadecimal_float: number.hexadecimal_float(),
        decimal: number.decimal(),
        flags: None,
    }
}

/// A word that an engine answered: d, and the flags by name.
pub(super) fn shown_answer(engine: &str, unit: &Interface, word: u64) -> Shown {
    let (d, flags) = unit.split_answer(word);
    Shown { flags: flags.map(Flags::names), ..shown(format!("d ({engine})"), &unit.formats.d, d) }
}

/// The numbers of a list of the unit; those that are missing are `missing`.
fn numbers(
    name: &str,
    texts: &[String],
    format: &Format,
    list: &List,
    conversion: &mut Conversion,
) -> Result<Vec<u64>, Failure> {
    if texts.len() > list.count {
        let (given, List { count, what, .. }) = (texts.len(), list);
        return Err(Failure(format!("--{name} has {given} numbers; allowed: at most {count}, the {what} of the unit")));
    }
    let all = texts.iter().map(String::as_str).chain(std::iter::repeat(list.missing)).take(list.count);
    all.enumerate()
        .map(|(i, text)| conversion.text(format, text.trim(), || format!("--{name}, number {}", i + 1)))
        .collect()
}

/// How many numbers a list has, what they are, and what a missing one is.
struct List {
    count: usize,
    what: &'static str,
    missing: &'static str,
}

fn vector(arguments: &Arguments, unit: &Interface, conversion: &mut Conversion) -> Result<Vector, Failure> {
    let formats = &unit.formats;
    let products = List { count: unit.products as usize, what: "products", missing: "0" };
    let scales = List { count: unit.scale_count() as usize, what: "scales", missing: "1" };
    let a = numbers("a", &arguments.a, &formats.a, &products, conversion)?;
    let b = numbers("b", &arguments.b, &formats.b, &products, conversion)?;
    let c = match &arguments.c {
        None => formats.c.zero(false),
        Some(_) if !unit.has_addend() => {
            return Err(Failure(format!("--c: {} has no addend; allowed with units that have one", unit.name)));
        }
        Some(text) => conversion.text(&formats.c, text.trim(), || "--c".to_owned())?,
    };
    let mut scale = |name: &str, texts: &[String], format: fn(&Scales) -> &Format| match &unit.scales {
        Some(table) => numbers(name, texts, format(table), &scales, conversion),
        None if texts.is_empty() => Ok(Vec::new()),
        None => Err(Failure(format!("--{name}: {} has no scales; allowed with block-scaled units only", unit.name))),
    };
    let scale_a = scale("scale-a", &arguments.scale_a, |scales| &scales.a)?;
    let scale_b = scale("scale-b", &arguments.scale_b, |scales| &scales.b)?;
    Ok(Vector { a, b, c, scale_a, scale_b })
}

/// The operands as people read them: products, scales, addend.
pub(super) fn shown_operands(unit: &Interface, vector: &Vector) -> Vec<Shown> {
    let formats = &unit.formats;
    let mut all = Vec::new();
    for (i, (&a, &b)) in vector.a.iter().zip(&vector.b).enumerate() {
        all.push(shown(format!("a[{i}]"), &formats.a, a));
        all.push(shown(format!("b[{i}]"), &formats.b, b));
    }
    if let Some(scales) = &unit.scales {
        for (i, (&a, &b)) in vector.scale_a.iter().zip(&vector.scale_b).enumerate() {
            all.push(shown(format!("scale_a[{i}]"), &scales.a, a));
            all.push(shown(format!("scale_b[{i}]"), &scales.b, b));
        }
    }
    if unit.has_addend() {
        all.push(shown("c".to_owned(), &formats.c, vector.c));
    }
    all
}

pub(super) fn run(arguments: &Arguments) -> Result<Verdict, Failure> {
    input::check_engines(&arguments.engines)?;
    let subject = input::subject(&arguments.unit)?.subject;
    if arguments.trace && matches!(subject, Subject::Instruction(_)) {
        return Err(Failure(format!(
            "--trace: {} is an instruction, whose blocks have stages of their own; allowed: a unit",
            subject.name()
        )));
    }
    let interface = subject.interface();
    let mut conversion = Conversion::new(&arguments.conversion);
    let vector = vector(arguments, &interface, &mut conversion)?;
    conversion.tell();
    let operands = shown_operands(&interface, &vector);
    let mut evaluation =
        Evaluation { unit: interface.name.clone(), operands, conversion, answers: Vec::new(), trace: None };

    let (mut answers, mut skipped) = (Vec::new(), Vec::new());
    for kind in &arguments.engines {
        match kind.open_subject(&subject)? {
            Opened::Absent(reason) => {
                note!("{}: skipped, because {}", kind.name(), engines::skipped(*kind, &reason)?);
                skipped.push(kind.name());
            }
            Opened::Ready(mut engine) => {
                let results = engine.answers(&Batch::of(&vector))?;
                answers.push(results[0]);
                evaluation.answers.push(shown_answer(kind.name(), &interface, results[0]));
            }
        }
    }
    if answers.is_empty() {
        return Err(Failure("no engine answered".to_owned()));
    }
    if let (true, Subject::Unit(unit)) = (arguments.trace, &subject) {
        evaluation.trace = Some(trace_rows(Emulator::new(unit).stages_of(&vector)?));
    }
    if output::json_beside_text(arguments.json.as_deref(), &evaluation)? {
        print(&evaluation);
    }
    engines::check_ran(|name| skipped.contains(&name))?;
    let agreed = answers.iter().all(|answer| *answer == answers[0]);
    Ok(if agreed { Verdict::Agreed } else { Verdict::Differed })
}

/// Names of stages or signals with their values.
pub(super) type TraceRows = Vec<(String, Vec<String>)>;

pub(super) fn trace_rows(stages: impl IntoIterator<Item = (String, Vec<IBig>)>) -> TraceRows {
    stages.into_iter().map(|(name, values)| (name, values.iter().map(ToString::to_string).collect())).collect()
}

/// The rows of operands; what all elements of a list from one on have in common is one row.
fn operand_rows(operands: &[Shown]) -> Vec<Vec<String>> {
    let list = |shown: &Shown| shown.operand.split('[').next().unwrap_or_default().to_owned();
    let alike = |one: &Shown, other: &Shown| list(one) == list(other) && one.hexadecimal == other.hexadecimal;
    let mut rows = Vec::new();
    for (place, shown) in operands.iter().enumerate() {
        let later: Vec<&Shown> = operands[place + 1..].iter().filter(|other| list(other) == list(shown)).collect();
        let before = operands[..place].iter().rfind(|other| list(other) == list(shown));
        let rest_alike = later.iter().all(|other| alike(other, shown));
        if rest_alike && before.is_some_and(|before| alike(before, shown)) {
            continue;
        }
        let mut row = shown.row();
        if let (true, Some(last)) = (rest_alike, later.last()) {
            row[0] = format!("{} to {}", shown.operand, last.operand);
        }
        rows.push(row);
    }
    rows
}

fn print(evaluation: &Evaluation) {
    let mut rows = operand_rows(&evaluation.operands);
    rows.extend(evaluation.answers.iter().map(Shown::row));
    let headings = ["", "encoding", "fields", "hexadecimal float", "decimal"];
    say!("{}", table::table(&headings, &[4], rows));
    for answer in &evaluation.answers {
        if let Some(flags) = &answer.flags {
            let raised = if flags.is_empty() { "none".to_owned() } else { flags.join(", ") };
            say!("flags of {}: {raised}", answer.operand);
        }
    }
    if let Some(trace) = &evaluation.trace {
        let rows = trace.iter().map(|(name, values)| vec![name.clone(), values.join(" ")]).collect();
        say!("{}", table::table(&["stage signal", "values"], &[], rows));
    }
}
