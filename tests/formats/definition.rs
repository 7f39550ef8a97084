//! The formats once more, from the standards alone: no code is shared with the implementation under test.

use tensorsmith::describe::format::Format;

use crate::formats::exact::{Datum, Dyadic};

/// Encodings that are not numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Special {
    /// IEEE 754-2019, 3.4.
    Ieee,
    /// E4M3 of OCP OFP8 1.0, E8M0 of OCP MX 1.0, ue4m3 of the PTX ISA: all ones.
    AllOnes,
    /// The FNUZ formats (Noune et al., arXiv 2206.02915): the code of minus zero.
    MinusZero,
    /// FP6 and FP4 of OCP MX 1.0: none.
    Absent,
}

/// A format as its standard gives it. Field widths exclude the padding below the number.
#[derive(Debug, Clone, Copy)]
pub struct Definition {
    pub name: &'static str,
    pub sign_bits: u32,
    pub exponent_bits: u32,
    pub fraction_bits: u32,
    pub padding_bits: u32,
    pub bias: i32,
    pub special: Special,
    /// Whether exponent field 0 holds zero and the subnormals.
    pub has_zero: bool,
}

/// Columns: name, sign, exponent, fraction and padding bits, bias, special encodings, zero.
#[rustfmt::skip]
pub const DEFINITIONS: [Definition; 14] = [
    row("binary16",  1,  5, 10,  0,   15, Special::Ieee,      true),  // IEEE 754-2019 table 3.5
    row("bfloat16",  1,  8,  7,  0,  127, Special::Ieee,      true),  // the upper half of binary32
    row("tf32",      1,  8, 10, 13,  127, Special::Ieee,      true),  // binary32 without its low 13 bits
    row("binary32",  1,  8, 23,  0,  127, Special::Ieee,      true),  // IEEE 754-2019 table 3.5
    row("binary64",  1, 11, 52,  0, 1023, Special::Ieee,      true),  // IEEE 754-2019 table 3.5
    row("e4m3",      1,  4,  3,  0,    7, Special::AllOnes,   true),  // OCP OFP8 1.0
    row("e5m2",      1,  5,  2,  0,   15, Special::Ieee,      true),  // OCP OFP8 1.0
    row("e3m2",      1,  3,  2,  0,    3, Special::Absent,    true),  // OCP MX 1.0, FP6
    row("e2m3",      1,  2,  3,  0,    1, Special::Absent,    true),  // OCP MX 1.0, FP6
    row("e2m1",      1,  2,  1,  0,    1, Special::Absent,    true),  // OCP MX 1.0, FP4
    row("e4m3fnuz",  1,  4,  3,  0,    8, Special::MinusZero, true),  // arXiv 2206.02915
    row("e5m2fnuz",  1,  5,  2,  0,   16, Special::MinusZero, true),  // arXiv 2206.02915
    row("ue8m0",     0,  8,  0,  0,  127, Special::AllOnes,   false), // OCP MX 1.0, scale
    row("ue4m3",     0,  4,  3,  0,    7, Special::AllOnes,   true),  // PTX ISA, alternate floating-point formats
];

#[allow(clippy::too_many_arguments, reason = "one argument a column keeps the table above readable")]
const fn row(
    name: &'static str,
    sign_bits: u32,
    exponent_bits: u32,
    fraction_bits: u32,
    padding_bits: u32,
    bias: i32,
    special: Special,
    has_zero: bool,
) -> Definition {
    Definition { name, sign_bits, exponent_bits, fraction_bits, padding_bits, bias, special, has_zero }
}

impl Definition {
    pub fn named(name: &str) -> &'static Definition {
        DEFINITIONS.iter().find(|definition| definition.name == name).expect("a name of the table")
    }

    /// The definitions whose encodings can all be visited.
    pub fn small() -> impl Iterator<Item = &'static Definition> {
        DEFINITIONS.iter().filter(|definition| definition.width() <= 16)
    }

    /// The format under test.
    pub fn format(&self) -> Format {
        Format::named(self.name).expect("every definition has a format")
    }

    pub fn width(&self) -> u32 {
        self.sign_bits + self.exponent_bits + self.fraction_bits + self.padding_bits
    }

    /// Every encoding, of a format whose encodings can all be visited.
    pub fn encodings(&self) -> std::ops::Range<u64> {
        assert!(self.width() <= 16);
        0..1 << self.width()
    }

    /// The sign in place; 0 for an unsigned format.
    pub fn sign(&self, negative: bool) -> u64 {
        if negative && self.sign_bits == 1 { 1 << (self.width() - 1) } else { 0 }
    }

    /// What an encoding stands for.
    pub fn datum(&self, bits: u64) -> Datum {
        let negative = self.sign_bits == 1 && bits >> (self.width() - 1) & 1 == 1;
        let field = bits >> (self.padding_bits + self.fraction_bits) & ((1 << self.exponent_bits) - 1);
        let fraction = bits >> self.padding_bits & ((1 << self.fraction_bits) - 1);
        let field_full = field == (1 << self.exponent_bits) - 1;
        let fraction_full = fraction == (1 << self.fraction_bits) - 1;
        match self.special {
            Special::Ieee if field_full && fraction == 0 => Datum::Infinite { negative },
            Special::Ieee if field_full => Datum::Nan,
            Special::AllOnes if field_full && fraction_full => Datum::Nan,
            Special::MinusZero if negative && field == 0 && fraction == 0 => Datum::Nan,
            _ => Datum::Finite(Dyadic { negative, ..self.number(field << self.fraction_bits | fraction) }),
        }
    }

    /// The number that exponent and fraction fields stand for, wherever the special encodings lie; the exponent field
    /// may run past its width, which gives the numbers that would follow the largest one.
    pub fn number(&self, magnitude: u64) -> Dyadic {
        let (field, fraction) = (magnitude >> self.fraction_bits, magnitude & ((1 << self.fraction_bits) - 1));
        let last_place = -self.bias - self.fraction_bits as i32;
        match field {
            0 if self.has_zero => Dyadic::positive(fraction.into(), last_place + 1),
            _ => Dyadic::positive((1u128 << self.fraction_bits) + u128::from(fraction), last_place + field as i32),
        }
    }

    /// Exponent and fraction fields of the largest number.
    pub fn top(&self) -> u64 {
        let all_ones = (1 << (self.exponent_bits + self.fraction_bits)) - 1;
        match self.special {
            Special::Ieee => all_ones - (1 << self.fraction_bits),
            Special::AllOnes => all_ones - 1,
            Special::MinusZero | Special::Absent => all_ones,
        }
    }

    /// The encoding of infinity, if there is one.
    pub fn infinity(&self, negative: bool) -> Option<u64> {
        (self.special == Special::Ieee).then(|| self.sign(negative) | (self.top() + 1) << self.padding_bits)
    }

    /// The encoding of the preferred NaN, if there is one: positive, quiet, no payload.
    pub fn nan(&self) -> Option<u64> {
        let magnitude = match self.special {
            Special::Ieee => (self.top() + 1) + (1 << (self.fraction_bits - 1)),
            Special::AllOnes => self.top() + 1,
            Special::MinusZero => return Some(self.sign(true)),
            Special::Absent => return None,
        };
        Some(magnitude << self.padding_bits)
    }
}
