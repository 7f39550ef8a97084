//! Numbers that steps pass on: operands, their exact products, and sums.

mod sum;

pub use sum::{Entered, Summand, Summed, single, sum, two, up};

use super::unpack::Unpacked;
use crate::compute::word::{Flag, Word};
use crate::describe::arithmetic::InputSubnormals;
use crate::describe::plan::{InputPlan, NumberPlan};

/// (-1)^negative * significand * 2^(exponent - fraction_bits), an infinity of that sign, or NaN.
///
/// Infinity and NaN have some exponent and significand too, within the ranges of the plan.
#[derive(Debug, Clone, Copy)]
pub struct Number<W: Word> {
    pub negative: W::Flag,
    pub exponent: W,
    pub significand: W,
    /// A zero that has no exponent, and takes no part in an anchor.
    pub absent: W::Flag,
    pub infinite: W::Flag,
    pub nan: W::Flag,
}

impl<W: Word> Number<W> {
    /// +0, which has no exponent.
    #[inline(always)]
    pub fn zero(exponent: i32) -> Number<W> {
        let never = W::Flag::constant(false);
        Number {
            negative: never,
            exponent: W::literal(exponent.into()),
            significand: W::literal(0),
            absent: W::Flag::constant(true),
            infinite: never,
            nan: never,
        }
    }

    /// An operand, as a number of the wider format if there is one, and flushed if subnormals are at once.
    ///
    /// ```text
    ///   significand   0001.ffff     of a subnormal number
    ///   widened       1.ffff000     left by its leading zeros, or down to the wider format's least exponent
    /// ```
    #[inline(always)]
    pub fn operand(operand: &Unpacked<W>, input: &InputPlan) -> Number<W> {
        let plan = &input.number;
        let widened = match input.widened {
            None => *operand,
            Some(_) => {
                let room = operand.exponent - W::literal(plan.exponent_min.into());
                let shift = operand.significand.leading_zeros(plan.width()).minimum(room);
                let significand = operand.significand.shift_left_by(shift).claim_unsigned(plan.width());
                Unpacked { exponent: operand.exponent - shift, significand, ..*operand }
            }
        };
        Number::plain(&widened, plan).flushed(input.flushed, plan.subnormal_bits)
    }

    /// An operand as it is.
    #[inline(always)]
    pub fn plain(operand: &Unpacked<W>, plan: &NumberPlan) -> Number<W> {
        Number {
            negative: operand.negative,
            exponent: operand.exponent.claim(plan.exponent_min.into()..=plan.exponent_max.into()),
            significand: operand.significand,
            absent: operand.zero,
            infinite: operand.infinite,
            nan: operand.nan,
        }
    }

    /// The number, or zero where it is a subnormal number of a format and those are flushed.
    #[inline(always)]
    pub fn flushed(self, flush: InputSubnormals, subnormal_bits: Option<u32>) -> Number<W> {
        let bits = match (flush, subnormal_bits) {
            (InputSubnormals::Kept, _) | (_, None) => return self,
            (_, Some(bits)) => bits,
        };
        let subnormal =
            self.significand.shift_right(bits).is_zero() & !self.significand.is_zero() & !self.infinite & !self.nan;
        let negative = match flush {
            InputSubnormals::FlushedToPlusZero => self.negative & !subnormal,
            _ => self.negative,
        };
        let significand = W::select(subnormal, W::literal(0), self.significand);
        Number { negative, significand, absent: self.absent | subnormal, ..self }
    }

    /// A power of two, of which only the exponent and NaN are not known.
    #[inline(always)]
    pub fn power(&self) -> Number<W> {
        let never = W::Flag::constant(false);
        let &Number { exponent, nan, .. } = self;
        Number { negative: never, exponent, significand: W::literal(1), absent: never, infinite: never, nan }
    }

    #[inline(always)]
    fn is_zero(&self) -> W::Flag {
        self.significand.is_zero() & !self.infinite & !self.nan
    }
}

/// The exact product, and whether it is one of infinity and zero.
#[inline(always)]
pub fn product<W: Word>(x: &Number<W>, y: &Number<W>, plan: &NumberPlan) -> (Number<W>, W::Flag) {
    let invalid = ((x.infinite & y.is_zero()) | (y.infinite & x.is_zero())) & !x.nan & !y.nan;
    let nan = x.nan | y.nan | invalid;
    let significand = (x.significand * y.significand).claim_unsigned(plan.width());
    let number = Number {
        negative: x.negative ^ y.negative,
        exponent: (x.exponent + y.exponent).claim(plan.exponent_min.into()..=plan.exponent_max.into()),
        significand,
        absent: x.significand.is_zero() | y.significand.is_zero(),
        infinite: (x.infinite | y.infinite) & !nan,
        nan,
    };
    (number, invalid)
}

/// The number times 2^shift.
#[inline(always)]
pub fn shifted<W: Word>(x: Number<W>, shift: i32) -> Number<W> {
    match shift {
        0 => x,
        _ => {
            Number { exponent: x.exponent + W::literal(shift.into()), absent: x.absent | x.significand.is_zero(), ..x }
        }
    }
}
