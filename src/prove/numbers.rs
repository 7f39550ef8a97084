//! Numbers as terms, straight from the definition of a format: what specifications are written in. Shares nothing with the
//! datapath text.

use crate::compute::word::term::{Term, TermFlag};
use crate::compute::word::{Flag, Word};
use crate::describe::format::{Format, NonFinite};

/// (-1)^negative * significand * 2^place, or NaN, which is neither equal to any number nor less nor greater (IEEE 754-2019, 5.11).
#[derive(Debug, Clone, Copy)]
pub struct Number {
    pub negative: TermFlag,
    pub significand: Term,
    /// Exponent of the significand's last bit.
    pub place: Term,
    /// Neither infinite nor NaN.
    pub finite: TermFlag,
    pub nan: TermFlag,
}

/// How two magnitudes compare.
#[derive(Debug, Clone, Copy)]
pub struct Order {
    pub less: TermFlag,
    pub equal: TermFlag,
}

fn literal(number: i32) -> Term {
    Term::literal(i64::from(number))
}

impl Number {
    /// The number that an encoding means (IEEE 754-2019, 3.4).
    pub fn decoded(format: &Format, encoding: Term) -> Number {
        let magnitude = encoding.field(format.padding_bits, format.exponent_bits + format.fraction_bits);
        let negative = match format.signed {
            true => encoding.bit(format.width() - 1),
            false => TermFlag::constant(false),
        };
        let finite = finite(format, negative, magnitude);
        let nan = match format.non_finite {
            NonFinite::Ieee => !finite & !magnitude.field(0, format.fraction_bits).is_zero(),
            _ => !finite,
        };
        Number { negative, finite, nan, ..Number::of_magnitude(format, magnitude) }
    }

    /// The positive number whose exponent and fraction fields, taken together, are `magnitude`. Infinity is the power of two
    /// that it stands in the place of.
    pub fn of_magnitude(format: &Format, magnitude: Term) -> Number {
        let fraction = magnitude.field(0, format.fraction_bits);
        let field = magnitude.shift_right(format.fraction_bits);
        let normal = literal(1).shift_left(format.fraction_bits) + fraction;
        let exponent = Term::select(field.is_zero(), literal(1), field) - literal(format.bias);
        Number {
            negative: TermFlag::constant(false),
            significand: Term::select(field.is_zero(), fraction, normal),
            place: exponent - literal(format.fraction_bits as i32),
            finite: TermFlag::constant(true),
            nan: TermFlag::constant(false),
        }
    }

    /// The exact product.
    pub fn times(self, other: Number) -> Number {
        Number {
            negative: self.negative ^ other.negative,
            significand: self.significand * other.significand,
            place: self.place + other.place,
            finite: self.finite & other.finite,
            nan: self.nan | other.nan,
        }
    }

    /// Whether both are the same number; zeros of both signs are.
    pub fn equals(self, other: Number) -> TermFlag {
        let same_sign = !(self.negative ^ other.negative) | self.significand.is_zero();
        magnitudes(self, other).equal & same_sign & self.ordered(other)
    }

    /// Whether this is the lesser number.
    pub fn less_than(self, other: Number) -> TermFlag {
        let order = magnitudes(self, other);
        let zero = self.significand.is_zero() & other.significand.is_zero();
        let greater = !order.less & !order.equal;
        let both_negative = self.negative & other.negative & greater;
        let neither = !self.negative & !other.negative & order.less;
        (both_negative | neither | (self.negative & !other.negative & !zero)) & self.ordered(other)
    }

    /// Whether neither is NaN.
    fn ordered(self, other: Number) -> TermFlag {
        !self.nan & !other.nan
    }
}

fn finite(format: &Format, negative: TermFlag, magnitude: Term) -> TermFlag {
    let (fraction, field) = (magnitude.field(0, format.fraction_bits), magnitude.shift_right(format.fraction_bits));
    let ones = field.equals(Term::literal((1 << format.exponent_bits) - 1));
    match format.non_finite {
        NonFinite::None => TermFlag::constant(true),
        NonFinite::Ieee => !ones,
        NonFinite::AllOnesNan => !(ones & fraction.equals(Term::literal((1 << format.fraction_bits) - 1))),
        NonFinite::NegativeZeroNan => !(negative & magnitude.is_zero()),
    }
}

/// Compares magnitudes, whatever their exponents.
///
/// ```text
///   one    xxxxxx000      left by the distance of the places, but not by more than the other one's width:
///   two       yyyyyy      then one is the greater, unless it is zero
/// ```
pub fn magnitudes(one: Number, two: Number) -> Order {
    let distance = one.place - two.place;
    let above = distance.maximum(literal(0));
    let below = (-distance).maximum(literal(0));
    let reach = |other: Number| literal(other.significand.range().width() as i32);
    let left = one.significand.shift_left_by(above.minimum(reach(two)));
    let right = two.significand.shift_left_by(below.minimum(reach(one)));
    Order { less: left.less_than(right), equal: left.equals(right) }
}
