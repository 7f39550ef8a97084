//! Stages `normalised`, `rounded` and `packed`: the sum becomes an encoding with one normalisation and one rounding.

use super::special::Special;
use super::stages::Normalised;
use crate::compute::word::{Flag, Word};
use crate::describe::format::Rounding;
use crate::describe::plan::FusedPlan;

/// Moves the leading one of the sum to the top of the window, but not below the result's minimum exponent.
///
/// ```text
///   window        0000 magnitude 000      headroom, magnitude, pad
///   significand   1xxxxxxxxxx000000      left by the leading zeros; less for subnormal results
///   exponent      weight of the top bit
/// ```
#[inline(always)]
pub fn normalise<W: Word>(sum: W, anchor: W, plan: &FusedPlan) -> Normalised<W> {
    let magnitude = magnitude(sum, plan);
    let window = magnitude.shift_left(plan.pad_bits);
    let top = anchor + W::literal(i64::from(plan.top_exponent_offset));
    let shift = shift(magnitude, anchor, plan);
    Normalised {
        negative: sum.less_than(W::literal(0)),
        exponent: (top - shift).claim_signed(plan.exponent_width),
        significand: window.shift_left_by(shift).claim_unsigned(plan.normalised_width),
        zero: sum.is_zero(),
    }
}

/// The magnitude of the sum.
#[inline(always)]
pub fn magnitude<W: Word>(sum: W, plan: &FusedPlan) -> W {
    sum.negate_if(sum.less_than(W::literal(0))).claim_unsigned(plan.magnitude_width)
}

/// How far the window goes to the left: its leading zeros, or what is left above the result's minimum exponent. A sum of zero
/// has as many as bits of a shift can say.
#[inline(always)]
pub fn shift<W: Word>(magnitude: W, anchor: W, plan: &FusedPlan) -> W {
    let most = (plan.normalised_width + 1).next_power_of_two() - 1;
    let window = magnitude.shift_left(plan.pad_bits);
    let top = anchor + W::literal(i64::from(plan.top_exponent_offset));
    let room = (top - W::literal(i64::from(plan.result.exponent_min))).claim_unsigned(plan.exponent_width);
    let zeros = window.leading_zeros(plan.normalised_width);
    W::select(magnitude.is_zero(), W::literal(most.into()), zeros).minimum(room)
}

/// Cuts the normalised significand to the result's precision. The value may be a power of two above it.
///
/// ```text
///   significand   1fffff | g s s s s     kept, guard, sticky
/// ```
#[inline(always)]
pub fn round<W: Word>(normalised: &Normalised<W>, plan: &FusedPlan) -> W {
    let precision = plan.result.fraction_bits + 1;
    let discarded = plan.normalised_width - precision;
    let kept = normalised.significand.shift_right(discarded);
    let guard = normalised.significand.bit(discarded - 1);
    let sticky = !normalised.significand.field(0, discarded - 1).is_zero();
    let odd = kept.bit(0);
    let inexact = guard | sticky;
    let increments = match plan.result.rounding {
        Rounding::NearestEven => guard & (sticky | odd),
        Rounding::NearestAway => guard,
        Rounding::TowardZero => W::Flag::constant(false),
        Rounding::TowardPositive => inexact & !normalised.negative,
        Rounding::TowardNegative => inexact & normalised.negative,
        Rounding::ToOdd => inexact & !odd,
    };
    (kept + W::from_flag(increments)).claim_unsigned(precision + 1)
}

/// Exponent and fraction fields as if the exponent field had no end. Adding the significand to the exponent field lets a
/// carry out of the fraction raise the exponent, up to infinity.
///
/// ```text
///   magnitude   (field - 1) * 2^fraction_bits + rounded
/// ```
#[inline(always)]
pub(super) fn unbounded_magnitude<W: Word>(normalised: &Normalised<W>, rounded: W, plan: &FusedPlan) -> W {
    let binades = field(normalised.exponent, plan) - W::literal(1);
    binades.shift_left(plan.result.fraction_bits) + rounded
}

/// The exponent field of a result with that exponent whose significand's top bit is one.
#[inline(always)]
pub fn field<W: Word>(exponent: W, plan: &FusedPlan) -> W {
    exponent + W::literal(1 - i64::from(plan.result.exponent_min))
}

/// Assembles the encoding.
#[inline(always)]
pub fn pack<W: Word>(normalised: &Normalised<W>, rounded: W, special: &Special<W>, plan: &FusedPlan) -> W {
    let result = &plan.result;
    let magnitude = unbounded_magnitude(normalised, rounded, plan);
    let overflows = W::literal(result.magnitude_max as i64).less_than(magnitude);
    let to_infinity = overflows & overflow_to_infinity::<W>(normalised.negative, plan);
    let subnormal = magnitude.less_than(W::literal(1 << result.fraction_bits));
    let mut magnitude = W::select(overflows, W::literal(result.magnitude_max as i64), magnitude);
    if result.flush_subnormals {
        magnitude = W::select(subnormal & !overflows, W::literal(0), magnitude);
    }
    magnitude = W::select(normalised.zero, W::literal(0), magnitude);

    let infinite = special.infinite | (to_infinity & !normalised.zero);
    let mut nan = special.nan;
    match result.infinity_magnitude {
        Some(infinity) => magnitude = W::select(infinite, W::literal(infinity as i64), magnitude),
        None => nan = nan | infinite,
    }

    let zero_sign = W::Flag::constant(result.zero_negative);
    let mut sum_sign = normalised.negative;
    if result.rounded_zero_positive {
        sum_sign = sum_sign & !magnitude.is_zero();
    }
    let finite_sign = (normalised.zero & zero_sign) | (!normalised.zero & sum_sign);
    let mut negative = (special.infinite & special.negative) | (!special.infinite & finite_sign);
    if !result.has_negative_zero {
        negative = negative & !magnitude.is_zero();
    }
    let sign = W::select(negative, W::bits(1 << (result.width - 1)), W::literal(0));
    let word = sign + magnitude.shift_left(result.padding_bits);
    W::select(nan, W::bits(result.nan), word).claim_unsigned(result.width)
}

/// Whether a result of that sign overflows to infinity.
#[inline(always)]
fn overflow_to_infinity<W: Word>(negative: W::Flag, plan: &FusedPlan) -> W::Flag {
    let [positive_result, negative_result] = plan.result.overflow_to_infinity;
    (negative & W::Flag::constant(negative_result)) | (!negative & W::Flag::constant(positive_result))
}
