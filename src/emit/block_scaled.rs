//! What the header of a block-scaled unit says beside that of a fused one: scales, groups and scaled terms.

use super::fused;
use crate::describe::plan::BlockScaledPlan;
use crate::describe::unit::{Scales, Unit};

pub(super) fn equation(unit: &Unit) -> String {
    let last = unit.products - 1;
    let last_block = unit.scale_count() - 1;
    match last_block {
        0 => format!("d = convert(c + scale_a[0]*scale_b[0] * (a[0]*b[0] + ... + a[{last}]*b[{last}]))"),
        _ => format!(
            "d = convert(c + scale_a[0]*scale_b[0] * (a[0]*b[0] + ...) + ... + scale_a[{last_block}]*scale_b[{last_block}] * (... + \
             a[{last}]*b[{last}]))"
        ),
    }
}

/// The rows of a fused unit's table, with those of scales and terms.
pub(super) fn table(unit: &Unit, plan: &BlockScaledPlan) -> Vec<(String, String)> {
    let mut rows = fused::table(unit, &plan.fused);
    let product = rows.iter().position(|(name, _)| name == "product").unwrap_or(rows.len());
    if let Some(scales) = &unit.scales {
        rows.splice(product..=product, scale_rows(scales, plan));
    }
    rows
}

fn scale_rows(scales: &Scales, plan: &BlockScaledPlan) -> Vec<(String, String)> {
    let row = |name: &str, value: String| (name.to_owned(), value);
    let blocks = format!("a {}, b {}, one of each for {} products", scales.a.name, scales.b.name, scales.block);
    let term = match &plan.group {
        Some(group) => format!(
            "exact sum of {} products times the scales' significands; exponent of the scales alone",
            group.products
        ),
        None => "exact product; exponents of a, b and both scales added; not normalised".to_owned(),
    };
    vec![row("scales", blocks), row("term", term)]
}
