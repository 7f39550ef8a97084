//! What is known of a black box beforehand. Says nothing of how it sums.

use std::ops::RangeInclusive;

use crate::describe::format::Format;
use crate::describe::instruction::Instruction;
pub use crate::describe::interface::Interface;
use crate::describe::unit::{Formats, Scales, Unit};

/// Hypotheses about formats within an interface.
pub(in crate::infer) trait Within {
    /// The word of d with that many of its fraction bits, under its name where a standard format has that layout.
    fn result(&self, fraction_bits: u32) -> Format;
    /// Fraction bits of the whole word of d.
    fn result_fraction_bits(&self) -> u32;
    /// Fewest fraction bits of d: at most 32 bits of a word are padding.
    fn least_fraction_bits(&self) -> u32;
    /// Formats that a and b can be widened to before they are multiplied: their own, and standard ones that hold both.
    fn operands(&self) -> Vec<[Format; 2]>;
    /// Formats that c can be widened to: its own, and that of d.
    fn addends(&self) -> Vec<Format>;
}

impl Within for Interface {
    fn result(&self, fraction_bits: u32) -> Format {
        let d = &self.formats.d;
        if d.is_integer() {
            return d.clone();
        }
        let whole = d.fraction_bits + d.padding_bits;
        let name = format!("e{}m{fraction_bits}", d.exponent_bits);
        Format { name, fraction_bits, padding_bits: whole - fraction_bits, ..d.clone() }.with_standard_name()
    }

    fn result_fraction_bits(&self) -> u32 {
        self.formats.d.fraction_bits + self.formats.d.padding_bits
    }

    fn least_fraction_bits(&self) -> u32 {
        self.result_fraction_bits().saturating_sub(32).max(1)
    }

    fn operands(&self) -> Vec<[Format; 2]> {
        let Formats { a, b, .. } = &self.formats;
        let holds = |format: &Format| format.holds(a) && format.holds(b) && format != a && format != b;
        let wider = widths().into_iter().filter(holds).map(|format| [format.clone(), format]);
        [[a.clone(), b.clone()]].into_iter().chain(wider.filter(|_| self.scales.is_none())).collect()
    }

    fn addends(&self) -> Vec<Format> {
        let Formats { c, .. } = &self.formats;
        let whole = self.result(self.result_fraction_bits());
        let wider = !c.is_absent() && whole != *c && whole.holds(c);
        [c.clone()].into_iter().chain(wider.then_some(whole)).collect()
    }
}

/// Standard formats that values can be widened to within an instruction.
pub(super) fn widths() -> [Format; 4] {
    [Format::binary16(), Format::bfloat16(), Format::tf32(), Format::binary32()]
}

/// Least and greatest exponent at which a floor of this hypothesis differs from none: above the least exponent of a
/// term.
pub(in crate::infer) fn floors(hypothesis: &Instruction) -> RangeInclusive<i32> {
    let Unit { formats: Formats { a, b, c, .. }, scales, alignment, .. } = &hypothesis.unit;
    let scaled = scales.as_ref().map_or((0, 0), |scales| {
        (scales.a.exponent_min() + scales.b.exponent_min(), scales.a.exponent_max() + scales.b.exponent_max())
    });
    let product = match scales {
        Some(Scales { group: Some(_), .. }) => scaled,
        _ => (a.exponent_min() + b.exponent_min() + scaled.0, a.exponent_max() + b.exponent_max() + scaled.1),
    };
    // A product of subnormal numbers that is normalised has the exponent of its leading bit.
    let below = if alignment.as_ref().is_some_and(|own| own.normalise_products) {
        (a.fraction_bits + b.fraction_bits) as i32
    } else {
        0
    };
    let product = (product.0 - below, product.1);
    let (low, high) = match c.is_absent() {
        true => product,
        false => (product.0.min(c.exponent_min()), product.1.max(c.exponent_max())),
    };
    low + 1..=high
}
