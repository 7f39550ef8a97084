//! One summation step: how it divides its list, and how the numbers of a part become one.

use super::{InputSubnormals, StepRound};
use crate::describe::format::Rounding;

/// A step takes a list of numbers and leaves a shorter one.
///
/// ```text
///   parts    groups of `group` consecutive numbers, each in `lanes` parts: the numbers of one index modulo lanes
///   link     round(scale(sum of some numbers))         once a part, or many times in a chain or a tree
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// Consecutive numbers of a group; `None` for all.
    pub group: Option<u32>,
    /// Parts of a group.
    pub lanes: u32,
    pub order: Order,
    /// Where c joins the numbers of the only part, if it does.
    pub c: Option<AddendPlace>,
    pub negate: Option<Negate>,
    /// Subnormal numbers of a format that enter a link: c, and results of earlier links.
    pub inputs: InputSubnormals,
    /// `None` where the sum is exact.
    pub window: Option<Window>,
    /// The exponent with which the sum takes part in later anchors.
    pub exponent: Exponent,
    /// The sum is multiplied by 2^shift,
    pub shift: i32,
    /// and by both scales of the block of its part.
    pub scaled: bool,
    /// Sign of a sum that is zero.
    pub zero: ZeroSign,
    /// One rounding after another.
    pub round: Vec<StepRound>,
}

impl Step {
    /// The exact sum of all numbers at once, not rounded.
    pub const EXACT: Step = Step {
        group: None,
        lanes: 1,
        order: Order::AtOnce,
        c: None,
        negate: None,
        inputs: InputSubnormals::Kept,
        window: None,
        exponent: Exponent::Leading,
        shift: 0,
        scaled: false,
        zero: ZeroSign::Ieee,
        round: Vec::new(),
    };
}

/// The order in which the numbers of a part are summed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// All in one link, as in any part of one number.
    AtOnce,
    /// Each link adds the next `by` numbers to the result of the one before.
    Chain { by: u32, start: Start },
    /// The `by` oldest numbers that wait become one, which waits behind all others, until one is left.
    Tree { by: u32 },
}

/// The start of a chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Start {
    /// Its first number, as it is.
    First,
    /// +0.
    Zero,
}

/// The place of c among the numbers of a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AddendPlace {
    First,
    Last,
}

/// Which numbers change their sign when they enter a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Negate {
    All,
    /// Those of even index.
    Even,
    Odd,
    C,
}

/// A sum of bounded width: each number is cut below the anchor E, the greatest exponent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Window {
    /// F: numbers are cut to multiples of 2^(E - F).
    pub fraction_bits: u32,
    pub rounding: Rounding,
    /// Least anchor; `None` where only the numbers decide.
    pub floor: Option<i32>,
    /// Bits of two's complement to which the sum wraps; `None` where it never does.
    pub width: Option<u32>,
    /// Another cut for the addend: c, or in a chain the result of the link before.
    pub addend: Option<AddendWindow>,
}

/// The addend's own cut in a window.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AddendWindow {
    /// At most those of the window.
    pub fraction_bits: u32,
    /// An addend whose exponent is further below the anchor counts as zero; `None` where none does.
    pub reach: Option<u32>,
}

/// The exponent of a sum. A sum of one number that is neither cut nor rounded keeps that of the number with [`Exponent::Own`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exponent {
    /// The anchor of the window, also where terms cancel.
    Anchor,
    /// That of the leading one; a zero has none.
    Leading,
    /// That of the only number.
    Own,
    /// The same for every sum: fixed point. A zero has none.
    Fixed(i32),
}

/// Sign of a sum that is exactly zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ZeroSign {
    /// The sign that all terms have; else plus, or minus where the next rounding is toward negative (IEEE 754-2019, 6.3).
    Ieee,
    Positive,
    Negative,
}
