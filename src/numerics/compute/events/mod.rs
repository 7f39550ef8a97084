//! What happened inside a unit on one vector, read from the stages of its evaluation: coverage counts it. A file a scheme, and
//! one for the exception flags.

mod coverage;
pub mod flags;
pub mod fused;
pub mod integer;
mod set;
pub mod steps;

pub use coverage::Coverage;
pub use set::EventSet;

use super::datapath::schemes::{self, Scheme, WithScheme};
use crate::describe::plan::Plan;

macro_rules! events {
    ($($(#[$doc:meta])* $event:ident = $name:literal),* $(,)?) => {
        /// Something that a stage can do.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Event {
            $($(#[$doc])* $event,)*
        }

        impl Event {
            /// Every event, in datapath order.
            pub const ALL: &'static [Event] = &[$(Event::$event),*];

            /// Name in reports.
            pub fn name(self) -> &'static str {
                match self {
                    $(Event::$event => $name,)*
                }
            }
        }
    };
}

events! {
    /// An operand a or b is subnormal.
    SubnormalOperand = "subnormal operand",
    /// The addend is subnormal.
    SubnormalAddend = "subnormal addend",
    /// An operand or the addend is NaN.
    NanOperand = "NaN operand",
    /// A scale is NaN.
    NanScale = "NaN scale",
    /// A scale is zero.
    ZeroScale = "zero scale",
    /// A scale is subnormal.
    SubnormalScale = "subnormal scale",
    /// A scale has the least exponent of its format.
    LeastScale = "least scale exponent",
    /// A scale has the greatest exponent of its format.
    GreatestScale = "greatest scale exponent",
    /// A factor is infinite and another is zero.
    InfinityTimesZero = "infinity times zero",
    /// Infinite terms of both signs.
    OpposingInfinities = "opposing infinities",
    /// An operand or the addend is a signalling NaN.
    SignallingNan = "signalling NaN",
    /// An infinity times zero beside a NaN, none of them signalling.
    InvalidProductBesideNan = "infinity times zero beside a NaN",
    /// Infinite terms of both signs beside a NaN, none of them signalling, and no infinity times zero.
    InvalidSumBesideNan = "opposing infinities beside a NaN",
    /// The result is infinite because a term is.
    InfiniteTerm = "infinite term",
    /// A finite product, or a sum that is not rounded, is infinite: no number is as large.
    ProductOverflow = "product overflow",
    /// The result of a step loses bits below the window of a later one.
    SumBitsLost = "sum bits lost",
    /// The addend lies too far below the products to take part.
    AddendDropped = "addend dropped",
    /// A sum loses bits where it is rounded to a precision, before it is rounded to a format.
    TotalBitsLost = "total bits lost",
    /// The floor lies above the exponent of every nonzero term.
    FloorActive = "floor active",
    /// A term loses bits below the window.
    BitsLost = "term bits lost",
    /// A nonzero term lies below the window altogether.
    TermLost = "whole term lost",
    /// The sum needs a bit above the window.
    CarryUsed = "carry used",
    /// The sum needs the uppermost carry bit.
    LastCarryUsed = "last carry used",
    /// Nonzero terms add to exactly zero.
    Cancelled = "exact cancellation",
    /// The leading one lies above the anchor.
    NormalisedRight = "normalised right",
    /// The leading one lies below the anchor.
    NormalisedLeft = "normalised left",
    /// The conversion discards something.
    Inexact = "inexact conversion",
    /// The conversion discards exactly half a unit in the last place.
    Tie = "tie",
    /// The conversion moves the magnitude up.
    RoundedUp = "rounded up",
    /// Rounding up reaches the next binade.
    RoundingCarry = "rounding carry",
    /// The result is subnormal.
    SubnormalResult = "subnormal result",
    /// A nonzero sum becomes zero.
    Underflow = "underflow to zero",
    /// A tiny sum would be rounded up to the least normal number.
    TinyRoundedUp = "tiny rounded to normal",
    /// A finite sum lies above the largest finite number.
    Overflow = "overflow",
    /// A factor is the integer zero.
    ZeroInteger = "zero integer",
    /// A factor is the least integer of its format, below zero.
    LeastInteger = "least integer",
    /// Both factors of a product are the least integers of their formats, below zero.
    LeastProduct = "product of least integers",
    /// A sum of integers lies above the greatest result.
    AboveGreatest = "above the greatest integer",
    /// A sum of integers lies below the least result.
    BelowLeast = "below the least integer",
}

/// Whether the event is one of the unit's scheme: reports list no other.
pub fn concerns(plan: &Plan, event: Event) -> bool {
    struct Concerns(Event);

    impl WithScheme for Concerns {
        type Output = bool;

        fn run<S: Scheme>(self, plan: &S::Plan) -> bool {
            S::concerns(plan, self.0)
        }
    }

    schemes::with_scheme(plan, Concerns(event))
}

/// Why the unit can never show the event; `None` for an event that a good stimulus must reach.
pub fn unreachable(plan: &Plan, event: Event) -> Option<String> {
    struct Unreachable(Event);

    impl WithScheme for Unreachable {
        type Output = Option<String>;

        fn run<S: Scheme>(self, plan: &S::Plan) -> Option<String> {
            if !S::concerns(plan, self.0) {
                return Some("the unit's scheme has no such event".to_owned());
            }
            S::unreachable(plan, self.0)
        }
    }

    schemes::with_scheme(plan, Unreachable(event))
}
