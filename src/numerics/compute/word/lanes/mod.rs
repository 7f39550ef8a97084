//! Words that are lanes: every lane stands for an unbounded integer of its own, as a machine word does. With them the datapath
//! text answers as many vectors at a time as a register has lanes: [`LaneWord`] for units that fit 64 bits, [`LaneWords`] of
//! several registers for wider ones.
//!
//! The text is inlined into a function of the level that the lanes belong to.

mod registers;
#[cfg(test)]
mod tests;

use std::ops::{Add, BitAnd, BitOr, BitXor, Mul, Neg, Not, Sub};

use super::{Flag, Word};
use crate::lanes::{Lanes, Mask};

/// An integer of 64 bits in every lane.
#[derive(Debug, Clone, Copy)]
pub struct LaneWord<L>(pub(super) L);

/// An integer of N registers in every lane, the least significant first.
#[derive(Debug, Clone, Copy)]
pub struct LaneWords<L, const N: usize>([L; N]);

/// A truth value in every lane.
#[derive(Debug, Clone, Copy)]
pub struct Flags<M>(M);

/// A word of lanes.
pub trait VectorWord: Word<Flag = Flags<<Self::Lanes as Lanes>::Mask>, Encoding = Self::Lanes> {
    type Lanes: Lanes;

    /// The low 64 bits of every lane.
    fn low_bits(self) -> Self::Lanes;
}

impl<M: Mask> Flag for Flags<M> {
    #[inline(always)]
    fn constant(value: bool) -> Self {
        Flags(M::all(value))
    }
}

macro_rules! flag_operator {
    ($trait:ident, $method:ident) => {
        impl<M: Mask> $trait for Flags<M> {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                Flags(self.0.$method(other.0))
            }
        }
    };
}

flag_operator!(BitAnd, bitand);
flag_operator!(BitOr, bitor);
flag_operator!(BitXor, bitxor);

impl<M: Mask> Not for Flags<M> {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        Flags(!self.0)
    }
}

macro_rules! word_operator {
    ($trait:ident, $method:ident) => {
        impl<L: Lanes> $trait for LaneWord<L> {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                LaneWord(self.0.$method(other.0))
            }
        }
    };
}

word_operator!(Add, add);
word_operator!(Sub, sub);
word_operator!(Mul, mul);

impl<L: Lanes> Neg for LaneWord<L> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self::literal(0) - self
    }
}

impl<L: Lanes> VectorWord for LaneWord<L> {
    type Lanes = L;

    #[inline(always)]
    fn low_bits(self) -> L {
        self.0
    }
}

impl<L: Lanes> Word for LaneWord<L> {
    type Flag = Flags<L::Mask>;
    type Encoding = L;

    const IS_READ: bool = false;

    #[inline(always)]
    fn literal(value: i64) -> Self {
        LaneWord(L::of(value))
    }

    #[inline(always)]
    fn bits(bits: u64) -> Self {
        LaneWord(L::of(bits as i64))
    }

    #[inline(always)]
    fn encoding(encoding: L) -> Self {
        LaneWord(encoding)
    }

    #[inline(always)]
    fn shift_left(self, amount: u32) -> Self {
        if amount < L::BITS { LaneWord(self.0.shift_left(amount)) } else { Self::literal(0) }
    }

    #[inline(always)]
    fn shift_right(self, amount: u32) -> Self {
        if amount < L::BITS { LaneWord(self.0.shift_right(amount)) } else { Self::literal(0) }
    }

    #[inline(always)]
    fn shift_left_by(self, amount: Self) -> Self {
        LaneWord(self.0.shift_left_by(amount.0))
    }

    #[inline(always)]
    fn shift_right_by(self, amount: Self) -> Self {
        LaneWord(self.0.shift_right_by(amount.0))
    }

    #[inline(always)]
    fn field(self, low: u32, width: u32) -> Self {
        LaneWord(self.shift_right(low).0 & L::of(((1_u64 << width) - 1) as i64))
    }

    #[inline(always)]
    fn bit(self, index: u32) -> Flags<L::Mask> {
        Flags(self.0.bit(index))
    }

    #[inline(always)]
    fn equals(self, other: Self) -> Flags<L::Mask> {
        Flags(self.0.equals(other.0))
    }

    #[inline(always)]
    fn less_than(self, other: Self) -> Flags<L::Mask> {
        Flags(self.0.less_than(other.0))
    }

    #[inline(always)]
    fn select(flag: Flags<L::Mask>, yes: Self, no: Self) -> Self {
        LaneWord(L::select(flag.0, yes.0, no.0))
    }

    #[inline(always)]
    fn leading_zeros(self, width: u32) -> Self {
        LaneWord(self.0.leading_zeros()) - Self::literal(i64::from(L::BITS) - i64::from(width))
    }

    #[inline(always)]
    fn wrap(self, width: u32) -> Self {
        LaneWord(self.0.shift_left(L::BITS - width).shift_right_signed(L::BITS - width))
    }
}

macro_rules! words_operator {
    ($trait:ident, $method:ident, $function:ident) => {
        impl<L: Lanes, const N: usize> $trait for LaneWords<L, N> {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                LaneWords(registers::$function(&self.0, &other.0))
            }
        }
    };
}

words_operator!(Add, add, add);
words_operator!(Sub, sub, subtract);
words_operator!(Mul, mul, multiply);

impl<L: Lanes, const N: usize> Neg for LaneWords<L, N> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self::literal(0) - self
    }
}

impl<L: Lanes, const N: usize> VectorWord for LaneWords<L, N> {
    type Lanes = L;

    #[inline(always)]
    fn low_bits(self) -> L {
        self.0[0]
    }
}

impl<L: Lanes, const N: usize> Word for LaneWords<L, N> {
    type Flag = Flags<L::Mask>;
    type Encoding = L;

    const IS_READ: bool = false;

    #[inline(always)]
    fn literal(value: i64) -> Self {
        LaneWords(registers::extended(L::of(value)))
    }

    #[inline(always)]
    fn bits(bits: u64) -> Self {
        Self::encoding(L::of(bits as i64))
    }

    #[inline(always)]
    fn encoding(encoding: L) -> Self {
        let mut words = [L::of(0); N];
        words[0] = encoding;
        LaneWords(words)
    }

    #[inline(always)]
    fn shift_left(self, amount: u32) -> Self {
        LaneWords(registers::shift_left(&self.0, amount))
    }

    #[inline(always)]
    fn shift_right(self, amount: u32) -> Self {
        LaneWords(registers::shift_right(&self.0, amount))
    }

    #[inline(always)]
    fn shift_left_by(self, amount: Self) -> Self {
        LaneWords(registers::shift_left_by(&self.0, &amount.0))
    }

    #[inline(always)]
    fn shift_right_by(self, amount: Self) -> Self {
        LaneWords(registers::shift_right_by(&self.0, &amount.0))
    }

    #[inline(always)]
    fn field(self, low: u32, width: u32) -> Self {
        LaneWords(registers::low_field(&self.shift_right(low).0, width))
    }

    #[inline(always)]
    fn bit(self, index: u32) -> Flags<L::Mask> {
        Flags(self.0[index as usize / 64].bit(index % 64))
    }

    #[inline(always)]
    fn equals(self, other: Self) -> Flags<L::Mask> {
        Flags(registers::equal(&self.0, &other.0))
    }

    #[inline(always)]
    fn less_than(self, other: Self) -> Flags<L::Mask> {
        Flags(registers::less_than(&self.0, &other.0))
    }

    #[inline(always)]
    fn select(flag: Flags<L::Mask>, yes: Self, no: Self) -> Self {
        LaneWords(registers::select(flag.0, &yes.0, &no.0))
    }

    #[inline(always)]
    fn leading_zeros(self, width: u32) -> Self {
        LaneWords(registers::leading_zeros(&self.0, width))
    }

    #[inline(always)]
    fn wrap(self, width: u32) -> Self {
        LaneWords(registers::wrap(&self.0, width))
    }
}
