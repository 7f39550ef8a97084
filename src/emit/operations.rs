//! What a module of rounded operations says.

use tera::Context;

use super::constants::{self, Declaration, declaration};
use super::picture;
use super::wording::{LATENCY, conversion, formats, subnormals};
use crate::describe::plan::{OperandPlan, OperationsPlan, ResultPlan};
use crate::describe::unit::{ProductOrder, Scheme, Unit};

/// Adds what `operations.sv` prints.
pub(super) fn fill(context: &mut Context, unit: &Unit, plan: &OperationsPlan) {
    let (step, result) = (&plan.step, &plan.step.result);
    context.insert("equation", &equation(plan));
    let parameters = [
        declaration("Products", plan.products, products_comment(plan)),
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
    context.insert("choices", &constants::pad(choices(plan)));
    context.insert("nan", &constants::hex(result.width, result.nan));
    fill_steps(context, plan);
}

/// Where the operands of the steps come from.
fn fill_steps(context: &mut Context, plan: &OperationsPlan) {
    let descending = plan.order == ProductOrder::Descending;
    let pair = if descending { "(Products-1-i)" } else { "i" };
    context.insert("a_slice", &format!("a_i[{pair}*OperandAWidth +: OperandAWidth]"));
    context.insert("b_slice", &format!("b_i[{pair}*OperandBWidth +: OperandBWidth]"));
    context.insert("first_step", if descending { "a[Products-1]" } else { "a[0]" });
    context.insert("fused", &(plan.scheme != Scheme::Pairwise));
    context.insert("chain", &(plan.scheme == Scheme::FmaChain));
    let result = |step: &str| format!("gen_step[{step}].result");
    let even_odd = plan.scheme == Scheme::EvenOddChain;
    let (first, start, previous) = if even_odd { ("i < 2", "'0", "i-2") } else { ("i == 0", "c_i", "i-1") };
    context.insert("first", first);
    context.insert("start", start);
    context.insert("previous", &result(previous));
    let (left, right) = if even_odd { ("i-2", "i-1") } else { ("2*(i-Products)", "2*(i-Products)+1") };
    context.insert("left", &result(left));
    context.insert("right", &result(right));
    let steps = match plan.scheme {
        Scheme::EvenOddChain => declaration("Steps", "Products + 2", "both chains, their sum, and that with c"),
        _ => declaration("Steps", "2*Products", "products, their sums, and the last sum with c"),
    };
    context.insert("steps", &steps);
}

fn products_comment(plan: &OperationsPlan) -> &'static str {
    match plan.scheme {
        Scheme::Pairwise => "L: products, added in a tree",
        Scheme::EvenOddChain => "L: products, half of them in each chain",
        _ => "L: products, added one after the other",
    }
}

fn flush_comment(operand: &OperandPlan, what: &str) -> String {
    let zero = if operand.flush_to_plus_zero { "2: a subnormal" } else { "1: subnormal" };
    match operand.flush_to_plus_zero {
        true => format!("{zero} {what} counts as +0"),
        false if what == "addend" => "1: a subnormal addend counts as zero".to_owned(),
        false => format!("{zero} {what} count as zero"),
    }
}

fn flush_result(result: &ResultPlan) -> Declaration {
    match result.flush_tiny {
        true => declaration("FlushResult", 2, "2: subnormal results, and least normal ones that are tiny, become zero"),
        false => constants::flush_result(result),
    }
}

fn choices(plan: &OperationsPlan) -> Vec<Declaration> {
    let (step, result) = (&plan.step, &plan.step.result);
    let operands = if step.a.flush_to_plus_zero { "a or b" } else { "a and b" };
    let [positive, negative] = constants::overflow(result);
    vec![
        declaration("FlushOperands", constants::flush(&step.a), flush_comment(&step.a, operands)),
        declaration("FlushAddend", constants::flush(&step.c), flush_comment(&step.c, "addend")),
        flush_result(result),
        constants::result_rounding(result),
        declaration("ZeroSign", 0, "exact zero sums have the signs of IEEE 754-2019, 6.3"),
        positive,
        negative,
    ]
}

fn equation(plan: &OperationsPlan) -> String {
    let last = plan.products - 1;
    match (plan.scheme, plan.order) {
        (Scheme::EvenOddChain, _) => match plan.products {
            2 => "d = (fma(a[0], b[0], +0) + fma(a[1], b[1], +0)) + c".to_owned(),
            _ => {
                let chain = |first: u32| {
                    format!("fma(a[{0}], b[{0}], ... fma(a[{first}], b[{first}], +0))", plan.products - 2 + first)
                };
                format!("d = ({} + {}) + c", chain(0), chain(1))
            }
        },
        (Scheme::Pairwise, _) => match plan.products {
            1 => "d = a[0]*b[0] + c".to_owned(),
            2 => "d = (a[0]*b[0] + a[1]*b[1]) + c".to_owned(),
            4 => "d = ((a[0]*b[0] + a[1]*b[1]) + (a[2]*b[2] + a[3]*b[3])) + c".to_owned(),
            _ => format!("d = ((a[0]*b[0] + a[1]*b[1]) + ... + a[{last}]*b[{last}]) + c, a tree"),
        },
        _ if last == 0 => "d = fma(a[0], b[0], c)".to_owned(),
        (_, ProductOrder::Ascending) if last == 1 => "d = fma(a[1], b[1], fma(a[0], b[0], c))".to_owned(),
        (_, ProductOrder::Descending) if last == 1 => "d = fma(a[0], b[0], fma(a[1], b[1], c))".to_owned(),
        (_, ProductOrder::Ascending) => format!("d = fma(a[{last}], b[{last}], ... fma(a[0], b[0], c))"),
        (_, ProductOrder::Descending) => format!("d = fma(a[0], b[0], ... fma(a[{last}], b[{last}], c))"),
    }
}

/// What a step is, in words.
fn step(scheme: Scheme) -> &'static str {
    match scheme {
        Scheme::EvenOddChain => {
            "fma(a, b, addend), rounded once; even and odd products in two chains from +0, then their sum, then c"
        }
        Scheme::Pairwise => {
            "a product, rounded once; or a sum of two, rounded once: the two oldest values that wait, c last"
        }
        _ => "fma(a, b, addend), rounded once; its result is the next step's addend",
    }
}

pub(super) fn table(unit: &Unit, plan: &OperationsPlan) -> Vec<(String, String)> {
    let window =
        |width: u32, fraction: u32| format!("{width} bits, {fraction} of them fraction; lower bits are sticky");
    let of_step = (
        if plan.scheme == Scheme::Pairwise { "product window" } else { "window" },
        window(plan.step.window_width, plan.step.fraction_bits),
    );
    let of_sum = ("sum window", window(plan.addition.window_width, plan.addition.fraction_bits));
    let windows = if plan.scheme == Scheme::FmaChain { vec![of_step] } else { vec![of_step, of_sum] };
    let rows =
        [("products", plan.products.to_string()), ("formats", formats(unit)), ("step", step(plan.scheme).to_owned())];
    let last_rows = [
        ("conversion", conversion(unit)),
        ("subnormals", format!("{}, at each step", subnormals(unit))),
        ("NaN and zero", format!("every NaN is {:#x}, exact zero sums as in IEEE 754-2019, 6.3", plan.step.result.nan)),
        ("latency", LATENCY.to_owned()),
    ];
    rows.into_iter().chain(windows).chain(last_rows).map(|(name, value)| (name.to_owned(), value)).collect()
}

/// The window of a step's sum.
pub(super) fn picture(plan: &OperationsPlan) -> Vec<String> {
    match plan.scheme {
        Scheme::Pairwise => picture::window(&plan.addition),
        _ => picture::window(&plan.step),
    }
}

pub(super) fn picture_heading(plan: &OperationsPlan) -> &'static str {
    match plan.scheme {
        Scheme::Pairwise => "The sum of two, in units of 2^(anchor - F)",
        _ => "The sum of a step, in units of 2^(anchor - F)",
    }
}
