//! The range of the numbers at one place of a list.

use dashu_int::UBig;
use dashu_int::ops::BitTest;

use super::super::{OperandPlan, signed_width};

/// The finite numbers of a place: (-1)^s * significand * 2^(exponent - fraction_bits).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NumberPlan {
    /// Largest significand.
    pub significand_max: UBig,
    pub fraction_bits: i32,
    /// Least and greatest exponent, also of zeros, and of the numbers in place of infinity and NaN.
    pub exponent_min: i32,
    pub exponent_max: i32,
    /// Numbers of a format: significands below two to this power are subnormal.
    pub subnormal_bits: Option<u32>,
    /// Whether a zero can have an exponent: that of a window in which numbers cancelled.
    pub zero_has_exponent: bool,
}

impl NumberPlan {
    /// Only zero.
    pub fn zero() -> NumberPlan {
        NumberPlan {
            significand_max: UBig::ZERO,
            fraction_bits: 0,
            exponent_min: 0,
            exponent_max: 0,
            subnormal_bits: None,
            zero_has_exponent: false,
        }
    }

    /// The range that holds the numbers of some; `None` of none.
    pub fn of_all(all: &[NumberPlan]) -> Option<NumberPlan> {
        if let [only] = all {
            return Some(only.clone());
        }
        let fraction_bits = all.iter().map(|number| number.fraction_bits).max()?;
        let widened = |number: &NumberPlan| &number.significand_max << (fraction_bits - number.fraction_bits) as usize;
        Some(NumberPlan {
            significand_max: all.iter().map(widened).max()?,
            fraction_bits,
            exponent_min: all.iter().map(|number| number.exponent_min).min()?,
            exponent_max: all.iter().map(|number| number.exponent_max).max()?,
            subnormal_bits: None,
            zero_has_exponent: all.iter().any(|number| number.zero_has_exponent),
        })
    }

    /// An operand; with a wider format its significand is normalised down to that format's least exponent.
    pub fn operand(plan: &OperandPlan, widened: Option<i32>) -> NumberPlan {
        let own_min = plan.exponent_min;
        let normalised = widened.is_some_and(|least| least < own_min);
        let precision = plan.fraction_bits + 1;
        let leading_min = own_min - plan.fraction_bits as i32;
        let has_subnormals = plan.fraction_bits > 0;
        NumberPlan {
            significand_max: (UBig::ONE << precision as usize) - UBig::ONE,
            fraction_bits: plan.fraction_bits as i32,
            exponent_min: widened.map_or(own_min, |least| least.max(leading_min).min(own_min)),
            exponent_max: plan.exponent_max,
            subnormal_bits: match normalised {
                true => widened.filter(|&least| least > leading_min).map(|_| plan.fraction_bits),
                false => has_subnormals.then_some(plan.fraction_bits),
            },
            zero_has_exponent: false,
        }
    }

    /// Bits of the largest significand.
    pub fn width(&self) -> u32 {
        self.significand_max.bit_len() as u32
    }

    /// Exponent of the last place of every number.
    pub fn place(&self) -> i32 {
        self.exponent_min - self.fraction_bits
    }

    /// Every number is below two to this power, times 2^exponent.
    pub fn integer_bits(&self) -> i32 {
        self.width() as i32 - self.fraction_bits
    }

    /// Bits of two's complement that hold every exponent.
    pub fn exponent_width(&self) -> u32 {
        signed_width(self.exponent_min.into(), self.exponent_max.into())
    }

    pub fn times(&self, other: &NumberPlan) -> NumberPlan {
        NumberPlan {
            significand_max: &self.significand_max * &other.significand_max,
            fraction_bits: self.fraction_bits + other.fraction_bits,
            exponent_min: self.exponent_min + other.exponent_min,
            exponent_max: self.exponent_max + other.exponent_max,
            subnormal_bits: None,
            zero_has_exponent: false,
        }
    }

    pub fn shifted(&self, shift: i32) -> NumberPlan {
        let (exponent_min, exponent_max) = (self.exponent_min + shift, self.exponent_max + shift);
        match shift {
            0 => self.clone(),
            _ => NumberPlan {
                exponent_min,
                exponent_max,
                subnormal_bits: None,
                zero_has_exponent: false,
                ..self.clone()
            },
        }
    }
}
