//! One rounding: to a format, or to a precision and a range of exponents.

use crate::describe::format::{Format, Overflow, Rounding};

/// An entry of [`Step::round`](super::Step::round).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StepRound {
    /// The rounding to d: [`Arithmetic::conversion`](super::Arithmetic::conversion).
    Result,
    To(Round),
}

/// A rounding of a finite number, and what follows from it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Round {
    pub to: RoundTo,
    pub rounding: Rounding,
    /// The result for a number above the range; an infinity where there is no format.
    pub overflow: Overflow,
    pub subnormals: Flushing,
    /// Whether a nonzero number that is rounded or flushed to zero becomes +0.
    pub rounded_zero_positive: bool,
}

/// The target of a rounding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RoundTo {
    Format(Format),
    Range {
        /// Bits of the significand; unbounded where `None`, and then nothing is rounded.
        precision: Option<u32>,
        /// Exponent below which numbers have fewer bits.
        exponent_min: Option<i32>,
        /// Numbers of a greater exponent are infinite.
        exponent_max: Option<i32>,
    },
}

/// Results below the least normal number 2^e.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Flushing {
    #[default]
    Kept,
    /// Results that are subnormal after rounding become zero.
    Flushed,
    /// So do results that are below 2^e when they are rounded with unbounded exponents: tiny (IEEE 754-2019, 7.5).
    FlushedIfTiny,
}
