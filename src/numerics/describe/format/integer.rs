//! Integers as formats: two's complement or unsigned, no exponent field, every encoding finite, one zero.
//!
//! ```text
//!   sign | fraction       int8: sign weighs -2^7, fraction bit 0 weighs 1
//!    0-1       3-31        bits
//! ```
//!
//! The bias makes every exponent equal to the fraction width, so that (-1)^negative * significand *
//! 2^(exponent - fraction_bits) is the integer itself, with its magnitude as significand.

use dashu_int::IBig;

use super::{Class, Decoded, Format, Overflow};

impl Format {
    /// Whether the format is an integer: it has no exponent field.
    pub fn is_integer(&self) -> bool {
        self.exponent_bits == 0
    }

    /// The least integer; 0 for a floating-point format.
    pub fn integer_least(&self) -> i64 {
        if self.is_integer() && self.signed { -(1 << self.fraction_bits) } else { 0 }
    }

    /// The greatest integer; 0 for a floating-point format.
    pub fn integer_greatest(&self) -> i64 {
        if self.is_integer() { (1 << self.fraction_bits) - 1 } else { 0 }
    }

    /// The integer that an encoding means. Bits above the width are ignored.
    pub fn integer(&self, bits: u64) -> i64 {
        let fraction = self.magnitude(bits) as i64;
        if bits & self.sign_bit() != 0 { fraction + self.integer_least() } else { fraction }
    }

    /// Brings an integer to the format: its low bits, or the nearest integer that the format has.
    #[expect(clippy::missing_panics_doc, reason = "the mask has at most 64 bits")]
    pub fn encode_integer(&self, value: &IBig, overflow: Overflow) -> u64 {
        let (least, greatest) = (IBig::from(self.integer_least()), IBig::from(self.integer_greatest()));
        let held = match overflow {
            Overflow::Wrap => value.clone(),
            Overflow::Ieee | Overflow::Infinity | Overflow::Saturate => value.clone().clamp(least, greatest),
        };
        u64::try_from(held & IBig::from(self.mask())).expect("no bits above the width")
    }

    pub(super) fn decode_integer(&self, bits: u64) -> Decoded {
        let value = self.integer(bits);
        Decoded {
            class: if value == 0 { Class::Zero } else { Class::Normal },
            negative: value < 0,
            exponent: self.exponent_min(),
            significand: value.unsigned_abs(),
        }
    }

    pub(super) fn integer_of_magnitude(&self, negative: bool, magnitude: u64) -> u64 {
        let value = if negative && self.signed { magnitude.wrapping_neg() } else { magnitude };
        value & self.mask()
    }

    /// The next integer in that direction, or the same at the end of the format.
    pub(super) fn neighbouring_integer(&self, bits: u64, step: i64) -> u64 {
        let next = self.integer(bits) + step;
        next.clamp(self.integer_least(), self.integer_greatest()) as u64 & self.mask()
    }
}
