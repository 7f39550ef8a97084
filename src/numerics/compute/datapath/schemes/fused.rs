//! The fused scheme: all products and the addend aligned to one anchor, cut, added as integers, converted once
//! (Fasi et al. 2021, section 3; Valpey et al. 2025, section 4).

use crate::compute::Inputs;
use crate::compute::datapath::stages::Stages;
use crate::compute::datapath::{align, anchor, convert, flags, product, special, sum, unpack};
use crate::compute::word::Word;
use crate::describe::plan::FusedPlan;

/// Evaluates d = convert(c + sum of a_i * b_i), with the flags above d if the unit has them, and leaves every intermediate in
/// `stages`.
#[inline(always)]
pub fn evaluate<W: Word>(plan: &FusedPlan, inputs: Inputs<W::Encoding>, stages: &mut Stages<W>) -> W {
    let packed = add_products(plan, inputs.a, inputs.b, W::encoding(inputs.c), stages);
    if plan.flags {
        stages.flags = flags::flags(plan, stages);
        return packed + stages.flags.shift_left(plan.result.width);
    }
    packed
}

/// The same with an addend that may have been computed.
#[inline(always)]
pub(super) fn add_products<W: Word>(
    plan: &FusedPlan,
    a: &[W::Encoding],
    b: &[W::Encoding],
    c: W,
    stages: &mut Stages<W>,
) -> W {
    stages.unpacked_a.clear();
    stages.unpacked_b.clear();
    stages.terms.clear();
    for (index, &a) in a.iter().enumerate() {
        let a = unpack::unpack(W::encoding(a), &plan.a);
        let b = unpack::unpack(W::encoding(b[index]), &plan.b);
        stages.unpacked_a.push(a);
        stages.unpacked_b.push(b);
        stages.terms.push(product::product(&a, &b, plan));
    }
    if plan.has_addend {
        stages.unpacked_c = unpack::unpack(c, &plan.c);
    }
    stages.special = special::special(&stages.unpacked_a, &stages.unpacked_b, &stages.unpacked_c);
    add_and_convert(plan, stages)
}

/// Adds the unpacked addend, if there is one, to the terms, aligns, sums and converts them.
#[inline(always)]
pub(super) fn add_and_convert<W: Word>(plan: &FusedPlan, stages: &mut Stages<W>) -> W {
    stages.aligned.clear();
    let addend = product::addend(&stages.unpacked_c, plan);
    stages.anchor = anchor::anchor(&stages.terms, plan);
    if plan.has_addend {
        stages.anchor = stages.anchor.maximum(addend.exponent);
    }
    for term in &stages.terms {
        stages.aligned.push(align::align(term, plan.term_place_left, stages.anchor, plan));
    }
    if plan.has_addend {
        stages.aligned.push(align::align(&addend, plan.addend_place_left, stages.anchor, plan));
        stages.terms.push(addend);
    }
    sum_and_convert(plan, stages)
}

/// Adds the aligned terms and converts their sum.
#[inline(always)]
fn sum_and_convert<W: Word>(plan: &FusedPlan, stages: &mut Stages<W>) -> W {
    sum_and_normalise(plan, stages);
    round_and_pack(plan, stages)
}

/// Adds the aligned terms and normalises their sum.
#[inline(always)]
pub(super) fn sum_and_normalise<W: Word>(plan: &FusedPlan, stages: &mut Stages<W>) {
    stages.sum = sum::sum(&stages.aligned, plan);
    stages.normalised = convert::normalise(stages.sum, stages.anchor, plan);
}

/// Rounds the normalised sum and makes it a result.
#[inline(always)]
pub(super) fn round_and_pack<W: Word>(plan: &FusedPlan, stages: &mut Stages<W>) -> W {
    stages.rounded = convert::round(&stages.normalised, plan);
    stages.packed = convert::pack(&stages.normalised, stages.rounded, &stages.special, plan);
    stages.packed
}
