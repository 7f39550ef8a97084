//! One piece of a campaign: a part of one stimulus through the engines of its run.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::file::{Campaign, Run};
use super::signed;
use crate::check::compare::{Comparison, Lineup, Mismatch, Ran, Source, compare, line_up};
use crate::check::stimulus::Stimulus;
use crate::compute::events::{Event, concerns};
use crate::describe::plan::Plan;
use crate::describe::subject::Subject;
use crate::engine::EngineError;

/// A part of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Piece {
    /// Among all pieces of the campaign, from 0 on.
    pub number: u64,
    /// Index of its run.
    pub run: usize,
    pub first_chunk: u64,
    /// Vectors.
    pub count: u64,
}

/// What an engine did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EngineCount {
    pub engine: String,
    pub version: String,
    /// Vectors that it answered; 0 where it was skipped.
    pub vectors: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub skipped: Option<String>,
}

/// The first mismatch, shrunk: encodings in hexadecimal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct First {
    /// Index within the run's stimulus, of the vector before shrinking; of a signed run among those of its shape and seed.
    pub index: u64,
    /// a, b, scales of a and of b, c; none where no vector was found by itself.
    pub operands: Vec<String>,
    pub answers: Vec<(String, String)>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signed: Option<Made>,
}

/// Where a vector that a board made comes from: `tensorsmith board BOARD UNIT --seed SEED --shapes SHAPE` makes it again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Made {
    pub shape: String,
    pub seed: u64,
    /// What was found there.
    pub said: String,
}

/// What came of a piece: nothing of it depends on time or on other pieces.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Outcome {
    pub piece: u64,
    pub compared: u64,
    pub mismatches: u64,
    pub engines: Vec<EngineCount>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first: Option<First>,
    /// How often each event of the datapath happened, where the emulator of a unit took part.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub events: BTreeMap<String, u64>,
}

impl Outcome {
    /// Whether another one, perhaps of another machine with other versions of its tools, counted the same.
    pub fn agrees(&self, other: &Outcome) -> bool {
        let counted = |outcome: &Outcome| (outcome.piece, outcome.compared, outcome.mismatches);
        counted(self) == counted(other) && self.first == other.first && self.events == other.events
    }
}

/// Why a piece has no outcome.
#[derive(Debug, Error)]
pub enum PieceError {
    #[error(transparent)]
    Engine(#[from] EngineError),
    #[error("{subject}: nothing compared: fewer than two engines ran; {reasons}")]
    Alone { subject: String, reasons: String },
    #[error(
        "{subject}: engine {engine} is named in the campaign file and is missing: {reason}; allowed: engines that are there, or --allow-missing"
    )]
    Missing { subject: String, engine: String, reason: String },
}

/// Runs a piece. The mismatch beside the outcome is its first one, as it was found. `jobs` processors are for the engine beside a
/// board that signs.
///
/// # Errors
/// An engine exists on this machine but failed; one is missing, unless that is allowed; or fewer than two are there.
pub fn run(
    campaign: &Campaign,
    piece: Piece,
    allow_missing: bool,
    jobs: usize,
) -> Result<(Outcome, Option<Mismatch>), PieceError> {
    let run = &campaign.runs[piece.run];
    let go_on = |ready: usize, skipped: &[Ran]| may_go_on(run, ready, skipped, allow_missing);
    let (comparison, first) = match run.signed {
        true => signed::compare(run, piece, jobs, go_on)?,
        false => {
            let Lineup { ready, skipped } = line_up(&run.subject, &run.kinds)?;
            go_on(ready.len(), &skipped)?;
            let stimulus = Stimulus::of_classes(run.subject.frame(), run.seed, run.classes.clone());
            let whole = Box::new(Source::Shaped { stimulus, count: run.vectors });
            let source = Source::Part { whole, first: piece.first_chunk, count: piece.count };
            let mut comparison = compare(ready, &source, &mut |_| {})?;
            comparison.engines.extend(skipped);
            let first = comparison.first.as_ref().map(first);
            (comparison, first)
        }
    };
    let outcome = Outcome {
        piece: piece.number,
        compared: comparison.compared,
        mismatches: comparison.mismatches,
        engines: comparison.engines.iter().map(count).collect(),
        first,
        events: events(&run.subject, &comparison),
    };
    Ok((outcome, comparison.first))
}

/// Whether enough engines are there, and all of them unless some may be missing.
fn may_go_on(run: &Run, ready: usize, skipped: &[Ran], allow_missing: bool) -> Result<(), PieceError> {
    for ran in skipped {
        if let Ran::Skipped { engine, reason } = ran
            && reason.is_missing()
            && !allow_missing
        {
            let (subject, engine) = (run.subject.name().to_owned(), engine.clone());
            return Err(PieceError::Missing { subject, engine, reason: reason.to_string() });
        }
    }
    if ready < 2 {
        let reason = |ran: &Ran| match ran {
            Ran::Skipped { engine, reason } => Some(format!("{engine} skipped, because {reason}")),
            Ran::Vectors { .. } => None,
        };
        let reasons: Vec<String> = skipped.iter().filter_map(reason).collect();
        return Err(PieceError::Alone { subject: run.subject.name().to_owned(), reasons: reasons.join("; ") });
    }
    Ok(())
}

fn count(ran: &Ran) -> EngineCount {
    match ran {
        Ran::Vectors { identity, count, .. } => EngineCount {
            engine: identity.engine.clone(),
            version: identity.version.clone(),
            vectors: *count,
            skipped: None,
        },
        Ran::Skipped { engine, reason } => EngineCount {
            engine: engine.clone(),
            version: String::new(),
            vectors: 0,
            skipped: Some(reason.to_string()),
        },
    }
}

pub(super) fn first(mismatch: &Mismatch) -> First {
    let hex = |bits: u64| format!("{bits:#x}");
    First {
        index: mismatch.index,
        operands: mismatch.vector.operands().map(hex).collect(),
        answers: mismatch.answers.iter().map(|(engine, answer)| (engine.clone(), hex(*answer))).collect(),
        signed: None,
    }
}

fn events(subject: &Subject, comparison: &Comparison) -> BTreeMap<String, u64> {
    let (Subject::Unit(unit), Some(coverage)) = (subject, &comparison.coverage) else { return BTreeMap::new() };
    let plan = Plan::of(unit);
    let own = Event::ALL.iter().filter(|event| concerns(&plan, **event));
    own.map(|&event| (event.name().to_owned(), coverage.of(event))).collect()
}
