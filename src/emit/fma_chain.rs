//! What a module of a chain of fused multiply-adds says.

use tera::Context;

use super::constants::{self, declaration};
use super::wording::{LATENCY, conversion, formats, subnormals};
use crate::describe::plan::FmaChainPlan;
use crate::describe::unit::Unit;

/// Adds what `fma_chain.sv` prints.
pub(super) fn fill(context: &mut Context, unit: &Unit, plan: &FmaChainPlan) {
    let (step, result) = (&plan.step, &plan.step.result);
    context.insert("equation", &equation(plan.products));
    let parameters = [
        declaration("Products", plan.products, "L: products, added one after the other"),
        declaration("OperandAWidth", step.a.width, format!("encoded a, {}", unit.formats.a.name)),
        declaration("OperandBWidth", step.b.width, format!("encoded b, {}", unit.formats.b.name)),
        declaration("AddendWidth", step.c.width, format!("encoded c, {}", unit.formats.c.name)),
        declaration(
            "ResultWidth",
            result.width,
            format!("encoded d, {}, and result of each step", unit.formats.d.name),
        ),
    ];
    context.insert("parameters", &constants::pad(parameters.into()));
    let mut layouts = constants::layout("OperandA", &step.a);
    layouts.extend(constants::layout("OperandB", &step.b));
    // c and d share a format, which has a sign.
    layouts.extend(constants::layout("Result", &step.c).into_iter().skip(1));
    context.insert("formats", &constants::pad(layouts));
    let [positive, negative] = constants::overflow(result);
    let choices = [
        declaration("FlushOperands", u32::from(step.a.flush_subnormals), "1: subnormal a and b count as zero"),
        declaration("FlushAddend", u32::from(step.c.flush_subnormals), "1: a subnormal addend counts as zero"),
        constants::flush_result(result),
        constants::result_rounding(result),
        declaration("ZeroSign", 0, "exact zero sums have the signs of IEEE 754-2019, 6.3"),
        positive,
        negative,
    ];
    context.insert("choices", &constants::pad(choices.into()));
    context.insert("nan", &constants::hex(result.width, result.nan));
}

fn equation(products: u32) -> String {
    match products {
        1 => "d = fma(a[0], b[0], c)".to_owned(),
        2 => "d = fma(a[1], b[1], fma(a[0], b[0], c))".to_owned(),
        _ => format!("d = fma(a[{0}], b[{0}], ... fma(a[0], b[0], c))", products - 1),
    }
}

pub(super) fn table(unit: &Unit, plan: &FmaChainPlan) -> Vec<(String, String)> {
    let step = &plan.step;
    let rows = [
        ("products", plan.products.to_string()),
        ("formats", formats(unit)),
        ("step", "fma(a, b, addend), rounded once; its result is the next step's addend".to_owned()),
        (
            "window",
            format!("{} bits, {} of them fraction; lower bits are sticky", step.window_width, step.fraction_bits),
        ),
        ("conversion", conversion(unit)),
        ("subnormals", format!("{}, at each step", subnormals(unit))),
        ("NaN and zero", format!("every NaN is {:#x}, exact zero sums as in IEEE 754-2019, 6.3", step.result.nan)),
        ("latency", LATENCY.to_owned()),
    ];
    rows.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}
