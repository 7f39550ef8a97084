//! What a unit can never do, with the reason: bounds that follow from formats and window alone.

use super::{FusedPlan, OperandPlan};
use crate::describe::format::{NonFinite, Rounding};
use crate::describe::unit::AlignmentRounding;

impl OperandPlan {
    /// Whether the format encodes infinity.
    pub fn has_infinity(&self) -> bool {
        self.non_finite == NonFinite::Ieee
    }

    /// Whether the format encodes NaN.
    pub fn has_nan(&self) -> bool {
        self.non_finite != NonFinite::None
    }

    /// Exponent of the largest finite operand.
    fn finite_exponent_max(&self) -> i32 {
        (self.exponent_max - i32::from(self.has_infinity())).max(self.exponent_min)
    }

    /// Fraction field of the largest finite operand.
    fn fraction_max(&self) -> u64 {
        (1 << self.fraction_bits) - 1 - u64::from(self.non_finite == NonFinite::AllOnesNan)
    }

    /// Largest significand, 2^fraction_bits for 1.
    fn significand_max(&self) -> u128 {
        (1 << (self.fraction_bits + 1)) - 1
    }
}

impl FusedPlan {
    /// Largest sum of the terms' significands, in units of 2^-F of the anchor, cut as alignment cuts.
    fn largest_sum(&self) -> Option<u128> {
        let product = self.a.significand_max().checked_mul(self.b.significand_max())?;
        let sticky = u128::from(self.alignment_rounding == AlignmentRounding::ToOdd);
        let cut = |significand: u128, fraction_bits: u32| match self.fraction_bits.checked_sub(fraction_bits) {
            Some(left) => significand.checked_mul(1u128.checked_shl(left)?),
            None => Some(significand >> (fraction_bits - self.fraction_bits) | sticky),
        };
        let product = cut(product, self.a.fraction_bits + self.b.fraction_bits)?;
        let addend = cut(self.c.significand_max(), self.c.fraction_bits)?;
        product.checked_mul(u128::from(self.products))?.checked_add(addend)
    }

    /// Why no sum needs the uppermost of the derived carry bits, if none does.
    pub fn last_carry_spare(&self) -> Option<String> {
        if self.normalise_products || self.alignment_rounding.rounds_up() {
            return None;
        }
        let bits = 128 - self.largest_sum()?.leading_zeros();
        let all = self.window_width + self.carry_bits_derived;
        (bits < all).then(|| {
            let largest = self.largest_sum().unwrap_or_default() as f64 / 2f64.powi(self.fraction_bits as i32);
            format!("the largest sum is {largest:.4} times 2^anchor, below 2^{}", self.carry_bits_derived + 1)
        })
    }

    /// Exponent of a power of two that divides every sum.
    fn sum_unit(&self) -> i32 {
        let product_unit =
            self.a.exponent_min + self.b.exponent_min - (self.a.fraction_bits + self.b.fraction_bits) as i32;
        let addend_unit = self.c.exponent_min - self.c.fraction_bits as i32;
        let window_unit = self.exponent_floor - self.fraction_bits as i32;
        product_unit.min(addend_unit).max(window_unit)
    }

    /// Why no nonzero sum becomes zero, if none does.
    pub fn never_underflows(&self) -> Option<String> {
        let (unit, smallest) = (self.sum_unit(), self.result.exponent_min - self.result.fraction_bits as i32);
        (unit >= smallest).then(|| format!("every sum is a multiple of 2^{unit}, and 2^{smallest} is a result"))
    }

    /// Why no result is subnormal, if none is.
    pub fn never_subnormal(&self) -> Option<String> {
        let (unit, normal) = (self.sum_unit(), self.result.exponent_min);
        (unit >= normal).then(|| format!("every sum is a multiple of 2^{unit}, and 2^{normal} is normal"))
    }

    /// Why no finite sum lies above the largest finite result, if none does.
    pub fn never_overflows(&self) -> Option<String> {
        if self.alignment_rounding == AlignmentRounding::ToOdd {
            return self.products_stay_within_rounding();
        }
        let addend = self.c.finite_exponent_max();
        let product_end = self.a.finite_exponent_max() + self.b.finite_exponent_max() + 2;
        let last_place = addend - self.fraction_bits as i32;
        // Beside an addend of the highest binade every product is cut away; beside a lesser one all of them together
        // stay below half a lesser binade.
        let products_end = product_end + self.products.next_power_of_two().ilog2() as i32;
        let products_vanish = self.alignment_rounding == AlignmentRounding::TowardZero
            && product_end <= last_place
            && products_end + 1 < addend;
        (self.result_holds_addend() && products_vanish).then(|| {
            format!("products stay below 2^{product_end}, and the window of the largest addend ends at 2^{last_place}")
        })
    }

    /// The same where a sticky bit lets no term vanish: beside the largest finite addend the products are rounded away.
    fn products_stay_within_rounding(&self) -> Option<String> {
        let result = &self.result;
        let products = self.products.next_power_of_two().ilog2() as i32;
        let products_end = self.a.finite_exponent_max() + self.b.finite_exponent_max() + 2 + products;
        let highest = (result.magnitude_max >> result.fraction_bits) as i32 + result.exponent_min - 1;
        let half = highest - result.fraction_bits as i32 - 1;
        // One unit of the window's last place a product, for what rounding to odd can add.
        let added_end = highest - self.fraction_bits as i32 + products;
        let nearest = matches!(result.rounding, Rounding::NearestEven | Rounding::NearestAway);
        (nearest && self.result_holds_addend() && products_end < half && added_end < half).then(|| {
            format!("products stay below 2^{products_end}, and half the last place of the largest result is 2^{half}")
        })
    }

    /// Whether the largest finite addend lies in the highest binade of the result, and converts to a finite result.
    fn result_holds_addend(&self) -> bool {
        let (addend, result) = (&self.c, &self.result);
        let field = (result.magnitude_max >> result.fraction_bits) as i32;
        let result_fraction = result.magnitude_max & ((1 << result.fraction_bits) - 1);
        let addend_fraction = addend.fraction_max();
        let same_binade = field > 0 && addend.finite_exponent_max() == field + result.exponent_min - 1;
        let held = match result.fraction_bits.checked_sub(addend.fraction_bits) {
            Some(longer) => addend_fraction << longer <= result_fraction,
            None => {
                let cut = addend_fraction >> (addend.fraction_bits - result.fraction_bits);
                result.rounding == Rounding::TowardZero && cut <= result_fraction
            }
        };
        same_binade && held
    }
}
