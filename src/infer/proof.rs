//! Hypotheses that no vector tells apart, before a solver: for all inputs.

use super::inference::Inference;
use super::{Evaluator, InferError, vector_text};
use crate::describe::instruction::Instruction;
use crate::engine::{Batch, Vector};

/// Whether two hypotheses answer every vector alike.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// They do; says who proved it.
    Proved(String),
    /// They differ on this vector.
    Refuted(Box<Vector>),
    /// It is not known; says why.
    Unknown(String),
}

/// What decides whether two hypotheses answer every vector alike.
///
/// # Errors
/// What was decided does not stand when it is checked.
pub type Equivalence<'a> = &'a (dyn Fn(&Instruction, &Instruction) -> Result<Verdict, InferError> + Sync);

/// The verdict on two hypotheses. A vector is taken only if they do differ on it.
pub(super) fn checked(
    equivalence: Equivalence,
    evaluate: Evaluator,
    one: &Instruction,
    other: &Instruction,
) -> Result<Verdict, InferError> {
    let verdict = equivalence(one, other)?;
    if let Verdict::Refuted(vector) = &verdict {
        let mut answers = [Vec::new(), Vec::new()];
        for (hypothesis, answers) in [one, other].into_iter().zip(&mut answers) {
            evaluate(hypothesis).run(&Batch::of(vector), answers)?;
        }
        if answers[0] == answers[1] {
            let vector = vector_text(vector);
            return Err(InferError::Solver(format!(
                "the solver says that two hypotheses differ on {vector}: they do not"
            )));
        }
    }
    Ok(verdict)
}

impl Inference<'_, '_> {
    /// The solver, where there is one and what it finds can be asked.
    pub(super) fn solver(&self) -> Option<Equivalence<'_>> {
        self.equivalence.filter(|_| self.black_box.answers_more())
    }

    /// What the solver says of two hypotheses.
    pub(super) fn verdict(&self, one: &Instruction, other: &Instruction) -> Result<Option<Verdict>, InferError> {
        self.solver().map(|equivalence| checked(equivalence, self.search.evaluate, one, other)).transpose()
    }
}
