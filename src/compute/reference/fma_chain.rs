//! A chain of fused multiply-adds by definition: the exact product and the addend added as integers, rounded once, step
//! by step.

use dashu_int::{IBig, UBig};

use super::fused::{Operands, convert, signed};
use crate::compute::Inputs;
use crate::describe::format::Rounding;
use crate::describe::unit::Unit;

/// Evaluates d = fma(a[L-1], b[L-1], ... fma(a[0], b[0], c)).
pub fn evaluate(unit: &Unit, inputs: Inputs) -> u64 {
    inputs.a.iter().zip(inputs.b).fold(inputs.c, |addend, (&a, &b)| step(unit, a, b, addend))
}

/// One fused multiply-add (IEEE 754-2019, 5.4.1).
fn step(unit: &Unit, a: u64, b: u64, c: u64) -> u64 {
    let operands = Operands::decode(unit, Inputs::unscaled(&[a], &[b], c));
    if let Some(result) = operands.special(unit) {
        return result;
    }
    let (a, b) = operands.pairs[0];
    let c = operands.c;
    let formats = &unit.formats;
    let product_negative = a.negative != b.negative;
    let product_scale =
        i64::from(a.exponent + b.exponent) - i64::from(formats.a.fraction_bits + formats.b.fraction_bits);
    let addend_scale = i64::from(c.exponent) - i64::from(formats.c.fraction_bits);
    let scale = product_scale.min(addend_scale);
    let product = (UBig::from(a.significand) * UBig::from(b.significand)) << (product_scale - scale) as usize;
    let addend = UBig::from(c.significand) << (addend_scale - scale) as usize;
    let sum = signed(product_negative, product) + signed(c.negative, addend);
    if sum == IBig::ZERO {
        // IEEE 754-2019, 6.3: terms of one sign keep it, terms of both give plus, or minus where rounding is downward.
        let both = product_negative == c.negative;
        let downward = unit.conversion.rounding == Rounding::TowardNegative;
        return formats.d.zero(if both { c.negative } else { downward });
    }
    convert(unit, &sum, scale)
}
