//! The named intermediate values of a unit: the same names, widths and encodings in Rust traces and in SystemVerilog.
//!
//! Exponents are true exponents in two's complement; significands are unsigned integers with the hidden bit;
//! `aligned` and `sum` count units of 2^(anchor - F). Element i of a signal is `[i*width +: width]`.

use super::FusedPlan;

/// The stages of a unit, in datapath order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stage {
    Unpacked,
    Product,
    Anchor,
    Aligned,
    Sum,
    Normalised,
    Rounded,
    Packed,
}

/// One named intermediate: `elements` values of `width` bits.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Signal {
    pub name: &'static str,
    pub stage: Stage,
    pub elements: u32,
    pub width: u32,
    pub signed: bool,
}

/// The signals of a unit, in datapath order.
pub(super) fn of(plan: &FusedPlan) -> Vec<Signal> {
    let terms = plan.products + 1;
    let exponent = plan.exponent_width;
    let mut signals = Vec::new();
    let mut add = |stage, name, elements, width, signed| {
        signals.push(Signal { name, stage, elements, width, signed });
    };
    for (names, operand, elements) in
        [(A_NAMES, &plan.a, plan.products), (B_NAMES, &plan.b, plan.products), (C_NAMES, &plan.c, 1)]
    {
        add(Stage::Unpacked, names[0], elements, 1, false);
        add(Stage::Unpacked, names[1], elements, exponent, true);
        add(Stage::Unpacked, names[2], elements, operand.precision(), false);
        add(Stage::Unpacked, names[3], elements, 1, false);
        add(Stage::Unpacked, names[4], elements, 1, false);
    }
    add(Stage::Product, "product_negative", plan.products, 1, false);
    add(Stage::Product, "product_exponent", plan.products, exponent, true);
    add(Stage::Product, "product_significand", plan.products, plan.product_width, false);
    add(Stage::Product, "addend_exponent", 1, exponent, true);
    add(Stage::Anchor, "anchor", 1, exponent, true);
    add(Stage::Aligned, "aligned", terms, plan.aligned_width, true);
    add(Stage::Sum, "sum", 1, plan.sum_width, true);
    add(Stage::Normalised, "normalised_negative", 1, 1, false);
    add(Stage::Normalised, "normalised_exponent", 1, exponent, true);
    add(Stage::Normalised, "normalised_significand", 1, plan.normalised_width, false);
    add(Stage::Rounded, "rounded", 1, plan.result.fraction_bits + 2, false);
    add(Stage::Packed, "special_nan", 1, 1, false);
    add(Stage::Packed, "special_infinite", 1, 1, false);
    add(Stage::Packed, "packed_word", 1, plan.result.width, false);
    signals
}

const A_NAMES: [&str; 5] =
    ["unpacked_a_negative", "unpacked_a_exponent", "unpacked_a_significand", "unpacked_a_infinite", "unpacked_a_nan"];
const B_NAMES: [&str; 5] =
    ["unpacked_b_negative", "unpacked_b_exponent", "unpacked_b_significand", "unpacked_b_infinite", "unpacked_b_nan"];
const C_NAMES: [&str; 5] =
    ["unpacked_c_negative", "unpacked_c_exponent", "unpacked_c_significand", "unpacked_c_infinite", "unpacked_c_nan"];
