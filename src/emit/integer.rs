//! What a module of the integer scheme says: parameters, constants, and the picture of its sum.

use tera::Context;

use super::constants::{Declaration, declaration, pad, written};
use crate::describe::plan::{IntegerOperand, IntegerPlan};
use crate::describe::unit::Unit;

/// Adds what `integer.sv` prints.
pub(super) fn fill(context: &mut Context, unit: &Unit, plan: &IntegerPlan) {
    context.insert("equation", &equation(unit, plan));
    context.insert("parameters", &pad(parameters(unit, plan)));
    context.insert("constants", &pad(constants(plan)));
}

fn equation(unit: &Unit, plan: &IntegerPlan) -> String {
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
        ("latency", "0 cycles; the module named _registered: 2".to_owned()),
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

fn parameters(unit: &Unit, plan: &IntegerPlan) -> Vec<Declaration> {
    let formats = &unit.formats;
    vec![
        declaration("Products", plan.products, "L: products summed at once"),
        declaration("OperandAWidth", plan.a.width, format!("encoded a, {}", formats.a.name)),
        declaration("OperandBWidth", plan.b.width, format!("encoded b, {}", formats.b.name)),
        declaration("AddendWidth", plan.c.width, format!("encoded c, {}", formats.c.name)),
        declaration("ResultWidth", plan.d.width, format!("encoded d, {}", formats.d.name)),
    ]
}

fn constants(plan: &IntegerPlan) -> Vec<Declaration> {
    let signed = |name: &str, operand: &IntegerOperand| {
        let meaning = if operand.signed { "two's complement" } else { "unsigned" };
        declaration(name, u32::from(operand.signed), meaning)
    };
    let mut declarations = vec![
        signed("OperandASigned", &plan.a),
        signed("OperandBSigned", &plan.b),
        signed("AddendSigned", &plan.c),
        signed("ResultSigned", &plan.d),
        declaration("Saturate", u32::from(plan.saturates), "1: a sum beyond d is clamped, 0: it wraps"),
        written("TermCount", Some("Products + 1"), i64::from(plan.products) + 1, "products and addend"),
    ];
    for constant in &plan.constants {
        declarations.push(written(constant.name, constant.expression, constant.value, &constant.derivation));
    }
    declarations
}
