//! Scales of blocks of products.

use super::unpack::{Unpacked, unpack};
use crate::compute::word::{Flag, Word};
use crate::describe::format::NonFinite;
use crate::describe::plan::OperandPlan;

/// Takes a scale apart. Without a fraction every number is a power of two, the lowest exponent field included.
///
/// ```text
///   encoding   exponent field | fraction
/// ```
#[inline(always)]
pub fn unpack_scale<W: Word>(encoding: W, plan: &OperandPlan) -> Unpacked<W> {
    if plan.fraction_bits > 0 {
        return unpack(encoding, plan);
    }
    let field = encoding.field(0, plan.exponent_bits);
    let exponent =
        (field - W::literal(i64::from(plan.bias))).claim(i64::from(plan.exponent_min)..=i64::from(plan.exponent_max));
    let never = W::Flag::constant(false);
    let nan = match plan.non_finite {
        NonFinite::AllOnesNan => field.equals(W::literal((1 << plan.exponent_bits) - 1)),
        _ => never,
    };
    Unpacked { negative: never, exponent, significand: W::literal(1), zero: never, infinite: never, nan }
}
