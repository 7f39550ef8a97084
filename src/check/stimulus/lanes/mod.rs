//! Numbers that several vectors compute at once, one in a lane: each lane draws and builds a vector of its own. Lanes know
//! nothing of each other, so that lane by lane and all together give the same vectors.

#[cfg(target_arch = "x86_64")]
mod register;

use std::ops::{Add, BitAnd, BitOr, BitXor, Mul, Not, Sub};

#[cfg(target_arch = "x86_64")]
pub use register::{Register, is_supported};

/// Vectors that are drawn together.
pub const LANES: usize = 8;

/// A truth value in every lane.
pub trait Mask:
    Copy + BitAnd<Output = Self> + BitOr<Output = Self> + BitXor<Output = Self> + Not<Output = Self>
{
    /// The same in every lane.
    fn all(value: bool) -> Self;
}

/// A piece of work on lanes that is compiled once for each kind of lanes, as a function of its own.
pub trait Work<T, S> {
    fn run(on: &mut T, with: &mut S);
}

/// 64 bits in every lane; arithmetic wraps.
pub trait Lanes:
    Copy
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
{
    type Mask: Mask;

    /// How many of the [`LANES`] there are here.
    const COUNT: usize;

    /// Calls a piece of work, which may use what these lanes need of the processor.
    fn call<T, S, W: Work<T, S>>(on: &mut T, with: &mut S);

    /// The same number in every lane.
    fn of(value: i64) -> Self;

    /// The bits of the lanes.
    fn load(lanes: &[u64; LANES], first: usize) -> Self;

    /// Writes the bits of the lanes.
    fn store(self, lanes: &mut [u64; LANES], first: usize);

    /// Writes the four numbers of every lane side by side: those of the first lane to row `first`, of each further one `step`
    /// rows on.
    fn store_rows(columns: &[Self; 4], rows: &mut [[u64; 4]], first: usize, step: usize);

    /// The product of two numbers of 32 bits; what is above them is ignored.
    fn times_short(self, other: Self) -> Self;

    fn shift_left(self, amount: u32) -> Self;

    /// Zeros come in from above.
    fn shift_right(self, amount: u32) -> Self;

    /// 0 for amounts of 64 and more.
    fn shift_left_by(self, amount: Self) -> Self;

    /// 0 for amounts of 64 and more.
    fn shift_right_by(self, amount: Self) -> Self;

    fn rotate_left<const AMOUNT: i32>(self) -> Self;

    fn equals(self, other: Self) -> Self::Mask;

    /// Of signed numbers.
    fn less_than(self, other: Self) -> Self::Mask;

    /// Whether bit `index` is set.
    fn bit(self, index: u32) -> Self::Mask;

    /// `yes` where the mask holds, `no` elsewhere.
    fn select(mask: Self::Mask, yes: Self, no: Self) -> Self;

    /// The lesser of two signed numbers.
    fn minimum(self, other: Self) -> Self;

    /// The greater of two signed numbers.
    fn maximum(self, other: Self) -> Self;

    /// The nearest signed number of a range.
    #[inline(always)]
    fn clamp(self, least: i64, greatest: i64) -> Self {
        self.maximum(Self::of(least)).minimum(Self::of(greatest))
    }

    /// The number plus a known one.
    #[inline(always)]
    fn plus(self, value: i32) -> Self {
        self + Self::of(i64::from(value))
    }

    /// `value` where the mask holds, 0 elsewhere.
    #[inline(always)]
    fn where_set(mask: Self::Mask, value: u64) -> Self {
        Self::select(mask, Self::of(value as i64), Self::of(0))
    }
}

impl Mask for bool {
    #[inline(always)]
    fn all(value: bool) -> bool {
        value
    }
}

/// One lane.
#[derive(Debug, Clone, Copy)]
pub struct Single(u64);

macro_rules! operator {
    ($trait:ident, $method:ident, $operation:ident) => {
        impl $trait for Single {
            type Output = Single;
            #[inline(always)]
            fn $method(self, other: Single) -> Single {
                Single(self.0.$operation(other.0))
            }
        }
    };
}

operator!(Add, add, wrapping_add);
operator!(Sub, sub, wrapping_sub);
operator!(Mul, mul, wrapping_mul);
operator!(BitAnd, bitand, bitand);
operator!(BitOr, bitor, bitor);
operator!(BitXor, bitxor, bitxor);

impl Lanes for Single {
    type Mask = bool;

    const COUNT: usize = 1;

    #[inline(never)]
    fn call<T, S, W: Work<T, S>>(on: &mut T, with: &mut S) {
        W::run(on, with);
    }

    #[inline(always)]
    fn of(value: i64) -> Single {
        Single(value as u64)
    }

    #[inline(always)]
    fn load(lanes: &[u64; LANES], first: usize) -> Single {
        Single(lanes[first])
    }

    #[inline(always)]
    fn store(self, lanes: &mut [u64; LANES], first: usize) {
        lanes[first] = self.0;
    }

    #[inline(always)]
    fn store_rows(columns: &[Single; 4], rows: &mut [[u64; 4]], first: usize, _step: usize) {
        rows[first] = columns.map(|column| column.0);
    }

    #[inline(always)]
    fn times_short(self, other: Single) -> Single {
        Single((self.0 & 0xffff_ffff) * (other.0 & 0xffff_ffff))
    }

    #[inline(always)]
    fn shift_left(self, amount: u32) -> Single {
        Single(self.0 << amount)
    }

    #[inline(always)]
    fn shift_right(self, amount: u32) -> Single {
        Single(self.0 >> amount)
    }

    #[inline(always)]
    fn shift_left_by(self, amount: Single) -> Single {
        Single(if amount.0 < 64 { self.0 << amount.0 } else { 0 })
    }

    #[inline(always)]
    fn shift_right_by(self, amount: Single) -> Single {
        Single(if amount.0 < 64 { self.0 >> amount.0 } else { 0 })
    }

    #[inline(always)]
    fn rotate_left<const AMOUNT: i32>(self) -> Single {
        Single(self.0.rotate_left(AMOUNT as u32))
    }

    #[inline(always)]
    fn equals(self, other: Single) -> bool {
        self.0 == other.0
    }

    #[inline(always)]
    fn less_than(self, other: Single) -> bool {
        (self.0 as i64) < other.0 as i64
    }

    #[inline(always)]
    fn bit(self, index: u32) -> bool {
        self.0 >> index & 1 == 1
    }

    #[inline(always)]
    fn select(mask: bool, yes: Single, no: Single) -> Single {
        if mask { yes } else { no }
    }

    #[inline(always)]
    fn minimum(self, other: Single) -> Single {
        Single((self.0 as i64).min(other.0 as i64) as u64)
    }

    #[inline(always)]
    fn maximum(self, other: Single) -> Single {
        Single((self.0 as i64).max(other.0 as i64) as u64)
    }
}
