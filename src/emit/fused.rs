//! What a module of the fused scheme says: parameters, constants, and the picture of its window.

use tera::Context;

use super::constants;
pub(super) use super::picture::window;
use super::wording::{LATENCY, alignment, conversion, formats, subnormals};
use crate::describe::plan::FusedPlan;
use crate::describe::unit::{Scheme, Unit};

/// Adds what `fused.sv` prints.
pub(super) fn fill(context: &mut Context, unit: &Unit, plan: &FusedPlan) {
    let terms = Terms { stem: "product", first: "Products", count: "Products", width: "ProductWidth" };
    fill_common(context, plan, &terms);
    context.insert("equation", &equation(unit));
    context.insert("place_left", "ProductPlaceLeft");
    context.insert("zero_product_exponent", "AnchorFloor");
    context.insert("classes", "unpacked");
    context.insert("parameters", &constants::pad(constants::parameters(unit, plan)));
    context.insert("formats", &constants::pad(constants::formats(plan)));
}

/// What the terms beside the addend are called in the module.
pub(super) struct Terms {
    /// Of their signals.
    pub stem: &'static str,
    /// In a comment, at the beginning of a sentence.
    pub first: &'static str,
    /// The constants of their number and of their significands' width.
    pub count: &'static str,
    pub width: &'static str,
}

/// Adds what every module prints that aligns terms to one anchor.
pub(super) fn fill_common(context: &mut Context, plan: &FusedPlan, terms: &Terms) {
    context.insert("term", terms.stem);
    context.insert("terms_first", terms.first);
    context.insert("terms", terms.count);
    context.insert("term_width", terms.width);
    context.insert("aligned_addend", &format!("aligned[{}*AlignedWidth +: AlignedWidth]", terms.count));
    context.insert("constants", &constants::pad(constants::constants(plan)));
    context.insert("a_infinite", "unpacked_a_infinite");
    context.insert("late_addend", &false);
    context.insert("words", &constants::pad(constants::words(plan)));
    context.insert("floor_acts", &(plan.exponent_floor > plan.term_exponent_min));
}

fn equation(unit: &Unit) -> String {
    let addend = if unit.has_addend() { "c + " } else { "" };
    format!("d = convert({addend}a[0]*b[0] + ... + a[{0}]*b[{0}])", unit.products - 1)
}

pub(super) fn table(unit: &Unit, plan: &FusedPlan) -> Vec<(String, String)> {
    let floor = unit.alignment.exponent_floor.map_or("none".to_owned(), |floor| floor.to_string());
    let carry = match plan.carry_bits == plan.carry_bits_derived {
        true => format!("{}, as many as any sum can need", plan.carry_bits),
        false => format!("{}, fixed; {} always suffice", plan.carry_bits, plan.carry_bits_derived),
    };
    let kept = match unit.scheme {
        Scheme::Exact => "every bit of every term is kept",
        _ => alignment(plan.alignment_rounding),
    };
    let zero = if unit.conversion.zero_negative { "-0" } else { "+0" };
    let products =
        if unit.alignment.normalise_products { "normalised to [1, 2)" } else { "exact, in [1, 4), not normalised" };
    let mut rows = vec![
        ("products", plan.products.to_string()),
        ("formats", formats(unit)),
        ("product", products.to_owned()),
        ("alignment", format!("{} fraction bits, {kept}", plan.fraction_bits)),
        ("exponent floor", floor),
        ("carry bits", carry),
        ("conversion", conversion(unit)),
        ("subnormals", subnormals(unit)),
        ("NaN and zero", format!("every NaN is {:#x}, an exact zero sum is {zero}", plan.result.nan)),
        ("latency", LATENCY.to_owned()),
    ];
    if plan.flags {
        let flags = "invalid, overflow: flags_o, from the top bit down; above d in the answers of engines";
        rows.insert(rows.len() - 1, ("flags", flags.to_owned()));
    }
    rows.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}
