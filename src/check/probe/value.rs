//! Exact numbers of a few bits: what a probe's terms are before a format is asked whether it has them.

use std::ops::{Add, Mul, Neg, Sub};

use crate::describe::format::{Class, Format, Overflow, Rounding};

/// significand * 2^exponent; the significand is odd, or 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Value {
    significand: i128,
    exponent: i32,
}

impl Value {
    pub const ZERO: Value = Value { significand: 0, exponent: 0 };

    pub fn of(significand: i128, exponent: i32) -> Value {
        if significand == 0 {
            return Value::ZERO;
        }
        let zeros = significand.trailing_zeros();
        Value { significand: significand >> zeros, exponent: exponent + zeros as i32 }
    }

    /// 2^exponent.
    pub fn power(exponent: i32) -> Value {
        Value::of(1, exponent)
    }

    /// The value * 2^exponent.
    pub fn shifted(self, exponent: i32) -> Value {
        Value::of(self.significand, self.exponent + exponent)
    }

    pub fn is_zero(self) -> bool {
        self.significand == 0
    }

    pub fn is_negative(self) -> bool {
        self.significand < 0
    }

    /// Odd significand without its sign.
    pub(super) fn magnitude(self) -> u128 {
        self.significand.unsigned_abs()
    }

    /// Exponent of the last bit that is 1.
    pub fn last(self) -> i32 {
        self.exponent
    }

    /// Exponent of the first bit that is 1.
    pub fn leading(self) -> i32 {
        self.exponent + self.magnitude().checked_ilog2().unwrap_or(0) as i32
    }

    /// The value as a multiple of 2^exponent, if it is a whole one of at most 62 bits.
    pub fn multiple(self, exponent: i32) -> Option<i64> {
        let distance = self.exponent.checked_sub(exponent).filter(|distance| *distance >= 0 || self.is_zero())?;
        let fits = self.is_zero() || self.leading() - exponent < 62;
        fits.then(|| (self.significand << distance.clamp(0, 62)) as i64)
    }

    /// The encoding, if the format has the value; `None` too for a subnormal number where none is wanted.
    pub fn encoding(self, format: &Format, subnormals: bool) -> Option<u64> {
        if self.is_zero() {
            return Some(format.zero(false));
        }
        let magnitude = u64::try_from(self.magnitude()).ok()?;
        let exponent = i64::from(self.exponent);
        let bits =
            format.encode(self.is_negative(), &magnitude.into(), exponent, Rounding::TowardZero, Overflow::Saturate);
        let wanted = subnormals || format.decode(bits).class != Class::Subnormal;
        (wanted && Value::decoded(format, bits) == Some(self)).then_some(bits)
    }

    /// The value of an encoding, if it is finite.
    pub fn decoded(format: &Format, bits: u64) -> Option<Value> {
        let decoded = format.decode(bits);
        let significand = i128::from(decoded.significand);
        let sign = if decoded.negative { -1 } else { 1 };
        decoded.is_finite().then(|| Value::of(sign * significand, decoded.exponent - format.fraction_bits as i32))
    }
}

impl Add for Value {
    type Output = Value;

    fn add(self, other: Value) -> Value {
        if self.is_zero() || other.is_zero() {
            return if self.is_zero() { other } else { self };
        }
        let last = self.exponent.min(other.exponent);
        let place = |value: Value| {
            let distance = (value.exponent - last) as u32;
            assert!(distance + 128 - value.magnitude().leading_zeros() < 126, "a probe's sums have few bits");
            value.significand << distance
        };
        Value::of(place(self) + place(other), last)
    }
}

impl Neg for Value {
    type Output = Value;

    fn neg(self) -> Value {
        Value { significand: -self.significand, ..self }
    }
}

impl Sub for Value {
    type Output = Value;

    fn sub(self, other: Value) -> Value {
        self + -other
    }
}

impl Mul for Value {
    type Output = Value;

    fn mul(self, other: Value) -> Value {
        Value::of(self.significand * other.significand, self.exponent + other.exponent)
    }
}
