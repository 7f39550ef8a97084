//! Hypotheses of an inference that no vector tells apart: decided for all inputs.

use super::Prover;
use super::difference::{Difference, equivalence};
use crate::describe::format::Format;
use crate::describe::instruction::Instruction;
use crate::engine::Vector;
use crate::infer::{Decision, InferError};

/// What decides about hypotheses.
pub fn decider(prover: &Prover) -> impl Fn(&Instruction, &Instruction) -> Result<Decision, InferError> + Sync {
    move |one, other| decide(one, other, prover)
}

/// Whether two hypotheses of one interface answer every vector with the same word. That is not known of what is no unit alone.
///
/// # Errors
/// A witness is not confirmed.
pub fn decide(one: &Instruction, other: &Instruction, prover: &Prover) -> Result<Decision, InferError> {
    if ![one, other].iter().all(|hypothesis| hypothesis.is_alone()) {
        let why = "blocks, wider formats or c added last, which no solver is asked about";
        return Ok(Decision::Unknown(why.to_owned()));
    }
    let solver = prover.solver.identity();
    let settled =
        equivalence([&one.unit, &other.unit], prover).map_err(|error| InferError::Solver(error.to_string()))?;
    Ok(match settled.difference {
        Difference::None => Decision::Proved(format!("proved for all inputs by {solver}")),
        Difference::Unknown(reason) => Decision::Unknown(format!("{solver}: {reason}")),
        Difference::Witness { parts, .. } => Decision::Refuted(Box::new(without_padding(one, &parts[0].vector))),
    })
}

/// The same operands with zeros in the bits that are ignored, as every other vector has them.
fn without_padding(hypothesis: &Instruction, vector: &Vector) -> Vector {
    let cleared = |format: &Format, bits: u64| bits >> format.padding_bits << format.padding_bits;
    let all = |format: &Format, list: &[u64]| list.iter().map(|&bits| cleared(format, bits)).collect();
    let Instruction { a, b, c, .. } = hypothesis;
    Vector { a: all(a, &vector.a), b: all(b, &vector.b), c: cleared(c, vector.c), ..vector.clone() }
}
