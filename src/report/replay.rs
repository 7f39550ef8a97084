//! The report of a replay of recordings.

use std::time::Duration;

use serde::Serialize;

use super::VERSION;
use super::junit::{Case, Fault, Outcome, Suite};
use super::machine::MachineReport;
use crate::check::replay::Row;
use crate::engine::{Engine, Identity};

/// How an engine did on a recording.
#[derive(Debug, Clone, Serialize)]
pub struct RecordingEngine {
    pub engine: String,
    pub version: String,
    pub vectors: u64,
    pub mismatches: u64,
    pub skipped: Option<String>,
}

impl RecordingEngine {
    /// One that did not answer.
    pub fn skipped(engine: &str, reason: String) -> RecordingEngine {
        RecordingEngine {
            engine: engine.to_owned(),
            version: String::new(),
            vectors: 0,
            mismatches: 0,
            skipped: Some(reason),
        }
    }

    /// One that answered so many vectors, of which some differ.
    pub fn ran(engine: &dyn Engine, vectors: u64, mismatches: u64) -> RecordingEngine {
        let Identity { engine, version } = engine.identity();
        RecordingEngine { engine, version, vectors, mismatches, skipped: None }
    }
}

/// The first differing row.
#[derive(Debug, Clone, Serialize)]
pub struct RowReport {
    pub engine: String,
    pub row: usize,
    pub a: Vec<String>,
    pub b: Vec<String>,
    pub c: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub scale_a: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub scale_b: Vec<String>,
    pub recorded: String,
    pub answer: String,
}

impl RowReport {
    /// The report of a row that `engine` answers differently.
    pub fn of(engine: &str, row: &Row) -> RowReport {
        let hex = |bits: &u64| format!("{bits:#x}");
        RowReport {
            engine: engine.to_owned(),
            row: row.row,
            a: row.vector.a.iter().map(hex).collect(),
            b: row.vector.b.iter().map(hex).collect(),
            c: hex(&row.vector.c),
            scale_a: row.vector.scale_a.iter().map(hex).collect(),
            scale_b: row.vector.scale_b.iter().map(hex).collect(),
            recorded: hex(&row.recorded),
            answer: hex(&row.answer),
        }
    }

    /// The operands, each as text; scales where there are some.
    pub fn operands(&self) -> Vec<String> {
        let scales = [("scale_a", &self.scale_a), ("scale_b", &self.scale_b)];
        let scales = scales.into_iter().filter(|(_, list)| !list.is_empty());
        let lists = [("a", &self.a), ("b", &self.b)].into_iter().chain(scales);
        let texts = lists.map(|(name, list)| format!("{name} = {}", list.join(" ")));
        texts.chain([format!("c = {}", self.c)]).collect()
    }
}

/// Where a description comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Description {
    Catalogue,
    /// The recording holds it.
    Recording,
    /// A file that was named for the recording.
    File,
}

impl Description {
    /// In reports.
    pub fn name(self) -> &'static str {
        match self {
            Description::Catalogue => "catalogue",
            Description::Recording => "recording",
            Description::File => "file",
        }
    }
}

/// One recording's outcome.
#[derive(Debug, Clone, Serialize)]
pub struct RecordingReport {
    pub device: String,
    pub operands: String,
    pub result: String,
    pub instruction: Option<String>,
    /// Which description of it the engines ran.
    pub description: Option<Description>,
    /// How that differs from what the catalogue has under the same name.
    pub unlike_catalogue: Option<String>,
    pub engines: Vec<RecordingEngine>,
    pub skipped: Option<String>,
    pub first_mismatch: Option<RowReport>,
}

/// Outcomes of all recordings.
#[derive(Debug, Clone, Serialize)]
pub struct ReplayReport {
    pub tensorsmith: &'static str,
    pub command: &'static str,
    pub recordings: Vec<RecordingReport>,
    pub passed: bool,
    /// Why the command did not finish.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

impl ReplayReport {
    /// The report of all recordings.
    pub fn new(recordings: Vec<RecordingReport>) -> ReplayReport {
        let engines = || recordings.iter().flat_map(|recording| &recording.engines);
        let passed = engines().all(|engine| engine.mismatches == 0) && engines().any(|engine| engine.vectors > 0);
        ReplayReport { tensorsmith: VERSION, command: "replay", recordings, passed, error: None }
    }

    /// Vectors that `engine` answered in all recordings, and how many of them differently.
    pub fn total(&self, engine: &str) -> (u64, u64) {
        let engines = self.recordings.iter().flat_map(|recording| &recording.engines);
        engines
            .filter(|ran| ran.engine == engine)
            .fold((0, 0), |(vectors, mismatches), ran| (vectors + ran.vectors, mismatches + ran.mismatches))
    }
}

impl RecordingReport {
    /// What is printed of the first row that differs.
    pub fn mismatch_text(&self) -> Option<String> {
        let row = self.first_mismatch.as_ref()?;
        let (place, operands) = (self.place(), row.operands().join("\n  "));
        let (number, engine, answer, recorded) = (row.row, &row.engine, &row.answer, &row.recorded);
        Some(format!("{place}: row {number}: {engine} answers {answer}, recorded {recorded}\n  {operands}"))
    }

    fn place(&self) -> String {
        format!("{} {} -> {}", self.device, self.operands, self.result)
    }

    /// One case for each engine.
    fn suite(&self) -> Suite {
        let case = |name: &str, outcome| Case { name: name.to_owned(), time: Duration::ZERO, outcome };
        let skipped = self.skipped.iter().map(|reason| case("recording", Outcome::Skipped(reason.clone())));
        let engines = self.engines.iter().map(|engine| {
            let outcome = match (&engine.skipped, engine.mismatches) {
                (Some(reason), _) => Outcome::Skipped(reason.clone()),
                (None, 0) => Outcome::Passed,
                (None, mismatches) => {
                    let message = format!("{mismatches} of {} rows differ", engine.vectors);
                    let text = self.mismatch_text().unwrap_or_else(|| message.clone());
                    Outcome::Failed(Fault::mismatch(message, text))
                }
            };
            case(&engine.engine, outcome)
        });
        let counts = |engine: &RecordingEngine| {
            let counts = [("vectors", engine.vectors), ("mismatches", engine.mismatches)];
            counts.map(|(name, count)| (format!("{name} {}", engine.engine), count.to_string()))
        };
        Suite {
            name: self.place(),
            properties: self.engines.iter().flat_map(counts).collect(),
            cases: skipped.chain(engines).collect(),
        }
    }
}

impl MachineReport for ReplayReport {
    fn json(&self) -> serde_json::Result<String> {
        serde_json::to_string_pretty(self)
    }

    fn suites(&self) -> Vec<Suite> {
        let recordings = self.recordings.iter().map(RecordingReport::suite);
        recordings.chain(self.error.as_ref().map(|error| Suite::error(self.command, error))).collect()
    }

    fn fail(&mut self, error: &str) {
        self.passed = false;
        self.error = Some(error.trim_end().to_owned());
    }
}
