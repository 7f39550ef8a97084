//! From an exact number to an encoding: every IEEE 754 rounding, and rounding to odd.

use dashu_int::ops::BitTest;
use dashu_int::{IBig, UBig};
use serde::{Deserialize, Serialize};

use crate::describe::words::words_of;

use super::{Class, Format};

/// Rounding-direction attributes (IEEE 754-2019, 4.3) and rounding to odd (Boldo and Melquiond, 2008).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rounding {
    NearestEven,
    NearestAway,
    TowardZero,
    TowardPositive,
    TowardNegative,
    /// Inexact results get an odd last bit.
    ToOdd,
}

impl Rounding {
    /// Every rounding, for exhaustive tests.
    pub const ALL: [Rounding; 6] = [
        Rounding::NearestEven,
        Rounding::NearestAway,
        Rounding::TowardZero,
        Rounding::TowardPositive,
        Rounding::TowardNegative,
        Rounding::ToOdd,
    ];

    /// Name in unit files and listings.
    pub fn name(self) -> &'static str {
        words_of::<Rounding>()[self as usize]
    }

    /// Whether a positive (or negative) magnitude moves up by one unit in the last place.
    ///
    /// ```text
    ///   kept ... o | g s s s      o: last kept bit, g: guard, s: sticky
    /// ```
    fn increments(self, negative: bool, odd: bool, guard: bool, sticky: bool) -> bool {
        match self {
            Rounding::NearestEven => guard && (sticky || odd),
            Rounding::NearestAway => guard,
            Rounding::TowardZero => false,
            Rounding::TowardPositive => !negative && (guard || sticky),
            Rounding::TowardNegative => negative && (guard || sticky),
            Rounding::ToOdd => !odd && (guard || sticky),
        }
    }

    /// Whether IEEE 754-2019, 7.4 delivers infinity on overflow, rather than the largest finite number.
    pub fn overflows_to_infinity(self, negative: bool) -> bool {
        match self {
            Rounding::NearestEven | Rounding::NearestAway => true,
            Rounding::TowardZero | Rounding::ToOdd => false,
            Rounding::TowardPositive => !negative,
            Rounding::TowardNegative => negative,
        }
    }
}

/// What a result above the largest finite number becomes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Overflow {
    /// Infinity or the largest finite number, as the rounding says (IEEE 754-2019, 7.4).
    Ieee,
    /// Infinity whatever the rounding; NaN where the format has no infinity (OCP non-saturating mode).
    Infinity,
    /// The largest finite number; the nearest integer.
    Saturate,
    /// The low bits of an integer. No floating-point number wraps.
    Wrap,
}

impl Overflow {
    /// Name in unit files and listings.
    pub fn name(self) -> &'static str {
        words_of::<Overflow>()[self as usize]
    }
}

impl Format {
    /// Rounds (-1)^negative * significand * 2^exponent once and encodes it.
    ///
    /// A format without zero rounds small values to its smallest number; an unsigned format rounds negative values to zero.
    pub fn encode(
        &self,
        negative: bool,
        significand: &UBig,
        exponent: i64,
        rounding: Rounding,
        overflow: Overflow,
    ) -> u64 {
        if self.is_integer() {
            let magnitude = round_at(negative, significand, -exponent, rounding);
            return self.encode_integer(&(IBig::from(magnitude) * if negative { -1 } else { 1 }), overflow);
        }
        if *significand == UBig::ZERO || (negative && !self.signed) {
            return self.zero(negative);
        }
        let leading = significand.bit_len() as i64 - 1 + exponent;
        let binade = leading.max(i64::from(self.exponent_min()));
        let last_place = binade - i64::from(self.fraction_bits);
        let kept = round_at(negative, significand, last_place - exponent, rounding);
        let kept = u64::try_from(kept).expect("at most one precision of bits is kept");
        // With subnormals the hidden bit adds 1 to the exponent field; without them field 0 is the first binade.
        let binades = (binade - i64::from(self.exponent_min())) as u128;
        let offset = u128::from(!self.subnormals) << self.fraction_bits;
        let magnitude = ((binades << self.fraction_bits) + u128::from(kept)).saturating_sub(offset);
        if magnitude > u128::from(self.magnitude_max()) {
            return self.overflowed(negative, rounding, overflow);
        }
        match magnitude as u64 {
            0 => self.zero(negative),
            magnitude => self.assemble(negative, magnitude),
        }
    }

    fn overflowed(&self, negative: bool, rounding: Rounding, overflow: Overflow) -> u64 {
        let to_infinity = match overflow {
            Overflow::Ieee => rounding.overflows_to_infinity(negative),
            Overflow::Infinity => true,
            Overflow::Saturate | Overflow::Wrap => false,
        };
        let infinity = self.infinity(negative).or_else(|| self.nan());
        match infinity {
            Some(bits) if to_infinity => bits,
            _ => self.largest(negative),
        }
    }

    /// Rounds an `f64` to this format; NaN becomes the canonical NaN, or zero where there is none.
    pub fn from_f64(&self, value: f64, rounding: Rounding, overflow: Overflow) -> u64 {
        let binary64 = Format::binary64();
        let decoded = binary64.decode(value.to_bits());
        match decoded.class {
            Class::Nan => self.nan().unwrap_or_else(|| self.zero(false)),
            Class::Infinite if decoded.negative && !self.signed => self.zero(true),
            Class::Infinite => match overflow {
                Overflow::Saturate => self.largest(decoded.negative),
                _ => self.infinity(decoded.negative).or_else(|| self.nan()).unwrap_or(self.largest(decoded.negative)),
            },
            _ => {
                let exponent = i64::from(decoded.exponent) - 52;
                self.encode(decoded.negative, &UBig::from(decoded.significand), exponent, rounding, overflow)
            }
        }
    }
}

/// significand / 2^discarded, rounded to an integer.
fn round_at(negative: bool, significand: &UBig, discarded: i64, rounding: Rounding) -> UBig {
    if discarded <= 0 {
        return significand << discarded.unsigned_abs() as usize;
    }
    let discarded = discarded as usize;
    let kept = significand >> discarded;
    let guard = significand.bit(discarded - 1);
    let sticky = significand.trailing_zeros().is_some_and(|zeros| zeros < discarded - 1);
    let increment = rounding.increments(negative, kept.bit(0), guard, sticky);
    kept + UBig::from(u8::from(increment))
}
