//! Wording of the schemes that are made of several kinds of rounded operations: even-odd chains, trees, and chains of pairs.

use super::{Lane, Step, bits, parameter, step};
use crate::describe::unit::{Scheme, Unit};

pub(super) fn caption(unit: &Unit) -> String {
    let (products, d) = (unit.products, &unit.formats.d.name);
    match unit.scheme {
        Scheme::EvenOddChain => format!(
            "{products} products go into two chains of fused multiply-adds, one of even and one of odd index; the chains \
             are added, then c is. Every operation is rounded to {d}."
        ),
        Scheme::PairChain => format!(
            "{products} products are added two by two, exactly and then rounded to {d}; these sums are added to c, one after the \
             other. Every sum is rounded."
        ),
        _ => format!(
            "{products} products are each rounded to {d} and added in pairs until one sum is left; c comes last. Every \
             sum is rounded."
        ),
    }
}

pub(super) fn steps(unit: &Unit) -> Vec<Step> {
    let width = bits(unit.formats.d.width());
    let mut steps = match unit.scheme {
        Scheme::EvenOddChain => chains(unit, &width),
        Scheme::PairChain => return pairs(unit, width),
        _ => tree(unit, &width),
    };
    steps.push(step("add c", Lane::All, &["that sum + c, rounded once".to_owned()], width));
    steps.push(in_each(unit));
    steps
}

/// c is added first.
fn pairs(unit: &Unit, width: String) -> Vec<Step> {
    let pairs = unit.products / 2;
    let each = if pairs == 1 { String::new() } else { format!("{pairs} times: ") };
    let text = [format!("{each}exact sum of two products, rounded once")];
    let out = if pairs == 1 { width.clone() } else { format!("{pairs} \u{d7} {width}") };
    let sums = [format!("{each}that sum + what came before, c at first, rounded once")];
    vec![step("add two products", Lane::Products, &text, out), step("chain", Lane::All, &sums, width), in_each(unit)]
}

/// What every operation does.
fn in_each(unit: &Unit) -> Step {
    let choices = ["conversion", "subnormals", "NaN and zero"].map(|row| parameter(unit, row));
    step("in each operation", Lane::All, &choices, String::new())
}

fn chains(unit: &Unit, width: &str) -> Vec<Step> {
    let half = unit.products / 2;
    let text = [
        format!("even: a[0] b[0], a[2] b[2], ...: {half} steps from +0"),
        format!("odd: a[1] b[1], a[3] b[3], ...: {half} steps from +0"),
        "each step: exact product + chain, rounded once".to_owned(),
    ];
    vec![
        step("two chains", Lane::Products, &text, format!("2 \u{d7} {width}")),
        step("add", Lane::Products, &["even + odd, rounded once".to_owned()], width.to_owned()),
    ]
}

fn tree(unit: &Unit, width: &str) -> Vec<Step> {
    let products = unit.products;
    let out = if products == 1 { width.to_owned() } else { format!("{products} \u{d7} {width}") };
    let mut steps = vec![step("multiply", Lane::Products, &[format!("{products} products, each rounded once")], out)];
    if products > 1 {
        let sums = if products == 2 {
            "1 sum of two, rounded once".to_owned()
        } else {
            format!("{} sums of two, each rounded once", products - 1)
        };
        steps.push(step("tree", Lane::Products, &[sums], width.to_owned()));
    }
    steps
}
