//! What the header of an integer unit says.

use super::wording::latency;
use crate::describe::plan::IntegerPlan;
use crate::describe::unit::Unit;

pub(super) fn equation(unit: &Unit, plan: &IntegerPlan) -> String {
    let convert = if plan.saturates { "saturate" } else { "wrap" };
    format!("d = {convert}(c + a[0]*b[0] + ... + a[{0}]*b[{0}])", unit.products - 1)
}

pub(super) fn table(unit: &Unit, plan: &IntegerPlan) -> Vec<(String, String)> {
    let formats = &unit.formats;
    let names = [("a", &formats.a), ("b", &formats.b), ("c", &formats.c), ("d", &formats.d)];
    let overflow = match plan.saturates {
        true => format!("the exact sum is clamped once, to {} .. {}", plan.d.least, plan.d.greatest),
        false => format!("the low {} bits of the exact sum", plan.d.width),
    };
    let rows = [
        ("products", plan.products.to_string()),
        ("formats", names.map(|(operand, format)| format!("{operand} {}", format.name)).join(", ")),
        ("product", "exact".to_owned()),
        ("sum", format!("exact, in {} bits", plan.sum_width)),
        ("conversion", overflow),
        ("latency", latency(unit)),
    ];
    rows.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

/// Which bits of the sum become the result.
pub(super) fn picture(plan: &IntegerPlan) -> Vec<String> {
    let (top, kept) = (plan.sum_width - 1, plan.d.width);
    let above = if kept == top { format!("bit {top}") } else { format!("bits {top}..{kept}") };
    let bits = if kept > top {
        format!("bits {top}..0 are the result's lowest; the sign fills the others")
    } else if plan.saturates {
        format!("bits {}..0 are the result, unless {above} and the sign of d show that it is clamped", kept - 1)
    } else {
        format!("bits {}..0 are the result; the sum is cut by {above}", kept - 1)
    };
    vec![format!("bit {top} is the sign, bit 0 weighs 1"), bits]
}
