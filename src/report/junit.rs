//! Outcomes for continuous integration: JUnit XML by the rules of Jenkins' xUnit schema (`junit-10.xsd`), and annotation lines.

use std::path::Path;
use std::time::Duration;

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

/// What is wrong with a case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// Kind of fault: `mismatch`, `error`.
    pub kind: &'static str,
    /// One line.
    pub message: String,
    /// Everything that helps to find the reason, in lines.
    pub text: String,
}

impl Fault {
    /// Results that differ: the line, and the lines below it.
    pub fn mismatch(message: String, text: String) -> Fault {
        Fault { kind: "mismatch", message, text }
    }

    /// A command that did not finish; the message is the first line.
    pub fn error(text: &str) -> Fault {
        let message = text.trim().lines().next().unwrap_or_default().to_owned();
        Fault { kind: "error", message, text: text.trim().to_owned() }
    }
}

/// How a case ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    Passed,
    /// Results differ.
    Failed(Fault),
    /// There is no result.
    Error(Fault),
    Skipped(String),
}

/// An engine on the subject or the recording of its suite.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Case {
    pub name: String,
    pub time: Duration,
    pub outcome: Outcome,
}

/// One unit, instruction or recording.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Suite {
    pub name: String,
    /// Name and value, such as counts of vectors.
    pub properties: Vec<(String, String)>,
    pub cases: Vec<Case>,
}

impl Suite {
    /// The suite of a command that did not finish: one case, which is an error.
    pub fn error(command: &str, error: &str) -> Suite {
        let case =
            Case { name: command.to_owned(), time: Duration::ZERO, outcome: Outcome::Error(Fault::error(error)) };
        Suite { name: format!("tensorsmith {command}"), properties: Vec::new(), cases: vec![case] }
    }
}

/// JUnit XML of all suites in the order given.
pub fn junit(command: &str, suites: &[Suite]) -> String {
    let mut report = Report::new(format!("tensorsmith {command}"));
    report.add_test_suites(suites.iter().map(test_suite));
    let text = report.to_string().unwrap_or_else(|error| format!("<!-- {error} -->"));
    // The schema has no such attribute of the whole report, only of a suite.
    match text.split_once("<testsuites ").and_then(|(_, rest)| rest.split_once('>')) {
        Some((root, _)) => text.replacen(root, &without_attribute(root, "skipped"), 1),
        None => text,
    }
}

/// The attributes of a tag without one of them.
fn without_attribute(tag: &str, name: &str) -> String {
    let begin = format!(" {name}=\"");
    let Some((before, rest)) = tag.split_once(&begin) else { return tag.to_owned() };
    rest.split_once('"').map_or(tag.to_owned(), |(_, after)| format!("{before}{after}"))
}

fn test_suite(suite: &Suite) -> TestSuite {
    let mut tests = TestSuite::new(suite.name.clone());
    for (name, value) in &suite.properties {
        tests.add_property((name.as_str(), value.as_str()));
    }
    for case in &suite.cases {
        let non_success = |kind, fault: &Fault| {
            let mut status = TestCaseStatus::non_success(kind);
            status.set_type(fault.kind).set_message(fault.message.clone()).set_description(fault.text.clone());
            status
        };
        let status = match &case.outcome {
            Outcome::Passed => TestCaseStatus::success(),
            Outcome::Failed(fault) => non_success(NonSuccessKind::Failure, fault),
            Outcome::Error(fault) => non_success(NonSuccessKind::Error, fault),
            Outcome::Skipped(reason) => {
                let mut status = TestCaseStatus::skipped();
                status.set_message(reason.clone());
                status
            }
        };
        let mut test = TestCase::new(case.name.clone(), status);
        test.set_classname(suite.name.clone());
        test.set_time(case.time);
        tests.add_test_case(test);
    }
    tests
}

/// One annotation line for each failed case, in the form that GitHub's runners read from standard output. It is shown at the file that
/// an error names first, otherwise at `file`.
pub fn annotations(command: &str, suites: &[Suite], file: Option<&str>) -> Vec<String> {
    let escape = |text: &str| text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A");
    let property = |text: &str| escape(text).replace(':', "%3A").replace(',', "%2C");
    let line = |suite: &Suite, case: &Case| {
        let (fault, place) = match &case.outcome {
            Outcome::Failed(fault) => (fault, None),
            Outcome::Error(fault) => (fault, place(&fault.text)),
            Outcome::Passed | Outcome::Skipped(_) => return None,
        };
        let place = match (place, file) {
            (Some((file, Some(line))), _) => format!("file={},line={line},", property(&file)),
            (Some((file, None)), _) => format!("file={},", property(&file)),
            (None, Some(file)) => format!("file={},", property(file)),
            (None, None) => String::new(),
        };
        let title = match case.name == command {
            true => format!("tensorsmith {command}"),
            false => format!("tensorsmith {command}: {} {}", suite.name, case.name),
        };
        // Of a mismatch the line has all that matters; why something cannot be built may be in any line.
        let text = if let Outcome::Error(_) = case.outcome { &fault.text } else { &fault.message };
        Some(format!("::error {place}title={title}::{}", escape(text)))
    };
    suites.iter().flat_map(|suite| suite.cases.iter().filter_map(move |case| line(suite, case))).collect()
}

/// The first `FILE:LINE` of a text whose file exists, otherwise the first `FILE:`.
fn place(text: &str) -> Option<(String, Option<u64>)> {
    let places = text.split_whitespace().filter_map(|word| {
        let (file, rest) = word.split_once(':')?;
        let line = rest.split(':').next().and_then(|line| line.parse().ok());
        Path::new(file).is_file().then(|| (file.to_owned(), line))
    });
    let places: Vec<_> = places.collect();
    places.iter().find(|(_, line)| line.is_some()).or(places.first()).cloned()
}
