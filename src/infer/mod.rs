//! From a black box to a unit description: directed vectors are asked, hypotheses that they refute fall, and vectors that
//! distinguish the rest are asked next, until no such vector is found.
//!
//! `inference` is the loop; `refine` and `conclusion` are its two long steps, on the `state` of an inference: a `black_box`, a
//! `space` of hypotheses, the `search` in it, perhaps a `solver`. `vectors` makes what is asked. `evidence` says what excluded what,
//! `files` writes it. `distinguish` searches for the smallest vector on which any engines differ.
//!
//! Architecture invariant: of the box only formats, sizes and answers are known; no unit of the catalogue and no
//! implementation of an engine is used here. Hypotheses are instructions, of which a unit alone is the
//! simplest; the caller evaluates them.

mod black_box;
mod conclusion;
mod diagnosis;
pub mod distinguish;
mod evidence;
mod field_differences;
mod files;
mod inference;
mod random;
mod refine;
mod search;
mod solver;
mod space;
mod state;
mod vectors;
mod wording;

pub use diagnosis::{Diagnosis, Ended, diagnose};
pub use evidence::{Equivalent, Exclusion, Finding, Indistinguishable, ParameterEvidence};
pub use field_differences::{FieldDifference, field_differences};
pub use files::{Written, companions, names};
pub use inference::{Outcome, infer, infer_recorded};
pub use search::{Contradiction, Refuted};
pub use solver::{Decide, Decision};
pub use space::{Composition, Interface, Setting, Space, dont_care};
pub use state::Options;
pub use wording::{composition, indistinguishable_lines, short, vector_text};

use thiserror::Error;

use crate::describe::instruction::Instruction;
use crate::describe::unit::FileError;
use crate::engine::{Engine, EngineError, Vector};

/// What answers for a hypothesis. It never fails, and answers the same vector always the same.
pub type Evaluator<'a> = &'a (dyn Fn(&Instruction) -> Box<dyn Engine> + Sync);

/// Why nothing could be inferred.
#[derive(Debug, Error)]
pub enum InferError {
    #[error(transparent)]
    Engine(#[from] EngineError),
    #[error(
        "the engine answers {first:#x} and, asked again, {second:#x} to the same vector {}: no description explains both",
        vector_text(vector)
    )]
    Inconsistent { vector: Box<Vector>, first: u64, second: u64 },
    #[error(
        "recorded are {first:#x} and {second:#x} as answers to the same vector {}: no description explains both",
        vector_text(vector)
    )]
    Contradictory { vector: Box<Vector>, first: u64, second: u64 },
    #[error("{0}")]
    Interface(String),
    #[error(transparent)]
    File(#[from] FileError),
    #[error("{0}")]
    Solver(String),
    #[error("{0}: what was found does not read as it is written")]
    NotReadBack(String),
}
