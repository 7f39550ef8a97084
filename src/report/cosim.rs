//! The report of a co-simulation.

use std::time::Duration;

use serde::Serialize;

use super::diagnosis::DiagnosisReport;
use super::junit::{Case, Fault, Outcome, Suite};
use super::machine::MachineReport;
use super::{VECTORS, VERSION, counted, rate, thousands, wrapped};

use crate::check::compare::{Comparison, Mismatch, NotReproducible, Ran};
use crate::check::matrices::Element;
use crate::compute::events::{Coverage, Event, concerns, unreachable};
use crate::describe::plan::Plan;
use crate::describe::subject::Subject;
use crate::engine::Handshake;

/// Letters in a line of a paragraph where no width is given.
const PARAGRAPH: usize = 118;

/// What an engine did.
#[derive(Debug, Clone, Serialize)]
pub struct EngineReport {
    pub engine: String,
    pub version: String,
    pub vectors: u64,
    pub seconds: f64,
    /// Of this engine alone.
    pub vectors_per_second: f64,
    pub skipped: Option<String>,
}

/// How often an event happened.
#[derive(Debug, Clone, Serialize)]
pub struct EventReport {
    pub event: &'static str,
    pub count: u64,
    pub unreachable: Option<String>,
}

/// The first mismatch, shrunk.
#[derive(Debug, Clone, Serialize)]
pub struct MismatchReport {
    pub index: u64,
    pub class: Option<&'static str>,
    pub a: Vec<String>,
    pub b: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub c: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub scale_a: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub scale_b: Vec<String>,
    pub answers: Vec<(String, String)>,
    /// Why the vector stayed as it was found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_shrunk: Option<String>,
    /// Engines that returned something else for the same vector when they were evaluated again.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub not_reproducible: Vec<NotReproducible>,
    /// Of whole matrices, where it lies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub element: Option<Element>,
    pub stage: Option<String>,
    pub case_file: Option<String>,
    /// Of a design, from reset to the wrong result.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wave_file: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub diagnosis: Option<DiagnosisReport>,
    /// What is printed of it, for JUnit XML.
    #[serde(skip)]
    pub printed: String,
}

/// What a run that was ended by its time limit would have done with more time.
#[derive(Debug, Clone, Serialize)]
pub struct LeftReport {
    /// Vectors that were not run.
    pub vectors: u64,
    /// Time for these, at the rate of those that were run; null where no time was measured.
    pub seconds: Option<f64>,
    /// The part of all inputs that was run, where all of them were to be.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exhaustive_share: Option<f64>,
    /// Events that can happen and did not; null where none are counted.
    pub events_open: Option<Vec<&'static str>>,
}

/// One unit's outcome.
#[derive(Debug, Clone, Serialize)]
pub struct UnitReport {
    pub unit: String,
    pub stimulus: &'static str,
    pub classes: Vec<&'static str>,
    /// Of given vectors, the indices of those that differ.
    #[serde(skip)]
    pub differing: Vec<u64>,
    /// Of kept cases, the files in the order in which they were run.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub case_files: Vec<String>,
    pub engines: Vec<EngineReport>,
    pub compared: u64,
    pub mismatches: u64,
    pub coverage: Vec<EventReport>,
    /// Vectors on which those were counted.
    pub coverage_vectors: u64,
    /// Of a design with a clock, what was done to its handshakes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub handshakes: Vec<Handshake>,
    pub first_mismatch: Option<MismatchReport>,
    /// Of a run that its time limit ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left: Option<LeftReport>,
    /// How an engine failed after a mismatch was found, which ended the run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failed: Option<String>,
    pub seconds: f64,
    pub vectors_per_second: f64,
}

/// Outcomes of all units.
#[derive(Debug, Clone, Serialize)]
pub struct CosimReport {
    pub tensorsmith: &'static str,
    pub command: &'static str,
    pub seed: Option<u64>,
    /// Seconds in which vectors were run at most, where there is a limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_limit: Option<u64>,
    /// Where there is a limit, whether it ended a run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stopped: Option<bool>,
    pub units: Vec<UnitReport>,
    pub passed: bool,
    /// Why the command did not finish.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// Vectors per second; 0 where no time was measured.
fn per_second(vectors: u64, time: Duration) -> f64 {
    if time.is_zero() { 0.0 } else { vectors as f64 / time.as_secs_f64() }
}

impl EngineReport {
    fn of(ran: &Ran) -> EngineReport {
        match ran {
            Ran::Vectors { identity, count, time } => EngineReport {
                engine: identity.engine.clone(),
                version: identity.version.clone(),
                vectors: *count,
                seconds: time.as_secs_f64(),
                vectors_per_second: per_second(*count, *time),
                skipped: None,
            },
            Ran::Skipped { engine, reason } => EngineReport {
                engine: engine.clone(),
                version: String::new(),
                vectors: 0,
                seconds: 0.0,
                vectors_per_second: 0.0,
                skipped: Some(reason.to_string()),
            },
        }
    }
}

/// How often each event happened that concerns a unit with that plan.
pub(super) fn events(plan: &Plan, coverage: &Coverage) -> Vec<EventReport> {
    let report = |&event: &Event| EventReport {
        event: event.name(),
        count: coverage.of(event),
        unreachable: unreachable(plan, event),
    };
    Event::ALL.iter().filter(|event| concerns(plan, **event)).map(report).collect()
}

impl MismatchReport {
    /// The report of a mismatch; where the traces differ is not known yet.
    pub(super) fn of(has_addend: bool, mismatch: &Mismatch) -> MismatchReport {
        let hex = |bits: &u64| format!("{bits:#x}");
        let vector = &mismatch.vector;
        MismatchReport {
            index: mismatch.index,
            class: mismatch.class.map(|class| class.name()),
            a: vector.a.iter().map(hex).collect(),
            b: vector.b.iter().map(hex).collect(),
            c: has_addend.then(|| hex(&vector.c)),
            scale_a: vector.scale_a.iter().map(hex).collect(),
            scale_b: vector.scale_b.iter().map(hex).collect(),
            answers: mismatch.answers.iter().map(|(engine, answer)| (engine.clone(), hex(answer))).collect(),
            not_shrunk: mismatch.not_shrunk.clone(),
            not_reproducible: mismatch.not_reproducible.clone(),
            element: None,
            stage: None,
            case_file: None,
            wave_file: None,
            diagnosis: None,
            printed: String::new(),
        }
    }
}

impl UnitReport {
    /// The report of a comparison.
    pub fn of(
        subject: &Subject,
        stimulus: &'static str,
        classes: Vec<&'static str>,
        skipped: &[Ran],
        comparison: &Comparison,
    ) -> UnitReport {
        let ran = comparison.engines.iter().chain(skipped);
        let has_addend = subject.interface().has_addend();
        let mut report = UnitReport {
            unit: subject.name().to_owned(),
            stimulus,
            classes,
            differing: comparison.differing.clone(),
            case_files: Vec::new(),
            engines: ran.map(EngineReport::of).collect(),
            compared: comparison.compared,
            mismatches: comparison.mismatches,
            // Nothing observes an instruction.
            coverage: match (subject, &comparison.coverage) {
                (Subject::Unit(unit), Some(coverage)) => events(&Plan::of(unit), coverage),
                _ => Vec::new(),
            },
            handshakes: comparison.handshakes.clone(),
            coverage_vectors: comparison.coverage.as_ref().map_or(0, Coverage::vectors),
            first_mismatch: comparison.first.as_ref().map(|first| MismatchReport::of(has_addend, first)),
            left: None,
            failed: comparison.failure.as_ref().map(ToString::to_string),
            seconds: comparison.time.as_secs_f64(),
            vectors_per_second: per_second(comparison.compared, comparison.time),
        };
        report.left = (comparison.left > 0).then(|| LeftReport::of(&report, comparison.left));
        report
    }

    /// The lines that people read, no wider than that many letters where a number is given.
    pub fn text(&self, width: Option<usize>) -> String {
        let paragraph = |heading: &str, text: &str| wrapped(heading, text, width.unwrap_or(PARAGRAPH));
        let what = if self.stimulus == "matrices" { ["element of D", "elements of D"] } else { VECTORS };
        let verdict = match (self.compared, self.mismatches) {
            (0, _) => "NOTHING COMPARED: fewer than two engines ran".to_owned(),
            (compared, 0) => format!("{} compared, 0 mismatches", counted(compared, what)),
            (compared, mismatches) => {
                let words = ["MISMATCH", "MISMATCHES"];
                format!("{} compared, {}", counted(compared, what), counted(mismatches, words))
            }
        };
        let all = rate(self.vectors_per_second);
        let mut text = format!("{}: {verdict}, {all} in all\n", self.unit);
        for engine in &self.engines {
            let said = match &engine.skipped {
                Some(reason) => format!("skipped, because {reason}"),
                None => {
                    let (vectors, rate) = (counted(engine.vectors, what), rate(engine.vectors_per_second));
                    format!("ran {vectors}, {rate} ({})", engine.version)
                }
            };
            text += &wrapped(&engine.engine, &said, width.unwrap_or(usize::MAX));
        }
        let classes = format!("{} classes in turn: {}", self.classes.len(), self.classes.join(", "));
        text += &match self.stimulus {
            "shaped" => paragraph("stimulus", &classes),
            "matrices" => paragraph("stimulus", &format!("rows of A and columns of B of {classes}")),
            "cases" => paragraph("stimulus", &format!("kept cases: {}", self.case_files.join(", "))),
            other => paragraph("stimulus", other),
        };
        text += &self.coverage_text(paragraph);
        text += &self.handshakes_text(paragraph);
        if let Some(left) = &self.left {
            text += &paragraph("stopped", &left.text(self.compared, what));
        }
        if let Some(failure) = &self.failed {
            text += &paragraph("stopped", failure);
        }
        text
    }

    /// What was done to the handshakes, and what can be and was not.
    fn handshakes_text(&self, paragraph: impl Fn(&str, &str) -> String) -> String {
        let reachable: Vec<&Handshake> = self.handshakes.iter().filter(|one| one.unreachable.is_none()).collect();
        if reachable.is_empty() {
            return String::new();
        }
        let event = |one: &&Handshake| {
            let longest = one.longest.map_or(String::new(), |longest| format!(" (longest {})", thousands(longest)));
            format!("{} {}{longest}", one.event, thousands(one.count))
        };
        let events: Vec<String> = reachable.iter().map(event).collect();
        let reached = reachable.iter().filter(|one| one.count > 0).count();
        paragraph("handshakes", &format!("{reached} of {} events: {}", reachable.len(), events.join(", ")))
    }

    fn coverage_text(&self, paragraph: impl Fn(&str, &str) -> String) -> String {
        if self.coverage.is_empty() {
            return paragraph("coverage", "not counted: only the emulator of a unit counts events");
        }
        let (unreachable, reachable): (Vec<_>, Vec<_>) =
            self.coverage.iter().partition(|event| event.unreachable.is_some());
        let reached: Vec<String> =
            reachable.iter().map(|event| format!("{} {}", event.event, thousands(event.count))).collect();
        let reached = reached.join(", ");
        let mut text = match self.coverage_vectors < self.compared {
            true => paragraph("coverage", &format!("of {}: {reached}", counted(self.coverage_vectors, VECTORS))),
            false => paragraph("coverage", &reached),
        };
        if !unreachable.is_empty() {
            text += &paragraph("never", &by_reason(&unreachable));
        }
        text
    }

    /// A mismatch is one failure, of the engine that stands alone.
    fn suite(&self, seed: Option<u64>) -> Suite {
        let alone = self.first_mismatch.as_ref().map(|first| (first.alone(), first));
        let outcome = |engine: &EngineReport| match (&engine.skipped, &alone) {
            (Some(reason), _) => Outcome::Skipped(reason.clone()),
            (None, Some((alone, first))) if *alone == engine.engine => {
                let seed = seed.map_or(String::new(), |seed| format!("; seed {seed}"));
                let case = first.case_file.as_ref().map_or(String::new(), |file| format!("; case file {file}"));
                let message = first.text(self.mismatches, self.compared) + &seed + &case;
                let text = format!("{}{}", first.printed, seed.replacen("; ", "  ", 1));
                Outcome::Failed(Fault { kind: first.kind(), message, text })
            }
            (None, None) if self.compared == 0 => {
                Outcome::Error(Fault::error("nothing compared: fewer than two engines ran"))
            }
            (None, _) => Outcome::Passed,
        };
        // Annotations have commas between what they say.
        let kept = if self.case_files.is_empty() { "" } else { " (kept cases)" };
        let case = |engine: &EngineReport| Case {
            name: engine.engine.clone(),
            time: Duration::from_secs_f64(engine.seconds),
            outcome: outcome(engine),
        };
        let counts = [("compared", self.compared), ("mismatches", self.mismatches)];
        let counts = seed.map(|seed| ("seed", seed)).into_iter().chain(counts);
        let counts = counts.map(|(name, count)| (name.to_owned(), count.to_string()));
        let of_engines = self.engines.iter().map(|one| (format!("vectors {}", one.engine), one.vectors.to_string()));
        let stimulus = ("stimulus".to_owned(), self.stimulus.to_owned());
        Suite {
            name: format!("{}{kept}", self.unit),
            properties: std::iter::once(stimulus).chain(counts).chain(of_engines).collect(),
            cases: self.engines.iter().map(case).collect(),
        }
    }
}

impl MismatchReport {
    /// In JUnit XML.
    fn kind(&self) -> &'static str {
        if self.not_reproducible.is_empty() { "mismatch" } else { "not-reproducible" }
    }

    /// The engine whose answer the fewest others give, of several the last; but first one that is not reproducible.
    fn alone(&self) -> &str {
        if let Some(one) = self.not_reproducible.first() {
            return &one.engine;
        }
        let alike = |answer: &str| self.answers.iter().filter(|(_, other)| other == answer).count();
        let fewest = self.answers.iter().rev().min_by_key(|(_, answer)| alike(answer));
        fewest.map_or("", |(engine, _)| engine)
    }

    /// One line for people.
    pub(super) fn text(&self, mismatches: u64, compared: u64) -> String {
        let answers: Vec<String> = self.answers.iter().map(|(engine, answer)| format!("{engine} {answer}")).collect();
        let c = self.c.as_ref().map_or(String::new(), |c| format!(", c = {c}"));
        let scales = match self.scale_a.is_empty() {
            true => String::new(),
            false => format!(", scale_a = {}, scale_b = {}", self.scale_a.join(" "), self.scale_b.join(" ")),
        };
        let again: String = self.not_reproducible.iter().map(|one| format!("; {one}")).collect();
        format!(
            "{mismatches} of {compared} vectors differ; a = {}, b = {}{c}{scales}: {}{again}",
            self.a.join(" "),
            self.b.join(" "),
            answers.join(", ")
        )
    }
}

impl LeftReport {
    fn of(report: &UnitReport, vectors: u64) -> LeftReport {
        let share = || report.compared as f64 / (report.compared + vectors) as f64;
        let rate = report.vectors_per_second;
        let is_open = |event: &&EventReport| event.unreachable.is_none() && event.count == 0;
        let open = report.coverage.iter().filter(is_open).map(|event| event.event);
        LeftReport {
            vectors,
            seconds: (rate > 0.0).then(|| vectors as f64 / rate),
            exhaustive_share: (report.stimulus == "exhaustive").then(share),
            events_open: (!report.coverage.is_empty()).then(|| open.collect()),
        }
    }

    /// One paragraph for people.
    fn text(&self, compared: u64, what: [&'static str; 2]) -> String {
        let run = match self.exhaustive_share {
            Some(share) => format!("{:.2} % of all inputs were run", 100.0 * share),
            None => format!("{} of {} were run", thousands(compared), counted(compared + self.vectors, what)),
        };
        let time = self.seconds.map_or(String::new(), |seconds| format!(", {seconds:.0} s at this rate"));
        let events = match self.events_open.as_deref() {
            None => "events are not counted".to_owned(),
            Some([]) => "no event is open".to_owned(),
            Some(open) => format!("events still open: {}", open.join(", ")),
        };
        format!("ended early: {run}, {} are left{time}; {events}", thousands(self.vectors))
    }
}

impl CosimReport {
    /// The report of all units.
    pub fn new(seed: Option<u64>, units: Vec<UnitReport>) -> CosimReport {
        let passed = units.iter().all(|unit| unit.mismatches == 0 && unit.compared > 0);
        let (time_limit, stopped, error) = (None, None, None);
        CosimReport { tensorsmith: VERSION, command: "cosim", seed, time_limit, stopped, units, passed, error }
    }

    /// The same of runs that had a time limit, in all.
    pub fn limited(self, limit: Option<Duration>) -> CosimReport {
        let stopped = limit.map(|_| self.units.iter().any(|unit| unit.left.is_some()));
        CosimReport { time_limit: limit.map(|limit| limit.as_secs()), stopped, ..self }
    }
}

impl MachineReport for CosimReport {
    fn json(&self) -> serde_json::Result<String> {
        serde_json::to_string_pretty(self)
    }

    fn suites(&self) -> Vec<Suite> {
        let units = self.units.iter().map(|unit| unit.suite(self.seed));
        units.chain(self.error.as_ref().map(|error| Suite::error(self.command, error))).collect()
    }

    fn fail(&mut self, error: &str) {
        self.passed = false;
        self.error = Some(error.trim_end().to_owned());
    }
}

/// Events that cannot happen, those with the same reason together.
fn by_reason(events: &[&EventReport]) -> String {
    let mut groups: Vec<(&str, Vec<&str>)> = Vec::new();
    for event in events {
        let reason = event.unreachable.as_deref().unwrap_or_default();
        match groups.iter_mut().find(|group| group.0 == reason) {
            Some(group) => group.1.push(event.event),
            None => groups.push((reason, vec![event.event])),
        }
    }
    let texts: Vec<String> =
        groups.iter().map(|(reason, events)| format!("{} ({reason})", events.join(", "))).collect();
    texts.join("; ")
}
