//! What the header of a fused-then-add unit says beside that of a fused one: groups, their sum, and the late addend.

use super::fused::{self, window};
use super::wording::alignment;
use crate::describe::plan::FusedThenAddPlan;
use crate::describe::unit::{Addition, AlignmentRounding, Groups, ProductOverflow, Unit};

pub(super) fn equation(unit: &Unit) -> String {
    let last = unit.products - 1;
    match groups(unit) {
        Groups::One => format!("d = convert(c + (a[0]*b[0] + ... + a[{last}]*b[{last}]))"),
        Groups::EvenOdd => format!(
            "d = convert(c + ((a[0]*b[0] + ... + a[{0}]*b[{0}]) + (a[1]*b[1] + ... + a[{last}]*b[{last}])))",
            last - 1
        ),
    }
}

fn groups(unit: &Unit) -> Groups {
    unit.addition.as_ref().map_or(Groups::One, |addition| addition.groups)
}

/// The window of a group, and that of the addition.
pub(super) fn picture(plan: &FusedThenAddPlan) -> Vec<String> {
    let kept = plan.fused.terms.fraction_bits;
    let group = format!(
        "group  {} bits: sign, {} integer, {kept} fraction; bit {kept} weighs 2^(anchor of the group)",
        plan.group_sum_width,
        plan.group_sum_width - 1 - kept
    );
    let mut lines = vec![group];
    lines.extend(window(&plan.fused));
    lines
}

/// The rows of a fused unit's table, with those of groups and addition.
pub(super) fn table(unit: &Unit, plan: &FusedThenAddPlan) -> Vec<(String, String)> {
    let mut rows = fused::table(unit, &plan.fused);
    let first = rows.iter().position(|(name, _)| name == "alignment").unwrap_or(0);
    let end = rows.iter().position(|(name, _)| name == "conversion").unwrap_or(rows.len());
    if let Some(addition) = &unit.addition {
        rows.splice(first..end, addition_rows(unit, addition, plan));
    }
    rows
}

fn addition_rows(unit: &Unit, addition: &Addition, plan: &FusedThenAddPlan) -> Vec<(String, String)> {
    let row = |name: &str, value: String| (name.to_owned(), value);
    let groups = match addition.groups {
        Groups::One => "all products share one anchor",
        Groups::EvenOdd => "products of even and of odd index, each with its own anchor",
    };
    let cut = unit.alignment();
    let floor = |floor: Option<i32>| floor.map_or("none".to_owned(), |floor| floor.to_string());
    let overflow = match (addition.product_overflow, plan.overflow_exponent) {
        (ProductOverflow::None, _) => "none".to_owned(),
        (ProductOverflow::Infinity, Some(exponent)) => format!("from 2^{exponent} on infinite"),
        (ProductOverflow::Infinity, None) => "no finite product is large enough".to_owned(),
    };
    let reach = addition.addend_reach.map_or("every distance".to_owned(), |reach| {
        format!("dropped where its exponent lies more than {reach} below the anchor")
    });
    let mut rows = vec![
        row("groups", groups.to_owned()),
        row("alignment", format!("{} fraction bits, {}", cut.fraction_bits, alignment(cut.rounding))),
        row("exponent floor", floor(cut.exponent_floor)),
        row("product overflow", overflow),
        row(
            "addition",
            format!(
                "{} fraction bits of the sum, {} of the addend, {}",
                addition.sum_fraction_bits,
                addition.addend_fraction_bits,
                alignment(addition.rounding)
            ),
        ),
        row("addition floor", floor(addition.exponent_floor)),
        row("addend", reach),
    ];
    let total = |bits: u32| format!("{bits} fraction bits, {}", alignment(AlignmentRounding::Downward));
    rows.extend(addition.total_fraction_bits.map(|bits| row("total", total(bits))));
    rows
}
