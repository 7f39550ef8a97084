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

    /// magnitude / 2^discarded, rounded to an integer.
    pub(crate) fn cut(self, negative: bool, magnitude: &UBig, discarded: i64) -> UBig {
        if discarded <= 0 {
            return magnitude << discarded.unsigned_abs() as usize;
        }
        let discarded = discarded as usize;
        let kept = magnitude >> discarded;
        let guard = magnitude.bit(discarded - 1);
        let sticky = magnitude.trailing_zeros().is_some_and(|zeros| zeros < discarded - 1);
        let increment = self.increments(negative, kept.bit(0), guard, sticky);
        kept + UBig::from(u8::from(increment))
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
    #[expect(clippy::missing_panics_doc, reason = "a significand that was rounded fits 64 bits")]
    pub fn encode(
        &self,
        negative: bool,
        significand: &UBig,
        exponent: i64,
        rounding: Rounding,
        overflow: Overflow,
    ) -> u64 {
        if self.is_integer() {
            let magnitude = rounding.cut(negative, significand, -exponent);
            return self.encode_integer(&(IBig::from(magnitude) * if negative { -1 } else { 1 }), overflow);
        }
        if *significand == UBig::ZERO || (negative && !self.signed) {
            return self.zero(negative);
        }
        let leading = significand.bit_len() as i64 - 1 + exponent;
        let binade = leading.max(i64::from(self.exponent_min()));
        let last_place = binade - i64::from(self.fraction_bits);
        let kept = rounding.cut(negative, significand, last_place - exponent);
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
        self.of_normal(value, rounding).unwrap_or_else(|| self.of_any(value, rounding, overflow))
    }

    /// The same of a normal number that stays one, below the last binade, in machine words.
    fn of_normal(&self, value: f64, rounding: Rounding) -> Option<u64> {
        let bits = value.to_bits();
        let (negative, magnitude) = (bits >> 63 == 1, bits & (u64::MAX >> 1));
        let exponent = (magnitude >> 52) as i32 - 1023;
        let within = (self.exponent_min()..self.exponent_max()).contains(&exponent);
        if !within || !self.signed || self.is_integer() || self.fraction_bits >= 52 {
            return None;
        }
        let lower = 52 - self.fraction_bits;
        let (kept, rest, half) = (magnitude >> lower, magnitude & ((1 << lower) - 1), 1u64 << (lower - 1));
        let (guard, sticky) = (rest & half != 0, rest & (half - 1) != 0);
        let kept = kept + u64::from(rounding.increments(negative, kept & 1 == 1, guard, sticky));
        let bias = ((1023 - i64::from(self.bias)) as u64) << self.fraction_bits;
        Some(self.assemble(negative, kept.wrapping_sub(bias)))
    }

    /// The same of any, exactly.
    fn of_any(&self, value: f64, rounding: Rounding, overflow: Overflow) -> u64 {
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

#[cfg(test)]
mod tests {
    use super::*;

    /// The short way and the exact one are the same, also at the ends of the short one.
    #[test]
    fn normal_numbers_are_encoded_as_any_are() {
        let mut state = 1u64;
        let mut random = move || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            state >> 20
        };
        let mut short = 0;
        for format in Format::standard() {
            for _ in 0..2000 {
                let low = random() % 52;
                let exponent = match random() % 3 {
                    0 => i64::from(format.exponent_min()) + (random() % 3) as i64 - 1,
                    1 => i64::from(format.exponent_max()) + (random() % 3) as i64 - 1,
                    _ => (random() % 60) as i64 - 30,
                };
                let exponent = (exponent.clamp(-1022, 1023) + 1023) as u64;
                let fraction = (random() << 20 ^ random()) & ((1 << 52) - 1);
                // Ties and their neighbours.
                let fraction = (fraction >> low << low) + random() % 2;
                let value = f64::from_bits((random() & 1) << 63 | exponent << 52 | fraction & ((1 << 52) - 1));
                for rounding in Rounding::ALL {
                    let Some(bits) = format.of_normal(value, rounding) else { continue };
                    for overflow in [Overflow::Ieee, Overflow::Infinity, Overflow::Saturate] {
                        let exact = format.of_any(value, rounding, overflow);
                        assert_eq!(bits, exact, "{} {rounding:?} {value:e}", format.name);
                    }
                    short += 1;
                }
            }
        }
        assert!(short > 50_000, "{short} numbers took the short way");
    }
}
