//! The report of a campaign's results, of one shard or of all.

use std::time::Duration;

use serde::Serialize;

use super::junit::{Case, Fault, Outcome, Suite};
use super::machine::MachineReport;
use crate::check::campaign::{First, Merged, RunTotal};

/// The results of a campaign, and the case files of first mismatches.
#[derive(Debug, Clone, Serialize)]
pub struct CampaignReport {
    #[serde(flatten)]
    pub merged: Merged,
    /// Why the command did not finish.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// Of each run, the case file of its first mismatch; not in JSON, where nothing depends on folders.
    #[serde(skip)]
    pub case_files: Vec<Option<String>>,
    #[serde(skip)]
    pub command: &'static str,
}

impl First {
    /// One line for people.
    pub fn text(&self) -> String {
        if let Some(made) = &self.signed {
            return format!("first signature that differs: {}; seed {}", made.said, made.seed);
        }
        let answers: Vec<String> = self.answers.iter().map(|(engine, d)| format!("{engine} {d}")).collect();
        let again = self.not_reproducible.as_ref().map_or(String::new(), |text| format!("; {text}"));
        let (operands, answers) = (self.operands.join(" "), answers.join(", "));
        let shrunk = if again.is_empty() { "shrunk" } else { "not shrunk" };
        format!("first mismatch: vector {}, {shrunk}: {operands} gives {answers}{again}", super::thousands(self.index))
    }
}

impl CampaignReport {
    /// The line that runs the case of a run's first mismatch again.
    pub fn rerun(&self, run: usize) -> Option<String> {
        let path = self.case_files.get(run)?.as_ref()?;
        Some(format!("case file: {path} (rerun: tensorsmith cosim --case {path})"))
    }

    /// One case for each engine; a mismatch is a failure of the last one that returns what the fewest others do.
    fn suite(&self, index: usize, run: &RunTotal) -> Suite {
        let alone = run.first.as_ref().map(|first| {
            let alike = |answer: &str| first.answers.iter().filter(|(_, other)| other == answer).count();
            let fewest = first.answers.iter().rev().min_by_key(|(_, answer)| alike(answer));
            (fewest.or(first.answers.last()).map_or("", |(engine, _)| engine), first)
        });
        // Of signatures there may be no vector with results.
        let fallback = run.engines.last().map_or("", |engine| &engine.engine);
        let cases = run.engines.iter().map(|engine| {
            let is_alone = |name: &str| name == engine.engine || name.is_empty() && fallback == engine.engine;
            let outcome = match &alone {
                _ if engine.vectors == 0 && engine.pieces_skipped > 0 => {
                    Outcome::Skipped(engine.reasons.iter().cloned().collect::<Vec<_>>().join("; "))
                }
                Some((name, first)) if is_alone(name) => {
                    let message = format!("{} of {} vectors differ; {}", run.mismatches, run.compared, first.text());
                    let seed = format!("seed {}", run.seed);
                    let lines: Vec<String> = [first.text(), seed].into_iter().chain(self.rerun(index)).collect();
                    Outcome::Failed(Fault::mismatch(message, lines.join("\n")))
                }
                _ => Outcome::Passed,
            };
            Case { name: engine.engine.clone(), time: Duration::ZERO, outcome }
        });
        let counts = [
            ("seed", run.seed),
            ("compared", run.compared),
            ("mismatches", run.mismatches),
            ("pieces", run.pieces),
            ("pieces_missing", run.pieces_missing),
        ];
        let of_engines = run.engines.iter().map(|engine| (format!("vectors {}", engine.engine), engine.vectors));
        let properties = counts.into_iter().map(|(name, count)| (name.to_owned(), count)).chain(of_engines);
        Suite {
            name: format!("{} seed {}", run.subject, run.seed),
            properties: properties.map(|(name, count)| (name, count.to_string())).collect(),
            cases: cases.collect(),
        }
    }
}

impl MachineReport for CampaignReport {
    fn json(&self) -> serde_json::Result<String> {
        serde_json::to_string_pretty(self)
    }

    fn suites(&self) -> Vec<Suite> {
        let runs = self.merged.runs.iter().enumerate().map(|(index, run)| self.suite(index, run));
        runs.chain(self.error.as_ref().map(|error| Suite::error(self.command, error))).collect()
    }

    fn fail(&mut self, error: &str) {
        self.merged.passed = false;
        self.error = Some(error.trim_end().to_owned());
    }
}
