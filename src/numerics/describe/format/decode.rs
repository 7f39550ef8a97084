//! From an encoding to a number, and the exact view of numbers as `f64`.

use serde::Serialize;

use super::{Format, NonFinite, low_mask};

/// What kind of datum an encoding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Class {
    Nan,
    Infinite,
    Zero,
    Subnormal,
    Normal,
}

/// A decoded encoding. A finite datum is (-1)^negative * significand * 2^(exponent - fraction_bits).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decoded {
    pub class: Class,
    pub negative: bool,
    /// Exponent of the binade; subnormals and zero have the format's minimum.
    pub exponent: i32,
    /// Significand with its hidden bit, `precision` bits; 0 for zero, infinity and NaN. The magnitude of an integer.
    pub significand: u64,
}

impl Decoded {
    /// Whether the datum is zero, subnormal or normal.
    pub fn is_finite(&self) -> bool {
        !matches!(self.class, Class::Nan | Class::Infinite)
    }
}

impl Format {
    /// Puts one encoding in the place of every NaN.
    pub fn replace_nans(&self, encodings: &mut [u64], nan: u64) {
        let nans = encodings.iter_mut().filter(|bits| self.decode(**bits).class == Class::Nan);
        nans.for_each(|bits| *bits = nan);
    }

    /// Decodes an encoding. Bits above the width are ignored, as are padding bits.
    pub fn decode(&self, bits: u64) -> Decoded {
        if self.is_integer() {
            return self.decode_integer(bits);
        }
        let negative = bits & self.sign_bit() != 0;
        let magnitude = self.magnitude(bits);
        let field = magnitude >> self.fraction_bits;
        let fraction = magnitude & low_mask(self.fraction_bits);
        let class = self.classify(negative, magnitude);
        let hidden = u64::from(field != 0 || !self.subnormals);
        match class {
            Class::Nan | Class::Infinite | Class::Zero => {
                Decoded { class, negative, exponent: self.exponent_min(), significand: 0 }
            }
            Class::Subnormal | Class::Normal => Decoded {
                class,
                negative,
                exponent: (field as i32 - self.bias).max(self.exponent_min()),
                significand: hidden << self.fraction_bits | fraction,
            },
        }
    }

    fn classify(&self, negative: bool, magnitude: u64) -> Class {
        let above_finite = magnitude > self.magnitude_max();
        match self.non_finite {
            NonFinite::Ieee if magnitude == self.magnitude_max() + 1 => Class::Infinite,
            NonFinite::Ieee | NonFinite::AllOnesNan if above_finite => Class::Nan,
            NonFinite::NegativeZeroNan if negative && magnitude == 0 => Class::Nan,
            _ if !self.subnormals => Class::Normal,
            _ if magnitude == 0 => Class::Zero,
            _ if magnitude >> self.fraction_bits == 0 => Class::Subnormal,
            _ => Class::Normal,
        }
    }

    /// The datum as an `f64`: exact for every format whose exponents and precision lie within binary64.
    pub fn to_f64(&self, bits: u64) -> f64 {
        let value = self.decode(bits);
        let magnitude = match value.class {
            Class::Nan => return f64::NAN,
            Class::Infinite => f64::INFINITY,
            _ => scale(value.significand as f64, value.exponent - self.fraction_bits as i32),
        };
        if value.negative { -magnitude } else { magnitude }
    }
}

/// value * 2^exponent without intermediate underflow: the significand of a subnormal f64 stays exact.
fn scale(value: f64, exponent: i32) -> f64 {
    let half = exponent / 2;
    value * power(half) * power(exponent - half)
}

/// 2^exponent.
fn power(exponent: i32) -> f64 {
    match exponent {
        -1022..=1023 => f64::from_bits(((exponent + 1023) as u64) << 52),
        -1074..-1022 => f64::from_bits(1 << (exponent + 1074)),
        ..-1074 => 0.0,
        _ => f64::INFINITY,
    }
}
