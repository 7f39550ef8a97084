//! What an experiment reads: numbers, a yes or no, a count; comparable between formats, and printed as papers print them.

use std::fmt::{self, Display};

use crate::check::probe::Value;
use crate::describe::format::{Class, Format};

/// A result, whatever its format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Number {
    Zero { negative: bool },
    Finite(Value),
    Infinity { negative: bool },
    NaN,
}

impl Number {
    /// The number that an encoding stands for.
    pub fn decoded(format: &Format, bits: u64) -> Number {
        let decoded = format.decode(bits);
        match decoded.class {
            Class::Zero => Number::Zero { negative: decoded.negative },
            Class::Infinite => Number::Infinity { negative: decoded.negative },
            _ => Value::decoded(format, bits).map_or(Number::NaN, Number::Finite),
        }
    }

    /// The value of a finite number.
    pub fn value(self) -> Option<Value> {
        match self {
            Number::Zero { .. } => Some(Value::ZERO),
            Number::Finite(value) => Some(value),
            Number::Infinity { .. } | Number::NaN => None,
        }
    }
}

/// Zero is +0.
impl From<Value> for Number {
    fn from(value: Value) -> Number {
        if value.is_zero() { Number::Zero { negative: false } } else { Number::Finite(value) }
    }
}

impl Display for Number {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        let sign = |negative: &bool| if *negative { "-" } else { "" };
        match self {
            Number::Zero { negative } => write!(out, "{}0", sign(negative)),
            Number::Infinity { negative } => write!(out, "{}infinity", sign(negative)),
            Number::NaN => write!(out, "NaN"),
            Number::Finite(value) => write!(out, "{}", powers(*value)),
        }
    }
}

/// Terms of a printed sum, at most.
const TERMS_MAX: usize = 4;

/// Numbers up to 2^24 with at most so many bits after the point are printed as decimals.
const DECIMAL_BITS: i32 = 4;

/// A value as a decimal, as a sum of few powers of two, or as an integer times a power of two.
fn powers(value: Value) -> String {
    let integer = |exponent: i32| value.multiple(exponent).map(i128::from);
    if let (Some(parts), true) = (integer(-DECIMAL_BITS), value.leading() < 24) {
        return (parts as f64 / f64::from(1 << DECIMAL_BITS)).to_string();
    }
    let Some(significand) = integer(value.last()) else {
        return format!("a value of {} bits", value.leading() - value.last() + 1);
    };
    let signed = signed_digits(significand, value.last());
    let plain = binary_digits(significand, value.last());
    let terms = if plain.len() <= signed.len() { plain } else { signed };
    let (whole, rest): (Vec<_>, Vec<_>) = terms.iter().partition(|(_, exponent)| (0..24).contains(exponent));
    if rest.len() + whole.len().min(1) > TERMS_MAX {
        return format!("{significand}*2^{}", value.last());
    }
    let whole: i64 = whole.iter().map(|(sign, exponent)| i64::from(*sign) << exponent).sum();
    let mut text = if whole == 0 { String::new() } else { whole.to_string() };
    for (sign, exponent) in rest {
        text += match (sign < 0, text.is_empty()) {
            (true, _) => "-",
            (false, true) => "",
            (false, false) => "+",
        };
        text += &format!("2^{exponent}");
    }
    text
}

/// significand * 2^exponent as a sum of powers of two with signs, no two of them neighbours; the largest first.
fn signed_digits(mut significand: i128, mut exponent: i32) -> Vec<(i32, i32)> {
    let mut terms = Vec::new();
    while significand != 0 {
        if significand % 2 != 0 {
            // The digit that leaves a multiple of 4.
            let digit = if significand.rem_euclid(4) == 1 { 1 } else { -1 };
            terms.push((digit, exponent));
            significand -= i128::from(digit);
        }
        significand /= 2;
        exponent += 1;
    }
    terms.reverse();
    terms
}

/// significand * 2^exponent as a sum of powers of two with one sign; the largest first.
fn binary_digits(significand: i128, exponent: i32) -> Vec<(i32, i32)> {
    let bits = (0..i128::BITS as i32 - 1).rev().filter(|bit| significand.unsigned_abs() >> bit & 1 == 1);
    bits.map(|bit| (significand.signum() as i32, exponent + bit)).collect()
}

/// What an experiment read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reading {
    /// The results, one for each vector.
    Numbers(Vec<Number>),
    /// The answer to a question.
    Truth(bool),
    /// A number of bits, a position, an exponent; none where there is no such.
    Count(Option<i32>),
    /// That number, or a greater one that the vectors do not reach.
    AtLeast(i32),
    /// That number, or a smaller one that the vectors do not reach.
    AtMost(i32),
    /// Several readings.
    Each(Vec<Reading>),
    /// What something is, in a few words.
    Name(&'static str),
    /// The answers leave it open, for this reason.
    Undecided(&'static str),
}

impl Reading {
    /// One result.
    pub fn number(value: Value) -> Reading {
        Reading::numbers([value])
    }

    /// Results in the order of the vectors.
    pub fn numbers(values: impl IntoIterator<Item = Value>) -> Reading {
        Reading::Numbers(values.into_iter().map(Number::from).collect())
    }

    /// Several numbers of bits, positions or exponents.
    pub fn counts(counts: impl IntoIterator<Item = Option<i32>>) -> Reading {
        Reading::Each(counts.into_iter().map(Reading::Count).collect())
    }

    /// The same result for each of so many vectors.
    pub fn all(count: usize, value: Value) -> Reading {
        Reading::numbers(vec![value; count])
    }
}

impl Display for Reading {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Reading::Truth(true) => write!(out, "yes"),
            Reading::Truth(false) => write!(out, "no"),
            Reading::Count(None) => write!(out, "none"),
            Reading::Count(Some(count)) => write!(out, "{count}"),
            Reading::AtLeast(count) => write!(out, "at least {count}"),
            Reading::AtMost(count) => write!(out, "at most {count}"),
            Reading::Each(readings) => {
                write!(out, "{}", runs(&readings.iter().map(Reading::to_string).collect::<Vec<_>>()))
            }
            Reading::Name(name) => write!(out, "{name}"),
            Reading::Undecided(reason) => write!(out, "not decided: {reason}"),
            Reading::Numbers(numbers) => {
                write!(out, "{}", runs(&numbers.iter().map(Number::to_string).collect::<Vec<_>>()))
            }
        }
    }
}

/// A list in which equal neighbours are counted.
fn runs(texts: &[String]) -> String {
    let runs = texts.chunk_by(|left, right| left == right).map(|run| match run {
        [one, _, _, ..] => format!("{one} ({} times)", run.len()),
        few => few.join(", "),
    });
    runs.collect::<Vec<_>>().join(", ")
}
