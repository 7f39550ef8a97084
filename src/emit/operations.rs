//! What the header of a unit of rounded operations says.

use super::picture;
use super::wording::{conversion, formats, latency, subnormals};
use crate::describe::plan::OperationsPlan;
use crate::describe::unit::{ProductOrder, Scheme, Unit};

pub(super) fn equation(plan: &OperationsPlan) -> String {
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
        (Scheme::PairChain, _) => match plan.products {
            2 => "d = c + (a[0]*b[0] + a[1]*b[1])".to_owned(),
            4 => "d = (c + (a[0]*b[0] + a[1]*b[1])) + (a[2]*b[2] + a[3]*b[3])".to_owned(),
            _ => format!("d = (c + (a[0]*b[0] + a[1]*b[1])) + ... + (a[{0}]*b[{0}] + a[{last}]*b[{last}])", last - 1),
        },
        _ if last == 0 => "d = fma(a[0], b[0], c)".to_owned(),
        (_, ProductOrder::Ascending) if last == 1 => "d = fma(a[1], b[1], fma(a[0], b[0], c))".to_owned(),
        (_, ProductOrder::Descending) if last == 1 => "d = fma(a[0], b[0], fma(a[1], b[1], c))".to_owned(),
        (_, ProductOrder::Ascending) => format!("d = fma(a[{last}], b[{last}], ... fma(a[0], b[0], c))"),
        (_, ProductOrder::Descending) => format!("d = fma(a[0], b[0], ... fma(a[{last}], b[{last}], c))"),
    }
}

/// In which way the products are added.
pub(super) fn products(scheme: Scheme) -> &'static str {
    match scheme {
        Scheme::Pairwise => "L: products, added in a tree",
        Scheme::EvenOddChain => "L: products, half of them in each chain",
        Scheme::PairChain => "L: products, added two by two",
        _ => "L: products, added one after the other",
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
        Scheme::PairChain => {
            "the sum of two products, rounded once; or the sum of that and the last sum, c at first, rounded once"
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
        ("latency", latency(unit)),
    ];
    rows.into_iter().chain(windows).chain(last_rows).map(|(name, value)| (name.to_owned(), value)).collect()
}

/// The window of the sum that pictures show.
pub(super) fn picture(plan: &OperationsPlan) -> Vec<String> {
    picture::window(plan.pictured())
}

pub(super) fn picture_heading(plan: &OperationsPlan) -> &'static str {
    match plan.scheme {
        Scheme::Pairwise => "The sum of two, in units of 2^(anchor - F)",
        Scheme::PairChain => "The sum of two products, in units of 2^(anchor - F)",
        _ => "The sum of a step, in units of 2^(anchor - F)",
    }
}
