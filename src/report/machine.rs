//! What a command leaves for machines: JSON, and suites for JUnit XML and annotations; also where it did not finish.

use serde::Serialize;

use super::VERSION;
use super::junit::Suite;

/// A report for machines.
pub trait MachineReport: Send {
    /// The report as JSON.
    ///
    /// # Errors
    /// A value has no JSON.
    fn json(&self) -> serde_json::Result<String>;

    /// The report for JUnit XML and annotations.
    fn suites(&self) -> Vec<Suite>;

    /// Notes why the command did not finish: then nothing has passed.
    fn fail(&mut self, error: &str);
}

/// The report of a command that ended before it had results.
#[derive(Debug, Clone, Serialize)]
pub struct Unfinished {
    pub tensorsmith: &'static str,
    pub command: String,
    pub passed: bool,
    pub error: String,
}

impl Unfinished {
    /// Without an error yet.
    pub fn new(command: &str) -> Unfinished {
        Unfinished { tensorsmith: VERSION, command: command.to_owned(), passed: false, error: String::new() }
    }
}

impl MachineReport for Unfinished {
    fn json(&self) -> serde_json::Result<String> {
        serde_json::to_string_pretty(self)
    }

    fn suites(&self) -> Vec<Suite> {
        vec![Suite::error(&self.command, &self.error)]
    }

    fn fail(&mut self, error: &str) {
        error.trim_end().clone_into(&mut self.error);
    }
}
