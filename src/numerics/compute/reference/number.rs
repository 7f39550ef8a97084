//! Numbers of a list, and their exact products.

use dashu_int::UBig;
use dashu_int::ops::BitTest;

use crate::describe::arithmetic::{InputSubnormals, Operand};
use crate::describe::format::{Class, Format, Overflow, Rounding};
use crate::describe::unit::Flags;

/// NaN, an infinity or a finite number.
#[derive(Debug, Clone)]
pub enum Number {
    Nan,
    Infinite { negative: bool },
    Finite(Finite),
}

/// (-1)^negative * magnitude * 2^place.
#[derive(Debug, Clone)]
pub struct Finite {
    pub negative: bool,
    pub magnitude: UBig,
    pub place: i64,
    /// The exponent that takes part in anchors; a zero may have none.
    pub exponent: Option<i64>,
    /// Whether it is a subnormal number of a format.
    pub subnormal: bool,
}

impl Finite {
    pub fn is_zero(&self) -> bool {
        self.magnitude == UBig::ZERO
    }

    /// floor(log2) of a number that is not zero.
    pub fn leading(&self) -> i64 {
        self.place + self.magnitude.bit_len() as i64 - 1
    }
}

impl Number {
    pub fn zero(negative: bool) -> Number {
        Number::Finite(Finite { negative, magnitude: UBig::ZERO, place: 0, exponent: None, subnormal: false })
    }

    /// The number of an encoding.
    pub fn decode(format: &Format, bits: u64) -> Number {
        let value = format.decode(bits);
        match value.class {
            Class::Nan => Number::Nan,
            Class::Infinite => Number::Infinite { negative: value.negative },
            Class::Zero => Number::zero(value.negative),
            Class::Subnormal | Class::Normal => Number::Finite(Finite {
                negative: value.negative,
                magnitude: UBig::from(value.significand),
                place: i64::from(value.exponent) - i64::from(format.fraction_bits),
                exponent: Some(i64::from(value.exponent)),
                subnormal: value.class == Class::Subnormal,
            }),
        }
    }

    /// The number as which an operand enters.
    pub fn operand(operand: &Operand, bits: u64) -> Number {
        let mut number = Number::decode(&operand.format, bits);
        if let (Number::Finite(finite), Some(wider)) = (&mut number, &operand.widened)
            && !finite.is_zero()
        {
            let (leading, least) = (finite.leading(), i64::from(wider.exponent_min()));
            finite.exponent = Some(leading.max(least));
            finite.subnormal = leading < least;
        }
        number
    }

    /// The encoding of a number that the format has.
    pub fn encoding(&self, format: &Format, nan: u64) -> u64 {
        match self {
            Number::Nan => nan,
            Number::Infinite { negative } => format.infinity(*negative).unwrap_or(nan),
            Number::Finite(x) if x.is_zero() => format.zero(x.negative),
            Number::Finite(x) => {
                format.encode(x.negative, &x.magnitude, x.place, Rounding::TowardZero, Overflow::Saturate)
            }
        }
    }

    pub fn negated(&self) -> Number {
        match self.clone() {
            Number::Nan => Number::Nan,
            Number::Infinite { negative } => Number::Infinite { negative: !negative },
            Number::Finite(x) => Number::Finite(Finite { negative: !x.negative, ..x }),
        }
    }

    /// The number times 2^shift.
    pub fn shifted(&self, shift: i32) -> Number {
        let shift = i64::from(shift);
        match self.clone() {
            Number::Finite(x) => {
                let exponent = x.exponent.map(|exponent| exponent + shift).filter(|_| shift == 0 || !x.is_zero());
                Number::Finite(Finite { place: x.place + shift, exponent, subnormal: x.subnormal && shift == 0, ..x })
            }
            special => special,
        }
    }

    /// The number as a sum sees it that counts subnormals as zero.
    pub fn flushed(&self, subnormals: InputSubnormals) -> Number {
        match self {
            Number::Finite(x) if x.subnormal => match subnormals {
                InputSubnormals::Kept => self.clone(),
                InputSubnormals::Flushed => Number::zero(x.negative),
                InputSubnormals::FlushedToPlusZero => Number::zero(false),
            },
            _ => self.clone(),
        }
    }
}

/// The exact product; NaN with a NaN, and of infinity and zero (IEEE 754-2019, 7.2).
pub fn product(x: &Number, y: &Number, flags: &mut Flags) -> Number {
    match (x, y) {
        (Number::Nan, _) | (_, Number::Nan) => Number::Nan,
        (Number::Finite(x), Number::Finite(y)) => Number::Finite(Finite {
            negative: x.negative != y.negative,
            magnitude: &x.magnitude * &y.magnitude,
            place: x.place + y.place,
            exponent: match x.is_zero() || y.is_zero() {
                true => None,
                false => x.exponent.zip(y.exponent).map(|(x, y)| x + y),
            },
            subnormal: false,
        }),
        (Number::Finite(zero), _) | (_, Number::Finite(zero)) if zero.is_zero() => {
            flags.invalid = true;
            Number::Nan
        }
        (Number::Infinite { negative }, Number::Infinite { negative: other })
        | (Number::Infinite { negative }, Number::Finite(Finite { negative: other, .. }))
        | (Number::Finite(Finite { negative, .. }), Number::Infinite { negative: other }) => {
            Number::Infinite { negative: negative != other }
        }
    }
}
