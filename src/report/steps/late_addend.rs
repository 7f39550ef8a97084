//! Wording of the scheme that adds c to the sum of the products.

use super::aligned::{self, fate, from_normalise_on};
use super::{Lane, Step, bits, capital, parameter, products, step, width_of};
use crate::compute::record::Signal;
use crate::describe::plan::FusedThenAddPlan;
use crate::describe::unit::{AlignmentRounding, Unit};

pub(super) fn caption(unit: &Unit, plan: &FusedThenAddPlan) -> String {
    let groups = match plan.groups {
        1 => "shifted to the largest exponent among them, cut and added".to_owned(),
        groups => format!("shifted, cut and added in {groups} groups, which then meet"),
    };
    let total = if plan.total_cut_bits.is_some() { "cut once more, " } else { "" };
    format!(
        "{} are {groups}; then that sum and c are brought to the larger of their exponents, added, {total}and rounded once to {}.",
        capital(&products(unit.products)),
        unit.formats.d.name
    )
}

pub(super) fn steps(unit: &Unit, plan: &FusedThenAddPlan, signals: &[Signal]) -> Vec<Step> {
    let (fused, out) = (&plan.fused, |name: &str| width_of(signals, name));
    let mut multiply = vec![format!("{} exact products of {}", unit.products, bits(plan.products.width))];
    multiply.extend(plan.overflow_exponent.map(|exponent| format!("from 2^{exponent} on: infinite")));
    let kept = unit.alignment().fraction_bits;
    let addend_bits = fused.fraction_bits - plan.addend_cut_bits;
    let added = match plan.groups {
        1 => format!("{} products, one exact sum", unit.products),
        groups => format!("{} products in {groups} groups, exact sums", unit.products),
    };
    let mut steps = vec![
        step("unpack", Lane::Products, &[aligned::unpack_operands(unit)], String::new()),
        aligned::unpack_addend(unit),
        step("multiply", Lane::Products, &multiply, String::new()),
        step("anchor", Lane::Products, &["the largest exponent of a group's products".to_owned()], String::new()),
        step(
            "align",
            Lane::Products,
            &[format!("{kept} fraction bits; {}", fate(plan.product_cut.rounding))],
            out("aligned_product"),
        ),
        step("add", Lane::Products, &[added], out("group_sum")),
    ];
    if plan.groups > 1 {
        let text = [
            "both sums at the greater anchor".to_owned(),
            format!("{kept} fraction bits; {}", fate(plan.group_cut.rounding)),
        ];
        steps.push(step("meet", Lane::Products, &text, out("dot_sum")));
    }
    let mut align = vec![
        format!("sum: {} fraction bits, c: {addend_bits}", fused.fraction_bits),
        fate(fused.alignment_rounding).to_owned(),
    ];
    align.extend(plan.addend_reach.map(|reach| format!("c is dropped if more than {reach} below")));
    let floor = parameter(unit, "addition floor");
    let exponent = format!("the larger exponent of sum and c; floor {floor}");
    steps.push(step("exponent", Lane::All, &[exponent], String::new()));
    steps.push(step("align", Lane::All, &align, out("aligned")));
    steps.push(step("add", Lane::All, &["sum + c, exact".to_owned()], out("sum")));
    steps.extend(from_normalise_on(unit, fused, signals));
    if let Some(cut_bits) = plan.total_cut_bits {
        let kept = fused.normalised_width - 1 - cut_bits;
        let text = [format!("{kept} fraction bits of the total"), fate(AlignmentRounding::Downward).to_owned()];
        let rounding = steps.iter().position(|step| step.name == "round").unwrap_or(steps.len());
        steps.insert(rounding, step("cut", Lane::All, &text, bits(kept + 1)));
    }
    steps
}
