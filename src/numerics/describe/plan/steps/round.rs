//! One rounding: how the number is normalised, and what it becomes.

use super::super::signed_width;
use super::NumberPlan;
use crate::describe::arithmetic::{Flushing, Round, RoundTo};
use crate::describe::format::{NonFinite, Overflow, Rounding};

/// A rounding, and what follows from it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RoundPlan {
    /// `None` where nothing is rounded, and only the greatest exponent bounds numbers.
    pub normalise: Option<NormalisePlan>,
    pub rounding: Rounding,
    pub limit: LimitPlan,
    pub subnormals: Flushing,
    pub rounded_zero_positive: bool,
    /// No number before has a greater exponent of its leading one.
    pub exponent_max: i32,
    /// Ranges before and after.
    pub input: NumberPlan,
    pub number: NumberPlan,
}

/// The window in which the leading one moves to the top, but not below the least exponent.
///
/// ```text
///   window        0000 significand 000     headroom, significand, pad
///   significand   1xxxxxxxxxxxx | ggss     precision, what is discarded
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NormalisePlan {
    pub precision: u32,
    pub exponent_min: Option<i32>,
    pub pad_bits: u32,
    pub width: u32,
    /// Weight of the window's top bit, from the exponent.
    pub top_offset: i32,
    /// Whether the leading one moves: else it is in the top bit, or its number at the least exponent.
    pub shifts: bool,
    /// The shift of a zero, as many as bits of a shift can say.
    pub shift_max: u32,
    /// Bits of two's complement for the exponents before and after.
    pub exponent_width: u32,
}

/// The bound of a rounded number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LimitPlan {
    Format {
        /// The largest number.
        largest_exponent: i32,
        largest_significand: u64,
        /// Of positive and of negative numbers: whether those above the largest become infinite.
        to_infinity: [bool; 2],
        has_infinity: bool,
        has_negative_zero: bool,
    },
    /// Numbers of a greater exponent are infinite.
    Exponent(Option<i32>),
}

impl RoundPlan {
    pub(super) fn of(round: &Round, input: &NumberPlan) -> RoundPlan {
        let input = input.clone();
        let (normalise, limit, number) = match &round.to {
            RoundTo::Format(format) => {
                let normalise = NormalisePlan::of(
                    format.precision(),
                    Some(format.exponent_min()),
                    Some(format.hidden_exponent_max()),
                    &input,
                );
                let largest = format.magnitude_max();
                let (field, fraction) = (largest >> format.fraction_bits, largest & ((1 << format.fraction_bits) - 1));
                let limit = LimitPlan::Format {
                    largest_exponent: format.exponent_min() + (field as i32 - 1).max(0),
                    largest_significand: fraction + if field == 0 { 0 } else { 1 << format.fraction_bits },
                    to_infinity: [false, true].map(|negative| match round.overflow {
                        Overflow::Infinity => true,
                        Overflow::Ieee => round.rounding.overflows_to_infinity(negative),
                        Overflow::Saturate | Overflow::Wrap => false,
                    }),
                    has_infinity: format.infinity(false).is_some(),
                    has_negative_zero: format.non_finite != NonFinite::NegativeZeroNan,
                };
                let exponents = format.exponent_min()..=format.hidden_exponent_max();
                let number = NumberPlan::of_width(format.precision(), format.fraction_bits as i32, exponents);
                let subnormal_bits = (round.subnormals == Flushing::Kept).then_some(format.fraction_bits);
                (Some(normalise), limit, number.with_subnormals(subnormal_bits))
            }
            &RoundTo::Range { precision: None, exponent_max, .. } => {
                (None, LimitPlan::Exponent(exponent_max), input.clone())
            }
            &RoundTo::Range { precision: Some(precision), exponent_min, exponent_max } => {
                let normalise = NormalisePlan::of(precision, exponent_min, exponent_max, &input);
                let greatest = (input.exponent_max + normalise.top_offset + 1).max(exponent_min.unwrap_or(i32::MIN));
                let exponents = exponent_min.unwrap_or(input.place())..=greatest;
                let number = NumberPlan::of_width(precision, precision as i32 - 1, exponents);
                (Some(normalise), LimitPlan::Exponent(exponent_max), number.normal_from(exponent_min))
            }
        };
        RoundPlan {
            exponent_max: input.exponent_max + input.integer_bits() - 1,
            normalise,
            rounding: round.rounding,
            limit,
            subnormals: round.subnormals,
            rounded_zero_positive: round.rounded_zero_positive,
            input,
            number,
        }
    }

    /// Whether numbers are rounded, and not only bounded.
    pub fn is_normalising(&self) -> bool {
        self.normalise.is_some()
    }

    /// Whether numbers are rounded to a precision, not to a format.
    pub fn is_to_precision(&self) -> bool {
        self.is_normalising() && matches!(self.limit, LimitPlan::Exponent(_))
    }

    /// Whether the leading one of a number moves.
    pub fn shifts(&self) -> bool {
        self.normalise.as_ref().is_some_and(|normalise| normalise.shifts)
    }

    /// Whether the significand of the largest number is of ones alone, so that only an exponent can be above it.
    #[inline]
    pub fn has_whole_range(&self) -> bool {
        match self.limit {
            LimitPlan::Format { largest_significand, .. } => {
                largest_significand == u64::MAX >> (64 - self.number.width())
            }
            LimitPlan::Exponent(_) => true,
        }
    }

    /// Whether no number is above the greatest exponent of a range.
    #[inline]
    pub fn never_exceeds(&self) -> bool {
        matches!(self.limit, LimitPlan::Exponent(greatest) if greatest.is_none_or(|greatest| self.exponent_max <= greatest))
    }

    pub(super) fn widest(&self) -> u32 {
        let field = |normalise: &NormalisePlan| {
            let span = (self.input.exponent_max + normalise.top_offset - self.number.exponent_min).unsigned_abs();
            (normalise.width + 1).max(normalise.precision + 2 + (32 - span.leading_zeros()))
        };
        self.normalise.as_ref().map_or(self.input.width(), field)
    }
}

impl NormalisePlan {
    fn of(precision: u32, exponent_min: Option<i32>, exponent_max: Option<i32>, input: &NumberPlan) -> NormalisePlan {
        let width = input.width().max(1);
        let top = width as i32 - 1 - input.fraction_bits;
        let headroom = exponent_min.map_or(0, |least| (least - (input.exponent_min + top)).max(0) as u32);
        // Two bits are discarded at least, and one more where tininess looks at a finer place.
        let pad_bits = (precision + 3).saturating_sub(headroom + width);
        let width = headroom + width + pad_bits;
        let top_offset = top + headroom as i32;
        let shift_max = (width + 1).next_power_of_two() - 1;
        let least = exponent_min.unwrap_or(input.exponent_min + top_offset - shift_max as i32);
        // A carry out of the rounding is one more.
        let greatest = (input.exponent_max + top_offset + 1).max(input.exponent_max).max(least);
        let limit = exponent_max.unwrap_or(least);
        let (low, high) = (least.min(input.exponent_min).min(limit), greatest.max(limit));
        let exponent_width = signed_width(low.into(), high.into());
        let shifts = exponent_min.is_none() || exponent_min != input.normal_from;
        NormalisePlan { precision, exponent_min, pad_bits, width, top_offset, shifts, shift_max, exponent_width }
    }
}
