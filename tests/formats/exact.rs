//! Exact numbers: what the implementations under comparison are all reduced to.

use std::cmp::Ordering;

use tensorsmith::describe::format::{Class, Format};

/// (-1)^negative * significand * 2^exponent.
#[derive(Debug, Clone, Copy)]
pub struct Dyadic {
    pub negative: bool,
    pub significand: u128,
    pub exponent: i32,
}

/// What an encoding stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Datum {
    Nan,
    Infinite { negative: bool },
    Finite(Dyadic),
}

impl Dyadic {
    pub fn positive(significand: u128, exponent: i32) -> Dyadic {
        Dyadic { negative: false, significand, exponent }
    }

    /// Order of the absolute values.
    pub fn cmp_magnitude(&self, other: &Dyadic) -> Ordering {
        match (self.significand, other.significand) {
            (0, 0) => Ordering::Equal,
            (0, _) => Ordering::Less,
            (_, 0) => Ordering::Greater,
            _ => self.left_aligned().cmp(&other.left_aligned()),
        }
    }

    /// Exponent of the leading bit, then the significand shifted up to bit 127: ordered like the absolute value.
    fn left_aligned(&self) -> (i32, u128) {
        let unused = self.significand.leading_zeros();
        (self.exponent - unused as i32, self.significand << unused)
    }

    /// Sum of the absolute values; the exponents must lie close enough for 128 bits.
    pub fn add_magnitude(&self, other: &Dyadic) -> Dyadic {
        let exponent = self.exponent.min(other.exponent);
        let shifted = |term: &Dyadic| {
            let shift = (term.exponent - exponent) as u32;
            assert!(term.significand.leading_zeros() > shift, "the sum leaves 128 bits");
            term.significand << shift
        };
        Dyadic::positive(shifted(self) + shifted(other), exponent)
    }

    pub fn doubled(&self) -> Dyadic {
        Dyadic { exponent: self.exponent + 1, ..*self }
    }
}

/// Same number and same sign: minus zero differs from plus zero.
impl PartialEq for Dyadic {
    fn eq(&self, other: &Dyadic) -> bool {
        self.negative == other.negative && self.cmp_magnitude(other) == Ordering::Equal
    }
}

impl Eq for Dyadic {}

impl Datum {
    /// An `f64` taken apart by its fields.
    pub fn of_f64(value: f64) -> Datum {
        let bits = value.to_bits();
        let (field, fraction) = ((bits >> 52 & 0x7ff) as i32, u128::from(bits & ((1 << 52) - 1)));
        let negative = value.is_sign_negative();
        match field {
            0x7ff if fraction != 0 => Datum::Nan,
            0x7ff => Datum::Infinite { negative },
            0 => Datum::Finite(Dyadic { negative, significand: fraction, exponent: -1074 }),
            _ => Datum::Finite(Dyadic { negative, significand: 1 << 52 | fraction, exponent: field - 1075 }),
        }
    }

    /// What the code under test decodes.
    pub fn of_format(format: &Format, bits: u64) -> Datum {
        let decoded = format.decode(bits);
        match decoded.class {
            Class::Nan => Datum::Nan,
            Class::Infinite => Datum::Infinite { negative: decoded.negative },
            _ => Datum::Finite(Dyadic {
                negative: decoded.negative,
                significand: u128::from(decoded.significand),
                exponent: decoded.exponent - format.fraction_bits as i32,
            }),
        }
    }
}
