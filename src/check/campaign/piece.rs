//! One piece of a campaign, and what became of it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::file::Run;
use crate::check::compare::Mismatch;
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
    /// Which engine returned two results for that vector, and which.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub not_reproducible: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signed: Option<Made>,
}

impl First {
    /// Name of the case file of this mismatch.
    pub fn case_file(&self, run: &Run) -> String {
        let seed = self.signed.as_ref().map_or(run.seed, |made| made.seed);
        let shape = self.signed.as_ref().map_or(String::new(), |made| format!("-{}", made.shape));
        format!("case-{}-seed{seed}{shape}-{}.toml", run.subject.name(), self.index)
    }
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
    #[error("a signal stopped it")]
    Stopped,
    #[error("{subject}: nothing compared: fewer than two engines ran; {reasons}")]
    Alone { subject: String, reasons: String },
    #[error(
        "{subject}: engine {engine} is named in the campaign file and is missing: {reason}; allowed: engines that are there, or --allow-missing"
    )]
    Missing { subject: String, engine: String, reason: String },
}

pub(super) fn first(mismatch: &Mismatch) -> First {
    let hex = |bits: u64| format!("{bits:#x}");
    First {
        index: mismatch.index,
        operands: mismatch.vector.operands().map(hex).collect(),
        answers: mismatch.answers.iter().map(|(engine, answer)| (engine.clone(), hex(*answer))).collect(),
        not_reproducible: mismatch.not_reproducible.first().map(ToString::to_string),
        signed: None,
    }
}
