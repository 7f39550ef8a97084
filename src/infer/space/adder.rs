//! The unit that adds c to a chain at its end: one correctly rounded addition.

use crate::describe::format::{Format, Rounding};
use crate::describe::instruction::Instruction;
use crate::describe::unit::{Alignment, AlignmentRounding, Conversion, Flush, Formats, Scheme, Unit};

/// d * 1 + c. A sticky bit stands more than two places below the precision, so that the sum rounds as the exact one
/// (Boldo and Melquiond, 2008). What the result is beyond numbers is as the unit of the blocks has it.
pub(in crate::infer) fn final_addition(hypothesis: &Instruction, rounding: Rounding) -> Unit {
    let unit = &hypothesis.unit;
    let d = &unit.formats.d;
    let c = if d.holds(&hypothesis.c) { d } else { &hypothesis.c };
    Unit {
        name: format!("{}-addition", unit.name),
        summary: String::new(),
        scheme: Scheme::Fused,
        products: 1,
        formats: Formats { a: d.clone(), b: Format::e2m1(), c: c.clone(), d: d.clone() },
        alignment: Alignment {
            fraction_bits: d.precision().max(c.precision()) + 3,
            rounding: AlignmentRounding::ToOdd,
            exponent_floor: None,
            normalise_products: false,
        },
        scales: None,
        addition: None,
        carry_bits: None,
        conversion: Conversion { rounding, flags: false, ..unit.conversion.clone() },
        order: Default::default(),
        flush: Flush::default(),
        evidence: Default::default(),
    }
}
