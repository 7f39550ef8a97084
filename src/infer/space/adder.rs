//! The unit that adds c to a chain at its end: one product with 1, and c.

use crate::describe::format::{Format, Rounding};
use crate::describe::instruction::Instruction;
use crate::describe::unit::{Alignment, AlignmentRounding, Conversion, Formats, Scheme, Unit};

/// The final addition that a hypothesis begins with: correctly rounded.
pub(in crate::infer) fn final_addition(hypothesis: &Instruction, rounding: Rounding) -> Unit {
    let formats = formats(hypothesis, hypothesis.unit.formats.d.clone());
    Unit {
        name: format!("{}-addition", hypothesis.unit.name),
        products: 1,
        alignment: correctly_rounded(&formats),
        formats,
        conversion: Conversion {
            rounding,
            rounded_zero_positive: false,
            flags: false,
            ..hypothesis.unit.conversion.clone()
        },
        ..Unit::plain(Scheme::Fused)
    }
}

/// The same addition after the unit of the blocks was changed. Its window stays correctly rounded where it is that; its result
/// has the format of the blocks' where it has had that. What results are beyond numbers is as the unit of the blocks has it.
pub(super) fn brought_in_line(adder: &Unit, hypothesis: &Instruction) -> Unit {
    let own = &adder.formats;
    let d = if own.d == own.a { &hypothesis.unit.formats.d } else { &own.d };
    with_result(adder, hypothesis, d.clone())
}

/// The same addition with a result of that format, after the unit of the blocks was changed.
pub(super) fn with_result(adder: &Unit, hypothesis: &Instruction, d: Format) -> Unit {
    let Unit { formats: own, conversion: Conversion { rounding, nan, .. }, .. } = adder;
    let formats = formats(hypothesis, d);
    let as_begun = final_addition(hypothesis, *rounding);
    Unit {
        alignment: match adder.alignment == correctly_rounded(own) {
            true => correctly_rounded(&formats),
            false => adder.alignment.clone(),
        },
        conversion: Conversion {
            nan: if formats.d == formats.a { as_begun.conversion.nan } else { *nan },
            ..as_begun.conversion
        },
        formats,
        flush: adder.flush,
        ..as_begun
    }
}

/// d * 1 + c, where c is added in the format of the blocks' results if that holds it.
fn formats(hypothesis: &Instruction, d: Format) -> Formats {
    let blocks = &hypothesis.unit.formats.d;
    let c = if blocks.holds(&hypothesis.c) { blocks } else { &hypothesis.c };
    Formats { a: blocks.clone(), b: Format::e2m1(), c: c.clone(), d }
}

/// A window whose last bit is a sticky one, more than two places below the precision of everything, so that the sum rounds as the
/// exact one (Boldo and Melquiond, 2008).
fn correctly_rounded(Formats { a, c, d, .. }: &Formats) -> Alignment {
    Alignment {
        fraction_bits: a.precision().max(c.precision()).max(d.precision()) + 3,
        rounding: AlignmentRounding::ToOdd,
        exponent_floor: None,
        normalise_products: false,
    }
}
