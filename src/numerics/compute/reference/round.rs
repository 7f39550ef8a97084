//! One rounding of a number.

use dashu_int::UBig;
use dashu_int::ops::BitTest;

use super::number::{Finite, Number};
use crate::describe::arithmetic::{Flushing, Round, RoundTo};
use crate::describe::format::{Class, Format, Overflow, Rounding};
use crate::describe::unit::Flags;

/// The number brought to a format, or to a range.
pub fn rounded(number: &Number, round: &Round, flags: &mut Flags) -> Number {
    match (number, &round.to) {
        (Number::Finite(x), RoundTo::Format(format)) => to_format(x, format, round, flags),
        (Number::Finite(x), &RoundTo::Range { precision, exponent_min, exponent_max }) => {
            let number = to_range(x, round, precision, exponent_min.map(i64::from), exponent_max.map(i64::from));
            flags.overflow |= matches!(number, Number::Infinite { .. });
            number
        }
        (Number::Infinite { negative }, RoundTo::Format(format)) => match format.infinity(*negative) {
            Some(_) => number.clone(),
            None => Number::Nan,
        },
        _ => number.clone(),
    }
}

fn to_format(x: &Finite, format: &Format, round: &Round, flags: &mut Flags) -> Number {
    if x.is_zero() {
        return Number::decode(format, format.zero(x.negative));
    }
    let flushed = |negative| Number::decode(format, format.zero(negative));
    let tiny = || is_tiny(x, format.precision(), format.exponent_min().into(), round.rounding);
    if round.subnormals == Flushing::FlushedIfTiny && tiny() {
        return flushed(x.negative && !round.rounded_zero_positive);
    }
    let encode = |overflow| format.encode(x.negative, &x.magnitude, x.place, round.rounding, overflow);
    let overflows = !format.is_integer() && encode(Overflow::Infinity) != encode(Overflow::Saturate);
    flags.overflow |= overflows;
    let bits = encode(round.overflow);
    match format.decode(bits).class {
        Class::Zero => flushed(x.negative && !round.rounded_zero_positive),
        Class::Subnormal if round.subnormals != Flushing::Kept && !overflows => {
            flushed(x.negative && !round.rounded_zero_positive)
        }
        _ => Number::decode(format, bits),
    }
}

/// Whether a number is below 2^least when it is rounded to a precision with unbounded exponents (IEEE 754-2019, 7.5).
fn is_tiny(x: &Finite, precision: u32, least: i64, rounding: Rounding) -> bool {
    let place = x.leading() - i64::from(precision) + 1;
    let kept = rounding.cut(x.negative, &x.magnitude, place - x.place);
    place + kept.bit_len() as i64 - 1 < least
}

fn to_range(x: &Finite, round: &Round, precision: Option<u32>, least: Option<i64>, greatest: Option<i64>) -> Number {
    let infinite = |x: &Finite| greatest.is_some_and(|greatest| x.leading() > greatest);
    let Some(precision) = precision else {
        return match !x.is_zero() && infinite(x) {
            true => Number::Infinite { negative: x.negative },
            false => Number::Finite(x.clone()),
        };
    };
    if x.is_zero() {
        return Number::zero(x.negative);
    }
    let place = least.map_or(x.leading(), |least| x.leading().max(least)) - i64::from(precision) + 1;
    let magnitude = match place > x.place {
        true => round.rounding.cut(x.negative, &x.magnitude, place - x.place),
        false => x.magnitude.clone(),
    };
    let mut y = Finite { magnitude, place: place.max(x.place), exponent: None, subnormal: false, ..x.clone() };
    if y.magnitude == UBig::ZERO {
        return Number::zero(x.negative && !round.rounded_zero_positive);
    }
    if infinite(&y) {
        return Number::Infinite { negative: x.negative };
    }
    let flushed = match (round.subnormals, least) {
        (Flushing::Flushed, Some(least)) => y.leading() < least,
        (Flushing::FlushedIfTiny, Some(least)) => is_tiny(x, precision, least, round.rounding),
        _ => false,
    };
    if flushed {
        return Number::zero(x.negative && !round.rounded_zero_positive);
    }
    y.exponent = Some(least.map_or(y.leading(), |least| y.leading().max(least)));
    Number::Finite(y)
}
