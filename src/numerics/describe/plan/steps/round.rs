//! One rounding: how the number is normalised, and what it becomes.

use dashu_int::UBig;

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
}

/// The bound of a rounded number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LimitPlan {
    Format {
        /// Exponent and fraction fields of the largest number.
        magnitude_max: u64,
        fraction_bits: u32,
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
                let normalise = NormalisePlan::of(format.precision(), Some(format.exponent_min()), &input);
                let limit = LimitPlan::Format {
                    magnitude_max: format.magnitude_max(),
                    fraction_bits: format.fraction_bits,
                    to_infinity: [false, true].map(|negative| match round.overflow {
                        Overflow::Infinity => true,
                        Overflow::Ieee => round.rounding.overflows_to_infinity(negative),
                        Overflow::Saturate | Overflow::Wrap => false,
                    }),
                    has_infinity: format.infinity(false).is_some(),
                    has_negative_zero: format.non_finite != NonFinite::NegativeZeroNan,
                };
                let number = NumberPlan {
                    significand_max: (UBig::ONE << format.precision() as usize) - UBig::ONE,
                    fraction_bits: format.fraction_bits as i32,
                    exponent_min: format.exponent_min(),
                    exponent_max: format.hidden_exponent_max(),
                    subnormal_bits: Some(format.fraction_bits),
                };
                (Some(normalise), limit, number)
            }
            &RoundTo::Range { precision: None, exponent_max, .. } => {
                (None, LimitPlan::Exponent(exponent_max), NumberPlan { subnormal_bits: None, ..input.clone() })
            }
            &RoundTo::Range { precision: Some(precision), exponent_min, exponent_max } => {
                let normalise = NormalisePlan::of(precision, exponent_min, &input);
                let number = NumberPlan {
                    significand_max: (UBig::ONE << precision as usize) - UBig::ONE,
                    fraction_bits: precision as i32 - 1,
                    exponent_min: exponent_min.unwrap_or(input.place()),
                    exponent_max: (input.exponent_max + normalise.top_offset + 1).max(exponent_min.unwrap_or(i32::MIN)),
                    subnormal_bits: None,
                };
                (Some(normalise), LimitPlan::Exponent(exponent_max), number)
            }
        };
        RoundPlan {
            normalise,
            rounding: round.rounding,
            limit,
            subnormals: round.subnormals,
            rounded_zero_positive: round.rounded_zero_positive,
            input,
            number,
        }
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
    fn of(precision: u32, exponent_min: Option<i32>, input: &NumberPlan) -> NormalisePlan {
        let width = input.width().max(1);
        let top = width as i32 - 1 - input.fraction_bits;
        let headroom = exponent_min.map_or(0, |least| (least - (input.exponent_min + top)).max(0) as u32);
        // Two bits are discarded at least, and one more where tininess looks at a finer place.
        let pad_bits = (precision + 3).saturating_sub(headroom + width);
        NormalisePlan {
            precision,
            exponent_min,
            pad_bits,
            width: headroom + width + pad_bits,
            top_offset: top + headroom as i32,
        }
    }
}
