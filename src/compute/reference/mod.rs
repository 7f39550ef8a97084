//! Every scheme straight from its definition, in big integers, one number after another. Slow and obvious.
//!
//! Architecture invariant: never uses `plan`, `word` or `datapath`, so that it cannot share their mistakes.

mod fused;

use crate::describe::unit::{Scheme, Unit};

/// Evaluates d = convert(c + sum of a_i * b_i) as the unit's description defines it. `a` and `b` hold one encoding per
/// product.
pub fn evaluate(unit: &Unit, a: &[u64], b: &[u64], c: u64) -> u64 {
    match unit.scheme {
        Scheme::Fused => fused::evaluate(unit, a, b, c),
    }
}

/// The exact values behind a fused evaluation, for tests of bounds.
pub use fused::{Exact, exact};
