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
    /// What a number above the range becomes; of a range without a format an infinity.
    pub overflow: Overflow,
    pub subnormals: Flushing,
    /// Whether a nonzero number that is rounded or flushed to zero becomes +0.
    pub rounded_zero_positive: bool,
}

/// What a number is rounded to.
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
    /// What is subnormal after rounding becomes zero.
    Flushed,
    /// So does what lies below 2^e when it is rounded with unbounded exponents: tiny (IEEE 754-2019, 7.5).
    FlushedIfTiny,
}
