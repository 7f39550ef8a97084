//! Choices of a unit in words, for comments and tables.

use crate::describe::format::{Overflow, Rounding};
use crate::describe::unit::AlignmentRounding;

pub(super) fn alignment(rounding: AlignmentRounding) -> &'static str {
    match rounding {
        AlignmentRounding::TowardZero => "lower bits cut off in sign and magnitude",
        AlignmentRounding::Downward => "rounded downward",
        AlignmentRounding::NearestEven => "rounded to nearest, ties to even",
        AlignmentRounding::ToOdd => "rounded to odd",
    }
}

pub(super) fn rounding(rounding: Rounding) -> &'static str {
    match rounding {
        Rounding::NearestEven => "to nearest, ties to even",
        Rounding::NearestAway => "to nearest, ties away from zero",
        Rounding::TowardZero => "truncation",
        Rounding::TowardPositive => "toward plus infinity",
        Rounding::TowardNegative => "toward minus infinity",
        Rounding::ToOdd => "to odd",
    }
}

pub(super) fn overflow(overflow: Overflow) -> &'static str {
    match overflow {
        Overflow::Ieee => "what IEEE 754 says",
        Overflow::Infinity => "infinity",
        Overflow::Saturate => "the largest finite number",
    }
}
