//! Asks a subject an experiment's vectors, reads the answers, and puts the reading beside the published ones.

use std::collections::BTreeMap;

use super::{Experiment, Number, Published, Question, Reading};
use crate::check::probe::Bench;
use crate::describe::interface::Interface;
use crate::describe::subject::Subject;
use crate::engine::{Batch, Chained, Engine, EngineError, Identity, Kind, Opened};

/// A vector with its answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answered {
    pub question: Question,
    /// Encoding of d, with the flags above it where the unit has some.
    pub answer: u64,
    pub number: Number,
}

/// The results as they are.
pub(super) fn results(answered: &[Answered]) -> Reading {
    Reading::Numbers(answered.iter().map(|answered| answered.number).collect())
}

/// Whether the result decreases from the first answer to the second.
pub(super) fn decreases(answered: &[Answered]) -> Reading {
    let values = answered.iter().filter_map(|answered| answered.number.value()).collect::<Vec<_>>();
    Reading::Truth(matches!(values[..], [first, second] if (second - first).is_negative()))
}

/// How a reading stands to a published one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    Same,
    /// It differs as was to be expected, for this reason.
    Documented(&'static str),
    Differs,
}

/// A published reading, and how the subject's stands to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Comparison {
    pub published: Published,
    pub verdict: Verdict,
}

/// What came of one experiment on one subject.
#[derive(Debug, Clone)]
pub struct Outcome {
    pub experiment: Experiment,
    pub answered: Vec<Answered>,
    /// The reading, or why there is none.
    pub reading: Result<Reading, String>,
    pub comparisons: Vec<Comparison>,
}

/// A subject on an engine, which answers sums of its own length and longer ones.
pub struct Answers {
    subject: Subject,
    interface: Interface,
    kind: Kind,
    identity: Identity,
    /// Opened engines by the number of products of their vectors; why there is none for that number.
    opened: BTreeMap<u32, Result<Chained, String>>,
}

impl Answers {
    /// Opens the engine, or says why there is none.
    ///
    /// # Errors
    /// The engine exists on this machine but failed to start.
    pub fn open(subject: &Subject, kind: Kind) -> Result<Result<Answers, String>, EngineError> {
        Ok(match kind.open_subject(subject)? {
            Opened::Ready(engine) => Ok(Answers::of(subject, kind, engine)),
            Opened::Absent(reason) => Err(reason.to_string()),
        })
    }

    /// Asks an engine that was opened for the subject; others of its kind for vectors of another length.
    pub fn of(subject: &Subject, kind: Kind, engine: Box<dyn Engine>) -> Answers {
        let interface = subject.interface();
        let identity = engine.identity();
        let own = Chained::new(engine, &interface, interface.products, &interface.formats.c)
            .map_err(|error| error.to_string());
        let opened = BTreeMap::from([(interface.products, own)]);
        Answers { subject: subject.clone(), interface, kind, identity, opened }
    }

    /// Who answers.
    pub fn identity(&self) -> &Identity {
        &self.identity
    }

    /// Asks an experiment's vectors and reads the answers.
    ///
    /// # Errors
    /// The engine failed.
    pub fn run(&mut self, experiment: Experiment) -> Result<Outcome, EngineError> {
        let mut bench = Bench::of(&self.interface);
        bench.products = bench.products.max(experiment.products as usize);
        let mut outcome = Outcome {
            answered: Vec::new(),
            reading: Err("it is not a question of such formats".to_owned()),
            comparisons: Vec::new(),
            experiment,
        };
        if bench.a.is_integer() || !(outcome.experiment.fits)(&bench) {
            return Ok(outcome);
        }
        let questions = (outcome.experiment.vectors)(&bench);
        let missing = questions.left_out.first().filter(|_| outcome.experiment.whole || questions.asked.is_empty());
        if let Some(label) = missing {
            outcome.reading = Err(format!("the formats do not have {label}"));
            return Ok(outcome);
        }
        match self.answers(bench.products as u32, &questions.asked)? {
            Err(reason) => outcome.reading = Err(reason),
            Ok(answers) => {
                let d = &self.interface.formats.d;
                let answered = |(question, answer): (Question, u64)| {
                    let number = Number::decoded(d, answer & d.mask());
                    Answered { question, answer, number }
                };
                outcome.answered = questions.asked.into_iter().zip(answers).map(answered).collect();
                let reading = (outcome.experiment.read)(&outcome.answered);
                outcome.comparisons = compare(&outcome.experiment, &self.subject, &reading);
                outcome.reading = Ok(reading);
            }
        }
        Ok(outcome)
    }

    /// The answers to vectors of so many products.
    fn answers(&mut self, products: u32, asked: &[Question]) -> Result<Result<Vec<u64>, String>, EngineError> {
        if !self.opened.contains_key(&products) {
            let chained = match self.kind.open_subject(&self.subject)? {
                Opened::Absent(reason) => Err(reason.to_string()),
                Opened::Ready(engine) => Chained::new(engine, &self.interface, products, &self.interface.formats.c)
                    .map_err(|error| error.to_string()),
            };
            self.opened.insert(products, chained);
        }
        let Some(Ok(engine)) = self.opened.get_mut(&products) else {
            let reason = self.opened.get(&products).and_then(|opened| opened.as_ref().err());
            return Ok(Err(reason.cloned().unwrap_or_default()));
        };
        let mut batch = Batch::new(products, asked.first().map_or(0, |question| question.vector.scale_a.len() as u32));
        asked.iter().for_each(|question| batch.push(&question.vector));
        let answers = engine.answers(&batch)?;
        Ok(Ok(answers))
    }
}

/// The published readings of what the subject is.
fn compare(experiment: &Experiment, subject: &Subject, reading: &Reading) -> Vec<Comparison> {
    let published = experiment.published.iter().filter(|published| published.is_of(subject));
    let comparison = |published: &Published| {
        let verdict = match &published.instead {
            _ if published.reading == *reading => Verdict::Same,
            Some((instead, reason)) if instead == reading => Verdict::Documented(reason),
            _ => Verdict::Differs,
        };
        Comparison { published: published.clone(), verdict }
    };
    published.map(comparison).collect()
}
