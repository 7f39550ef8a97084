//! Sums become encodings: normalised, rounded and packed. Knows no infinite operand.

use super::numbers::{FRACTION_BITS, Numbers};
use crate::lanes::Singles;

/// Results of the sums of both halves of the terms. Each has its sign in 32 bits, the whole sum needs one bit more: that is the
/// sign of both halves, and where theirs differ that of the sum of 32 bits.
///
/// ```text
///   magnitude   000001ffff|rrr00
///   normal      1ffff|rrr0000000     the lowest `discarded` bits are rounded away
///   kept               000001ffff     with its hidden bit, which raises the exponent field by one
/// ```
#[inline(always)]
pub(super) fn packed<L: Singles>(numbers: &Numbers, [one, other]: [L; 2], anchor: L) -> L {
    let d = &numbers.d;
    let sum = one + other;
    let negative = ((one & other) | ((one | other) & sum)).shift_right_signed(31);
    let magnitude = (sum ^ negative) - negative;

    let leading = magnitude.leading_zeros();
    let normal = magnitude.shift_left_by(leading);
    let anchor = anchor.shift_right_signed(FRACTION_BITS);
    let top = anchor.plus(numbers.centre - 1 + d.top_offset) - leading;
    let exponent = top.maximum(L::of(d.exponent_min.into()));
    let discarded = (exponent - top).plus(31 - d.fraction_bits as i32);
    let kept = if d.nearest_even { normal.rounded(discarded) } else { normal.shift_right_by(discarded) };

    let fields = exponent.plus(-d.exponent_min).shift_left(d.fraction_bits);
    let overflow = L::of(d.overflow.into());
    let result = fields + kept;
    let result = L::select(overflow.is_below(result), overflow, result);
    let mut result = L::select(magnitude.equals(L::of(0)), L::of(0), result);
    if d.padding_bits > 0 {
        result = result.shift_left(d.padding_bits);
    }
    let sign = negative & L::of(d.sign.into());
    if d.rounded_zero_positive {
        return L::select(result.equals(L::of(0)), result, result | sign);
    }
    result | sign
}
