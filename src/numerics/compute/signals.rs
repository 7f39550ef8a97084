//! The values of the plan's signals, read from the stages of one evaluation, on any word: in the order of the plan's
//! signals, one list a signal, flags as 0 and 1. Nothing here computes.

use super::datapath::schemes::integer::IntegerStages;
use super::datapath::{BlockScaledStages, FusedThenAddStages, Stages, Term, Unpacked};
use super::word::Word;
use crate::describe::plan::{BlockScaledPlan, FusedPlan, FusedThenAddPlan, Operation, OperationsPlan};

/// Lists of values.
pub type Values<W> = Vec<Vec<W>>;

/// Each operation with its plan and its stages.
pub fn each<'a, W: Word>(
    plan: &'a OperationsPlan,
    stages: &'a [Stages<W>],
) -> impl Iterator<Item = (&'a Operation, &'a FusedPlan, &'a Stages<W>)> {
    let of = |operation: &Operation| match operation {
        Operation::Add { .. } => &plan.addition,
        Operation::MultiplyAdd { .. } | Operation::Multiply { .. } => &plan.step,
    };
    plan.operations.iter().zip(stages).map(move |(operation, stages)| (operation, of(operation), stages))
}

/// Of a fused sum.
pub fn fused<W: Word>(plan: &FusedPlan, stages: &Stages<W>) -> Values<W> {
    let mut all = operands(plan, stages);
    terms(&stages.terms[..stages.unpacked_a.len()], &mut all);
    tail(plan, stages, &mut all);
    all
}

/// Of a sum of two.
fn addition<W: Word>(plan: &FusedPlan, stages: &Stages<W>) -> Values<W> {
    let mut all = Vec::new();
    unpacked(&stages.unpacked_a, &mut all);
    unpacked(std::slice::from_ref(&stages.unpacked_c), &mut all);
    tail(plan, stages, &mut all);
    all
}

/// Of rounded operations: their results.
pub fn operations<W: Word>(stages: &[Stages<W>]) -> Values<W> {
    vec![stages.iter().map(|stages| stages.packed).collect()]
}

/// What rounded operations show beside the plan's signals: the stages of each, by name.
pub fn steps<W: Word>(plan: &OperationsPlan, stages: &[Stages<W>]) -> Vec<(String, Vec<W>)> {
    let mut all = Vec::new();
    for (index, (operation, plan, stages)) in each(plan, stages).enumerate() {
        let values = match operation {
            Operation::Add { .. } => addition(plan, stages),
            Operation::MultiplyAdd { .. } | Operation::Multiply { .. } => fused(plan, stages),
        };
        let names = plan.signals.iter().map(|signal| format!("step[{index}].{}", signal.name));
        all.extend(names.zip(values));
    }
    all
}

/// Of a sum of scaled products.
pub fn block_scaled<W: Word>(plan: &BlockScaledPlan, stages: &BlockScaledStages<W>) -> Values<W> {
    let mut all = operands(&plan.fused, &stages.fused);
    for scales in [&stages.scale_a, &stages.scale_b] {
        all.push(scales.iter().map(|scale| scale.exponent).collect());
        all.push(scales.iter().map(|scale| scale.significand).collect());
        all.push(scales.iter().map(|scale| W::from_flag(scale.nan)).collect());
    }
    terms(&stages.products, &mut all);
    if plan.group.is_some() {
        all.push(stages.groups.iter().map(|sum| W::from_flag(sum.negative)).collect());
        all.push(stages.groups.iter().map(|sum| sum.significand).collect());
    }
    terms(&stages.fused.terms[..plan.fused.terms.count as usize], &mut all);
    tail(&plan.fused, &stages.fused, &mut all);
    all
}

/// Of a sum of products to which the addend is added afterwards.
pub fn fused_then_add<W: Word>(plan: &FusedThenAddPlan, stages: &FusedThenAddStages<W>) -> Values<W> {
    let mut all = operands(&plan.fused, &stages.fused);
    terms(&stages.products, &mut all);
    if plan.overflow_exponent.is_some() {
        all.push(flags(&stages.product_overflow));
    }
    all.push(stages.group_anchor.clone());
    all.push(stages.aligned_product.clone());
    all.push(stages.group_sum.clone());
    if plan.groups > 1 {
        all.push(stages.aligned_group.clone());
    }
    terms(&stages.fused.terms[..1], &mut all);
    if plan.addend_reach.is_some() {
        all.push(flags(&[stages.addend_dropped]));
    }
    sum(&plan.fused, &stages.fused, &mut all);
    if plan.total_cut_bits.is_some() {
        all.push(vec![stages.total.exponent]);
        all.push(vec![stages.total.significand]);
    }
    conversion(&plan.fused, &stages.fused, &mut all);
    all
}

/// Of a sum of integers.
pub fn integer<W: Word>(stages: &IntegerStages<W>) -> Values<W> {
    vec![stages.product.clone(), vec![stages.sum], vec![stages.packed]]
}

fn flags<W: Word>(flags: &[W::Flag]) -> Vec<W> {
    flags.iter().map(|flag| W::from_flag(*flag)).collect()
}

fn operands<W: Word>(plan: &FusedPlan, stages: &Stages<W>) -> Values<W> {
    let mut all = Vec::new();
    unpacked(&stages.unpacked_a, &mut all);
    unpacked(&stages.unpacked_b, &mut all);
    if plan.has_addend {
        unpacked(std::slice::from_ref(&stages.unpacked_c), &mut all);
    }
    all
}

fn terms<W: Word>(terms: &[Term<W>], all: &mut Values<W>) {
    all.push(terms.iter().map(|term| W::from_flag(term.negative)).collect());
    all.push(terms.iter().map(|term| term.exponent).collect());
    all.push(terms.iter().map(|term| term.significand).collect());
}

/// What follows the terms beside the addend.
fn tail<W: Word>(plan: &FusedPlan, stages: &Stages<W>, all: &mut Values<W>) {
    sum(plan, stages, all);
    conversion(plan, stages, all);
}

fn sum<W: Word>(plan: &FusedPlan, stages: &Stages<W>, all: &mut Values<W>) {
    if plan.has_addend {
        all.push(stages.terms[stages.terms.len() - 1..].iter().map(|addend| addend.exponent).collect());
    }
    all.push(vec![stages.anchor]);
    all.push(stages.aligned.clone());
    all.push(vec![stages.sum]);
}

fn conversion<W: Word>(plan: &FusedPlan, stages: &Stages<W>, all: &mut Values<W>) {
    all.push(flags(&[stages.normalised.negative]));
    all.push(vec![stages.normalised.exponent]);
    all.push(vec![stages.normalised.significand]);
    all.push(vec![stages.rounded]);
    all.push(flags(&[stages.special.nan]));
    all.push(flags(&[stages.special.infinite]));
    all.push(vec![stages.packed]);
    if plan.flags {
        all.push(vec![stages.flags]);
    }
}

fn unpacked<W: Word>(operands: &[Unpacked<W>], all: &mut Values<W>) {
    all.push(operands.iter().map(|operand| W::from_flag(operand.negative)).collect());
    all.push(operands.iter().map(|operand| operand.exponent).collect());
    all.push(operands.iter().map(|operand| operand.significand).collect());
    all.push(operands.iter().map(|operand| W::from_flag(operand.infinite)).collect());
    all.push(operands.iter().map(|operand| W::from_flag(operand.nan)).collect());
}
