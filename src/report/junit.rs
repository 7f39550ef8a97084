//! Outcomes for continuous integration: JUnit XML and annotation lines.

use std::time::Duration;

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

/// How a case ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    Passed,
    Failed(String),
    Skipped(String),
}

/// One unit or recording on one engine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Case {
    pub suite: String,
    pub name: String,
    pub time: Duration,
    pub outcome: Outcome,
}

/// JUnit XML of all cases, grouped by suite in the order given.
pub fn junit(command: &str, cases: &[Case]) -> String {
    let mut report = Report::new(format!("tensorsmith {command}"));
    let mut suites: Vec<TestSuite> = Vec::new();
    for case in cases {
        let status = match &case.outcome {
            Outcome::Passed => TestCaseStatus::success(),
            Outcome::Failed(message) => {
                let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
                status.set_message(message.clone());
                status
            }
            Outcome::Skipped(reason) => {
                let mut status = TestCaseStatus::skipped();
                status.set_message(reason.clone());
                status
            }
        };
        let mut test = TestCase::new(case.name.clone(), status);
        test.set_classname(case.suite.clone());
        test.set_time(case.time);
        match suites.iter_mut().find(|suite| suite.name.as_str() == case.suite) {
            Some(suite) => {
                suite.add_test_case(test);
            }
            None => {
                let mut suite = TestSuite::new(case.suite.clone());
                suite.add_test_case(test);
                suites.push(suite);
            }
        }
    }
    report.add_test_suites(suites);
    report.to_string().unwrap_or_else(|error| format!("<!-- {error} -->"))
}

/// One annotation line for each failed case, in the form that GitHub's runners read from standard output.
pub fn annotations(command: &str, cases: &[Case]) -> Vec<String> {
    let escape = |text: &str| text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A");
    let failed = |case: &Case| match &case.outcome {
        Outcome::Failed(message) => {
            Some(format!("::error title=tensorsmith {command}: {} {}::{}", case.suite, case.name, escape(message)))
        }
        _ => None,
    };
    cases.iter().filter_map(failed).collect()
}
