//! Ranges of whole numbers without bound: what a node of a graph can be. Widths follow from them.

use dashu_int::IBig;
use dashu_int::ops::BitTest;

/// All numbers from `low` to `high`, both included. Never empty.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Interval {
    pub low: IBig,
    pub high: IBig,
}

/// 2^bits.
fn power(bits: u32) -> IBig {
    IBig::ONE << bits as usize
}

/// Bits of a number of 0 or more.
pub(super) fn length(number: &IBig) -> u32 {
    debug_assert!(*number >= IBig::ZERO);
    number.bit_len() as u32
}

impl Interval {
    /// The numbers between two, which are given in any order.
    pub fn between(one: IBig, other: IBig) -> Interval {
        if one <= other { Interval { low: one, high: other } } else { Interval { low: other, high: one } }
    }

    /// One number.
    pub fn point(number: IBig) -> Interval {
        Interval { low: number.clone(), high: number }
    }

    /// What `width` bits hold without a sign.
    pub fn unsigned(width: u32) -> Interval {
        Interval { low: IBig::ZERO, high: power(width) - 1 }
    }

    /// What `width` bits hold in two's complement; width 0 holds 0.
    pub fn signed(width: u32) -> Interval {
        match width.checked_sub(1) {
            Some(bits) => Interval { low: -power(bits), high: power(bits) - 1 },
            None => Interval::point(IBig::ZERO),
        }
    }

    /// Whether the number is one of them.
    pub fn contains(&self, number: &IBig) -> bool {
        self.low <= *number && *number <= self.high
    }

    /// Whether all numbers here are numbers there.
    pub fn lies_within(&self, other: &Interval) -> bool {
        other.low <= self.low && self.high <= other.high
    }

    /// Whether there are negative ones.
    pub fn is_signed(&self) -> bool {
        self.low < IBig::ZERO
    }

    /// Bits that hold every one of them: in two's complement if some are negative, otherwise without a sign; 1 at least.
    pub fn width(&self) -> u32 {
        let unsigned = |number: &IBig| if *number < IBig::ZERO { length(&(-number - 1)) } else { length(number) };
        let bits = unsigned(&self.low).max(unsigned(&self.high));
        if self.is_signed() { bits + 1 } else { bits.max(1) }
    }

    /// The only number, if there is one only.
    pub fn only(&self) -> Option<&IBig> {
        (self.low == self.high).then_some(&self.low)
    }

    /// The numbers of both; `None` if there is none.
    pub fn intersection(&self, other: &Interval) -> Option<Interval> {
        let low = (&self.low).max(&other.low).clone();
        let high = (&self.high).min(&other.high).clone();
        (low <= high).then_some(Interval { low, high })
    }

    /// The least range with the numbers of both.
    pub(super) fn hull(&self, other: &Interval) -> Interval {
        let low = (&self.low).min(&other.low).clone();
        Interval { low, high: (&self.high).max(&other.high).clone() }
    }

    pub(super) fn add(&self, other: &Interval) -> Interval {
        Interval { low: &self.low + &other.low, high: &self.high + &other.high }
    }

    pub(super) fn subtract(&self, other: &Interval) -> Interval {
        Interval { low: &self.low - &other.high, high: &self.high - &other.low }
    }

    pub(super) fn multiply(&self, other: &Interval) -> Interval {
        let (one, two) = (&self.low * &other.low, &self.low * &other.high);
        let (three, four) = (&self.high * &other.low, &self.high * &other.high);
        Interval::between(one, two).hull(&Interval::between(three, four))
    }

    pub(super) fn negate(&self) -> Interval {
        Interval { low: -&self.high, high: -&self.low }
    }

    /// Of magnitudes.
    pub(super) fn magnitude(&self) -> Interval {
        let (low, high) = (-&self.low, self.high.clone());
        if !self.is_signed() { self.clone() } else { Interval { low: IBig::ZERO, high: low.max(high) } }
    }

    pub(super) fn maximum(&self, other: &Interval) -> Interval {
        let low = (&self.low).max(&other.low).clone();
        Interval { low, high: (&self.high).max(&other.high).clone() }
    }

    pub(super) fn minimum(&self, other: &Interval) -> Interval {
        let low = (&self.low).min(&other.low).clone();
        Interval { low, high: (&self.high).min(&other.high).clone() }
    }

    pub(super) fn shift_left(&self, amounts: &Interval) -> Interval {
        let by = |number: &IBig, amount: &IBig| number << amount_of(amount);
        let low = by(&self.low, if self.is_signed() { &amounts.high } else { &amounts.low });
        let high = by(&self.high, if self.high < IBig::ZERO { &amounts.low } else { &amounts.high });
        Interval { low, high }
    }

    /// Of numbers of 0 or more.
    pub(super) fn shift_right(&self, amounts: &Interval) -> Interval {
        let low = (&self.low).max(&IBig::ZERO) >> amount_of(&amounts.high);
        Interval { low, high: (&self.high).max(&IBig::ZERO) >> amount_of(&amounts.low) }
    }

    /// Zero bits above the leading one within `width` bits, of numbers of 0 or more.
    pub(super) fn leading_zeros(&self, width: u32) -> Interval {
        let zeros = |number: &IBig| IBig::from(width.saturating_sub(length(number.max(&IBig::ZERO))));
        Interval { low: zeros(&self.high), high: zeros(&self.low) }
    }
}

/// The longest shift that is carried out. Ranges of numbers that a plan gives stay far below.
const LONGEST: u32 = 1 << 16;

/// A number of 0 or more as a shift amount.
pub(super) fn amount_of(number: &IBig) -> usize {
    if *number < IBig::ZERO { 0 } else { u32::try_from(number).map_or(LONGEST, |amount| amount.min(LONGEST)) as usize }
}
