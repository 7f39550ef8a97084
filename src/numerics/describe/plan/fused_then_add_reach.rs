//! What a unit that adds the addend to the sum of its products can never do, with the reason.

use super::FusedThenAddPlan;
use super::fused_then_add::cut;
use crate::describe::unit::AlignmentRounding;

impl FusedThenAddPlan {
    /// Why no sum of dot and addend needs the carry bits from the given one on, if none does.
    fn largest_sum_fits(&self, carry_bits: u32) -> Option<String> {
        let fused = &self.fused;
        if fused.normalise_products {
            return None;
        }
        let kept = fused.fraction_bits - self.addend_cut_bits;
        let dot = cut(fused.terms.significand_max?, fused.terms.fraction_bits, fused.fraction_bits)?;
        let addend = cut(fused.c.significand_max(), fused.c.fraction_bits, kept)?;
        let largest = dot.checked_add(addend.checked_mul(1u128.checked_shl(self.addend_cut_bits)?)?)?;
        fused.sum_fits(largest, carry_bits)
    }

    /// Why no sum needs a carry bit, if none does.
    pub fn never_carries(&self) -> Option<String> {
        self.largest_sum_fits(0)
    }

    /// Why no sum needs the uppermost of the derived carry bits, if none does.
    pub fn last_carry_spare(&self) -> Option<String> {
        self.largest_sum_fits(self.fused.carry_bits_derived.saturating_sub(1))
    }

    /// Exponent of a power of two that divides every sum of dot and addend.
    fn sum_unit(&self) -> i32 {
        let fused = &self.fused;
        let window_end = fused.exponent_floor - fused.fraction_bits as i32;
        let addend_unit = fused.c.exponent_min - fused.c.fraction_bits as i32;
        self.products.unit.max(window_end).min(addend_unit.max(window_end + self.addend_cut_bits as i32))
    }

    /// Why no nonzero sum becomes zero, if none does.
    pub fn never_underflows(&self) -> Option<String> {
        self.fused.nonzero_above(self.sum_unit())
    }

    /// Why every sum that does not overflow is a result as it is, if that is so.
    pub fn never_rounds(&self) -> Option<String> {
        self.fused.results_hold(self.sum_unit())
    }

    /// Why no result is subnormal, if none is.
    pub fn never_subnormal(&self) -> Option<String> {
        // Zero products carry the exponent of their floor, so that dot's least exponent is not that of a product.
        let of_addends = || self.fused.flushed_addends_stay_normal(self.products.exponent_min);
        self.fused.normal_above(self.sum_unit()).or_else(of_addends)
    }

    /// Why no finite sum lies above the largest finite result, if none does.
    pub fn never_overflows(&self) -> Option<String> {
        let fused = &self.fused;
        // Of an addend that is cut shorter may be left the next power of two.
        let kept = fused.fraction_bits - self.addend_cut_bits;
        let whole = kept >= fused.c.fraction_bits && fused.exponent_floor <= fused.result.exponent_max();
        match (whole || fused.alignment_rounding == AlignmentRounding::TowardZero, self.total_cut_bits) {
            (true, None) => fused.never_overflows(),
            (true, Some(cut_bits)) if whole => fused
                .sums_stay_small()
                .or_else(|| fused.products_stay_within_rounding(Some(self.total_place(cut_bits)))),
            _ => fused.sums_stay_small(),
        }
    }

    /// Exponent of the last place that a cut leaves to the largest results.
    fn total_place(&self, cut_bits: u32) -> i32 {
        self.fused.result.exponent_max() - (self.fused.normalised_width - 1 - cut_bits) as i32
    }

    /// Why the total of dot and addend loses no bits where it is cut, if it never does.
    pub fn total_keeps_bits(&self) -> Option<String> {
        let Some(cut_bits) = self.total_cut_bits else { return Some("the total keeps all of its bits".to_owned()) };
        let fused = &self.fused;
        let kept = (fused.normalised_width - 1 - cut_bits) as i32;
        // Of a term that is rounded up may be left the next power of two, or the last place above a floor.
        let (unit, end) = (self.sum_unit(), fused.sum_end().max(fused.exponent_floor + 1) + 1);
        let last_place = (end - 1).max(fused.result.exponent_min) - kept;
        (last_place <= unit)
            .then(|| format!("totals are multiples of 2^{unit} below 2^{end}, and keep {kept} fraction bits"))
    }

    /// Why the sum of products never loses bits where it meets the addend, if it never does.
    pub fn sum_keeps_bits(&self) -> Option<String> {
        let fused = &self.fused;
        // Where neither addend nor floor lies above it, the sum stays where it is.
        let highest = fused.c.finite_exponent_max().max(fused.exponent_floor);
        let last_place = highest - fused.fraction_bits as i32;
        let unit = self.products.unit.max(self.products.exponent_min - fused.terms.fraction_bits as i32);
        (last_place <= unit && fused.fraction_bits >= fused.terms.fraction_bits)
            .then(|| format!("sums of products are multiples of 2^{unit}, and no window ends above 2^{last_place}"))
    }
}
