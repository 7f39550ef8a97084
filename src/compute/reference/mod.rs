//! Every scheme straight from its definition, in big integers, one number after another. Slow and obvious.
//!
//! Architecture invariant: never uses `plan`, `word` or `datapath`, so that it cannot share their mistakes.

mod fma_chain;
mod fused;
mod integer;

use crate::compute::Inputs;
use crate::describe::unit::{Scheme, Unit};

/// Evaluates d = convert(c + sum of a_i * b_i) as the unit's description defines it.
pub fn evaluate(unit: &Unit, inputs: Inputs) -> u64 {
    match unit.scheme {
        Scheme::Fused => fused::evaluate(unit, inputs),
        Scheme::FmaChain => fma_chain::evaluate(unit, inputs),
        Scheme::Integer => integer::evaluate(unit, inputs),
    }
}

/// The exact values behind a fused evaluation, for tests of bounds.
pub use fused::{Exact, exact};
