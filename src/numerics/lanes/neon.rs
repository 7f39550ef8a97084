//! Registers of NEON, which every 64-bit Arm has. What NEON lacks is made of several instructions: shifts of whole lanes to the
//! right are shifts to the left by a negative amount, of which only a byte counts.

#![allow(unsafe_code, reason = "the instructions of the processor")]

use std::arch::aarch64::*;
use std::ops::{Add, BitAnd, BitOr, BitXor, Mul, Not, Sub};

use super::{Lanes, Level, Mask, Singles, Work};

/// NEON.
pub struct Neon;

impl Level for Neon {
    type Lanes32 = Register32;
    type Lanes64 = Register64;
}

/// Four lanes of 32 bits.
#[derive(Debug, Clone, Copy)]
pub struct Register32(uint32x4_t);

/// Two lanes of 64 bits.
#[derive(Debug, Clone, Copy)]
pub struct Register64(uint64x2_t);

/// All bits of a lane are ones, or zeros.
#[derive(Debug, Clone, Copy)]
pub struct LaneMask(uint64x2_t);

/// One instruction of NEON.
macro_rules! instruction {
    ($($call:tt)*) => {
        // SAFETY: every processor of this architecture has NEON.
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

operator!(LaneMask, BitAnd, bitand, vandq_u64);
operator!(LaneMask, BitOr, bitor, vorrq_u64);
operator!(LaneMask, BitXor, bitxor, veorq_u64);

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
        LaneMask(instruction!(vdupq_n_u64(if value { u64::MAX } else { 0 })))
    }

    #[inline(always)]
    fn any(self) -> bool {
        instruction!(vmaxvq_u32(vreinterpretq_u32_u64(self.0))) != 0
    }
}

/// Two rows of four words each: columns of two.
#[inline(always)]
fn columns(rows: &[[u64; 4]], first: usize, step: usize) -> [uint64x2_t; 4] {
    let (one, other) = (&rows[first], &rows[first + step]);
    instruction!({
        let (one_low, one_high) = (vld1q_u64(one.as_ptr()), vld1q_u64(one[2..].as_ptr()));
        let (other_low, other_high) = (vld1q_u64(other.as_ptr()), vld1q_u64(other[2..].as_ptr()));
        [
            vtrn1q_u64(one_low, other_low),
            vtrn2q_u64(one_low, other_low),
            vtrn1q_u64(one_high, other_high),
            vtrn2q_u64(one_high, other_high),
        ]
    })
}

/// The other way.
#[inline(always)]
fn store_columns(columns: [uint64x2_t; 4], rows: &mut [[u64; 4]], first: usize, step: usize) {
    let [p, q, r, s] = columns;
    instruction!({
        vst1q_u64(rows[first].as_mut_ptr(), vtrn1q_u64(p, q));
        vst1q_u64(rows[first][2..].as_mut_ptr(), vtrn1q_u64(r, s));
        vst1q_u64(rows[first + step].as_mut_ptr(), vtrn2q_u64(p, q));
        vst1q_u64(rows[first + step][2..].as_mut_ptr(), vtrn2q_u64(r, s));
    });
}

/// Four lanes as twice two of 64 bits.
#[inline(always)]
fn widened(lanes: uint32x4_t) -> [uint64x2_t; 2] {
    instruction!([vmovl_u32(vget_low_u32(lanes)), vmovl_high_u32(lanes)])
}

/// What lanes of either width have, each by its own instruction.
macro_rules! common {
    ($set1:ident, $shift:ident, $signed_shift:ident, $to_signed:ident, $from_signed:ident, $signed_set1:ident,
     $signed:ty, $equals:ident, $less:ident, $below:ident, $select:ident, $to_mask:ident, $from_mask:ident) => {
        #[inline(always)]
        fn call<T, S, W: Work<T, S>>(on: &mut T, with: &mut S) {
            #[inline(never)]
            fn inside<T, S, W: Work<T, S>>(on: &mut T, with: &mut S) {
                W::run(on, with);
            }
            inside::<T, S, W>(on, with);
        }

        #[inline(always)]
        fn of(value: i64) -> Self {
            Self(instruction!($set1(value as _)))
        }

        #[inline(always)]
        fn shift_left(self, amount: u32) -> Self {
            Self(instruction!($shift(self.0, $signed_set1(amount as $signed))))
        }

        #[inline(always)]
        fn shift_right(self, amount: u32) -> Self {
            Self(instruction!($shift(self.0, $signed_set1(-(amount as $signed)))))
        }

        #[inline(always)]
        fn shift_right_signed(self, amount: u32) -> Self {
            let amount = instruction!($signed_set1(-(amount as $signed)));
            Self(instruction!($from_signed($signed_shift($to_signed(self.0), amount))))
        }

        /// Amounts beyond the lane, which would count as others, shift all bits out.
        #[inline(always)]
        fn shift_left_by(self, amount: Self) -> Self {
            let most = Self::of(Self::BITS.into());
            let amount = Self::select(most.is_below(amount), most, amount);
            Self(instruction!($shift(self.0, $to_signed(amount.0))))
        }

        #[inline(always)]
        fn shift_right_by(self, amount: Self) -> Self {
            let most = Self::of(Self::BITS.into());
            let amount = Self::of(0) - Self::select(most.is_below(amount), most, amount);
            Self(instruction!($shift(self.0, $to_signed(amount.0))))
        }

        #[inline(always)]
        fn rotate_left<const AMOUNT: i32>(self) -> Self {
            self.shift_left(AMOUNT as u32) | self.shift_right(Self::BITS - AMOUNT as u32)
        }

        #[inline(always)]
        fn equals(self, other: Self) -> LaneMask {
            LaneMask(instruction!($to_mask($equals(self.0, other.0))))
        }

        #[inline(always)]
        fn less_than(self, other: Self) -> LaneMask {
            LaneMask(instruction!($to_mask($less($to_signed(self.0), $to_signed(other.0)))))
        }

        #[inline(always)]
        fn is_below(self, other: Self) -> LaneMask {
            LaneMask(instruction!($to_mask($below(self.0, other.0))))
        }

        #[inline(always)]
        fn bit(self, index: u32) -> LaneMask {
            let bit = Self::of(1 << index);
            (self & bit).equals(bit)
        }

        #[inline(always)]
        fn select(mask: LaneMask, yes: Self, no: Self) -> Self {
            Self(instruction!($select($from_mask(mask.0), yes.0, no.0)))
        }
    };
}

/// A mask stays as it is in lanes of 64 bits.
#[inline(always)]
fn same(mask: uint64x2_t) -> uint64x2_t {
    mask
}

operator!(Register32, Add, add, vaddq_u32);
operator!(Register32, Sub, sub, vsubq_u32);
operator!(Register32, Mul, mul, vmulq_u32);
operator!(Register32, BitAnd, bitand, vandq_u32);
operator!(Register32, BitOr, bitor, vorrq_u32);
operator!(Register32, BitXor, bitxor, veorq_u32);

impl Lanes for Register32 {
    type Mask = LaneMask;

    const BITS: u32 = 32;

    const COUNT: usize = 4;

    #[inline(always)]
    fn load(words: &[u64]) -> Register32 {
        let words = &words[..4];
        Register32(instruction!({
            let (lower, upper) = (vld1q_u64(words.as_ptr()), vld1q_u64(words[2..].as_ptr()));
            vuzp1q_u32(vreinterpretq_u32_u64(lower), vreinterpretq_u32_u64(upper))
        }))
    }

    #[inline(always)]
    fn store(self, words: &mut [u64]) {
        let words = &mut words[..4];
        let [lower, upper] = widened(self.0);
        instruction!({
            vst1q_u64(words.as_mut_ptr(), lower);
            vst1q_u64(words[2..].as_mut_ptr(), upper);
        });
    }

    #[inline(always)]
    fn load_rows(rows: &[[u64; 4]], first: usize, step: usize) -> [Register32; 4] {
        let (lower, upper) = (columns(rows, first, step), columns(rows, first + 2 * step, step));
        let mut halves = [Register32::of(0); 4];
        for i in 0..4 {
            let (lower, upper) = instruction!((vreinterpretq_u32_u64(lower[i]), vreinterpretq_u32_u64(upper[i])));
            halves[i] = Register32(instruction!(vuzp1q_u32(lower, upper)));
        }
        halves
    }

    #[inline(always)]
    fn store_rows(columns: &[Register32; 4], rows: &mut [[u64; 4]], first: usize, step: usize) {
        let [p, q, r, s] = columns;
        let ([p, p_upper], [q, q_upper]) = (widened(p.0), widened(q.0));
        let ([r, r_upper], [s, s_upper]) = (widened(r.0), widened(s.0));
        store_columns([p, q, r, s], rows, first, step);
        store_columns([p_upper, q_upper, r_upper, s_upper], rows, first + 2 * step, step);
    }

    #[inline(always)]
    fn times_short(self, other: Register32) -> Register32 {
        self * other
    }

    #[inline(always)]
    fn leading_zeros(self) -> Register32 {
        Register32(instruction!(vclzq_u32(self.0)))
    }

    #[inline(always)]
    fn minimum(self, other: Register32) -> Register32 {
        let (one, other) = instruction!((vreinterpretq_s32_u32(self.0), vreinterpretq_s32_u32(other.0)));
        Register32(instruction!(vreinterpretq_u32_s32(vminq_s32(one, other))))
    }

    #[inline(always)]
    fn maximum(self, other: Register32) -> Register32 {
        let (one, other) = instruction!((vreinterpretq_s32_u32(self.0), vreinterpretq_s32_u32(other.0)));
        Register32(instruction!(vreinterpretq_u32_s32(vmaxq_s32(one, other))))
    }

    common!(
        vdupq_n_u32,
        vshlq_u32,
        vshlq_s32,
        vreinterpretq_s32_u32,
        vreinterpretq_u32_s32,
        vdupq_n_s32,
        i32,
        vceqq_u32,
        vcltq_s32,
        vcltq_u32,
        vbslq_u32,
        vreinterpretq_u64_u32,
        vreinterpretq_u32_u64
    );
}

impl Singles for Register32 {
    #[inline(always)]
    fn single_of_integer(self) -> Register32 {
        Register32(instruction!(vreinterpretq_u32_f32(vcvtq_f32_s32(vreinterpretq_s32_u32(self.0)))))
    }

    #[inline(always)]
    fn integer_of_single(self) -> Register32 {
        Register32(instruction!(vreinterpretq_u32_s32(vcvtq_s32_f32(vreinterpretq_f32_u32(self.0)))))
    }

    #[inline(always)]
    fn times_single(self, other: Register32) -> Register32 {
        let (one, other) = instruction!((vreinterpretq_f32_u32(self.0), vreinterpretq_f32_u32(other.0)));
        Register32(instruction!(vreinterpretq_u32_f32(vmulq_f32(one, other))))
    }

    #[inline(always)]
    fn load_singles(singles: &[f32]) -> Register32 {
        Register32(instruction!(vreinterpretq_u32_f32(vld1q_f32(singles[..4].as_ptr()))))
    }

    #[inline(always)]
    fn store_singles(self, singles: &mut [f32]) {
        instruction!(vst1q_f32(singles[..4].as_mut_ptr(), vreinterpretq_f32_u32(self.0)));
    }

    #[inline(always)]
    fn load_shorts(shorts: &[i16]) -> Register32 {
        Register32(instruction!(vreinterpretq_u32_s16(vld1q_s16(shorts[..8].as_ptr()))))
    }

    #[inline(always)]
    fn add_shorts(self, other: Register32) -> Register32 {
        let (one, other) = instruction!((vreinterpretq_s16_u32(self.0), vreinterpretq_s16_u32(other.0)));
        Register32(instruction!(vreinterpretq_u32_s16(vaddq_s16(one, other))))
    }

    #[inline(always)]
    fn maximum_shorts(self, other: Register32) -> Register32 {
        let (one, other) = instruction!((vreinterpretq_s16_u32(self.0), vreinterpretq_s16_u32(other.0)));
        Register32(instruction!(vreinterpretq_u32_s16(vmaxq_s16(one, other))))
    }

    #[inline(always)]
    fn widened_shorts(self) -> [Register32; 2] {
        let shorts = instruction!(vreinterpretq_s16_u32(self.0));
        let (low, high) = instruction!((vmovl_s16(vget_low_s16(shorts)), vmovl_high_s16(shorts)));
        instruction!([Register32(vreinterpretq_u32_s32(low)), Register32(vreinterpretq_u32_s32(high))])
    }
}

operator!(Register64, Add, add, vaddq_u64);
operator!(Register64, Sub, sub, vsubq_u64);
operator!(Register64, BitAnd, bitand, vandq_u64);
operator!(Register64, BitOr, bitor, vorrq_u64);
operator!(Register64, BitXor, bitxor, veorq_u64);

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

    const COUNT: usize = 2;

    #[inline(always)]
    fn load(words: &[u64]) -> Register64 {
        Register64(instruction!(vld1q_u64(words[..2].as_ptr())))
    }

    #[inline(always)]
    fn store(self, words: &mut [u64]) {
        instruction!(vst1q_u64(words[..2].as_mut_ptr(), self.0));
    }

    #[inline(always)]
    fn load_rows(rows: &[[u64; 4]], first: usize, step: usize) -> [Register64; 4] {
        let [p, q, r, s] = columns(rows, first, step);
        [Register64(p), Register64(q), Register64(r), Register64(s)]
    }

    #[inline(always)]
    fn store_rows(columns: &[Register64; 4], rows: &mut [[u64; 4]], first: usize, step: usize) {
        let [p, q, r, s] = columns;
        store_columns([p.0, q.0, r.0, s.0], rows, first, step);
    }

    #[inline(always)]
    fn times_short(self, other: Register64) -> Register64 {
        Register64(instruction!(vmull_u32(vmovn_u64(self.0), vmovn_u64(other.0))))
    }

    /// From those of the halves.
    #[inline(always)]
    fn leading_zeros(self) -> Register64 {
        let halves = Register64(instruction!(vreinterpretq_u64_u32(vclzq_u32(vreinterpretq_u32_u64(self.0)))));
        let (high, low) = (halves.shift_right(32), halves & Register64::of(0xffff_ffff));
        high + Register64::select(high.equals(Register64::of(32)), low, Register64::of(0))
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
        vdupq_n_u64,
        vshlq_u64,
        vshlq_s64,
        vreinterpretq_s64_u64,
        vreinterpretq_u64_s64,
        vdupq_n_s64,
        i64,
        vceqq_u64,
        vcltq_s64,
        vcltq_u64,
        vbslq_u64,
        same,
        same
    );
}
