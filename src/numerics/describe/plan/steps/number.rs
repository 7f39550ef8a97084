//! The range of the numbers at one place of a list.

use std::ops::RangeInclusive;

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
    width: u32,
    exponent_width: u32,
    /// The least exponent of numbers whose leading one is in the top bit at every other exponent; a zero has it too.
    pub normal_from: Option<i32>,
    /// Whether a zero can have an exponent: that of a window in which numbers cancelled.
    pub zero_has_exponent: bool,
}

impl NumberPlan {
    /// Numbers up to that significand, of these exponents.
    pub(super) fn new(significand_max: UBig, fraction_bits: i32, exponents: RangeInclusive<i32>) -> NumberPlan {
        let (exponent_min, exponent_max) = exponents.into_inner();
        NumberPlan {
            width: significand_max.bit_len() as u32,
            exponent_width: signed_width(exponent_min.into(), exponent_max.into()),
            significand_max,
            fraction_bits,
            exponent_min,
            exponent_max,
            subnormal_bits: None,
            normal_from: None,
            zero_has_exponent: false,
        }
    }

    /// Numbers of that many bits.
    pub(super) fn of_width(width: u32, fraction_bits: i32, exponents: RangeInclusive<i32>) -> NumberPlan {
        NumberPlan::new((UBig::ONE << width as usize) - UBig::ONE, fraction_bits, exponents)
    }

    /// The same with subnormal numbers, or without.
    pub(super) fn with_subnormals(self, subnormal_bits: Option<u32>) -> NumberPlan {
        NumberPlan { subnormal_bits, ..self }
    }

    /// The same, normalised down to that exponent.
    pub(super) fn normal_from(self, normal_from: Option<i32>) -> NumberPlan {
        NumberPlan { normal_from, ..self }
    }

    /// The same whose zeros can have exponents, or not.
    pub(super) fn with_exponents_of_zeros(self, zero_has_exponent: bool) -> NumberPlan {
        NumberPlan { zero_has_exponent, ..self }
    }

    /// Only zero.
    pub fn zero() -> NumberPlan {
        NumberPlan::new(UBig::ZERO, 0, 0..=0)
    }

    /// The range that holds the numbers of some; `None` of none.
    pub fn of_all(all: &[NumberPlan]) -> Option<NumberPlan> {
        if let [only] = all {
            return Some(only.clone());
        }
        let fraction_bits = all.iter().map(|number| number.fraction_bits).max()?;
        let widened = |number: &NumberPlan| &number.significand_max << (fraction_bits - number.fraction_bits) as usize;
        let least = all.iter().map(|number| number.exponent_min).min()?;
        let greatest = all.iter().map(|number| number.exponent_max).max()?;
        let number = NumberPlan::new(all.iter().map(widened).max()?, fraction_bits, least..=greatest);
        Some(number.with_exponents_of_zeros(all.iter().any(|number| number.zero_has_exponent)))
    }

    /// An operand; with a wider format its significand is normalised down to that format's least exponent.
    pub fn operand(plan: &OperandPlan, widened: Option<i32>) -> NumberPlan {
        let own_min = plan.exponent_min;
        let normalised = widened.is_some_and(|least| least < own_min);
        let precision = plan.fraction_bits + 1;
        let leading_min = own_min - plan.fraction_bits as i32;
        let has_subnormals = plan.fraction_bits > 0;
        let exponent_min = widened.map_or(own_min, |least| least.max(leading_min).min(own_min));
        let number = NumberPlan::of_width(precision, plan.fraction_bits as i32, exponent_min..=plan.exponent_max);
        number.with_subnormals(match normalised {
            true => widened.filter(|&least| least > leading_min).map(|_| plan.fraction_bits),
            false => has_subnormals.then_some(plan.fraction_bits),
        })
    }

    /// Bits of the largest significand.
    #[inline]
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Exponent of the last place of every number.
    #[inline]
    pub fn place(&self) -> i32 {
        self.exponent_min - self.fraction_bits
    }

    /// Every number is below two to this power, times 2^exponent.
    pub fn integer_bits(&self) -> i32 {
        self.width() as i32 - self.fraction_bits
    }

    /// Bits of two's complement that hold every exponent.
    #[inline]
    pub fn exponent_width(&self) -> u32 {
        self.exponent_width
    }

    pub fn times(&self, other: &NumberPlan) -> NumberPlan {
        NumberPlan::new(
            &self.significand_max * &other.significand_max,
            self.fraction_bits + other.fraction_bits,
            self.exponent_min + other.exponent_min..=self.exponent_max + other.exponent_max,
        )
    }

    pub fn shifted(&self, shift: i32) -> NumberPlan {
        let exponents = self.exponent_min + shift..=self.exponent_max + shift;
        match shift {
            0 => self.clone(),
            _ => NumberPlan::new(self.significand_max.clone(), self.fraction_bits, exponents),
        }
    }
}
