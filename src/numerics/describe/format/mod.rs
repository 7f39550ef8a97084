//! Number formats as run-time values: layout, limits, classification and neighbours of encodings.
//!
//! An encoding is a `u64` of [`Format::width`] bits:
//!
//! ```text
//!   sign | exponent | fraction | padding
//!    0-1      1-11      0-52      0-29      bits; padding is ignored when read, zero when written
//! ```
//!
//! A format without exponent bits is an integer in two's complement, or an unsigned one: see `integer`.

mod decode;
mod encode;
mod integer;
mod standard;

pub use decode::{Class, Decoded};
pub use encode::{Overflow, Rounding};

use serde::{Deserialize, Serialize};

/// How a format encodes values that are not finite.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NonFinite {
    /// Every encoding is a finite number (OCP e3m2, e2m3, e2m1).
    None,
    /// IEEE 754-2019 section 3.4: all-ones exponent, infinity for fraction 0, NaN otherwise.
    Ieee,
    /// Only the all-ones exponent and fraction is NaN; no infinity (OCP e4m3, ue4m3, ue8m0).
    AllOnesNan,
    /// Only the encoding of minus zero is NaN; no infinity, no minus zero (the FNUZ formats).
    NegativeZeroNan,
}

/// A binary floating-point format, or an integer.
///
/// ```
/// use tensorsmith_numerics::describe::format::{Format, Overflow, Rounding};
///
/// let half = Format::named("binary16").expect("a format");
/// let third = half.from_f64(1.0 / 3.0, Rounding::NearestEven, Overflow::Infinity);
/// assert_eq!(third, 0x3555);
/// assert_eq!(half.to_f64(half.next_up(third)) - half.to_f64(third), 2f64.powi(-12));
/// ```
#[derive(Debug, Clone, Eq, Serialize)]
pub struct Format {
    /// Name as written in unit files. Formats of one layout are equal under any name.
    pub name: String,
    /// Whether there is a sign bit.
    pub signed: bool,
    /// Width of the exponent field in bits; 0 for an integer.
    pub exponent_bits: u32,
    /// Width of the trailing significand field in bits.
    pub fraction_bits: u32,
    /// Low bits of the container that do not belong to the number.
    pub padding_bits: u32,
    /// Exponent field of the value 1.
    pub bias: i32,
    /// Encodings of infinity and NaN.
    pub non_finite: NonFinite,
    /// Whether exponent field 0 means zero and subnormals; otherwise it is one more binade.
    pub subnormals: bool,
}

pub(crate) type Layout = (bool, [u32; 3], i32, NonFinite, bool);

impl PartialEq for Format {
    fn eq(&self, other: &Format) -> bool {
        self.layout() == other.layout()
    }
}

impl Format {
    /// Everything but the name.
    pub(crate) fn layout(&self) -> Layout {
        let Format { signed, exponent_bits, fraction_bits, padding_bits, bias, non_finite, subnormals, .. } = *self;
        (signed, [exponent_bits, fraction_bits, padding_bits], bias, non_finite, subnormals)
    }

    /// Width of an encoding in bits, padding included.
    pub fn width(&self) -> u32 {
        u32::from(self.signed) + self.exponent_bits + self.fraction_bits + self.padding_bits
    }

    /// The format of the same words without ignored bits, which are part of the fraction instead: binary32 for tf32. It has its name
    /// where it has one.
    pub fn container(&self) -> Format {
        let fraction_bits = self.fraction_bits + self.padding_bits;
        Format { fraction_bits, padding_bits: 0, ..self.clone() }.with_standard_name()
    }

    /// The format under the name that unit files know for its layout, if they know one.
    #[must_use]
    pub fn with_standard_name(self) -> Format {
        Format::standard().into_iter().find(|known| *known == self).unwrap_or(self)
    }

    /// Precision p: significand width in bits, hidden bit included.
    pub fn precision(&self) -> u32 {
        self.fraction_bits + 1
    }

    /// Exponent of the smallest normal number; subnormals share it.
    pub fn exponent_min(&self) -> i32 {
        i32::from(self.subnormals) - self.bias
    }

    /// Exponent that an all-ones exponent field stands for, infinity and NaN included.
    pub fn exponent_field_max(&self) -> i32 {
        ((1 << self.exponent_bits) - 1) - self.bias
    }

    /// Exponent of the largest finite number.
    pub fn exponent_max(&self) -> i32 {
        (self.magnitude_max() >> self.fraction_bits) as i32 - self.bias
    }

    /// The same of its hidden bit, with which it is aligned: another one where all numbers are subnormal.
    pub fn hidden_exponent_max(&self) -> i32 {
        self.exponent_max().max(self.exponent_min())
    }

    /// Mask of the bits that an encoding may set.
    pub fn mask(&self) -> u64 {
        low_mask(self.width())
    }

    /// The sign bit in place, 0 for an unsigned format.
    pub fn sign_bit(&self) -> u64 {
        if self.signed { 1 << (self.width() - 1) } else { 0 }
    }

    /// Exponent and fraction fields of the largest finite number, without sign and padding.
    pub fn magnitude_max(&self) -> u64 {
        let all_ones = low_mask(self.exponent_bits + self.fraction_bits);
        match self.non_finite {
            NonFinite::None | NonFinite::NegativeZeroNan => all_ones,
            NonFinite::Ieee => all_ones - low_mask(self.fraction_bits) - 1,
            NonFinite::AllOnesNan => all_ones - 1,
        }
    }

    /// Puts a sign and an exponent-and-fraction magnitude into an encoding.
    pub fn assemble(&self, negative: bool, magnitude: u64) -> u64 {
        if self.is_integer() {
            return self.integer_of_magnitude(negative, magnitude);
        }
        let sign = if negative { self.sign_bit() } else { 0 };
        sign | magnitude << self.padding_bits
    }

    /// Encoding of zero. Formats without a minus zero return plus zero; a format without zero returns its smallest number.
    pub fn zero(&self, negative: bool) -> u64 {
        let keeps_sign = self.non_finite != NonFinite::NegativeZeroNan && self.subnormals;
        self.assemble(negative && keeps_sign, 0)
    }

    /// Whether some NaN of the format signals: where it has several, except in e5m2, none of whose NaNs does (OCP OFP8 1.0; RISC-V
    /// Zvfofp8min). The single NaN of other formats is quiet.
    pub fn has_signalling_nan(&self) -> bool {
        let Format { signed, exponent_bits, fraction_bits, padding_bits, bias, .. } = *self;
        let is_e5m2 = signed && [exponent_bits, fraction_bits, padding_bits] == [5, 2, 0] && bias == 15;
        self.non_finite == NonFinite::Ieee && !is_e5m2
    }

    /// Whether an encoding is a signalling NaN: top fraction bit 0 (IEEE 754-2019, 6.2.1), in formats that have some.
    pub fn is_signalling(&self, bits: u64) -> bool {
        let quiet = self.magnitude(bits) >> (self.fraction_bits - 1) & 1 == 1;
        self.has_signalling_nan() && self.decode(bits).class == Class::Nan && !quiet
    }

    /// Encoding of an infinity, if the format has one.
    pub fn infinity(&self, negative: bool) -> Option<u64> {
        (self.non_finite == NonFinite::Ieee).then(|| self.assemble(negative, self.magnitude_max() + 1))
    }

    /// The canonical quiet NaN: sign 0 and top fraction bit where the format leaves a choice (IEEE 754-2019, 6.2.1).
    pub fn nan(&self) -> Option<u64> {
        match self.non_finite {
            NonFinite::None => None,
            NonFinite::Ieee => {
                let quiet = 1 << (self.fraction_bits - 1);
                Some(self.assemble(false, (self.magnitude_max() + 1) | quiet))
            }
            NonFinite::AllOnesNan => Some(self.assemble(false, self.magnitude_max() + 1)),
            NonFinite::NegativeZeroNan => Some(self.sign_bit()),
        }
    }

    /// Whether every datum of the other format, minus zero, infinities and NaN included, is one of this format too.
    /// Integers and floating-point numbers are never taken for each other.
    pub fn holds(&self, other: &Format) -> bool {
        // Exponent of the last bit of the smallest numbers.
        let last = |format: &Format| format.exponent_min() - format.fraction_bits as i32;
        let largest = |format: &Format| format.to_f64(format.largest(false));
        let minus_zero = |format: &Format| format.zero(true) != format.zero(false);
        self.is_integer() == other.is_integer()
            && (self.signed || !other.signed)
            && self.fraction_bits >= other.fraction_bits
            && last(self) <= last(other)
            && largest(self) >= largest(other)
            && (minus_zero(self) || !minus_zero(other))
            && (self.infinity(false).is_some() || other.infinity(false).is_none())
            && (self.nan().is_some() || other.nan().is_none())
    }

    /// Encoding of the largest finite number of the given sign; the least integer for a negative one.
    pub fn largest(&self, negative: bool) -> u64 {
        if self.is_integer() && negative && self.signed {
            return self.sign_bit();
        }
        self.assemble(negative && self.signed, self.magnitude_max())
    }

    /// The least encoding that compares greater (IEEE 754-2019, 5.3.1 nextUp). NaN and the top of the format stay as they are.
    pub fn next_up(&self, bits: u64) -> u64 {
        if self.is_integer() {
            return self.neighbouring_integer(bits, 1);
        }
        let value = self.decode(bits);
        match value.class {
            Class::Nan => bits,
            Class::Zero => self.assemble(false, 1),
            _ if value.negative => self.step_toward_zero(bits),
            _ => self.step_away_from_zero(bits),
        }
    }

    /// The greatest encoding that compares less (IEEE 754-2019, 5.3.1 nextDown). NaN and the bottom of the format stay as they are.
    pub fn next_down(&self, bits: u64) -> u64 {
        if self.is_integer() {
            return self.neighbouring_integer(bits, -1);
        }
        let value = self.decode(bits);
        match value.class {
            Class::Nan => bits,
            Class::Zero if self.signed => self.assemble(true, 1),
            Class::Zero => bits,
            _ if value.negative => self.step_away_from_zero(bits),
            _ => self.step_toward_zero(bits),
        }
    }

    fn step_away_from_zero(&self, bits: u64) -> u64 {
        let value = self.decode(bits);
        let at_largest = self.magnitude(bits) == self.magnitude_max();
        match (value.class, at_largest) {
            (Class::Infinite, _) => bits,
            (_, true) => self.infinity(value.negative).unwrap_or(bits),
            _ => self.assemble(value.negative, self.magnitude(bits) + 1),
        }
    }

    fn step_toward_zero(&self, bits: u64) -> u64 {
        let negative = self.decode(bits).negative;
        match self.magnitude(bits) {
            0 => bits,
            1 => self.zero(negative),
            magnitude => self.assemble(negative, magnitude - 1),
        }
    }

    /// Exponent and fraction fields of an encoding, as one number; of an integer, the bits below the sign.
    pub fn magnitude(&self, bits: u64) -> u64 {
        bits >> self.padding_bits & low_mask(self.exponent_bits + self.fraction_bits)
    }
}

/// A mask of the low `width` bits, 0 to 64.
pub fn low_mask(width: u32) -> u64 {
    match width {
        0 => 0,
        _ => u64::MAX >> (64 - width),
    }
}
