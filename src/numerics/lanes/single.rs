//! One lane: what every processor can do.

use std::ops::{Add, BitAnd, BitOr, BitXor, Mul, Sub};

use super::{Lanes, Mask, Singles, Work};

/// One lane, of `u32` or `u64`.
#[derive(Debug, Clone, Copy)]
pub struct Single<T>(T);

impl Mask for bool {
    #[inline(always)]
    fn all(value: bool) -> bool {
        value
    }

    #[inline(always)]
    fn any(self) -> bool {
        self
    }
}

macro_rules! operator {
    ($word:ty, $trait:ident, $method:ident, $operation:ident) => {
        impl $trait for Single<$word> {
            type Output = Single<$word>;
            #[inline(always)]
            fn $method(self, other: Single<$word>) -> Single<$word> {
                Single(self.0.$operation(other.0))
            }
        }
    };
}

macro_rules! single {
    ($word:ident, $signed:ident) => {
        operator!($word, Add, add, wrapping_add);
        operator!($word, Sub, sub, wrapping_sub);
        operator!($word, Mul, mul, wrapping_mul);
        operator!($word, BitAnd, bitand, bitand);
        operator!($word, BitOr, bitor, bitor);
        operator!($word, BitXor, bitxor, bitxor);

        impl Lanes for Single<$word> {
            type Mask = bool;

            const BITS: u32 = $word::BITS;

            const COUNT: usize = 1;

            #[inline(never)]
            fn call<T, S, W: Work<T, S>>(on: &mut T, with: &mut S) {
                W::run(on, with);
            }

            #[inline(always)]
            fn of(value: i64) -> Self {
                Single(value as $word)
            }

            #[inline(always)]
            fn load(words: &[u64]) -> Self {
                Single(words[0] as $word)
            }

            #[inline(always)]
            fn store(self, words: &mut [u64]) {
                words[0] = u64::from(self.0);
            }

            #[inline(always)]
            fn load_rows(rows: &[[u64; 4]], first: usize, _step: usize) -> [Self; 4] {
                rows[first].map(|word| Single(word as $word))
            }

            #[inline(always)]
            fn store_rows(columns: &[Self; 4], rows: &mut [[u64; 4]], first: usize, _step: usize) {
                rows[first] = columns.map(|column| u64::from(column.0));
            }

            #[inline(always)]
            fn times_short(self, other: Self) -> Self {
                self * other
            }

            #[inline(always)]
            fn shift_left(self, amount: u32) -> Self {
                Single(self.0 << amount)
            }

            #[inline(always)]
            fn shift_right(self, amount: u32) -> Self {
                Single(self.0 >> amount)
            }

            #[inline(always)]
            fn shift_left_by(self, amount: Self) -> Self {
                Single(if amount.0 < Self::BITS.into() { self.0 << amount.0 } else { 0 })
            }

            #[inline(always)]
            fn shift_right_by(self, amount: Self) -> Self {
                Single(if amount.0 < Self::BITS.into() { self.0 >> amount.0 } else { 0 })
            }

            #[inline(always)]
            fn rotate_left<const AMOUNT: i32>(self) -> Self {
                Single(self.0.rotate_left(AMOUNT as u32))
            }

            #[inline(always)]
            fn shift_right_signed(self, amount: u32) -> Self {
                Single((self.0 as $signed >> amount) as $word)
            }

            #[inline(always)]
            fn leading_zeros(self) -> Self {
                Single(self.0.leading_zeros() as $word)
            }

            #[inline(always)]
            fn is_below(self, other: Self) -> bool {
                self.0 < other.0
            }

            #[inline(always)]
            fn equals(self, other: Self) -> bool {
                self.0 == other.0
            }

            #[inline(always)]
            fn less_than(self, other: Self) -> bool {
                (self.0 as $signed) < other.0 as $signed
            }

            #[inline(always)]
            fn bit(self, index: u32) -> bool {
                self.0 >> index & 1 == 1
            }

            #[inline(always)]
            fn select(mask: bool, yes: Self, no: Self) -> Self {
                if mask { yes } else { no }
            }

            #[inline(always)]
            fn minimum(self, other: Self) -> Self {
                if self.less_than(other) { self } else { other }
            }

            #[inline(always)]
            fn maximum(self, other: Self) -> Self {
                if self.less_than(other) { other } else { self }
            }
        }
    };
}

single!(u32, i32);
single!(u64, i64);

impl Singles for Single<u32> {
    #[inline(always)]
    fn single_of_integer(self) -> Self {
        Single((self.0 as i32 as f32).to_bits())
    }

    #[inline(always)]
    fn integer_of_single(self) -> Self {
        Single(f32::from_bits(self.0) as i32 as u32)
    }

    #[inline(always)]
    fn times_single(self, other: Self) -> Self {
        Single((f32::from_bits(self.0) * f32::from_bits(other.0)).to_bits())
    }
    #[inline(always)]
    fn load_singles(singles: &[f32]) -> Self {
        Single(singles[0].to_bits())
    }

    #[inline(always)]
    fn store_singles(self, singles: &mut [f32]) {
        singles[0] = f32::from_bits(self.0);
    }

    #[inline(always)]
    fn load_shorts(shorts: &[i16]) -> Self {
        Single(u32::from(shorts[0] as u16) | u32::from(shorts[1] as u16) << 16)
    }

    #[inline(always)]
    fn add_shorts(self, other: Self) -> Self {
        let high = (self.0 >> 16).wrapping_add(other.0 >> 16) << 16;
        Single(high | self.0.wrapping_add(other.0) & 0xffff)
    }

    #[inline(always)]
    fn maximum_shorts(self, other: Self) -> Self {
        let ([low, high], [other_low, other_high]) = (self.widened_shorts(), other.widened_shorts());
        Single(high.maximum(other_high).0 << 16 | low.maximum(other_low).0 & 0xffff)
    }

    #[inline(always)]
    fn widened_shorts(self) -> [Self; 2] {
        [Single(self.0 as i16 as u32), Single((self.0 as i32 >> 16) as u32)]
    }
}
