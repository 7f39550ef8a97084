//! What the header of a fused unit says.

pub(super) use super::picture::window;
use super::wording::{alignment, conversion, formats, latency, subnormals};
use crate::describe::plan::FusedPlan;
use crate::describe::unit::{Scheme, Unit};

pub(super) fn equation(unit: &Unit) -> String {
    let addend = if unit.has_addend() { "c + " } else { "" };
    format!("d = convert({addend}a[0]*b[0] + ... + a[{0}]*b[{0}])", unit.products - 1)
}

pub(super) fn table(unit: &Unit, plan: &FusedPlan) -> Vec<(String, String)> {
    let floor = unit.alignment().exponent_floor.map_or("none".to_owned(), |floor| floor.to_string());
    let carry = match plan.carry_bits == plan.carry_bits_derived {
        true => format!("{}, as many as any sum can need", plan.carry_bits),
        false => format!("{}, fixed; {} always suffice", plan.carry_bits, plan.carry_bits_derived),
    };
    let kept = match unit.scheme {
        Scheme::Exact => "every bit of every term is kept",
        _ => alignment(plan.alignment_rounding),
    };
    let zero = if unit.conversion.zero_negative { "-0" } else { "+0" };
    let rounded_zero =
        if unit.conversion.rounded_zero_positive { ", and so is one that is rounded to zero" } else { "" };
    let products =
        if unit.alignment().normalise_products { "normalised to [1, 2)" } else { "exact, in [1, 4), not normalised" };
    let mut rows = vec![
        ("products", plan.products.to_string()),
        ("formats", formats(unit)),
        ("product", products.to_owned()),
        ("alignment", format!("{} fraction bits, {kept}", plan.fraction_bits)),
        ("exponent floor", floor),
        ("carry bits", carry),
        ("conversion", conversion(unit)),
        ("subnormals", subnormals(unit)),
        ("NaN and zero", format!("every NaN is {:#x}, an exact zero sum is {zero}{rounded_zero}", plan.result.nan)),
        ("latency", latency(unit)),
    ];
    if plan.flags {
        let flags = "invalid, overflow: flags_o, from the top bit down; above d in the answers of engines";
        rows.insert(rows.len() - 1, ("flags", flags.to_owned()));
    }
    rows.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}
