//! Where subnormal numbers cannot occur, or cannot act: whether they are kept, and in which format they are read.

use super::{Window, last_multiple};
use crate::describe::format::Format;
use crate::describe::instruction::{Instruction, Start};
use crate::describe::plan::Plan;
use crate::describe::unit::{AlignmentRounding, Flush, Scheme, Unit};

/// Each rule in which the two differ is about numbers that do not occur, that are cut away, or of which only the sign differs
/// that d does not have.
pub(super) fn never_matter(one: &Instruction, other: &Instruction) -> Option<String> {
    let (own, changed) = (&one.unit.flush, &other.unit.flush);
    let mut reasons = Vec::new();
    if own.to_plus_zero != changed.to_plus_zero {
        reasons.push(no_minus_zero(&one.unit.formats.d)?);
    }
    if own.operands != changed.operands {
        reasons.push(operands_are_normal(one)?);
    }
    if own.addend != changed.addend {
        reasons.push(addends_are_normal(one).or_else(|| subnormal_addends_are_cut(&one.unit))?);
    }
    if (own.result, own.tiny_result) != (changed.result, changed.tiny_result) {
        let addend = own.addend && changed.addend;
        let normal = results_are_normal(&Unit { flush: Flush { addend, ..kept(&one.unit).flush }, ..one.unit.clone() });
        let when_only = || (own.result == changed.result).then(|| subnormal_sums_are_results(&one.unit)).flatten();
        reasons.push(normal.or_else(when_only)?);
    }
    Some(reasons.join("; "))
}

fn no_minus_zero(d: &Format) -> Option<String> {
    (d.zero(true) == d.zero(false)).then(|| format!("{} has no minus zero", d.name))
}

/// No sum below the least normal number is rounded, so that one is tiny after rounding where it was before.
fn subnormal_sums_are_results(unit: &Unit) -> Option<String> {
    let Plan::Steps(plan) = Plan::of(unit) else { return None };
    let d = &plan.result;
    let (least, last_place) = (plan.product.place(), d.exponent_min - d.fraction_bits as i32);
    (least >= last_place)
        .then(|| format!("products are multiples of 2^{least}, so that no sum below 2^{} is rounded", d.exponent_min))
}

/// The same unit, which keeps its subnormal addends and results.
fn kept(unit: &Unit) -> Unit {
    Unit { flush: Flush { addend: false, result: false, ..unit.flush }, ..unit.clone() }
}

/// Every number of a format is normal in another one.
fn normal_in(own: &Format, wide: &Format) -> Option<String> {
    let least = own.exponent_min() - own.fraction_bits as i32;
    (least >= wide.exponent_min()).then(|| format!("every number of {} is normal in {}", own.name, wide.name))
}

fn operands_are_normal(one: &Instruction) -> Option<String> {
    let formats = &one.unit.formats;
    if one.exchanged() {
        return None;
    }
    let [a, b] = [normal_in(&one.a, &formats.a)?, normal_in(&one.b, &formats.b)?];
    Some(if a == b { a } else { format!("{a}; {b}") })
}

/// The addend of the first block, and what one block, or one of several steps in it, passes on to the next.
fn addends_are_normal(one: &Instruction) -> Option<String> {
    let formats = &one.unit.formats;
    let mut reasons = Vec::new();
    if one.start == Start::Addend {
        reasons.push(normal_in(&one.c, &formats.c)?);
    }
    let unit = &one.unit;
    let one_step = !unit.scheme.rounds_each_operation() || unit.scheme == Scheme::FmaChain && unit.products == 1;
    if one.blocks().len() > 1 || !one_step {
        let held = formats.c.exponent_min() <= formats.d.exponent_min();
        reasons.push(results_are_normal(&kept(&one.unit)).filter(|_| held)?);
    }
    let zero = || "the addend of the only block is zero".to_owned();
    Some(if reasons.is_empty() { zero() } else { reasons.join("; ") })
}

/// A subnormal addend lies below the window's last place, whatever the anchor.
fn subnormal_addends_are_cut(unit: &Unit) -> Option<String> {
    let alignment = unit.alignment.as_ref()?;
    let last_place = alignment.exponent_floor? - alignment.fraction_bits as i32;
    // To nearest, half of it is left of what lies between half a last place and a whole one.
    let below = match alignment.rounding {
        AlignmentRounding::TowardZero => last_place,
        AlignmentRounding::NearestEven => last_place - 1,
        _ => return None,
    };
    let aligned = matches!(unit.scheme, Scheme::Fused | Scheme::BlockScaled);
    let end = unit.formats.c.exponent_min();
    (aligned && end <= below)
        .then(|| format!("a subnormal addend lies below 2^{end}, and every window ends at 2^{last_place} or above"))
}

fn results_are_normal(unit: &Unit) -> Option<String> {
    match Plan::of(unit) {
        Plan::Fused(plan) => plan.never_subnormal(),
        Plan::Steps(plan) => plan.never_subnormal(),
        Plan::Integer(_) => None,
    }
}

/// In another format a subnormal factor has another exponent: that of its leading bit. No window is moved by it where
/// something is cut.
pub(super) fn operands_never_lead(one: &Instruction, other: &Instruction) -> Option<String> {
    let unit = &one.unit;
    let fused = unit.scheme == Scheme::Fused && !unit.flush.operands && !one.exchanged();
    let wide = [one, other].iter().all(|instruction| {
        let formats = &instruction.unit.formats;
        formats.a.exponent_min() <= one.a.exponent_min() && formats.b.exponent_min() <= one.b.exponent_min()
    });
    if !fused || !wide {
        return None;
    }
    if unit.alignment().normalise_products {
        return Some("the exponent of a normalised product is that of its leading bit in either format".to_owned());
    }
    let pairs = [one, other].map(|instruction| [&instruction.unit.formats.a, &instruction.unit.formats.b]);
    let [a, b] = [(&one.a, 0), (&one.b, 1)].map(|(own, side)| factor_changed_up_to(own, pairs.map(|pair| pair[side])));
    let highest = [a.map(|a| a + one.b.hidden_exponent_max()), b.map(|b| b + one.a.hidden_exponent_max())]
        .into_iter()
        .flatten()
        .max();
    match highest {
        Some(highest) => never_leads(one, "a product with a subnormal factor", highest),
        None => operands_are_normal(one).or_else(|| same_factors(one, other)),
    }
}

/// Significand and exponent of every factor are the same in the formats of either, and what one takes for zero the other does.
pub(super) fn same_factors(one: &Instruction, other: &Instruction) -> Option<String> {
    let pairs = [one, other].map(|instruction| [&instruction.unit.formats.a, &instruction.unit.formats.b]);
    let changed = |own: &Format, side: usize| factor_changed_up_to(own, pairs.map(|pair| pair[side])).is_some();
    let exchanged = one.exchanged() || other.exchanged();
    (!exchanged && !changed(&one.a, 0) && !changed(&one.b, 1))
        .then(|| "factors have the same exponents in either format".to_owned())
}

/// The exponent up to which a factor is subnormal in one of two formats, and has another exponent in the other one.
fn factor_changed_up_to(own: &Format, formats: [&Format; 2]) -> Option<i32> {
    let normal = formats.iter().all(|format| normal_in(own, format).is_some());
    let [one, other] = formats.map(Format::exponent_min);
    (!normal && one != other).then_some(one.max(other))
}

/// The same for the addend of the only block.
pub(super) fn addend_never_leads(one: &Instruction, other: &Instruction) -> Option<String> {
    let only = one.blocks().len() == 1 && one.final_addition.is_none() && !one.unit.flush.addend;
    let wide = [one, other].iter().all(|instruction| instruction.unit.formats.c.exponent_min() <= one.c.exponent_min());
    if only && wide { never_leads(one, "a subnormal addend", one.c.exponent_min()) } else { None }
}

/// A term whose exponent is at most `highest` is the anchor of no window that cuts anything: where it is the greatest, the
/// window ends at the last place of all terms or below, and a floor above it is the anchor anyway.
fn never_leads(one: &Instruction, what: &str, highest: i32) -> Option<String> {
    Window::of(&one.unit)?;
    if let Some(floor) = one.unit.alignment().exponent_floor.filter(|floor| *floor >= highest) {
        return Some(format!("{what} has an exponent of at most {highest}, and no anchor lies below {floor}"));
    }
    let (last, end) = (last_multiple(one)?, highest - one.unit.alignment().fraction_bits as i32);
    (end <= last).then(|| {
        format!("{what} has an exponent of at most {highest}: its window ends at 2^{end}, and every term is a multiple of 2^{last}")
    })
}
