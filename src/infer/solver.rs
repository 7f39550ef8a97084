//! A solver that an inference may have: it decides for all inputs what no vector distinguishes.

use std::sync::{Mutex, PoisonError};

use super::{Evaluator, InferError, vector_text};
use crate::describe::instruction::Instruction;
use crate::engine::{Batch, Vector};

/// Whether two hypotheses answer every vector with the same word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decision {
    /// They do; says who proved it.
    Proved(String),
    /// They differ on this vector.
    Refuted(Box<Vector>),
    /// It is not known; says why.
    Unknown(String),
}

/// What decides that.
///
/// # Errors
/// What was decided does not stand when it is checked.
pub type Decide<'a> = &'a (dyn Fn(&Instruction, &Instruction) -> Result<Decision, InferError> + Sync);

/// Asks about every two hypotheses once.
pub(super) struct Solver<'a> {
    decide: Decide<'a>,
    evaluate: Evaluator<'a>,
    known: Mutex<Vec<(Instruction, Instruction, Decision)>>,
}

impl<'a> Solver<'a> {
    pub fn new(decide: Decide<'a>, evaluate: Evaluator<'a>) -> Solver<'a> {
        Solver { decide, evaluate, known: Mutex::default() }
    }

    /// The decision on two hypotheses. A vector is taken only if they do differ on it.
    pub fn decision(&self, one: &Instruction, other: &Instruction) -> Result<Decision, InferError> {
        let known = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let same = |(first, second, _): &&(Instruction, Instruction, Decision)| first == one && second == other;
        if let Some((_, _, decision)) = known().iter().find(same) {
            return Ok(decision.clone());
        }
        let decision = (self.decide)(one, other)?;
        if let Decision::Refuted(vector) = &decision {
            let mut answers = [Vec::new(), Vec::new()];
            for (hypothesis, answers) in [one, other].into_iter().zip(&mut answers) {
                (self.evaluate)(hypothesis).run(&Batch::of(vector), answers)?;
            }
            if answers[0] == answers[1] {
                let vector = vector_text(vector);
                return Err(InferError::Solver(format!(
                    "the solver says that two hypotheses differ on {vector}: they do not"
                )));
            }
        }
        known().push((one.clone(), other.clone(), decision.clone()));
        Ok(decision)
    }
}
