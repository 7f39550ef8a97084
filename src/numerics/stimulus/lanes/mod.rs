//! Numbers that several vectors compute at once, one in a lane: each lane draws and builds a vector of its own. Lanes know
//! nothing of each other, so that lane by lane and all together give the same vectors.
//!
//! Lanes have 64 bits, or 32 where a unit's formats need no more: then twice as many vectors are drawn together.

#[cfg(target_arch = "x86_64")]
mod register;
mod single;

use std::ops::{Add, BitAnd, BitOr, BitXor, Mul, Not, Sub};

#[cfg(target_arch = "x86_64")]
pub use register::{Register32, Register64};
pub use single::Single;

/// Room for the lanes of vectors that are drawn together, of either kind.
pub const LANES_MAX: usize = 16;

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

/// An integer in every lane; arithmetic wraps.
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

    /// Bits of a lane: 32 or 64.
    const BITS: u32;

    /// Vectors that are drawn together.
    const TOGETHER: usize = (512 / Self::BITS) as usize;

    /// How many of their lanes there are here.
    const COUNT: usize;

    /// Calls a piece of work, which may use what these lanes need of the processor.
    fn call<T, S, W: Work<T, S>>(on: &mut T, with: &mut S);

    /// The same number in every lane; bits above those of a lane are dropped.
    fn of(value: i64) -> Self;

    /// The lowest bits of the lanes from lane `first` on.
    fn load(lanes: &[u64; LANES_MAX], first: usize) -> Self;

    /// Writes the bits of the lanes to those from lane `first` on.
    fn store(self, lanes: &mut [u64; LANES_MAX], first: usize);

    /// Writes the four numbers of every lane side by side: those of the first lane to row `first`, of each further one `step`
    /// rows on.
    fn store_rows(columns: &[Self; 4], rows: &mut [[u64; 4]], first: usize, step: usize);

    /// The product of two numbers of at most 32 bits.
    fn times_short(self, other: Self) -> Self;

    /// By less than the bits of a lane.
    fn shift_left(self, amount: u32) -> Self;

    /// By less than the bits of a lane; zeros come in from above.
    fn shift_right(self, amount: u32) -> Self;

    /// 0 for amounts, without a sign, of as many bits as a lane has and more.
    fn shift_left_by(self, amount: Self) -> Self;

    /// 0 for amounts, without a sign, of as many bits as a lane has and more.
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
