//! How an instruction may compose blocks: the compositions from which a search starts, and the unit that adds c to a chain at its
//! end, one product with 1 and c. Made from formats and the number of products.

use super::interface::Interface;
use crate::describe::format::{Format, Rounding};
use crate::describe::instruction::{Instruction, Order};
use crate::describe::unit::{Alignment, AlignmentRounding, Conversion, Formats, Scheme, Unit};

/// Blocks of products, their order, and where c is added.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Composition {
    /// L, the products of one block.
    pub products: u32,
    pub order: Order,
    /// Whether c is added at the end, rounded once more.
    pub added_last: bool,
}

impl Composition {
    /// Everything in one block.
    pub fn whole(interface: &Interface) -> Composition {
        Composition { products: interface.products, order: Order::Contiguous, added_last: false }
    }

    /// The compositions that a scheme's search starts from, the simplest first.
    pub fn all(interface: &Interface, scheme: Scheme) -> Vec<Composition> {
        let whole = Composition::whole(interface);
        // An addend joins blocks; flags come from one block.
        if interface.formats.c.is_absent() || interface.flags {
            return vec![whole];
        }
        let k = interface.products;
        let mut widths: Vec<u32> = (1..k).filter(|&products| k.is_multiple_of(products)).collect();
        widths.extend((1..k.ilog2() + 1).map(|bit| 1 << bit).filter(|&products| products < k));
        widths.retain(|&products| interface.scales.as_ref().is_none_or(|scales| products.is_multiple_of(scales.block)));
        widths.sort_unstable();
        widths.dedup();
        if scheme.is_a_chain() {
            // Blocks of a chain in ascending order are one chain; those of descending ones are among its first hypotheses.
            widths.clear();
        }
        let mut all = vec![whole];
        all.extend(widths.into_iter().rev().map(|products| Composition { products, ..whole }));
        let interleaved = Composition { products: k / 2, order: Order::InterleavedPairs, ..whole };
        let has_pairs = k.is_multiple_of(4) && interface.scales.is_none();
        all.extend(has_pairs.then_some(interleaved));
        if scheme != Scheme::Integer {
            // One change leads from the other widths to those where c is added last.
            let begun = |one: &&Composition| scheme == Scheme::Fused || **one == whole || **one == interleaved;
            let last = all.iter().filter(begun).map(|one| Composition { added_last: true, ..*one });
            let last: Vec<Composition> = last.collect();
            all.extend(last);
        }
        all
    }
}

/// The final addition that a hypothesis begins with: correctly rounded.
pub(in crate::infer) fn final_addition(hypothesis: &Instruction, rounding: Rounding) -> Unit {
    let formats = formats(hypothesis, hypothesis.unit.formats.d.clone());
    Unit {
        name: format!("{}-addition", hypothesis.unit.name),
        products: 1,
        alignment: Some(correctly_rounded(&formats)),
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
        alignment: match adder.alignment() == &correctly_rounded(own) {
            true => as_begun.alignment,
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
        ..Alignment::PLAIN
    }
}
