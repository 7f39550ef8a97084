//! The named intermediate values of a unit: the same names, widths and encodings in Rust traces and in SystemVerilog.
//!
//! Exponents are true exponents in two's complement; significands are unsigned integers with the hidden bit;
//! `aligned` and `sum` count units of 2^(anchor - F). Element i of a signal is `[i*width +: width]`.

use super::{BlockScaledPlan, FusedPlan, FusedThenAddPlan, OperandPlan};
use crate::describe::unit::Flags;

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

/// Collects signals in datapath order.
struct List(Vec<Signal>);

impl List {
    fn add(&mut self, stage: Stage, name: &'static str, elements: u32, width: u32, signed: bool) {
        self.0.push(Signal { name, stage, elements, width, signed });
    }

    fn operand(&mut self, names: [&'static str; 5], operand: &OperandPlan, elements: u32, exponent: u32) {
        self.add(Stage::Unpacked, names[0], elements, 1, false);
        self.add(Stage::Unpacked, names[1], elements, exponent, true);
        self.add(Stage::Unpacked, names[2], elements, operand.precision(), false);
        self.add(Stage::Unpacked, names[3], elements, 1, false);
        self.add(Stage::Unpacked, names[4], elements, 1, false);
    }

    fn operands(&mut self, plan: &FusedPlan) {
        self.operand(A_NAMES, &plan.a, plan.products, plan.exponent_width);
        self.operand(B_NAMES, &plan.b, plan.products, plan.exponent_width);
        if plan.has_addend {
            self.operand(C_NAMES, &plan.c, 1, plan.exponent_width);
        }
    }

    fn products(&mut self, plan: &FusedPlan) {
        self.add(Stage::Product, "product_negative", plan.products, 1, false);
        self.add(Stage::Product, "product_exponent", plan.products, plan.exponent_width, true);
        self.add(Stage::Product, "product_significand", plan.products, plan.product_width, false);
    }

    /// What follows the terms beside the addend.
    fn alignment_and_conversion(&mut self, plan: &FusedPlan) {
        self.alignment(plan);
        self.conversion(plan);
    }

    fn alignment(&mut self, plan: &FusedPlan) {
        let exponent = plan.exponent_width;
        if plan.has_addend {
            self.add(Stage::Product, "addend_exponent", 1, exponent, true);
        }
        self.add(Stage::Anchor, "anchor", 1, exponent, true);
        self.add(Stage::Aligned, "aligned", plan.terms.count + u32::from(plan.has_addend), plan.aligned_width, true);
        self.add(Stage::Sum, "sum", 1, plan.sum_width, true);
    }

    fn conversion(&mut self, plan: &FusedPlan) {
        self.add(Stage::Normalised, "normalised_negative", 1, 1, false);
        self.add(Stage::Normalised, "normalised_exponent", 1, plan.exponent_width, true);
        self.add(Stage::Normalised, "normalised_significand", 1, plan.normalised_width, false);
        self.add(Stage::Rounded, "rounded", 1, plan.result.fraction_bits + 2, false);
        self.add(Stage::Packed, "special_nan", 1, 1, false);
        self.add(Stage::Packed, "special_infinite", 1, 1, false);
        self.add(Stage::Packed, "packed_word", 1, plan.result.width, false);
        if plan.flags {
            self.add(Stage::Packed, "flags", 1, Flags::WIDTH, false);
        }
    }
}

/// The signals of a unit whose terms are its products.
pub(super) fn of(plan: &FusedPlan) -> Vec<Signal> {
    let mut list = List(Vec::new());
    list.operands(plan);
    list.products(plan);
    list.alignment_and_conversion(plan);
    list.0
}

/// The signals of a sum of two.
pub(super) fn of_addition(plan: &FusedPlan) -> Vec<Signal> {
    let mut list = List(Vec::new());
    list.operand(LEFT_NAMES, &plan.a, 1, plan.exponent_width);
    list.operand(C_NAMES, &plan.c, 1, plan.exponent_width);
    list.alignment_and_conversion(plan);
    list.0
}

/// The signals of a block-scaled unit.
pub(super) fn of_block_scaled(plan: &BlockScaledPlan) -> Vec<Signal> {
    let fused = &plan.fused;
    let (exponent, terms) = (fused.exponent_width, &fused.terms);
    let mut list = List(Vec::new());
    list.operands(fused);
    for (names, scale) in [(SCALE_A_NAMES, &plan.scale_a), (SCALE_B_NAMES, &plan.scale_b)] {
        list.add(Stage::Unpacked, names[0], plan.scales, exponent, true);
        list.add(Stage::Unpacked, names[1], plan.scales, scale.precision(), false);
        list.add(Stage::Unpacked, names[2], plan.scales, 1, false);
    }
    list.products(fused);
    if let Some(group) = &plan.group {
        list.add(Stage::Product, "group_negative", terms.count, 1, false);
        list.add(Stage::Product, "group_magnitude", terms.count, group.sum_width - 1, false);
    }
    list.add(Stage::Product, "scaled_negative", terms.count, 1, false);
    list.add(Stage::Product, "scaled_exponent", terms.count, exponent, true);
    list.add(Stage::Product, "scaled_significand", terms.count, terms.width, false);
    list.alignment_and_conversion(fused);
    list.0
}

/// The signals of a unit that adds the addend to the sum of its products. Products stand in the order of their groups where
/// they are aligned.
pub(super) fn of_fused_then_add(plan: &FusedThenAddPlan) -> Vec<Signal> {
    let fused = &plan.fused;
    let exponent = fused.exponent_width;
    let mut list = List(Vec::new());
    list.operands(fused);
    list.products(fused);
    if plan.overflow_exponent.is_some() {
        list.add(Stage::Product, "product_overflow", fused.products, 1, false);
    }
    list.add(Stage::Anchor, "group_anchor", plan.groups, exponent, true);
    list.add(Stage::Aligned, "aligned_product", fused.products, plan.product_cut.aligned_width, true);
    list.add(Stage::Sum, "group_sum", plan.groups, plan.group_sum_width, true);
    if plan.groups > 1 {
        list.add(Stage::Aligned, "aligned_group", plan.groups, plan.group_sum_width, true);
    }
    list.add(Stage::Sum, "dot_negative", 1, 1, false);
    list.add(Stage::Sum, "dot_exponent", 1, exponent, true);
    list.add(Stage::Sum, "dot_significand", 1, fused.terms.width, false);
    if plan.addend_reach.is_some() {
        list.add(Stage::Aligned, "addend_dropped", 1, 1, false);
    }
    list.alignment(fused);
    if plan.total_cut_bits.is_some() {
        list.add(Stage::Normalised, "total_exponent", 1, exponent, true);
        list.add(Stage::Normalised, "total_significand", 1, fused.normalised_width, false);
    }
    list.conversion(fused);
    list.0
}

const A_NAMES: [&str; 5] =
    ["unpacked_a_negative", "unpacked_a_exponent", "unpacked_a_significand", "unpacked_a_infinite", "unpacked_a_nan"];
const B_NAMES: [&str; 5] =
    ["unpacked_b_negative", "unpacked_b_exponent", "unpacked_b_significand", "unpacked_b_infinite", "unpacked_b_nan"];
const C_NAMES: [&str; 5] =
    ["unpacked_c_negative", "unpacked_c_exponent", "unpacked_c_significand", "unpacked_c_infinite", "unpacked_c_nan"];
const LEFT_NAMES: [&str; 5] = [
    "unpacked_left_negative",
    "unpacked_left_exponent",
    "unpacked_left_significand",
    "unpacked_left_infinite",
    "unpacked_left_nan",
];
const SCALE_A_NAMES: [&str; 3] = ["unpacked_scale_a_exponent", "unpacked_scale_a_significand", "unpacked_scale_a_nan"];
const SCALE_B_NAMES: [&str; 3] = ["unpacked_scale_b_exponent", "unpacked_scale_b_significand", "unpacked_scale_b_nan"];
