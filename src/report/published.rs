//! Experiments of a published work on subjects: readings beside the published ones.

use serde::Serialize;

use super::VERSION;
use super::operands::OperandReport;
use crate::engine::Identity;
use crate::literature::{Answered, Comparison, Outcome, Reading, Verdict, Work};

/// Experiments of one work on all subjects.
#[derive(Debug, Serialize)]
pub struct PublishedReport {
    pub tensorsmith: &'static str,
    pub command: &'static str,
    pub work: &'static str,
    pub citation: &'static str,
    pub subjects: Vec<PublishedSubject>,
    /// Whether no reading differs from a published one without a documented reason.
    pub passed: bool,
}

/// One subject.
#[derive(Debug, Serialize)]
pub struct PublishedSubject {
    pub subject: String,
    pub engine: String,
    /// Versions of the tools behind the engine.
    pub version: String,
    /// Why it was not asked.
    pub skipped: Option<String>,
    /// Vectors asked.
    pub vectors: u64,
    pub experiments: Vec<PublishedExperiment>,
}

/// One experiment on one subject.
#[derive(Debug, Serialize)]
pub struct PublishedExperiment {
    pub name: &'static str,
    pub question: &'static str,
    pub source: &'static str,
    pub reading: Option<String>,
    /// Why there is no reading.
    pub not_asked: Option<String>,
    pub vectors: Vec<PublishedVector>,
    pub published: Vec<PublishedReading>,
}

/// One vector with its answer; encodings in hexadecimal.
#[derive(Debug, Serialize)]
pub struct PublishedVector {
    pub inputs: String,
    #[serde(flatten)]
    pub operands: OperandReport,
    pub d: String,
    pub number: String,
}

/// A published reading.
#[derive(Debug, Serialize)]
pub struct PublishedReading {
    pub device: &'static str,
    pub place: &'static str,
    pub reading: String,
    /// "same", "documented" or "differs".
    pub verdict: &'static str,
    /// Why it differs, where that is documented.
    pub reason: Option<&'static str>,
}

impl PublishedReport {
    pub fn new(work: Work, subjects: Vec<PublishedSubject>) -> PublishedReport {
        PublishedReport {
            tensorsmith: VERSION,
            command: "suite",
            work: work.name(),
            citation: work.citation(),
            passed: subjects.iter().all(|subject| subject.differing() == 0),
            subjects,
        }
    }
}

impl PublishedSubject {
    pub fn new(subject: &str, identity: &Identity, outcomes: &[Outcome]) -> PublishedSubject {
        PublishedSubject {
            subject: subject.to_owned(),
            engine: identity.engine.clone(),
            version: identity.version.clone(),
            skipped: None,
            vectors: outcomes.iter().map(|outcome| outcome.answered.len() as u64).sum(),
            experiments: outcomes.iter().map(PublishedExperiment::of).collect(),
        }
    }

    pub fn skipped(subject: &str, engine: &str, reason: String) -> PublishedSubject {
        PublishedSubject {
            subject: subject.to_owned(),
            engine: engine.to_owned(),
            version: String::new(),
            skipped: Some(reason),
            vectors: 0,
            experiments: Vec::new(),
        }
    }

    fn readings(&self, verdict: &str) -> usize {
        let readings = self.experiments.iter().flat_map(|experiment| &experiment.published);
        readings.filter(|published| published.verdict == verdict).count()
    }

    /// Published readings that this subject reads too.
    pub fn same(&self) -> usize {
        self.readings("same")
    }

    /// Published readings from which it differs for a documented reason.
    pub fn documented(&self) -> usize {
        self.readings("documented")
    }

    /// Published readings from which it differs.
    pub fn differing(&self) -> usize {
        self.readings("differs")
    }
}

impl PublishedExperiment {
    fn of(outcome: &Outcome) -> PublishedExperiment {
        PublishedExperiment {
            name: outcome.experiment.name,
            question: outcome.experiment.question,
            source: outcome.experiment.source,
            reading: outcome.reading.as_ref().ok().map(Reading::to_string),
            not_asked: outcome.reading.as_ref().err().cloned(),
            vectors: outcome.answered.iter().map(PublishedVector::of).collect(),
            published: outcome.comparisons.iter().map(PublishedReading::of).collect(),
        }
    }
}

impl PublishedVector {
    fn of(answered: &Answered) -> PublishedVector {
        PublishedVector {
            inputs: answered.question.label.clone(),
            operands: OperandReport::of(&answered.question.vector),
            d: format!("{:#x}", answered.answer),
            number: answered.number.to_string(),
        }
    }
}

impl PublishedReading {
    fn of(comparison: &Comparison) -> PublishedReading {
        let (verdict, reason) = match comparison.verdict {
            Verdict::Same => ("same", None),
            Verdict::Documented(reason) => ("documented", Some(reason)),
            Verdict::Differs => ("differs", None),
        };
        let published = &comparison.published;
        PublishedReading {
            device: published.device,
            place: published.place,
            reading: published.reading.to_string(),
            verdict,
            reason,
        }
    }
}
