//! A register of eight words: every lane stands for an unbounded integer of its own, as a machine word of 64 bits does. With
//! it the datapath text answers eight vectors at a time.
//!
//! The text is inlined into functions for processors with AVX-512, and a word exists in these only; elsewhere its methods would
//! be calls of single instructions.

#![allow(unsafe_code, reason = "the instructions of the processor")]

use std::arch::x86_64::*;
use std::ops::{Add, BitAnd, BitOr, BitXor, Mul, Neg, Not, RangeInclusive, Sub};

use super::{Flag, Word};

/// Lanes of a register.
pub const LANES: usize = 8;

/// An operand of eight vectors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct Encodings(pub [u64; LANES]);

/// Eight integers.
#[derive(Debug, Clone, Copy)]
pub struct Vector64(__m512i);

/// Eight truth values, bit i of lane i.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Flags8(pub(super) u8);

/// One instruction of AVX-512.
macro_rules! instruction {
    ($($call:tt)*) => {
        // SAFETY: only functions for processors with AVX-512 make such words.
        unsafe { $($call)* }
    };
}

/// A register of integers.
pub trait VectorWord: Word<Flag = Flags8, Encoding = Encodings> {
    /// The low 64 bits of every lane.
    fn low_bits(self) -> Encodings;

    /// Whether every lane lies in the range.
    #[inline(always)]
    fn lies_in(self, range: &RangeInclusive<i64>) -> bool {
        let below = self.less_than(Self::literal(*range.start()));
        below | Self::literal(*range.end()).less_than(self) == Flags8(0)
    }

    /// Whether every lane is 0 or more and fits that many bits.
    #[inline(always)]
    fn is_unsigned(self, width: u32) -> bool {
        let negative = self.less_than(Self::literal(0));
        negative | !self.shift_right(width).is_zero() == Flags8(0)
    }

    /// Whether every lane fits that many bits of two's complement.
    #[inline(always)]
    fn is_signed(self, width: u32) -> bool {
        self.wrap(width).equals(self) == Flags8(0xff)
    }
}

impl VectorWord for Vector64 {
    #[inline(always)]
    fn low_bits(self) -> Encodings {
        let mut lanes = Encodings([0; LANES]);
        instruction!(_mm512_store_si512(lanes.0.as_mut_ptr().cast(), self.0));
        lanes
    }
}

impl Vector64 {
    /// An amount by which every lane is shifted.
    #[inline(always)]
    fn amount(amount: u32) -> __m128i {
        instruction!(_mm_cvtsi32_si128(amount as i32))
    }
}

impl Flag for Flags8 {
    #[inline(always)]
    fn constant(value: bool) -> Self {
        Flags8(if value { 0xff } else { 0 })
    }
}

macro_rules! flag_operator {
    ($trait:ident, $method:ident) => {
        impl $trait for Flags8 {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                Flags8(self.0.$method(other.0))
            }
        }
    };
}

flag_operator!(BitAnd, bitand);
flag_operator!(BitOr, bitor);
flag_operator!(BitXor, bitxor);

impl Not for Flags8 {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        Flags8(!self.0)
    }
}

macro_rules! operator {
    ($trait:ident, $method:ident, $instruction:ident) => {
        impl $trait for Vector64 {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                Vector64(instruction!($instruction(self.0, other.0)))
            }
        }
    };
}

operator!(Add, add, _mm512_add_epi64);
operator!(Sub, sub, _mm512_sub_epi64);
operator!(Mul, mul, _mm512_mullo_epi64);

impl Neg for Vector64 {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self::literal(0) - self
    }
}

impl Word for Vector64 {
    type Flag = Flags8;
    type Encoding = Encodings;

    #[inline(always)]
    fn literal(value: i64) -> Self {
        Vector64(instruction!(_mm512_set1_epi64(value)))
    }

    #[inline(always)]
    fn bits(bits: u64) -> Self {
        Self::literal(bits as i64)
    }

    #[inline(always)]
    fn encoding(encoding: Encodings) -> Self {
        Vector64(instruction!(_mm512_load_si512(encoding.0.as_ptr().cast())))
    }

    #[inline(always)]
    fn shift_left(self, amount: u32) -> Self {
        Vector64(instruction!(_mm512_sll_epi64(self.0, Self::amount(amount))))
    }

    #[inline(always)]
    fn shift_right(self, amount: u32) -> Self {
        Vector64(instruction!(_mm512_srl_epi64(self.0, Self::amount(amount))))
    }

    #[inline(always)]
    fn shift_left_by(self, amount: Self) -> Self {
        Vector64(instruction!(_mm512_sllv_epi64(self.0, amount.0)))
    }

    #[inline(always)]
    fn shift_right_by(self, amount: Self) -> Self {
        Vector64(instruction!(_mm512_srlv_epi64(self.0, amount.0)))
    }

    #[inline(always)]
    fn field(self, low: u32, width: u32) -> Self {
        let shifted = self.shift_right(low);
        Vector64(instruction!(_mm512_and_si512(shifted.0, Self::literal((1 << width) - 1).0)))
    }

    #[inline(always)]
    fn bit(self, index: u32) -> Flags8 {
        Flags8(instruction!(_mm512_test_epi64_mask(self.0, Self::literal(1 << index).0)))
    }

    #[inline(always)]
    fn equals(self, other: Self) -> Flags8 {
        Flags8(instruction!(_mm512_cmpeq_epi64_mask(self.0, other.0)))
    }

    #[inline(always)]
    fn less_than(self, other: Self) -> Flags8 {
        Flags8(instruction!(_mm512_cmplt_epi64_mask(self.0, other.0)))
    }

    #[inline(always)]
    fn select(flag: Flags8, yes: Self, no: Self) -> Self {
        Vector64(instruction!(_mm512_mask_blend_epi64(flag.0, no.0, yes.0)))
    }

    #[inline(always)]
    fn leading_zeros(self, width: u32) -> Self {
        Vector64(instruction!(_mm512_lzcnt_epi64(self.0))) - Self::literal(64 - i64::from(width))
    }

    #[inline(always)]
    fn wrap(self, width: u32) -> Self {
        let left = self.shift_left(64 - width);
        Vector64(instruction!(_mm512_sra_epi64(left.0, Self::amount(64 - width))))
    }

    #[inline(always)]
    fn claim(self, range: RangeInclusive<i64>) -> Self {
        debug_assert!(self.lies_in(&range), "{self:?} lies outside {range:?}");
        self
    }

    #[inline(always)]
    fn claim_unsigned(self, width: u32) -> Self {
        debug_assert!(self.is_unsigned(width), "{self:?} exceeds {width} bits");
        self
    }

    #[inline(always)]
    fn claim_signed(self, width: u32) -> Self {
        debug_assert!(self.is_signed(width), "{self:?} exceeds {width} bits");
        self
    }
}
