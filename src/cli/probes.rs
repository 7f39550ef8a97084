//! `tensorsmith probes`: the feature tests that an inference asks first, and what engines answer to them.

use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::Args;
use serde::Serialize;

use super::eval::shown_answer;
use super::output::say;
use super::{Failure, Verdict, input, output};
use crate::cli::table;
use tensorsmith::check::probe::{Probe, Test, features, open_questions};
use tensorsmith::check::suite::Suite;
use tensorsmith::describe::interface::Interface;
use tensorsmith::describe::subject::Subject;
use tensorsmith::engine::{Batch, Kind, Opened};
use tensorsmith::infer::vector_text;
use tensorsmith::report::{OperandReport, VECTORS, VERSION, counted};

/// List the feature tests, or what units and instructions answer to them
///
/// A feature test is a question, its source, and vectors made from formats and sizes alone, for every value that the parameter
/// in question could have. Of one subject the tests that can be asked are listed, with their vectors; of several, each a
/// hypothesis of what a unit does, also on how many of those the answers differ. `--test` shows every vector of one test and
/// the answers.
#[derive(Args)]
#[command(
    after_help = "Examples:\n  tensorsmith probes\n  tensorsmith probes hopper-fp16-fp32\n  tensorsmith probes volta-fp16-fp32 cdna1-fp16-fp32\n  tensorsmith probes volta-fp16-fp32 cdna1-fp16-fp32 --test one-extra-bit\n  tensorsmith probes ampere-fp16-fp32 my-unit.toml --json differing.json"
)]
pub(super) struct Arguments {
    /// Names of units or instructions of the catalogue, or unit or instruction files (.toml), of the same formats and sizes
    subjects: Vec<String>,
    /// Engine that answers
    #[arg(long, value_name = "ENGINE", default_value = "emulator")]
    engine: Kind,
    /// Only the test of this name, with every vector
    #[arg(long, value_name = "NAME")]
    test: Option<String>,
    /// Write tests, vectors and answers as JSON to FILE; `-` is standard output, then without the text
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

#[derive(Serialize)]
struct Report {
    tensorsmith: &'static str,
    command: &'static str,
    subjects: Vec<SubjectRow>,
    tests: Vec<TestRow>,
}

#[derive(Serialize)]
struct SubjectRow {
    subject: String,
    engine: String,
    version: String,
}

#[derive(Serialize)]
struct TestRow {
    name: &'static str,
    suite: &'static str,
    decides: &'static str,
    source: &'static str,
    /// None without subjects.
    vectors: Vec<VectorRow>,
    /// Vectors on which the subjects' answers differ.
    differing: usize,
}

#[derive(Serialize)]
struct VectorRow {
    parameters: BTreeMap<&'static str, i32>,
    #[serde(flatten)]
    operands: OperandReport,
    /// Of each subject, the word in hexadecimal.
    answers: Vec<String>,
    /// For people: the row of a table.
    #[serde(skip)]
    cells: Vec<String>,
}

/// A subject whose engine is open.
struct Answering {
    interface: Interface,
    engine: Box<dyn tensorsmith::engine::Engine>,
}

pub(super) fn run(arguments: &Arguments) -> Result<Verdict, Failure> {
    let tests = tests(arguments.test.as_deref())?;
    let named: Vec<Subject> =
        arguments.subjects.iter().map(|name| Ok(input::subject(name)?.subject)).collect::<Result<_, Failure>>()?;
    check(&named)?;
    let mut answering: Vec<Answering> =
        named.iter().map(|subject| open(subject, arguments.engine)).collect::<Result<_, _>>()?;
    let subjects = named.iter().zip(&answering).map(|(subject, Answering { engine, .. })| {
        let identity = engine.identity();
        SubjectRow { subject: subject.name().to_owned(), engine: identity.engine, version: identity.version }
    });
    let subjects = subjects.collect();
    let tests = tests.into_iter().map(|(suite, test)| row(suite, test, &mut answering));
    let tests = tests.collect::<Result<_, _>>()?;
    let report = Report { tensorsmith: VERSION, command: "probes", subjects, tests };
    if output::json_beside_text(arguments.json.as_deref(), &report)? {
        print(&report, arguments.test.is_some());
    }
    Ok(Verdict::Agreed)
}

/// All tests with their suites, or the one of that name.
fn tests(name: Option<&str>) -> Result<Vec<(Suite, Test)>, Failure> {
    let of = |suite, tests: Vec<Test>| tests.into_iter().map(move |test| (suite, test));
    let all = of(Suite::Features, features()).chain(of(Suite::Open, open_questions()));
    let Some(name) = name else { return Ok(all.collect()) };
    let found: Vec<(Suite, Test)> = all.clone().filter(|(_, test)| test.name == name).collect();
    if found.is_empty() {
        let names: Vec<&str> = all.map(|(_, test)| test.name).collect();
        return Err(Failure(format!("--test: {name}; allowed: {}", names.join(", "))));
    }
    Ok(found)
}

/// Refuses subjects that do not take and give the same words.
fn check(subjects: &[Subject]) -> Result<(), Failure> {
    let interfaces: Vec<Interface> = subjects.iter().map(Subject::interface).collect();
    let Some((first, others)) = interfaces.split_first() else { return Ok(()) };
    for other in others {
        if let Some((what, [left, right])) = input::interface_mismatches(first, other).into_iter().next() {
            let (first, other) = (&first.name, &other.name);
            let allowed = "subjects of the same formats, number of products and scales";
            return Err(Failure(format!("{what} of {first} is {left}, of {other} {right}; allowed: {allowed}")));
        }
    }
    Ok(())
}

fn open(subject: &Subject, kind: Kind) -> Result<Answering, Failure> {
    match kind.open_subject(subject)? {
        Opened::Ready(engine) => Ok(Answering { interface: subject.interface(), engine }),
        Opened::Absent(reason) => {
            Err(Failure(format!("{}: {}: skipped, because {reason}", subject.name(), kind.name())))
        }
    }
}

fn row(suite: Suite, test: Test, answering: &mut [Answering]) -> Result<TestRow, Failure> {
    let probes = answering.first().map_or(Vec::new(), |first| test.probes(&first.interface));
    let mut answers = Vec::new();
    for Answering { interface, engine } in answering.iter_mut() {
        let mut batch = Batch::of_interface(interface);
        probes.iter().for_each(|probe| batch.push(&probe.vector));
        let mut words = Vec::new();
        if !batch.is_empty() {
            engine.run(&batch, &mut words)?;
        }
        answers.push(words);
    }
    let vector = |(v, probe): (usize, &Probe)| {
        let words: Vec<u64> = answers.iter().map(|words| words[v]).collect();
        let numbers = answering.iter().zip(&words).map(|(one, &word)| shown_answer("", &one.interface, word).decimal);
        let parameters = probe.parameters.iter().map(|(name, value)| format!("{name} = {value}"));
        let parameters = parameters.collect::<Vec<_>>().join(", ");
        VectorRow {
            cells: [parameters, vector_text(&probe.vector)].into_iter().chain(numbers).collect(),
            parameters: probe.parameters.iter().copied().collect(),
            operands: OperandReport::of(&probe.vector),
            answers: words.iter().map(|word| format!("{word:#x}")).collect(),
        }
    };
    let vectors: Vec<VectorRow> = probes.iter().enumerate().map(vector).collect();
    let differing =
        vectors.iter().filter(|vector| vector.answers.iter().any(|word| *word != vector.answers[0])).count();
    let Test { name, decides, source, .. } = test;
    Ok(TestRow { name, suite: suite.name(), decides, source, vectors, differing })
}

fn print(report: &Report, every_vector: bool) {
    for SubjectRow { subject, engine, version } in &report.subjects {
        say!("{subject}: {engine}, {version}");
    }
    if every_vector && !report.subjects.is_empty() {
        return report.tests.iter().for_each(|test| print_vectors(report, test));
    }
    let count = report.subjects.len();
    // Where an answer is shown, the source is left to the list and to the test by itself.
    let shown = |test: &TestRow| {
        let TestRow { name, suite, decides, source, vectors, differing } = test;
        let [vectors, differing] = [vectors.len(), *differing].map(|count| count.to_string());
        let cells = [name, suite, vectors.as_str(), differing.as_str(), decides, source];
        columns(count).map(|column| cells[column].to_owned()).collect()
    };
    let headings = ["test", "suite", "vectors", "differing", "decides", "source"];
    let headings: Vec<&str> = columns(count).map(|column| headings[column]).collect();
    let numbers: Vec<usize> = (2..2 + count.min(2)).collect();
    say!("{}", table::table(&headings, &numbers, report.tests.iter().map(shown).collect()));
    if count > 0 {
        let sum = |count: fn(&TestRow) -> usize| report.tests.iter().map(count).sum::<usize>();
        let differing =
            if count > 1 { format!(", {} answered differently", sum(|test| test.differing)) } else { String::new() };
        let vectors = counted(sum(|test| test.vectors.len()) as u64, VECTORS);
        say!("{vectors}{differing}; tensorsmith {VERSION}");
    }
}

/// Columns of the list that are shown with so many subjects.
fn columns(subjects: usize) -> impl Iterator<Item = usize> {
    let shown: &[usize] = match subjects {
        0 => &[0, 1, 4, 5],
        1 => &[0, 1, 2, 4],
        _ => &[0, 1, 2, 3, 4],
    };
    shown.iter().copied()
}

fn print_vectors(report: &Report, test: &TestRow) {
    say!("{}: {}", test.name, test.decides);
    say!("source: {}", test.source);
    if test.vectors.is_empty() {
        return say!("no vector: these formats and sizes have none");
    }
    let subjects = report.subjects.iter().map(|subject| subject.subject.as_str());
    let headings: Vec<&str> = ["parameters", "vector"].into_iter().chain(subjects).collect();
    let numbers: Vec<usize> = (2..headings.len()).collect();
    say!("{}", table::table(&headings, &numbers, test.vectors.iter().map(|vector| vector.cells.clone()).collect()));
}
