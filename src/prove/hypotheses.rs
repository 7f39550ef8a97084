//! Hypotheses of an inference that no vector tells apart: decided for all inputs.

use super::Prover;
use super::difference::{Difference, equivalence};
use crate::describe::instruction::Instruction;
use crate::infer::{InferError, Verdict};

/// Whether two hypotheses of one interface answer every vector with the same word. Of an instruction of several blocks that is
/// not known.
///
/// # Errors
/// A witness is not confirmed.
pub fn verdict(one: &Instruction, other: &Instruction, prover: &Prover) -> Result<Verdict, InferError> {
    if ![one, other].iter().all(|hypothesis| hypothesis.is_alone(&hypothesis.unit)) {
        return Ok(Verdict::Unknown("several blocks, which no solver is asked about".to_owned()));
    }
    let solver = prover.solver.identity();
    let units = [&one.unit, &other.unit];
    let settled = equivalence(units, prover).map_err(|error| InferError::Solver(error.to_string()))?;
    Ok(match settled.difference {
        Difference::None => Verdict::Proved(format!("proved for all inputs by {solver}")),
        Difference::Unknown(reason) => Verdict::Unknown(format!("{solver}: {reason}")),
        Difference::Witness { parts, .. } => Verdict::Refuted(Box::new(parts[0].vector.clone())),
    })
}
