//! All lanes in one register of AVX-512.
//!
//! The generators are inlined into a function for processors that have it, and such a register exists there only; elsewhere
//! its methods would be calls of single instructions.

#![allow(unsafe_code, reason = "the instructions of the processor")]

use std::arch::x86_64::*;
use std::ops::{Add, BitAnd, BitOr, BitXor, Mul, Sub};

use super::{LANES, Lanes, Mask, Work};

/// Eight lanes.
#[derive(Debug, Clone, Copy)]
pub struct Register(__m512i);

/// Whether the processor has the instructions.
pub fn is_supported() -> bool {
    is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512dq")
}

/// One instruction of AVX-512.
macro_rules! instruction {
    ($($call:tt)*) => {
        // SAFETY: only functions for processors with AVX-512 make such registers.
        unsafe { $($call)* }
    };
}

macro_rules! operator {
    ($trait:ident, $method:ident, $instruction:ident) => {
        impl $trait for Register {
            type Output = Register;
            #[inline(always)]
            fn $method(self, other: Register) -> Register {
                Register(instruction!($instruction(self.0, other.0)))
            }
        }
    };
}

operator!(Add, add, _mm512_add_epi64);
operator!(Sub, sub, _mm512_sub_epi64);
operator!(Mul, mul, _mm512_mullo_epi64);
operator!(BitAnd, bitand, _mm512_and_si512);
operator!(BitOr, bitor, _mm512_or_si512);
operator!(BitXor, bitxor, _mm512_xor_si512);

impl Mask for u8 {
    #[inline(always)]
    fn all(value: bool) -> u8 {
        if value { u8::MAX } else { 0 }
    }
}

impl Register {
    #[inline(always)]
    fn amount(amount: u32) -> __m128i {
        instruction!(_mm_cvtsi32_si128(amount as i32))
    }

    /// Even lanes of both, pair by pair, and odd lanes.
    #[inline(always)]
    fn pairs(p: __m512i, q: __m512i) -> [__m512i; 2] {
        instruction!([_mm512_unpacklo_epi64(p, q), _mm512_unpackhi_epi64(p, q)])
    }
}

impl Lanes for Register {
    /// Bit l is lane l.
    type Mask = u8;

    const COUNT: usize = LANES;

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
    fn of(value: i64) -> Register {
        Register(instruction!(_mm512_set1_epi64(value)))
    }

    #[inline(always)]
    fn load(lanes: &[u64; LANES], _first: usize) -> Register {
        Register(instruction!(_mm512_loadu_si512(lanes.as_ptr().cast())))
    }

    #[inline(always)]
    fn store(self, lanes: &mut [u64; LANES], _first: usize) {
        instruction!(_mm512_storeu_si512(lanes.as_mut_ptr().cast(), self.0));
    }

    #[inline(always)]
    fn store_rows(columns: &[Register; 4], rows: &mut [[u64; 4]], first: usize, step: usize) {
        let [p, q, r, s] = columns.map(|column| column.0);
        let (low, high) = (Register::pairs(p, q), Register::pairs(r, s));
        for (number, (low, high)) in low.into_iter().zip(high).enumerate() {
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

    #[inline(always)]
    fn times_short(self, other: Register) -> Register {
        Register(instruction!(_mm512_mul_epu32(self.0, other.0)))
    }

    #[inline(always)]
    fn shift_left(self, amount: u32) -> Register {
        Register(instruction!(_mm512_sll_epi64(self.0, Register::amount(amount))))
    }

    #[inline(always)]
    fn shift_right(self, amount: u32) -> Register {
        Register(instruction!(_mm512_srl_epi64(self.0, Register::amount(amount))))
    }

    #[inline(always)]
    fn shift_left_by(self, amount: Register) -> Register {
        Register(instruction!(_mm512_sllv_epi64(self.0, amount.0)))
    }

    #[inline(always)]
    fn shift_right_by(self, amount: Register) -> Register {
        Register(instruction!(_mm512_srlv_epi64(self.0, amount.0)))
    }

    #[inline(always)]
    fn rotate_left<const AMOUNT: i32>(self) -> Register {
        Register(instruction!(_mm512_rol_epi64::<AMOUNT>(self.0)))
    }

    #[inline(always)]
    fn equals(self, other: Register) -> u8 {
        instruction!(_mm512_cmpeq_epi64_mask(self.0, other.0))
    }

    #[inline(always)]
    fn less_than(self, other: Register) -> u8 {
        instruction!(_mm512_cmplt_epi64_mask(self.0, other.0))
    }

    #[inline(always)]
    fn bit(self, index: u32) -> u8 {
        instruction!(_mm512_test_epi64_mask(self.0, Register::of(1 << index).0))
    }

    #[inline(always)]
    fn select(mask: u8, yes: Register, no: Register) -> Register {
        Register(instruction!(_mm512_mask_blend_epi64(mask, no.0, yes.0)))
    }

    #[inline(always)]
    fn minimum(self, other: Register) -> Register {
        Register(instruction!(_mm512_min_epi64(self.0, other.0)))
    }

    #[inline(always)]
    fn maximum(self, other: Register) -> Register {
        Register(instruction!(_mm512_max_epi64(self.0, other.0)))
    }
}
