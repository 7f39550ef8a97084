//! The arithmetic of a unit: a list of summation steps from products to the result.
//!
//! The list begins with the products. A [`Step`] divides it into parts, sums each part and leaves one number for each; the last
//! step leaves one number, rounded to the format of d. The book's page "Numeric specification" has the equations.
//!
//! Architecture invariant: nothing here says how a unit is built, or how its constants are known.

mod round;
mod shape;
mod short_forms;
mod step;

pub use round::{Flushing, Round, RoundTo, StepRound};
pub use shape::Shape;
pub use step::{AddendPlace, AddendWindow, Exponent, Negate, Order, Start, Step, Window, ZeroSign};

use super::format::Format;

/// The arithmetic of a unit. Units of equal arithmetic have the same result for every vector.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Arithmetic {
    /// L: number of products.
    pub products: u32,
    pub a: Operand,
    pub b: Operand,
    /// `None` in a unit without an addend.
    pub c: Option<Operand>,
    pub d: Format,
    pub scales: Option<BlockScales>,
    /// Product i of the list is that of `a[order[i]]` and `b[order[i]]`; empty where they keep their own order.
    pub permutation: Vec<u32>,
    pub steps: Vec<Step>,
    /// The rounding to d that steps name [`StepRound::Result`].
    pub conversion: Round,
    /// Encoding of every NaN result.
    pub nan: u64,
    /// Whether the flags *invalid* and *overflow* are in the bits above d.
    pub flags: bool,
}

impl Arithmetic {
    /// The rounding that an entry of a step names.
    pub fn round<'a>(&'a self, round: &'a StepRound) -> &'a Round {
        match round {
            StepRound::Result => &self.conversion,
            StepRound::To(round) => round,
        }
    }
}

/// How an operand enters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Operand {
    pub format: Format,
    /// The wider format as whose number the operand enters: its exponent, and whether it is subnormal, are those of that format.
    pub widened: Option<Format>,
    /// When a and b are decoded; for c whenever it, or an earlier result in a format, enters a sum.
    pub subnormals: InputSubnormals,
}

/// Subnormal operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum InputSubnormals {
    #[default]
    Kept,
    /// A zero of their sign.
    Flushed,
    /// +0.
    FlushedToPlusZero,
}

/// The scales of a unit whose operands come in blocks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BlockScales {
    /// Formats of a's and of b's scales.
    pub a: Format,
    pub b: Format,
    /// Consecutive products that share a scale of a and a scale of b.
    pub block: u32,
}
