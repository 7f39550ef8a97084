//! Every scheme straight from its definition, in big integers, one number after another. Slow and obvious.
//!
//! Architecture invariant: never uses `plan`, `word` or `datapath`, so that it cannot share their mistakes.

mod block_scaled;
mod exact;
mod flags;
mod fused;
mod fused_then_add;
mod integer;
mod operations;

use crate::compute::Inputs;
use crate::describe::unit::{Family, Scheme, Unit};

/// Evaluates d = convert(c + sum of a_i * b_i) as the unit's description defines it, with the flags above d if it has them.
pub fn evaluate(unit: &Unit, inputs: Inputs) -> u64 {
    match unit.scheme.family() {
        Family::Fused if unit.scheme == Scheme::Exact => exact::evaluate(unit, inputs),
        Family::Fused => fused::evaluate(unit, inputs),
        Family::Operations => operations::evaluate(unit, inputs),
        Family::Integer => integer::evaluate(unit, inputs),
        Family::BlockScaled => block_scaled::evaluate(unit, inputs),
        Family::FusedThenAdd => fused_then_add::evaluate(unit, inputs),
    }
}

/// The exact values behind an evaluation, for tests of bounds; `None` where an operand makes the result NaN or
/// infinite, for schemes without one aligned sum, and for those whose sum is exact.
pub fn exact(unit: &Unit, inputs: Inputs) -> Option<Exact> {
    match unit.scheme {
        Scheme::Fused => fused::exact(unit, inputs),
        Scheme::BlockScaled => block_scaled::exact(unit, inputs),
        _ => None,
    }
}

pub use fused::Exact;
