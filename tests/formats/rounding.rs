//! Rounding by definition: between the two neighbours of a number in the list of the target's values.

use std::cmp::Ordering;

use tensorsmith::describe::format::{Overflow, Rounding};

use crate::formats::definition::{Definition, Special};
use crate::formats::exact::Dyadic;

pub const OVERFLOWS: [Overflow; 3] = [Overflow::Ieee, Overflow::Infinity, Overflow::Saturate];

/// Where a number lies between two adjacent values of the target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Position {
    Lower,
    BelowHalf,
    Half,
    AboveHalf,
}

/// The magnitude (exponent and fraction fields) of the value below or at a number, and the place above it.
#[derive(Debug, Clone, Copy)]
pub struct Bracket {
    pub lower: u64,
    pub position: Position,
}

/// The target's magnitudes in ascending order and, last, the one that would follow the largest number if the exponent
/// range were unbounded: IEEE 754-2019, 7.4 decides overflow by rounding with that range.
pub fn magnitudes(target: &Definition) -> Vec<Dyadic> {
    (0..=target.top() + 1).map(|magnitude| target.number(magnitude)).collect()
}

/// Finds a number's neighbours. Beyond the list's end lies only overflow, below its start (a format without zero) only
/// its smallest number: both count as exact hits of the end.
pub fn bracket(list: &[Dyadic], number: &Dyadic) -> Bracket {
    let not_above = list.partition_point(|value| value.cmp_magnitude(number) != Ordering::Greater);
    let lower = not_above.saturating_sub(1);
    let at_an_end = not_above == 0 || not_above == list.len();
    let position = if at_an_end || list[lower].cmp_magnitude(number) == Ordering::Equal {
        Position::Lower
    } else {
        // number <=> (lower + upper) / 2, both sides doubled
        match number.doubled().cmp_magnitude(&list[lower].add_magnitude(&list[lower + 1])) {
            Ordering::Less => Position::BelowHalf,
            Ordering::Equal => Position::Half,
            Ordering::Greater => Position::AboveHalf,
        }
    };
    Bracket { lower: lower as u64, position }
}

/// The magnitude that a rounding chooses; top + 1 means overflow.
fn chosen(target: &Definition, at: Bracket, negative: bool, rounding: Rounding) -> u64 {
    let (lower, upper) = (at.lower, at.lower + 1);
    // The last significand bit. With one significand digit every value is odd, and no choice by parity is possible:
    // IEEE 754-2019, 4.3.1 then takes the larger one of a tie; to-odd keeps the lower one.
    let odd = target.fraction_bits == 0 || lower & 1 == 1;
    let outward = match rounding {
        Rounding::TowardZero => false,
        Rounding::TowardPositive => !negative,
        Rounding::TowardNegative => negative,
        Rounding::ToOdd => !odd,
        Rounding::NearestEven => at.position == Position::AboveHalf || (at.position == Position::Half && odd),
        Rounding::NearestAway => at.position != Position::BelowHalf,
    };
    if at.position != Position::Lower && outward { upper } else { lower }
}

/// The encoding that a number in that bracket must get.
pub fn rounded(target: &Definition, at: Bracket, negative: bool, rounding: Rounding, overflow: Overflow) -> u64 {
    if negative && target.sign_bits == 0 {
        return 0; // an unsigned format rounds negative numbers to its least value
    }
    let magnitude = chosen(target, at, negative, rounding);
    if magnitude == 0 && target.special == Special::MinusZero {
        return 0;
    }
    if magnitude <= target.top() {
        return target.sign(negative) | magnitude << target.padding_bits;
    }
    let infinite = match (overflow, rounding) {
        (Overflow::Infinity, _) => true,
        (Overflow::Saturate, _) => false,
        (Overflow::Wrap, _) => panic!("no floating-point number wraps"),
        (Overflow::Ieee, Rounding::NearestEven | Rounding::NearestAway) => true,
        (Overflow::Ieee, Rounding::TowardZero | Rounding::ToOdd) => false,
        (Overflow::Ieee, Rounding::TowardPositive) => !negative,
        (Overflow::Ieee, Rounding::TowardNegative) => negative,
    };
    let largest = target.sign(negative) | target.top() << target.padding_bits;
    match target.infinity(negative).or(target.nan()) {
        Some(bits) if infinite => bits,
        _ => largest,
    }
}
