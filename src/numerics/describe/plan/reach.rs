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
    pub(super) fn finite_exponent_max(&self) -> i32 {
        (self.exponent_max - i32::from(self.has_infinity())).max(self.exponent_min)
    }

    /// Exponent of the largest number that a scale of this format can be.
    pub fn scale_exponent_max(&self) -> i32 {
        self.exponent_max - i32::from(self.has_nan() && self.fraction_bits == 0)
    }

    /// Fraction field of the largest finite operand.
    fn fraction_max(&self) -> u64 {
        (1 << self.fraction_bits) - 1 - u64::from(self.non_finite == NonFinite::AllOnesNan)
    }

    /// Largest significand, 2^fraction_bits for 1.
    pub(super) fn significand_max(&self) -> u128 {
        (1 << (self.fraction_bits + 1)) - 1
    }
}

impl FusedPlan {
    /// Largest sum of the terms' significands, in units of 2^-F of the anchor, cut as alignment cuts.
    fn largest_sum(&self) -> Option<u128> {
        let sticky = u128::from(self.alignment_rounding == AlignmentRounding::ToOdd);
        let cut = |significand: u128, fraction_bits: u32| match self.fraction_bits.checked_sub(fraction_bits) {
            Some(left) => significand.checked_mul(1u128.checked_shl(left)?),
            None => Some(significand >> (fraction_bits - self.fraction_bits) | sticky),
        };
        let term = cut(self.terms.significand_max?, self.terms.fraction_bits)?;
        let addend = if self.has_addend { cut(self.c.significand_max(), self.c.fraction_bits)? } else { 0 };
        term.checked_mul(u128::from(self.terms.count))?.checked_add(addend)
    }

    /// Why no sum needs the uppermost of the derived carry bits, if none does.
    pub fn last_carry_spare(&self) -> Option<String> {
        self.largest_sum_fits(self.carry_bits_derived.saturating_sub(1))
    }

    /// The least number of carry bits known to suffice for every sum.
    pub fn carry_bits_sufficient(&self) -> u32 {
        let spare = |bits: &u32| self.largest_sum_fits(*bits).is_some();
        (0..self.carry_bits_derived).find(spare).unwrap_or(self.carry_bits_derived)
    }

    /// Why no sum needs a carry bit, if none does.
    pub fn never_carries(&self) -> Option<String> {
        self.largest_sum_fits(0)
    }

    fn largest_sum_fits(&self, carry_bits: u32) -> Option<String> {
        if self.normalise_products || self.alignment_rounding.rounds_up() {
            return None;
        }
        self.sum_fits(self.largest_sum()?, carry_bits)
    }

    /// Why a largest sum, in units of the window's last place, needs no more carry bits, if it does not.
    fn sum_fits(&self, largest: u128, carry_bits: u32) -> Option<String> {
        let bits = 128 - largest.leading_zeros();
        (bits <= self.window_width + carry_bits).then(|| {
            let largest = largest as f64 / 2f64.powi(self.fraction_bits as i32);
            let bound = self.terms.integer_bits + carry_bits;
            format!("the largest sum is {largest:.4} times 2^anchor, below 2^{bound}")
        })
    }

    /// Why no term loses a bit at alignment, if none does: the window of the highest anchor holds the lowest place.
    pub fn loses_no_bit(&self) -> Option<String> {
        // The exponent of a term is that of its units, which lie below its leading bit where it is not normalised.
        let integer_bits = if self.normalise_products { 1 } else { self.terms.integer_bits as i32 };
        let finite = (self.terms.end - integer_bits).max(self.c.finite_exponent_max());
        let last_place = finite.max(self.exponent_floor) - self.fraction_bits as i32;
        let lowest = self.terms.unit.min(self.c.exponent_min - self.c.fraction_bits as i32);
        (last_place <= lowest)
            .then(|| format!("every term is a multiple of 2^{lowest}, and no window ends above 2^{last_place}"))
    }

    /// Exponent of a power of two that divides every sum.
    fn sum_unit(&self) -> i32 {
        let addend_unit = self.c.exponent_min - self.c.fraction_bits as i32;
        let window_unit = self.exponent_floor - self.fraction_bits as i32;
        let unit = if self.has_addend { self.terms.unit.min(addend_unit) } else { self.terms.unit };
        unit.max(window_unit)
    }

    /// Why no nonzero sum becomes zero, if none does.
    pub fn never_underflows(&self) -> Option<String> {
        self.nonzero_above(self.sum_unit())
    }

    /// Why no nonzero multiple of 2^unit becomes zero, if none does.
    fn nonzero_above(&self, unit: i32) -> Option<String> {
        let smallest = self.result.exponent_min - self.result.fraction_bits as i32;
        (unit >= smallest).then(|| format!("every sum is a multiple of 2^{unit}, and 2^{smallest} is a result"))
    }

    /// Why no result is subnormal, if none is.
    pub fn never_subnormal(&self) -> Option<String> {
        self.normal_above(self.sum_unit()).or_else(|| self.flushed_addends_stay_normal())
    }

    /// Where subnormal addends count as zero, one alone is normal, and beside a product the window ends
    /// above.
    fn flushed_addends_stay_normal(&self) -> Option<String> {
        let (normal, window_end) = (self.result.exponent_min, self.terms.exponent_min - self.fraction_bits as i32);
        let alone = self.c.flush_subnormals && self.c.exponent_min >= normal;
        (alone && self.result.has_normal() && window_end >= normal).then(|| {
            format!("an addend alone is normal, and beside a product every sum is a multiple of 2^{window_end}")
        })
    }

    /// Why no multiple of 2^unit becomes subnormal, if none does. What overflows is not subnormal, even to a largest number that is.
    fn normal_above(&self, unit: i32) -> Option<String> {
        let normal = self.result.exponent_min;
        (unit >= normal).then(|| match self.result.has_normal() {
            true => format!("every sum is a multiple of 2^{unit}, and 2^{normal} is normal"),
            false => format!("every sum is a multiple of 2^{unit}, and 2^{normal} overflows"),
        })
    }

    /// Why every sum that does not overflow is a result as it is, so that none is rounded, if that is so.
    pub fn never_rounds(&self) -> Option<String> {
        self.results_hold(self.sum_unit())
    }

    /// The same of sums that are multiples of 2^unit.
    fn results_hold(&self, unit: i32) -> Option<String> {
        let (precision, end) = (self.result.fraction_bits + 1, self.sum_end());
        let in_window = self.window_width + self.carry_bits;
        // A term that alignment rounds up is at most the next power of two: so is the sum, which then is one bit.
        let exact = self.loses_no_bit().map(|_| u32::try_from(end - unit).unwrap_or_default());
        let bits = exact.map_or(in_window, |exact| exact.min(in_window));
        let last_place = self.result.exponent_min - self.result.fraction_bits as i32;
        (self.result.has_normal() && bits <= precision && unit >= last_place).then(|| {
            format!("sums have at most {bits} bits and are multiples of 2^{unit}, as results of {precision} bits down to 2^{last_place} are")
        })
    }

    /// Every sum of terms that are not rounded up lies below two to this power.
    pub(super) fn sum_end(&self) -> i32 {
        let addend_end = if self.has_addend { self.c.finite_exponent_max() + 1 } else { self.terms.end };
        self.terms.end.max(addend_end) + (self.terms.count.ilog2() + 1) as i32
    }

    /// Why no finite sum lies above the largest finite result, if none does.
    pub fn never_overflows(&self) -> Option<String> {
        if !self.has_addend {
            // With its anchor among the terms' exponents, no window ends above a term that its sticky bit could raise.
            return if self.exponent_floor < self.terms.end { self.sums_stay_small() } else { None };
        }
        match self.alignment_rounding {
            AlignmentRounding::ToOdd => self.products_stay_within_rounding(),
            AlignmentRounding::Downward => self.sums_stay_small().or_else(|| self.products_stay_within_rounding()),
            _ if self.loses_no_bit().is_some() => {
                self.sums_stay_small().or_else(|| self.products_stay_within_rounding())
            }
            _ => self.sums_stay_small().or_else(|| self.terms_vanish_beside_large_addends()),
        }
    }

    fn sums_stay_small(&self) -> Option<String> {
        let end = self.sum_end();
        let greatest = self.result.exponent_max();
        (end <= greatest).then(|| format!("every sum stays below 2^{end}, and 2^{greatest} is a finite result"))
    }

    fn terms_vanish_beside_large_addends(&self) -> Option<String> {
        let addend = self.c.finite_exponent_max();
        let term_end = self.terms.end;
        let last_place = addend - self.fraction_bits as i32;
        // Beside an addend of the highest binade every term is cut away; beside a lesser one all of them together
        // stay below half a lesser binade.
        let terms_end = term_end + self.terms.count.next_power_of_two().ilog2() as i32;
        let terms_vanish = self.alignment_rounding == AlignmentRounding::TowardZero
            && term_end <= last_place
            && terms_end + 1 < addend;
        (self.result_holds_addend() && terms_vanish).then(|| {
            format!("terms beside the addend stay below 2^{term_end}, and the window of the largest addend ends at 2^{last_place}")
        })
    }

    /// The same where no term vanishes: beside the largest finite addend the products are rounded away.
    fn products_stay_within_rounding(&self) -> Option<String> {
        let result = &self.result;
        let terms = self.terms.count.next_power_of_two().ilog2() as i32;
        let terms_end = self.terms.end + terms;
        let highest = result.exponent_max();
        let half = highest - result.fraction_bits as i32 - 1;
        // One unit of the window's last place a term, for what rounding to odd can add.
        let added_end = highest.max(self.exponent_floor) - self.fraction_bits as i32 + terms;
        let nearest = matches!(result.rounding, Rounding::NearestEven | Rounding::NearestAway);
        let within = terms_end.max(added_end) < half;
        (nearest && self.result_holds_addend() && within).then(|| {
            format!("products stay below 2^{terms_end}, and half the last place of the largest result is 2^{half}")
        })
    }

    /// Whether the largest finite addend lies in the highest binade of the result, and converts to a finite result.
    fn result_holds_addend(&self) -> bool {
        let (addend, result) = (&self.c, &self.result);
        let result_fraction = result.magnitude_max & ((1 << result.fraction_bits) - 1);
        let addend_fraction = addend.fraction_max();
        let same_binade = result.has_normal() && addend.finite_exponent_max() == result.exponent_max();
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
