//! Eight integers of several words each: what [`Vector64`](super::vector::Vector64) is for units that fit 64 bits, for wider ones.

#![allow(unsafe_code, reason = "the instructions of the processor")]

mod registers;
#[cfg(test)]
mod tests;

use std::arch::x86_64::*;
use std::ops::{Add, Mul, Neg, RangeInclusive, Sub};

use super::Word;
use super::vector::{Encodings, Flags8, LANES, VectorWord};

/// Eight integers of N words.
#[derive(Debug, Clone, Copy)]
pub struct VectorWords<const N: usize>([__m512i; N]);

/// A function of registers.
macro_rules! call {
    ($($call:tt)*) => {
        // SAFETY: only functions for processors with AVX-512 make such words.
        unsafe { $($call)* }
    };
}

macro_rules! operator {
    ($trait:ident, $method:ident, $function:ident) => {
        impl<const N: usize> $trait for VectorWords<N> {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                VectorWords(call!(registers::$function(&self.0, &other.0)))
            }
        }
    };
}

operator!(Add, add, add);
operator!(Sub, sub, subtract);
operator!(Mul, mul, multiply);

impl<const N: usize> Neg for VectorWords<N> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self::literal(0) - self
    }
}

impl<const N: usize> VectorWord for VectorWords<N> {
    #[inline(always)]
    fn low_bits(self) -> Encodings {
        let mut lanes = Encodings([0; LANES]);
        call!(_mm512_store_si512(lanes.0.as_mut_ptr().cast(), self.0[0]));
        lanes
    }
}

impl<const N: usize> Word for VectorWords<N> {
    type Flag = Flags8;
    type Encoding = Encodings;

    #[inline(always)]
    fn literal(value: i64) -> Self {
        VectorWords(call!(registers::extended(_mm512_set1_epi64(value))))
    }

    #[inline(always)]
    fn bits(bits: u64) -> Self {
        Self::encoding(Encodings([bits; LANES]))
    }

    #[inline(always)]
    fn encoding(encoding: Encodings) -> Self {
        VectorWords(call!(registers::encoded(&encoding)))
    }

    #[inline(always)]
    fn shift_left(self, amount: u32) -> Self {
        VectorWords(call!(registers::shift_left(&self.0, amount)))
    }

    #[inline(always)]
    fn shift_right(self, amount: u32) -> Self {
        VectorWords(call!(registers::shift_right(&self.0, amount)))
    }

    #[inline(always)]
    fn shift_left_by(self, amount: Self) -> Self {
        VectorWords(call!(registers::shift_left_by(&self.0, &amount.0)))
    }

    #[inline(always)]
    fn shift_right_by(self, amount: Self) -> Self {
        VectorWords(call!(registers::shift_right_by(&self.0, &amount.0)))
    }

    #[inline(always)]
    fn field(self, low: u32, width: u32) -> Self {
        VectorWords(call!(registers::low_field(&self.shift_right(low).0, width)))
    }

    #[inline(always)]
    fn bit(self, index: u32) -> Flags8 {
        Flags8(call!(registers::bit(&self.0, index)))
    }

    #[inline(always)]
    fn equals(self, other: Self) -> Flags8 {
        Flags8(call!(registers::equal(&self.0, &other.0)))
    }

    #[inline(always)]
    fn less_than(self, other: Self) -> Flags8 {
        Flags8(call!(registers::less_than(&self.0, &other.0)))
    }

    #[inline(always)]
    fn select(flag: Flags8, yes: Self, no: Self) -> Self {
        VectorWords(call!(registers::select(flag.0, &yes.0, &no.0)))
    }

    #[inline(always)]
    fn leading_zeros(self, width: u32) -> Self {
        VectorWords(call!(registers::leading_zeros(&self.0, width)))
    }

    #[inline(always)]
    fn wrap(self, width: u32) -> Self {
        VectorWords(call!(registers::wrap(&self.0, width)))
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
