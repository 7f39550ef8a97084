//! The exact scheme by definition: c + sum of a_i * b_i as one rational number m * 2^e, rounded once.

use dashu_int::IBig;

use super::fused::{Operands, convert, signed};
use crate::compute::Inputs;
use crate::describe::unit::Unit;

/// Evaluates the exact scheme.
pub fn evaluate(unit: &Unit, inputs: Inputs) -> u64 {
    let operands = Operands::decode(unit, inputs);
    if let Some(result) = operands.special(unit) {
        return result;
    }
    let terms = operands.terms(unit);
    let lowest = terms.iter().map(|term| term.scale).min().unwrap_or(0);
    let mut sum = IBig::ZERO;
    for term in terms {
        sum += signed(term.negative, term.significand << (term.scale - lowest) as usize);
    }
    convert(unit, &sum, lowest)
}
