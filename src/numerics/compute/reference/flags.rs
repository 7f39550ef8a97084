//! Exception flags by definition (IEEE 754-2019, 7.2 and 7.4): from the operands, and from the sum before its rounding.

use dashu_int::UBig;

use super::fused::Operands;
use crate::compute::Inputs;
use crate::describe::format::{Class, Overflow};
use crate::describe::unit::Unit;

/// Whether an operand signals, a product is infinity times zero, or infinite terms have both signs. A product with a NaN
/// is none of these by itself, and hides none of them elsewhere.
pub(super) fn invalid(unit: &Unit, operands: &Operands, inputs: Inputs) -> bool {
    let formats = &unit.formats;
    let signalling = inputs.a.iter().any(|&a| formats.a.is_signalling(a))
        || inputs.b.iter().any(|&b| formats.b.is_signalling(b))
        || (unit.has_addend() && formats.c.is_signalling(inputs.c));
    let mut product_invalid = false;
    let mut infinite_signs = Vec::new();
    for (a, b) in &operands.pairs {
        match (a.class, b.class) {
            (Class::Nan, _) | (_, Class::Nan) => {}
            (Class::Infinite, Class::Zero) | (Class::Zero, Class::Infinite) => product_invalid = true,
            (Class::Infinite, _) | (_, Class::Infinite) => infinite_signs.push(a.negative != b.negative),
            _ => {}
        }
    }
    if operands.c.class == Class::Infinite {
        infinite_signs.push(operands.c.negative);
    }
    let sum_invalid = infinite_signs.contains(&true) && infinite_signs.contains(&false);
    signalling || product_invalid || sum_invalid
}

/// Whether magnitude * 2^scale, rounded as if exponents had no end, exceeds the largest finite number: then it matters
/// what overflow is said to give.
pub(super) fn overflow(unit: &Unit, negative: bool, magnitude: &UBig, scale: i64) -> bool {
    let format = &unit.formats.d;
    let given = |overflow| format.encode(negative, magnitude, scale, unit.conversion.rounding, overflow);
    given(Overflow::Infinity) != given(Overflow::Saturate)
}
