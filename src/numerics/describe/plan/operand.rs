//! How operands are taken apart and results put together: the formats of a unit as numbers.

use crate::describe::format::{Format, NonFinite, Overflow, Rounding};
use crate::describe::unit::Unit;

/// How one operand is taken apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OperandPlan {
    pub width: u32,
    pub exponent_bits: u32,
    pub fraction_bits: u32,
    pub padding_bits: u32,
    pub sign_bits: u32,
    pub bias: i32,
    pub non_finite: NonFinite,
    pub has_signalling_nan: bool,
    pub flush_subnormals: bool,
    /// Whether they become +0, whatever their sign.
    pub flush_to_plus_zero: bool,
    /// Least and greatest exponent an unpacked operand can have, infinity's included.
    pub exponent_min: i32,
    pub exponent_max: i32,
}

/// How the normalised sum becomes an encoding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResultPlan {
    pub width: u32,
    pub exponent_bits: u32,
    pub fraction_bits: u32,
    pub padding_bits: u32,
    pub exponent_min: i32,
    pub rounding: Rounding,
    /// Exponent and fraction fields of the largest finite number.
    pub magnitude_max: u64,
    /// Whether overflow gives infinity rather than the largest finite number: of positive and of negative results.
    pub overflow_to_infinity: [bool; 2],
    /// Exponent and fraction fields of infinity; without it, infinite results are NaN.
    pub infinity_magnitude: Option<u64>,
    pub nan: u64,
    pub flush_subnormals: bool,
    /// Whether a least normal result becomes zero where it is rounded up from a tiny one.
    pub flush_tiny: bool,
    pub zero_negative: bool,
    /// Whether what is rounded or flushed to zero becomes plus zero.
    pub rounded_zero_positive: bool,
    /// Whether the format has a minus zero.
    pub has_negative_zero: bool,
}

impl OperandPlan {
    pub(super) fn new(format: &Format, flush_subnormals: bool) -> OperandPlan {
        OperandPlan {
            width: format.width(),
            exponent_bits: format.exponent_bits,
            fraction_bits: format.fraction_bits,
            padding_bits: format.padding_bits,
            sign_bits: u32::from(format.signed),
            bias: format.bias,
            non_finite: format.non_finite,
            has_signalling_nan: format.has_signalling_nan(),
            flush_subnormals,
            flush_to_plus_zero: false,
            exponent_min: format.exponent_min(),
            exponent_max: format.exponent_field_max(),
        }
    }

    /// The same, its subnormals flushed to +0 if `unit` says so.
    pub(super) fn flushed_as(self, unit: &Unit) -> OperandPlan {
        OperandPlan { flush_to_plus_zero: unit.flush.to_plus_zero && self.flush_subnormals, ..self }
    }

    /// Significand width, hidden bit included.
    #[inline]
    pub fn precision(&self) -> u32 {
        self.fraction_bits + 1
    }
}

impl ResultPlan {
    pub(super) fn new(unit: &Unit) -> ResultPlan {
        let format = &unit.formats.d;
        let magnitude_max = format.magnitude_max();
        let overflow_to_infinity = [false, true].map(|negative| match unit.conversion.overflow {
            Overflow::Infinity => true,
            Overflow::Saturate | Overflow::Wrap => false,
            Overflow::Ieee => unit.conversion.rounding.overflows_to_infinity(negative),
        });
        ResultPlan {
            width: format.width(),
            exponent_bits: format.exponent_bits,
            fraction_bits: format.fraction_bits,
            padding_bits: format.padding_bits,
            exponent_min: format.exponent_min(),
            rounding: unit.conversion.rounding,
            magnitude_max,
            overflow_to_infinity,
            infinity_magnitude: format.infinity(false).map(|bits| format.magnitude(bits)),
            nan: unit.conversion.nan,
            flush_subnormals: unit.flush.result,
            flush_tiny: unit.flush.tiny_result,
            zero_negative: unit.conversion.zero_negative,
            rounded_zero_positive: unit.conversion.rounded_zero_positive,
            has_negative_zero: format.non_finite != NonFinite::NegativeZeroNan,
        }
    }

    /// Whether a finite number is normal: with one exponent bit all of them may be subnormal.
    pub fn has_normal(&self) -> bool {
        self.magnitude_max >> self.fraction_bits > 0
    }

    /// Whether the fraction of the largest finite number is all ones, so that what is beyond it is too large by any rounding
    /// where nothing else is rounded.
    pub fn has_whole_range(&self) -> bool {
        (self.magnitude_max + 1).trailing_zeros() >= self.fraction_bits
    }

    /// Exponent of the largest finite number.
    pub fn exponent_max(&self) -> i32 {
        (self.magnitude_max >> self.fraction_bits) as i32 + self.exponent_min - 1
    }
}
