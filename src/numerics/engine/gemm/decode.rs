//! Encodings become numbers that the kernel computes with: the value in binary32 and the exponent as the unit sees it.

use crate::describe::format::{Class, Format, NonFinite};
use crate::engine::conversion::Conversion;

/// Added to an exponent, it outweighs every other one, so that an anchor betrays infinity and NaN, times zero too.
const SPECIAL: i16 = 16_000;
/// With it a product never decides an anchor.
const ZERO: i16 = -8_000;

/// An operand.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Term {
    /// Exact. Infinity and NaN are those of binary32.
    pub value: f32,
    /// That of the binade, the format's least one for subnormal numbers; `ZERO` for zero, `SPECIAL` for infinity and NaN.
    pub exponent: i16,
}

impl Term {
    /// Of either sign.
    pub const ZERO: Term = Term { value: 0.0, exponent: ZERO };
}

/// Operands of one format.
pub(super) enum Decoder {
    /// An entry for every encoding.
    Table(Vec<Term>),
    /// Binary32 but for padding.
    Single { mask: u32 },
}

/// The exponent that stands for a number, if the exponent of an operand does.
pub(super) fn exponent_of_number(exponent: i16) -> Option<i32> {
    (ZERO < exponent && exponent < SPECIAL).then_some(i32::from(exponent))
}

impl Decoder {
    /// Operands in an instruction's format, as the unit's format sees them.
    ///
    /// # Errors
    /// The kernel does not know the format.
    pub fn new(from: &Format, to: &Format) -> Result<Decoder, String> {
        let refused = || format!("operands are {}", from.name);
        let conversion = Conversion::new(from, to).ok_or_else(refused)?;
        let last = from.exponent_min() - from.fraction_bits as i32;
        if from.is_integer() || last < -149 || from.exponent_max() > 127 {
            return Err(refused());
        }
        let single = from.width() == 32 && from.exponent_bits == 8 && from.bias == 127 && from.signed;
        match from.width() {
            0..=16 => {
                let entry = |bits| term(to, conversion.apply(bits));
                Ok(Decoder::Table((0..=from.mask()).map(entry).collect()))
            }
            32 if single && from.subnormals && from.non_finite == NonFinite::Ieee && from == to => {
                Ok(Decoder::Single { mask: u32::MAX << from.padding_bits })
            }
            _ => Err(refused()),
        }
    }

    /// One operand.
    #[inline]
    pub fn term(&self, bits: u64) -> Term {
        match self {
            Decoder::Table(entries) => entries[bits as usize],
            Decoder::Single { mask } => {
                let bits = bits as u32 & mask;
                let field = (bits >> 23 & 0xff) as i16;
                let exponent = match bits << 1 {
                    0 => ZERO,
                    0xff00_0000.. => SPECIAL,
                    _ => field.max(1) - 127,
                };
                Term { value: f32::from_bits(bits), exponent }
            }
        }
    }
}

fn term(format: &Format, bits: u64) -> Term {
    let decoded = format.decode(bits);
    let exponent = match decoded.class {
        Class::Zero => ZERO,
        Class::Nan | Class::Infinite => SPECIAL,
        Class::Subnormal | Class::Normal => decoded.exponent as i16,
    };
    Term { value: format.to_f64(bits) as f32, exponent }
}
