//! The integer scheme by definition: the exact sum of integers, brought to the result's format once.

use dashu_int::IBig;

use crate::compute::Inputs;
use crate::describe::unit::Unit;

/// Evaluates the integer scheme.
pub fn evaluate(unit: &Unit, inputs: Inputs) -> u64 {
    let formats = &unit.formats;
    let mut sum = IBig::from(formats.c.integer(inputs.c));
    for (&a, &b) in inputs.a.iter().zip(inputs.b) {
        sum += IBig::from(formats.a.integer(a)) * IBig::from(formats.b.integer(b));
    }
    formats.d.encode_integer(&sum, unit.conversion.overflow)
}
