//! Registers of AVX-512.
//!
//! What is computed on them is inlined into functions for processors that have it, and such a register exists there only;
//! elsewhere its methods would be calls of single instructions.

#![allow(unsafe_code, reason = "the instructions of the processor")]

use std::arch::x86_64::*;
use std::ops::{Add, BitAnd, BitOr, BitXor, Mul, Sub};

use super::{Lanes, Level, Mask, Singles, Work};

/// AVX-512.
pub struct Avx512;

impl Level for Avx512 {
    type Lanes32 = Register32;
    type Lanes64 = Register64;
}

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

            #[inline(always)]
            fn any(self) -> bool {
                self != 0
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

/// Lanes of one parity: the first half of two pairs, and the second.
const HALVES: [[i64; 8]; 2] = [[0, 1, 8, 9, 2, 3, 10, 11], [4, 5, 12, 13, 6, 7, 14, 15]];

/// Four numbers of eight lanes into rows. No closure takes a register here: it would be no function for the processor.
#[inline(always)]
fn store_rows(columns: [__m512i; 4], rows: &mut [[u64; 4]], first: usize, step: usize) {
    let [p, q, r, s] = columns;
    let (low, high) = (pairs(p, q), pairs(r, s));
    for parity in 0..2 {
        for (half, order) in HALVES.iter().enumerate() {
            let order = instruction!(_mm512_loadu_si512(order.as_ptr().cast()));
            let two = instruction!(_mm512_permutex2var_epi64(low[parity], order, high[parity]));
            let lane = 4 * half + parity;
            let row = rows[first + lane * step].as_mut_ptr();
            instruction!(_mm256_storeu_si256(row.cast(), _mm512_castsi512_si256(two)));
            let row = rows[first + (lane + 2) * step].as_mut_ptr();
            instruction!(_mm256_storeu_si256(row.cast(), _mm512_extracti64x4_epi64::<1>(two)));
        }
    }
}

/// Four numbers of eight lanes from rows: those of neighbouring lanes into each other's places.
#[inline(always)]
fn load_rows(rows: &[[u64; 4]], first: usize, step: usize) -> [__m512i; 4] {
    let mut pairs = [Register64::of(0).0; 4];
    for i in 0..4 {
        let (one, other) = (rows[first + i * step].as_ptr(), rows[first + (i + 4) * step].as_ptr());
        pairs[i] = instruction!({
            let one = _mm512_castsi256_si512(_mm256_loadu_si256(one.cast()));
            _mm512_inserti64x4::<1>(one, _mm256_loadu_si256(other.cast()))
        });
    }
    // Lanes i and i + 4, four numbers each.
    let [p, q, r, s] = pairs;
    instruction!({
        let (even_low, even_high) = (_mm512_unpacklo_epi64(p, q), _mm512_unpacklo_epi64(r, s));
        let (odd_low, odd_high) = (_mm512_unpackhi_epi64(p, q), _mm512_unpackhi_epi64(r, s));
        let first = _mm512_setr_epi64(0, 1, 8, 9, 4, 5, 12, 13);
        let second = _mm512_setr_epi64(2, 3, 10, 11, 6, 7, 14, 15);
        [
            _mm512_permutex2var_epi64(even_low, first, even_high),
            _mm512_permutex2var_epi64(odd_low, first, odd_high),
            _mm512_permutex2var_epi64(even_low, second, even_high),
            _mm512_permutex2var_epi64(odd_low, second, odd_high),
        ]
    })
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
    ($set1:ident, $sll:ident, $srl:ident, $sra:ident, $sllv:ident, $srlv:ident, $rol:ident, $lzcnt:ident, $equals:ident,
     $less:ident, $below:ident, $test:ident, $blend:ident, $minimum:ident, $maximum:ident) => {
        #[inline(always)]
        fn call<T, S, W: Work<T, S>>(on: &mut T, with: &mut S) {
            #[inline(never)]
            #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512cd,avx2,fma,f16c,bmi1,bmi2,lzcnt")]
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
        fn shift_right_signed(self, amount: u32) -> Self {
            Self(instruction!($sra(self.0, _mm_cvtsi32_si128(amount as i32))))
        }

        #[inline(always)]
        fn leading_zeros(self) -> Self {
            Self(instruction!($lzcnt(self.0)))
        }

        #[inline(always)]
        fn is_below(self, other: Self) -> Self::Mask {
            instruction!($below(self.0, other.0))
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

    const COUNT: usize = 16;

    #[inline(always)]
    fn load(words: &[u64]) -> Register32 {
        let words = &words[..16];
        Register32(instruction!({
            let lower = _mm512_cvtepi64_epi32(_mm512_loadu_si512(words.as_ptr().cast()));
            let upper = _mm512_cvtepi64_epi32(_mm512_loadu_si512(words[8..].as_ptr().cast()));
            _mm512_inserti64x4::<1>(_mm512_castsi256_si512(lower), upper)
        }))
    }

    #[inline(always)]
    fn store(self, words: &mut [u64]) {
        let words = &mut words[..16];
        let [lower, upper] = widened(self.0);
        instruction!(_mm512_storeu_si512(words.as_mut_ptr().cast(), lower));
        instruction!(_mm512_storeu_si512(words[8..].as_mut_ptr().cast(), upper));
    }

    #[inline(always)]
    fn load_rows(rows: &[[u64; 4]], first: usize, step: usize) -> [Register32; 4] {
        let lower = load_rows(rows, first, step);
        let upper = load_rows(rows, first + 8 * step, step);
        let mut columns = [Register32::of(0); 4];
        for i in 0..4 {
            columns[i] = Register32(instruction!({
                let (lower, upper) = (_mm512_cvtepi64_epi32(lower[i]), _mm512_cvtepi64_epi32(upper[i]));
                _mm512_inserti64x4::<1>(_mm512_castsi256_si512(lower), upper)
            }));
        }
        columns
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
        _mm512_sra_epi32,
        _mm512_sllv_epi32,
        _mm512_srlv_epi32,
        _mm512_rol_epi32,
        _mm512_lzcnt_epi32,
        _mm512_cmpeq_epi32_mask,
        _mm512_cmplt_epi32_mask,
        _mm512_cmplt_epu32_mask,
        _mm512_test_epi32_mask,
        _mm512_mask_blend_epi32,
        _mm512_min_epi32,
        _mm512_max_epi32
    );
}

impl Singles for Register32 {
    #[inline(always)]
    fn single_of_integer(self) -> Register32 {
        Register32(instruction!(_mm512_castps_si512(_mm512_cvtepi32_ps(self.0))))
    }

    #[inline(always)]
    fn integer_of_single(self) -> Register32 {
        Register32(instruction!(_mm512_cvttps_epi32(_mm512_castsi512_ps(self.0))))
    }

    #[inline(always)]
    fn times_single(self, other: Register32) -> Register32 {
        let product = instruction!(_mm512_mul_ps(_mm512_castsi512_ps(self.0), _mm512_castsi512_ps(other.0)));
        Register32(instruction!(_mm512_castps_si512(product)))
    }

    #[inline(always)]
    fn load_singles(singles: &[f32]) -> Register32 {
        Register32(instruction!(_mm512_loadu_si512(singles[..16].as_ptr().cast())))
    }

    #[inline(always)]
    fn store_singles(self, singles: &mut [f32]) {
        instruction!(_mm512_storeu_si512(singles[..16].as_mut_ptr().cast(), self.0));
    }

    #[inline(always)]
    fn load_shorts(shorts: &[i16]) -> Register32 {
        Register32(instruction!(_mm512_loadu_si512(shorts[..32].as_ptr().cast())))
    }

    #[inline(always)]
    fn add_shorts(self, other: Register32) -> Register32 {
        Register32(instruction!(_mm512_add_epi16(self.0, other.0)))
    }

    #[inline(always)]
    fn maximum_shorts(self, other: Register32) -> Register32 {
        Register32(instruction!(_mm512_max_epi16(self.0, other.0)))
    }

    #[inline(always)]
    fn widened_shorts(self) -> [Register32; 2] {
        let (low, high) = instruction!((_mm512_castsi512_si256(self.0), _mm512_extracti64x4_epi64::<1>(self.0)));
        instruction!([Register32(_mm512_cvtepi16_epi32(low)), Register32(_mm512_cvtepi16_epi32(high))])
    }
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

    const COUNT: usize = 8;

    #[inline(always)]
    fn load(words: &[u64]) -> Register64 {
        Register64(instruction!(_mm512_loadu_si512(words[..8].as_ptr().cast())))
    }

    #[inline(always)]
    fn store(self, words: &mut [u64]) {
        instruction!(_mm512_storeu_si512(words[..8].as_mut_ptr().cast(), self.0));
    }

    #[inline(always)]
    fn load_rows(rows: &[[u64; 4]], first: usize, step: usize) -> [Register64; 4] {
        let [p, q, r, s] = load_rows(rows, first, step);
        [Register64(p), Register64(q), Register64(r), Register64(s)]
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
        _mm512_sra_epi64,
        _mm512_sllv_epi64,
        _mm512_srlv_epi64,
        _mm512_rol_epi64,
        _mm512_lzcnt_epi64,
        _mm512_cmpeq_epi64_mask,
        _mm512_cmplt_epi64_mask,
        _mm512_cmplt_epu64_mask,
        _mm512_test_epi64_mask,
        _mm512_mask_blend_epi64,
        _mm512_min_epi64,
        _mm512_max_epi64
    );
}
