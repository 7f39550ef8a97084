//! Registers of AVX2. What AVX2 lacks is made of several instructions: products of 64 bits, leading zeros, signed shifts of
//! 64 bits, comparisons without a sign.
//!
//! As with AVX-512, a register exists only in functions for processors that have it.

#![allow(unsafe_code, reason = "the instructions of the processor")]

use std::arch::x86_64::*;
use std::ops::{Add, BitAnd, BitOr, BitXor, Mul, Not, Sub};

use super::{Lanes, Level, Mask, Singles, Work};

/// AVX2.
pub struct Avx2;

impl Level for Avx2 {
    type Lanes32 = Register32;
    type Lanes64 = Register64;
}

/// Eight lanes of 32 bits.
#[derive(Debug, Clone, Copy)]
pub struct Register32(__m256i);

/// Four lanes of 64 bits.
#[derive(Debug, Clone, Copy)]
pub struct Register64(__m256i);

/// All bits of a lane are ones, or zeros.
#[derive(Debug, Clone, Copy)]
pub struct LaneMask(__m256i);

/// One instruction of AVX2.
macro_rules! instruction {
    ($($call:tt)*) => {
        // SAFETY: only functions for processors with AVX2 make such registers.
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

operator!(LaneMask, BitAnd, bitand, _mm256_and_si256);
operator!(LaneMask, BitOr, bitor, _mm256_or_si256);
operator!(LaneMask, BitXor, bitxor, _mm256_xor_si256);

impl Not for LaneMask {
    type Output = LaneMask;
    #[inline(always)]
    fn not(self) -> LaneMask {
        self ^ LaneMask::all(true)
    }
}

impl Mask for LaneMask {
    #[inline(always)]
    fn all(value: bool) -> LaneMask {
        LaneMask(instruction!(_mm256_set1_epi64x(if value { -1 } else { 0 })))
    }

    #[inline(always)]
    fn any(self) -> bool {
        instruction!(_mm256_testz_si256(self.0, self.0)) == 0
    }
}

/// Quadword j of register i becomes quadword i of register j.
#[inline(always)]
fn turned([p, q, r, s]: [__m256i; 4]) -> [__m256i; 4] {
    instruction!({
        let (even_low, even_high) = (_mm256_unpacklo_epi64(p, q), _mm256_unpacklo_epi64(r, s));
        let (odd_low, odd_high) = (_mm256_unpackhi_epi64(p, q), _mm256_unpackhi_epi64(r, s));
        [
            _mm256_permute2x128_si256::<0x20>(even_low, even_high),
            _mm256_permute2x128_si256::<0x20>(odd_low, odd_high),
            _mm256_permute2x128_si256::<0x31>(even_low, even_high),
            _mm256_permute2x128_si256::<0x31>(odd_low, odd_high),
        ]
    })
}

/// Four words of a row.
#[inline(always)]
fn row(rows: &[[u64; 4]], index: usize) -> __m256i {
    instruction!(_mm256_loadu_si256(rows[index].as_ptr().cast()))
}

/// Writes four lanes of four numbers into rows.
#[inline(always)]
fn store_four(columns: [__m256i; 4], rows: &mut [[u64; 4]], first: usize, step: usize) {
    for (lane, own) in turned(columns).into_iter().enumerate() {
        instruction!(_mm256_storeu_si256(rows[first + lane * step].as_mut_ptr().cast(), own));
    }
}

/// What lanes of either width have, each by its own instruction.
macro_rules! common {
    ($set1:ident, $sll:ident, $srl:ident, $sllv:ident, $srlv:ident, $equals:ident, $greater:ident) => {
        #[inline(always)]
        fn call<T, S, W: Work<T, S>>(on: &mut T, with: &mut S) {
            #[inline(never)]
            #[target_feature(enable = "avx2,fma,f16c,bmi1,bmi2,lzcnt")]
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
            self.shift_left(AMOUNT as u32) | self.shift_right(Self::BITS - AMOUNT as u32)
        }

        #[inline(always)]
        fn equals(self, other: Self) -> LaneMask {
            LaneMask(instruction!($equals(self.0, other.0)))
        }

        #[inline(always)]
        fn less_than(self, other: Self) -> LaneMask {
            LaneMask(instruction!($greater(other.0, self.0)))
        }

        #[inline(always)]
        fn is_below(self, other: Self) -> LaneMask {
            let top = Self::of(1 << (Self::BITS - 1));
            (self ^ top).less_than(other ^ top)
        }

        #[inline(always)]
        fn bit(self, index: u32) -> LaneMask {
            let bit = Self::of(1 << index);
            (self & bit).equals(bit)
        }

        #[inline(always)]
        fn select(mask: LaneMask, yes: Self, no: Self) -> Self {
            Self(instruction!(_mm256_blendv_epi8(no.0, yes.0, mask.0)))
        }
    };
}

operator!(Register32, Add, add, _mm256_add_epi32);
operator!(Register32, Sub, sub, _mm256_sub_epi32);
operator!(Register32, Mul, mul, _mm256_mullo_epi32);
operator!(Register32, BitAnd, bitand, _mm256_and_si256);
operator!(Register32, BitOr, bitor, _mm256_or_si256);
operator!(Register32, BitXor, bitxor, _mm256_xor_si256);

/// The low halves of eight quadwords, side by side.
#[inline(always)]
fn low_halves(lower: __m256i, upper: __m256i) -> __m256i {
    instruction!({
        let (lower, upper) = (_mm256_castsi256_ps(lower), _mm256_castsi256_ps(upper));
        let halves = _mm256_castps_si256(_mm256_shuffle_ps::<0b10_00_10_00>(lower, upper));
        _mm256_permute4x64_epi64::<0b11_01_10_00>(halves)
    })
}

/// Eight lanes as twice four of 64 bits.
#[inline(always)]
fn widened(lanes: __m256i) -> [__m256i; 2] {
    instruction!([
        _mm256_cvtepu32_epi64(_mm256_castsi256_si128(lanes)),
        _mm256_cvtepu32_epi64(_mm256_extracti128_si256::<1>(lanes))
    ])
}

impl Lanes for Register32 {
    type Mask = LaneMask;

    const BITS: u32 = 32;

    const COUNT: usize = 8;

    #[inline(always)]
    fn load(words: &[u64]) -> Register32 {
        let words = &words[..8];
        Register32(instruction!(low_halves(
            _mm256_loadu_si256(words.as_ptr().cast()),
            _mm256_loadu_si256(words[4..].as_ptr().cast())
        )))
    }

    #[inline(always)]
    fn store(self, words: &mut [u64]) {
        let words = &mut words[..8];
        let [lower, upper] = widened(self.0);
        instruction!(_mm256_storeu_si256(words.as_mut_ptr().cast(), lower));
        instruction!(_mm256_storeu_si256(words[4..].as_mut_ptr().cast(), upper));
    }

    /// Two rows share a register, a number of each in every quadword.
    #[inline(always)]
    fn load_rows(rows: &[[u64; 4]], first: usize, step: usize) -> [Register32; 4] {
        let mut pairs = [Register32::of(0).0; 4];
        for (number, pair) in pairs.iter_mut().enumerate() {
            let (one, other) = (row(rows, first + 2 * number * step), row(rows, first + (2 * number + 1) * step));
            *pair = instruction!(_mm256_blend_epi32::<0b1010_1010>(one, _mm256_slli_epi64::<32>(other)));
        }
        let [p, q, r, s] = turned(pairs);
        [Register32(p), Register32(q), Register32(r), Register32(s)]
    }

    #[inline(always)]
    fn store_rows(columns: &[Register32; 4], rows: &mut [[u64; 4]], first: usize, step: usize) {
        let [p, q, r, s] = columns;
        let ([p, p_upper], [q, q_upper]) = (widened(p.0), widened(q.0));
        let ([r, r_upper], [s, s_upper]) = (widened(r.0), widened(s.0));
        store_four([p, q, r, s], rows, first, step);
        store_four([p_upper, q_upper, r_upper, s_upper], rows, first + 4 * step, step);
    }

    #[inline(always)]
    fn times_short(self, other: Register32) -> Register32 {
        self * other
    }

    #[inline(always)]
    fn shift_right_signed(self, amount: u32) -> Register32 {
        Register32(instruction!(_mm256_sra_epi32(self.0, _mm_cvtsi32_si128(amount as i32))))
    }

    /// From the exponent of the nearest binary32, which is not above the number once the bit below its highest is gone; none of
    /// a number whose top bit is set.
    #[inline(always)]
    fn leading_zeros(self) -> Register32 {
        let highest = Register32(instruction!(_mm256_andnot_si256(self.shift_right(1).0, self.0)));
        let exponent = highest.single_of_integer().shift_right(23);
        let zeros = (Register32::of(127 + 31) - exponent).minimum(Register32::of(32));
        Register32(instruction!(_mm256_andnot_si256(self.shift_right_signed(31).0, zeros.0)))
    }

    #[inline(always)]
    fn minimum(self, other: Register32) -> Register32 {
        Register32(instruction!(_mm256_min_epi32(self.0, other.0)))
    }

    #[inline(always)]
    fn maximum(self, other: Register32) -> Register32 {
        Register32(instruction!(_mm256_max_epi32(self.0, other.0)))
    }

    common!(
        _mm256_set1_epi32,
        _mm256_sll_epi32,
        _mm256_srl_epi32,
        _mm256_sllv_epi32,
        _mm256_srlv_epi32,
        _mm256_cmpeq_epi32,
        _mm256_cmpgt_epi32
    );
}

impl Singles for Register32 {
    #[inline(always)]
    fn single_of_integer(self) -> Register32 {
        Register32(instruction!(_mm256_castps_si256(_mm256_cvtepi32_ps(self.0))))
    }

    #[inline(always)]
    fn integer_of_single(self) -> Register32 {
        Register32(instruction!(_mm256_cvttps_epi32(_mm256_castsi256_ps(self.0))))
    }

    #[inline(always)]
    fn times_single(self, other: Register32) -> Register32 {
        let product = instruction!(_mm256_mul_ps(_mm256_castsi256_ps(self.0), _mm256_castsi256_ps(other.0)));
        Register32(instruction!(_mm256_castps_si256(product)))
    }

    #[inline(always)]
    fn load_singles(singles: &[f32]) -> Register32 {
        Register32(instruction!(_mm256_loadu_si256(singles[..8].as_ptr().cast())))
    }

    #[inline(always)]
    fn store_singles(self, singles: &mut [f32]) {
        instruction!(_mm256_storeu_si256(singles[..8].as_mut_ptr().cast(), self.0));
    }

    #[inline(always)]
    fn load_shorts(shorts: &[i16]) -> Register32 {
        Register32(instruction!(_mm256_loadu_si256(shorts[..16].as_ptr().cast())))
    }

    #[inline(always)]
    fn add_shorts(self, other: Register32) -> Register32 {
        Register32(instruction!(_mm256_add_epi16(self.0, other.0)))
    }

    #[inline(always)]
    fn maximum_shorts(self, other: Register32) -> Register32 {
        Register32(instruction!(_mm256_max_epi16(self.0, other.0)))
    }

    #[inline(always)]
    fn widened_shorts(self) -> [Register32; 2] {
        let (low, high) = instruction!((_mm256_castsi256_si128(self.0), _mm256_extracti128_si256::<1>(self.0)));
        instruction!([Register32(_mm256_cvtepi16_epi32(low)), Register32(_mm256_cvtepi16_epi32(high))])
    }
}

operator!(Register64, Add, add, _mm256_add_epi64);
operator!(Register64, Sub, sub, _mm256_sub_epi64);
operator!(Register64, BitAnd, bitand, _mm256_and_si256);
operator!(Register64, BitOr, bitor, _mm256_or_si256);
operator!(Register64, BitXor, bitxor, _mm256_xor_si256);

impl Mul for Register64 {
    type Output = Register64;
    /// Of halves of 32 bits; that of both high ones lies above.
    #[inline(always)]
    fn mul(self, other: Register64) -> Register64 {
        let crossed = self.shift_right(32).times_short(other) + self.times_short(other.shift_right(32));
        self.times_short(other) + crossed.shift_left(32)
    }
}

impl Lanes for Register64 {
    type Mask = LaneMask;

    const BITS: u32 = 64;

    const COUNT: usize = 4;

    #[inline(always)]
    fn load(words: &[u64]) -> Register64 {
        Register64(instruction!(_mm256_loadu_si256(words[..4].as_ptr().cast())))
    }

    #[inline(always)]
    fn store(self, words: &mut [u64]) {
        instruction!(_mm256_storeu_si256(words[..4].as_mut_ptr().cast(), self.0));
    }

    #[inline(always)]
    fn load_rows(rows: &[[u64; 4]], first: usize, step: usize) -> [Register64; 4] {
        let (p, q) = (row(rows, first), row(rows, first + step));
        let (r, s) = (row(rows, first + 2 * step), row(rows, first + 3 * step));
        let [p, q, r, s] = turned([p, q, r, s]);
        [Register64(p), Register64(q), Register64(r), Register64(s)]
    }

    #[inline(always)]
    fn store_rows(columns: &[Register64; 4], rows: &mut [[u64; 4]], first: usize, step: usize) {
        let [p, q, r, s] = columns;
        store_four([p.0, q.0, r.0, s.0], rows, first, step);
    }

    #[inline(always)]
    fn times_short(self, other: Register64) -> Register64 {
        Register64(instruction!(_mm256_mul_epu32(self.0, other.0)))
    }

    /// With the sign's bit taken as a number of its own.
    #[inline(always)]
    fn shift_right_signed(self, amount: u32) -> Register64 {
        let sign = Register64::of(i64::MIN).shift_right(amount);
        (self.shift_right(amount) ^ sign) - sign
    }

    /// From those of the halves.
    #[inline(always)]
    fn leading_zeros(self) -> Register64 {
        let halves = Register64(Register32(self.0).leading_zeros().0);
        let (high, low) = (halves.shift_right(32), halves & Register64::of(0xffff_ffff));
        high + (low & Register64(high.equals(Register64::of(32)).0))
    }

    #[inline(always)]
    fn minimum(self, other: Register64) -> Register64 {
        Register64::select(self.less_than(other), self, other)
    }

    #[inline(always)]
    fn maximum(self, other: Register64) -> Register64 {
        Register64::select(self.less_than(other), other, self)
    }

    common!(
        _mm256_set1_epi64x,
        _mm256_sll_epi64,
        _mm256_srl_epi64,
        _mm256_sllv_epi64,
        _mm256_srlv_epi64,
        _mm256_cmpeq_epi64,
        _mm256_cmpgt_epi64
    );
}
