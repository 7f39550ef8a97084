//! All lanes in one register of AVX-512.
//!
//! The generators are inlined into a function for processors that have it, and such a register exists there only; elsewhere
//! its methods would be calls of single instructions.

#![allow(unsafe_code, reason = "the instructions of the processor")]

use std::arch::x86_64::*;
use std::ops::{Add, BitAnd, BitOr, BitXor, Mul, Sub};

use super::{LANES_MAX, Lanes, Mask, Work};

/// Sixteen lanes of 32 bits.
#[derive(Debug, Clone, Copy)]
pub struct Register32(__m512i);

/// Eight lanes of 64 bits.
#[derive(Debug, Clone, Copy)]
pub struct Register64(__m512i);

/// One instruction of AVX-512.
macro_rules! instruction {
    ($($call:tt)*) => {
        // SAFETY: only functions for processors with AVX-512 make such registers.
        unsafe { $($call)* }
    };
}

macro_rules! operator {
    ($register:ident, $trait:ident, $method:ident, $instruction:ident) => {
        impl $trait for $register {
            type Output = $register;
            #[inline(always)]
            fn $method(self, other: $register) -> $register {
                $register(instruction!($instruction(self.0, other.0)))
            }
        }
    };
}

macro_rules! mask {
    ($mask:ty) => {
        impl Mask for $mask {
            #[inline(always)]
            fn all(value: bool) -> $mask {
                if value { <$mask>::MAX } else { 0 }
            }
        }
    };
}

mask!(u8);
mask!(u16);

/// Even lanes of two columns, pair by pair, and odd lanes.
#[inline(always)]
fn pairs(p: __m512i, q: __m512i) -> [__m512i; 2] {
    instruction!([_mm512_unpacklo_epi64(p, q), _mm512_unpackhi_epi64(p, q)])
}

/// Four numbers of eight lanes into rows. No closure takes a register here: it would be no function for the processor.
#[inline(always)]
fn store_rows(columns: [__m512i; 4], rows: &mut [[u64; 4]], first: usize, step: usize) {
    let [p, q, r, s] = columns;
    for (number, (low, high)) in pairs(p, q).into_iter().zip(pairs(r, s)).enumerate() {
        // Lanes of one parity, the first half and the second.
        let order = |first: i64| {
            let lanes = [0, 1, 8, 9, 2, 3, 10, 11].map(|place| place + first);
            instruction!(_mm512_loadu_si512(lanes.as_ptr().cast()))
        };
        for half in 0..2 {
            let two = instruction!(_mm512_permutex2var_epi64(low, order(4 * half as i64), high));
            let lane = 4 * half + number;
            let row = rows[first + lane * step].as_mut_ptr();
            instruction!(_mm256_storeu_si256(row.cast(), _mm512_castsi512_si256(two)));
            let row = rows[first + (lane + 2) * step].as_mut_ptr();
            instruction!(_mm256_storeu_si256(row.cast(), _mm512_extracti64x4_epi64::<1>(two)));
        }
    }
}

/// Sixteen lanes as twice eight of 64 bits.
#[inline(always)]
fn widened(lanes: __m512i) -> [__m512i; 2] {
    instruction!([
        _mm512_cvtepu32_epi64(_mm512_castsi512_si256(lanes)),
        _mm512_cvtepu32_epi64(_mm512_extracti64x4_epi64::<1>(lanes))
    ])
}

/// What lanes of either width have, each by its own instruction.
macro_rules! common {
    ($set1:ident, $sll:ident, $srl:ident, $sllv:ident, $srlv:ident, $rol:ident, $equals:ident, $less:ident, $test:ident,
     $blend:ident, $minimum:ident, $maximum:ident) => {
        #[inline(always)]
        fn call<T, S, W: Work<T, S>>(on: &mut T, with: &mut S) {
            #[inline(never)]
            #[target_feature(enable = "avx512f,avx512dq")]
            fn inside<T, S, W: Work<T, S>>(on: &mut T, with: &mut S) {
                W::run(on, with);
            }
            instruction!(inside::<T, S, W>(on, with));
        }

        #[inline(always)]
        fn of(value: i64) -> Self {
            Self(instruction!($set1(value as _)))
        }

        #[inline(always)]
        fn shift_left(self, amount: u32) -> Self {
            Self(instruction!($sll(self.0, _mm_cvtsi32_si128(amount as i32))))
        }

        #[inline(always)]
        fn shift_right(self, amount: u32) -> Self {
            Self(instruction!($srl(self.0, _mm_cvtsi32_si128(amount as i32))))
        }

        #[inline(always)]
        fn shift_left_by(self, amount: Self) -> Self {
            Self(instruction!($sllv(self.0, amount.0)))
        }

        #[inline(always)]
        fn shift_right_by(self, amount: Self) -> Self {
            Self(instruction!($srlv(self.0, amount.0)))
        }

        #[inline(always)]
        fn rotate_left<const AMOUNT: i32>(self) -> Self {
            Self(instruction!($rol::<AMOUNT>(self.0)))
        }

        #[inline(always)]
        fn equals(self, other: Self) -> Self::Mask {
            instruction!($equals(self.0, other.0))
        }

        #[inline(always)]
        fn less_than(self, other: Self) -> Self::Mask {
            instruction!($less(self.0, other.0))
        }

        #[inline(always)]
        fn bit(self, index: u32) -> Self::Mask {
            instruction!($test(self.0, Self::of(1 << index).0))
        }

        #[inline(always)]
        fn select(mask: Self::Mask, yes: Self, no: Self) -> Self {
            Self(instruction!($blend(mask, no.0, yes.0)))
        }

        #[inline(always)]
        fn minimum(self, other: Self) -> Self {
            Self(instruction!($minimum(self.0, other.0)))
        }

        #[inline(always)]
        fn maximum(self, other: Self) -> Self {
            Self(instruction!($maximum(self.0, other.0)))
        }
    };
}

operator!(Register32, Add, add, _mm512_add_epi32);
operator!(Register32, Sub, sub, _mm512_sub_epi32);
operator!(Register32, Mul, mul, _mm512_mullo_epi32);
operator!(Register32, BitAnd, bitand, _mm512_and_si512);
operator!(Register32, BitOr, bitor, _mm512_or_si512);
operator!(Register32, BitXor, bitxor, _mm512_xor_si512);

impl Lanes for Register32 {
    /// Bit l is lane l.
    type Mask = u16;

    const BITS: u32 = 32;

    const COUNT: usize = Self::TOGETHER;

    #[inline(always)]
    fn load(lanes: &[u64; LANES_MAX], _first: usize) -> Register32 {
        let short = lanes.map(|lane| lane as u32);
        Register32(instruction!(_mm512_loadu_si512(short.as_ptr().cast())))
    }

    #[inline(always)]
    fn store(self, lanes: &mut [u64; LANES_MAX], _first: usize) {
        let [lower, upper] = widened(self.0);
        instruction!(_mm512_storeu_si512(lanes.as_mut_ptr().cast(), lower));
        instruction!(_mm512_storeu_si512(lanes[8..].as_mut_ptr().cast(), upper));
    }

    #[inline(always)]
    fn store_rows(columns: &[Register32; 4], rows: &mut [[u64; 4]], first: usize, step: usize) {
        let [p, q, r, s] = columns;
        let ([p, p_upper], [q, q_upper]) = (widened(p.0), widened(q.0));
        let ([r, r_upper], [s, s_upper]) = (widened(r.0), widened(s.0));
        store_rows([p, q, r, s], rows, first, step);
        store_rows([p_upper, q_upper, r_upper, s_upper], rows, first + 8 * step, step);
    }

    #[inline(always)]
    fn times_short(self, other: Register32) -> Register32 {
        self * other
    }

    common!(
        _mm512_set1_epi32,
        _mm512_sll_epi32,
        _mm512_srl_epi32,
        _mm512_sllv_epi32,
        _mm512_srlv_epi32,
        _mm512_rol_epi32,
        _mm512_cmpeq_epi32_mask,
        _mm512_cmplt_epi32_mask,
        _mm512_test_epi32_mask,
        _mm512_mask_blend_epi32,
        _mm512_min_epi32,
        _mm512_max_epi32
    );
}

operator!(Register64, Add, add, _mm512_add_epi64);
operator!(Register64, Sub, sub, _mm512_sub_epi64);
operator!(Register64, Mul, mul, _mm512_mullo_epi64);
operator!(Register64, BitAnd, bitand, _mm512_and_si512);
operator!(Register64, BitOr, bitor, _mm512_or_si512);
operator!(Register64, BitXor, bitxor, _mm512_xor_si512);

impl Lanes for Register64 {
    /// Bit l is lane l.
    type Mask = u8;

    const BITS: u32 = 64;

    const COUNT: usize = Self::TOGETHER;

    #[inline(always)]
    fn load(lanes: &[u64; LANES_MAX], _first: usize) -> Register64 {
        Register64(instruction!(_mm512_loadu_si512(lanes.as_ptr().cast())))
    }

    #[inline(always)]
    fn store(self, lanes: &mut [u64; LANES_MAX], _first: usize) {
        instruction!(_mm512_storeu_si512(lanes.as_mut_ptr().cast(), self.0));
    }

    #[inline(always)]
    fn store_rows(columns: &[Register64; 4], rows: &mut [[u64; 4]], first: usize, step: usize) {
        let [p, q, r, s] = columns;
        store_rows([p.0, q.0, r.0, s.0], rows, first, step);
    }

    #[inline(always)]
    fn times_short(self, other: Register64) -> Register64 {
        Register64(instruction!(_mm512_mul_epu32(self.0, other.0)))
    }

    common!(
        _mm512_set1_epi64,
        _mm512_sll_epi64,
        _mm512_srl_epi64,
        _mm512_sllv_epi64,
        _mm512_srlv_epi64,
        _mm512_rol_epi64,
        _mm512_cmpeq_epi64_mask,
        _mm512_cmplt_epi64_mask,
        _mm512_test_epi64_mask,
        _mm512_mask_blend_epi64,
        _mm512_min_epi64,
        _mm512_max_epi64
    );
}
