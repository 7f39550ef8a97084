//! Wording of the integer scheme.

use super::{Lane, Step, bits, capital, parameter, products, step};
use crate::describe::plan::IntegerPlan;
use crate::describe::unit::Unit;

pub(super) fn caption(unit: &Unit, plan: &IntegerPlan) -> String {
    let end = if plan.saturates { "clamped once to what" } else { "cut once to the low bits that" };
    let (terms, d) = (capital(&products(unit.products)), &unit.formats.d.name);
    format!("{terms} and c are added exactly in {} bits, and the sum is {end} {d} holds.", plan.sum_width)
}

pub(super) fn steps(unit: &Unit, plan: &IntegerPlan) -> Vec<Step> {
    let text = |text: String| [text];
    let products = format!("{} exact products", unit.products);
    let end = parameter(unit, "conversion");
    vec![
        step(
            "multiply",
            Lane::Products,
            &text(products),
            format!("{} \u{d7} {}", plan.products, bits(plan.product_width)),
        ),
        step("add", Lane::All, &text("products and c, no bit lost".to_owned()), bits(plan.sum_width)),
        step(if plan.saturates { "saturate" } else { "wrap" }, Lane::All, &text(end), String::new()),
    ]
}
