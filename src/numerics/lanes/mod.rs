//! Numbers of several vectors at once, one in a lane: each lane computes for a vector of its own. Lanes know nothing of each
//! other, so that lane by lane and all together give the same.
//!
//! One trait, [`Lanes`], and one register of it for each level of instructions (`avx512`, `avx2`, `neon`) and each width, 32 bits
//! and 64; where there are none, `single` has one lane. What is computed on lanes is written once, and compiled for each level
//! as functions of its own ([`Lanes::call`]); [`with_level`] enters them.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "aarch64")]
mod neon;
mod single;
#[cfg(test)]
mod tests;

use std::fmt::Debug;
use std::ops::{Add, BitAnd, BitOr, BitXor, Mul, Not, Sub};

#[cfg(target_arch = "x86_64")]
pub(crate) use avx2::Avx2;
#[cfg(target_arch = "x86_64")]
pub(crate) use avx512::Avx512;
pub use single::Single;

use crate::isa::Isa;

/// The most lanes of a register, and vectors that are drawn together.
pub const LANES_MAX: usize = 16;

/// A truth value in every lane.
pub trait Mask:
    Copy
    + Debug
    + Send
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
    + 'static
{
    /// The same in every lane.
    fn all(value: bool) -> Self;

    /// Whether it holds in some lane.
    fn any(self) -> bool;
}

/// A piece of work on lanes that is compiled once for each kind of lanes, as a function of its own.
pub trait Work<T, S> {
    fn run(on: &mut T, with: &mut S);
}

/// An integer in every lane; arithmetic wraps.
pub trait Lanes:
    Copy
    + Debug
    + Send
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + 'static
{
    type Mask: Mask;

    /// Bits of a lane: 32 or 64.
    const BITS: u32;

    /// Vectors that are drawn together.
    const TOGETHER: usize = (512 / Self::BITS) as usize;

    /// Lanes of a register.
    const COUNT: usize;

    /// Calls a piece of work, which may use what these lanes need of the processor.
    fn call<T, S, W: Work<T, S>>(on: &mut T, with: &mut S);

    /// The same number in every lane; bits above those of a lane are dropped.
    fn of(value: i64) -> Self;

    /// The lowest bits of the first words, one a lane.
    fn load(words: &[u64]) -> Self;

    /// Writes the lanes to the first words, with zeros above their bits.
    fn store(self, words: &mut [u64]);

    /// The lowest bits of four words side by side in the row of every lane: that of the first lane is row `first`, that of each
    /// further one `step` rows on.
    fn load_rows(rows: &[[u64; 4]], first: usize, step: usize) -> [Self; 4];

    /// Writes the four numbers of every lane side by side, into the rows that `load_rows` would read.
    fn store_rows(columns: &[Self; 4], rows: &mut [[u64; 4]], first: usize, step: usize);

    /// The product of two numbers of at most 32 bits.
    fn times_short(self, other: Self) -> Self;

    /// By less than the bits of a lane.
    fn shift_left(self, amount: u32) -> Self;

    /// By less than the bits of a lane; zeros come in from above.
    fn shift_right(self, amount: u32) -> Self;

    /// By less than the bits of a lane; copies of the sign come in from above.
    fn shift_right_signed(self, amount: u32) -> Self;

    /// 0 for amounts, without a sign, of as many bits as a lane has and more.
    fn shift_left_by(self, amount: Self) -> Self;

    /// 0 for amounts, without a sign, of as many bits as a lane has and more.
    fn shift_right_by(self, amount: Self) -> Self;

    fn rotate_left<const AMOUNT: i32>(self) -> Self;

    /// Zero bits above the highest one; the bits of a lane for 0.
    fn leading_zeros(self) -> Self;

    fn equals(self, other: Self) -> Self::Mask;

    /// Of signed numbers.
    fn less_than(self, other: Self) -> Self::Mask;

    /// Of numbers without a sign.
    fn is_below(self, other: Self) -> Self::Mask;

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

    /// Without the lowest bits, one or more of them, rounded to nearest, ties to even.
    #[inline(always)]
    fn rounded(self, discarded: Self) -> Self {
        let one = Self::of(1);
        let below_half = discarded - one;
        let halves = self.shift_right_by(below_half);
        let kept = halves.shift_right(1);
        let rest = self & (one.shift_left_by(below_half) - one);
        let sticky = Self::select(rest.equals(Self::of(0)), Self::of(0), one);
        kept + (halves & one & (kept | sticky))
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

/// Lanes of 32 bits, which are taken as numbers of binary32 too.
pub trait Singles: Lanes {
    /// The nearest binary32 of a signed integer.
    fn single_of_integer(self) -> Self;

    /// The integer of a binary32 below 2^31, rounded toward zero.
    fn integer_of_single(self) -> Self;

    /// The product of two numbers of binary32, rounded to nearest.
    fn times_single(self, other: Self) -> Self;

    /// The first numbers of binary32, one a lane.
    fn load_singles(singles: &[f32]) -> Self;

    /// Writes numbers of binary32.
    fn store_singles(self, singles: &mut [f32]);

    /// The first numbers of 16 bits, two a lane.
    fn load_shorts(shorts: &[i16]) -> Self;

    /// Sums of 16 bits.
    fn add_shorts(self, other: Self) -> Self;

    /// The greater ones of signed numbers of 16 bits.
    fn maximum_shorts(self, other: Self) -> Self;

    /// Signed numbers of 16 bits as lanes: the first half of them in the order of `load_shorts`, and the second.
    fn widened_shorts(self) -> [Self; 2];
}

/// The registers of one level of instructions.
pub trait Level {
    type Lanes32: Singles;
    type Lanes64: Lanes;
}

/// Something that is done on the lanes of some level.
pub trait WithLevel {
    type Output;

    fn run<S: Level>(self) -> Self::Output;
}

/// One lane at a time, in plain Rust.
struct Portable;

impl Level for Portable {
    type Lanes32 = Single<u32>;
    type Lanes64 = Single<u64>;
}

/// Does something on the lanes of a level.
///
/// # Panics
/// The processor lacks the level.
pub fn with_level<W: WithLevel>(isa: Isa, work: W) -> W::Output {
    assert!(isa.is_supported(), "the processor has no {}", isa.title());
    match isa {
        #[cfg(target_arch = "x86_64")]
        Isa::Avx512 => work.run::<Avx512>(),
        #[cfg(target_arch = "x86_64")]
        Isa::Avx2 => work.run::<Avx2>(),
        #[cfg(target_arch = "aarch64")]
        Isa::Neon => work.run::<neon::Neon>(),
        _ => work.run::<Portable>(),
    }
}
