//! The word that the datapath text computes on.
//!
//! A [`Word`] behaves as an *unbounded integer*: the text never relies on wrapping at a machine width. Interpretations
//! that have a width (machine words) are chosen wide enough by the plan; others ([`term`]) carry no width at all.

pub mod lanes;
mod machine;
pub mod term;

pub use machine::{Machine, MachineWord, Word64, Word128, Word256, Word512, Word1024};

use std::ops::{Add, BitAnd, BitOr, BitXor, Mul, Neg, Not, RangeInclusive, Sub};

/// A truth value of the same interpretation as the word.
pub trait Flag:
    Copy
    + Send
    + std::fmt::Debug
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
{
    /// A known truth value.
    fn constant(value: bool) -> Self;
}

/// An unbounded integer.
///
/// Shifts take amounts of 0 or more; an amount beyond every bit of the value gives 0. Right shifts and bit selections
/// are applied to values of 0 or more only.
pub trait Word:
    Copy
    + Send
    + std::fmt::Debug
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Neg<Output = Self>
    + 'static
{
    type Flag: Flag;

    /// What an operand is given as.
    type Encoding: Copy + Send + std::fmt::Debug;

    /// Whether anybody reads intermediate values: nobody reads those of lanes.
    const IS_READ: bool = true;

    /// A known number.
    fn literal(value: i64) -> Self;

    /// A known encoding, taken as an unsigned number.
    fn bits(bits: u64) -> Self;

    /// An operand's encoding, taken as an unsigned number.
    fn encoding(encoding: Self::Encoding) -> Self;

    /// self * 2^amount.
    fn shift_left(self, amount: u32) -> Self;

    /// floor(self / 2^amount).
    fn shift_right(self, amount: u32) -> Self;

    /// self * 2^amount for a computed amount.
    fn shift_left_by(self, amount: Self) -> Self;

    /// floor(self / 2^amount) for a computed amount.
    fn shift_right_by(self, amount: Self) -> Self;

    /// Bits `low .. low + width` as a number of 0 or more.
    fn field(self, low: u32, width: u32) -> Self;

    /// Bit `index`.
    fn bit(self, index: u32) -> Self::Flag;

    /// Whether both are the same number.
    fn equals(self, other: Self) -> Self::Flag;

    /// Whether self is the lesser number.
    fn less_than(self, other: Self) -> Self::Flag;

    /// `yes` where the flag holds, `no` elsewhere.
    fn select(flag: Self::Flag, yes: Self, no: Self) -> Self;

    /// Zero bits above the leading one within the low `width` bits; `width` for 0.
    fn leading_zeros(self, width: u32) -> Self;

    /// The number that the low `width` bits mean in two's complement.
    fn wrap(self, width: u32) -> Self;

    /// States that the number lies in `range`: an obligation for a prover, and checked on machine words in debug builds of this library,
    /// those of the tests' long tier. Lanes look at no claim, which would double what is compiled of the text: their answers are compared with those of machine words.
    #[must_use]
    #[inline(always)]
    fn claim(self, _range: RangeInclusive<i64>) -> Self {
        self
    }

    /// States that the number is 0 or more and fits `width` bits.
    #[must_use]
    #[inline(always)]
    fn claim_unsigned(self, _width: u32) -> Self {
        self
    }

    /// States that the number fits `width` bits of two's complement.
    #[must_use]
    #[inline(always)]
    fn claim_signed(self, _width: u32) -> Self {
        self
    }

    /// The greater of two numbers.
    #[inline(always)]
    fn maximum(self, other: Self) -> Self {
        Self::select(self.less_than(other), other, self)
    }

    /// The lesser of two numbers.
    #[inline(always)]
    fn minimum(self, other: Self) -> Self {
        Self::select(self.less_than(other), self, other)
    }

    /// Minus self where the flag holds.
    #[inline(always)]
    fn negate_if(self, flag: Self::Flag) -> Self {
        Self::select(flag, -self, self)
    }

    /// 1 where the flag holds, 0 elsewhere.
    #[inline(always)]
    fn from_flag(flag: Self::Flag) -> Self {
        Self::select(flag, Self::literal(1), Self::literal(0))
    }

    /// Whether the number is 0.
    #[inline(always)]
    fn is_zero(self) -> Self::Flag {
        self.equals(Self::literal(0))
    }
}
