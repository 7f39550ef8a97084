//! Words of the machine: 64 and 128 bits, and 256, 512 and 1,024 bits for wide units. The plan says which one suffices.

use std::hint::select_unpredictable;
use std::ops::{Add, Mul, Neg, RangeInclusive, Sub};

use bnum::cast::As;
use bnum::types::{I256, I512, I1024};
use dashu_int::{IBig, UBig};

use super::{Flag, Word};

/// A signed machine integer that stands for an unbounded one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Machine<T>(pub T);

pub type Word64 = Machine<i64>;
pub type Word128 = Machine<i128>;
pub type Word256 = Machine<I256>;
pub type Word512 = Machine<I512>;
pub type Word1024 = Machine<I1024>;

/// What the emulator reads back from a machine word.
pub trait MachineWord: Word<Flag = bool, Encoding = u64> {
    /// The low 64 bits.
    fn low_bits(self) -> u64;

    /// The number itself.
    fn integer(self) -> IBig;
}

impl MachineWord for Word64 {
    #[inline]
    fn low_bits(self) -> u64 {
        self.0 as u64
    }

    fn integer(self) -> IBig {
        IBig::from(self.0)
    }
}

impl MachineWord for Word128 {
    #[inline]
    fn low_bits(self) -> u64 {
        self.0 as u64
    }

    fn integer(self) -> IBig {
        IBig::from(self.0)
    }
}

impl Flag for bool {
    #[inline]
    fn constant(value: bool) -> Self {
        value
    }
}

macro_rules! machine_word {
    ($integer:ty, $bits:literal, $inline:meta, $from_i64:expr, $from_u64:expr, $to_u32:expr) => {
        machine_word!(operator $integer, $inline, Add, add);
        machine_word!(operator $integer, $inline, Sub, sub);
        machine_word!(operator $integer, $inline, Mul, mul);

        impl Neg for Machine<$integer> {
            type Output = Self;
            #[$inline]
            fn neg(self) -> Self {
                Machine(-self.0)
            }
        }

        impl Word for Machine<$integer> {
            type Flag = bool;
            type Encoding = u64;

            #[inline]
            fn literal(value: i64) -> Self {
                Machine($from_i64(value))
            }

            #[inline]
            fn bits(bits: u64) -> Self {
                Machine($from_u64(bits))
            }

            #[inline]
            fn encoding(encoding: u64) -> Self {
                Self::bits(encoding)
            }

            #[$inline]
            fn shift_left(self, amount: u32) -> Self {
                debug_assert!(amount < $bits);
                Machine(self.0 << amount)
            }

            #[$inline]
            fn shift_right(self, amount: u32) -> Self {
                Machine(if amount < $bits { self.0 >> amount } else { $from_i64(0) })
            }

            #[inline]
            fn shift_left_by(self, amount: Self) -> Self {
                self.shift_left($to_u32(amount.0))
            }

            #[inline]
            fn shift_right_by(self, amount: Self) -> Self {
                self.shift_right($to_u32(amount.0))
            }

            #[$inline]
            fn field(self, low: u32, width: u32) -> Self {
                debug_assert!(low + width < $bits);
                let mask = ($from_i64(1) << width) - $from_i64(1);
                Machine((self.0 >> low) & mask)
            }

            #[inline]
            fn bit(self, index: u32) -> bool {
                (self.0 >> index) & $from_i64(1) != $from_i64(0)
            }

            #[$inline]
            fn equals(self, other: Self) -> bool {
                self.0 == other.0
            }

            #[$inline]
            fn less_than(self, other: Self) -> bool {
                self.0 < other.0
            }

            #[$inline]
            fn select(flag: bool, yes: Self, no: Self) -> Self {
                if $bits <= 128 {
                    return select_unpredictable(flag, yes, no);
                }
                // Of long words the address is selected; the function above would copy both.
                if flag { yes } else { no }
            }

            #[$inline]
            fn leading_zeros(self, width: u32) -> Self {
                debug_assert!(width < $bits);
                Self::literal(i64::from(self.0.leading_zeros() + width - $bits))
            }

            #[$inline]
            fn wrap(self, width: u32) -> Self {
                Machine(self.0 << ($bits - width) >> ($bits - width))
            }

            #[inline]
            fn claim(self, range: RangeInclusive<i64>) -> Self {
                let (low, high) = ($from_i64(*range.start()), $from_i64(*range.end()));
                debug_assert!(low <= self.0 && self.0 <= high, "{:?} lies outside {range:?}", self.0);
                self
            }

            #[inline]
            fn claim_unsigned(self, width: u32) -> Self {
                debug_assert!(
                    self.0 >= $from_i64(0) && self.0 >> width == $from_i64(0),
                    "{:?} exceeds {width} bits",
                    self.0
                );
                self
            }

            #[inline]
            fn claim_signed(self, width: u32) -> Self {
                debug_assert!(self.wrap(width).0 == self.0, "{:?} exceeds {width} bits", self.0);
                self
            }
        }
    };
    (operator $integer:ty, $inline:meta, $trait:ident, $method:ident) => {
        impl $trait for Machine<$integer> {
            type Output = Self;
            #[$inline]
            fn $method(self, other: Self) -> Self {
                Machine(self.0.$method(other.0))
            }
        }
    };
}

machine_word!(i64, 64, inline, |value: i64| value, |bits: u64| bits as i64, |amount: i64| amount as u32);
machine_word!(i128, 128, inline, i128::from, i128::from, |amount: i128| amount as u32);

/// A word of several words of the machine. Its operations are called: copies of them would cost more time of compiling than
/// calls cost.
macro_rules! big_machine_word {
    ($integer:ty, $bits:literal) => {
        machine_word!(
            $integer,
            $bits,
            inline(never),
            |value: i64| value.as_::<$integer>(),
            |bits: u64| bits.as_::<$integer>(),
            |amount: $integer| amount.as_::<u32>()
        );

        impl MachineWord for Machine<$integer> {
            fn low_bits(self) -> u64 {
                self.0.as_::<u64>()
            }

            fn integer(self) -> IBig {
                let magnitude = IBig::from(UBig::from_le_bytes(&self.0.unsigned_abs().to_le_bytes()));
                if self.0.is_negative() { -magnitude } else { magnitude }
            }
        }
    };
}

big_machine_word!(I256, 256);
big_machine_word!(I512, 512);
big_machine_word!(I1024, 1024);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn claims_that_do_not_hold_are_caught() {
        fn caught<W: Word>(claimed: fn(W) -> W) -> bool {
            std::panic::catch_unwind(|| claimed(W::literal(5))).is_err()
        }
        let checked = cfg!(debug_assertions);
        assert!(checked || std::env::var_os("TENSORSMITH_LONG_TESTS").is_none(), "the long tier checks claims");
        assert_eq!(caught::<Word64>(|word| word.claim(0..=4)), checked);
        assert_eq!(caught::<Word64>(|word| word.claim_unsigned(2)), checked);
        assert_eq!(caught::<Word1024>(|word| word.claim_signed(3)), checked);
        assert!(!caught::<Word1024>(|word| word.claim(5..=5).claim_unsigned(3).claim_signed(4)));
    }
}
