//! From a black box to a unit description: directed vectors are asked, hypotheses that answer otherwise fall, and vectors
//! that tell the survivors apart are asked next, until no such vector is found (after Li et al. 2024, FTTN, whose tests
//! each decide one feature given those before).
//!
//! Architecture invariant: of the box only formats, sizes and answers are known; no unit of the catalogue and no
//! implementation of an engine is used here. Hypotheses are instructions, of which a unit alone is the
//! simplest; the caller evaluates them.

mod alike;
mod black_box;
mod conclude;
pub mod distinguish;
mod equivalent;
mod evidence;
mod few_terms;
mod inference;
mod last_look;
mod longer;
mod otherwise;
mod output;
mod questions;
mod random;
mod search;
mod settle;
mod solver;
mod space;

pub use alike::{alike, fitting, short};
pub use evidence::{Equivalent, Exclusion, Finding, Indifferent, ParameterEvidence};
pub use inference::{Options, Outcome, infer, infer_recorded};
pub use otherwise::{Otherwise, otherwise};
pub use output::{Written, companions, names, vector_text};
pub use search::{Contradiction, Refuted};
pub use solver::{Decide, Decision};
pub use space::{Composition, Interface, SCHEMES, Setting, Space, cannot_act};

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
