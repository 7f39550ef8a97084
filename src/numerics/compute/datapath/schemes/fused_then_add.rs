//! The fused-then-add scheme: products aligned in groups, cut and added as integers; that sum and the addend aligned and cut
//! once more, added and, perhaps cut a last time, converted (CDNA3; Xie et al., arXiv 2511.10909).

use super::fused;
use crate::compute::Inputs;
use crate::compute::datapath::align::{align, align_by};
use crate::compute::datapath::product::{self, Term};
use crate::compute::datapath::stages::Stages;
use crate::compute::datapath::{FusedThenAddStages, Unpacked, convert, special, unpack};
use crate::compute::word::{Flag, Word};
use crate::describe::plan::{CutPlan, FusedThenAddPlan};

/// Evaluates d = convert(c + sum of a_i * b_i) and leaves every intermediate in `stages`.
#[inline(always)]
pub fn evaluate<W: Word>(
    plan: &FusedThenAddPlan,
    inputs: Inputs<W::Encoding>,
    stages: &mut FusedThenAddStages<W>,
) -> W {
    stages.clear();
    multiply(plan, inputs, stages);
    for group in 0..plan.groups as usize {
        add_group(plan, group, stages);
    }
    let dot = add_groups(plan, stages);
    add_addend(plan, dot, &mut stages.fused, &mut stages.addend_dropped);
    cut_total(plan, stages);
    fused::round_and_pack(&plan.fused, &mut stages.fused)
}

/// Unpacks the operands and multiplies them; decides infinities and NaN.
#[inline(always)]
fn multiply<W: Word>(plan: &FusedThenAddPlan, inputs: Inputs<W::Encoding>, stages: &mut FusedThenAddStages<W>) {
    let fused = &plan.fused;
    for (index, &a) in inputs.a.iter().enumerate() {
        let a = unpack::unpack(W::encoding(a), &fused.a);
        let b = unpack::unpack(W::encoding(inputs.b[index]), &fused.b);
        let term = product::product_with_floor(&a, &b, plan.product_floor, fused);
        let overflow = too_large(&term, plan);
        stages.fused.unpacked_a.push(a);
        stages.fused.unpacked_b.push(b);
        stages.classed_a.push(Unpacked { infinite: a.infinite | overflow, ..a });
        stages.product_overflow.push(overflow);
        stages.products.push(term);
    }
    stages.fused.unpacked_c = unpack::unpack(W::encoding(inputs.c), &fused.c);
    stages.fused.special = special::special(&stages.classed_a, &stages.fused.unpacked_b, &stages.fused.unpacked_c);
}

/// Whether a product is at least two to the power from which products are infinite.
///
/// ```text
///   significand   0001.xxxxxx     the leading one weighs 2^(exponent + integer bits - 1 - zeros above it)
/// ```
#[inline(always)]
fn too_large<W: Word>(term: &Term<W>, plan: &FusedThenAddPlan) -> W::Flag {
    let Some(limit) = plan.overflow_exponent else { return W::Flag::constant(false) };
    let width = plan.products.width;
    let top = i64::from(width) - 1 - i64::from(plan.products.fraction_bits);
    let leading = term.exponent + W::literal(top) - term.significand.leading_zeros(width);
    !term.significand.is_zero() & !leading.less_than(W::literal(i64::from(limit)))
}

/// Aligns the products of one group to their own anchor and adds them.
///
/// ```text
///   group 0   products 0, G, 2 G ...      group 1   products 1, G + 1, 2 G + 1 ...     G groups
/// ```
#[inline(always)]
fn add_group<W: Word>(plan: &FusedThenAddPlan, group: usize, stages: &mut FusedThenAddStages<W>) {
    let groups = plan.groups as usize;
    let mut anchor = W::literal(i64::from(plan.product_floor));
    for term in stages.products.iter().skip(group).step_by(groups) {
        anchor = anchor.maximum(term.exponent);
    }
    let mut sum = W::literal(0);
    for term in stages.products.iter().skip(group).step_by(groups) {
        let aligned = align_by(anchor - term.exponent, term, &plan.product_cut);
        stages.aligned_product.push(aligned);
        sum = sum + aligned;
    }
    stages.group_anchor.push(anchor);
    stages.group_sum.push(sum.claim_signed(plan.group_sum_width));
}

/// The sum of all products as a term: it keeps the greatest anchor, even where it is zero.
#[inline(always)]
fn add_groups<W: Word>(plan: &FusedThenAddPlan, stages: &mut FusedThenAddStages<W>) -> Term<W> {
    if plan.groups == 1 {
        return signed(stages.group_sum[0], stages.group_anchor[0]);
    }
    let mut anchor = stages.group_anchor[0];
    for &other in &stages.group_anchor {
        anchor = anchor.maximum(other);
    }
    let mut sum = W::literal(0);
    for (index, &group) in stages.group_sum.iter().enumerate() {
        let exponent = stages.group_anchor[index];
        let aligned = align_by(anchor - exponent, &signed(group, exponent), &plan.group_cut);
        stages.aligned_group.push(aligned);
        sum = sum + aligned;
    }
    signed(sum.claim_signed(plan.dot_sum_width), anchor)
}

/// A sum in sign and magnitude.
#[inline(always)]
pub fn signed<W: Word>(sum: W, exponent: W) -> Term<W> {
    let negative = sum.less_than(W::literal(0));
    Term { negative, exponent, significand: sum.negate_if(negative) }
}

/// Adds the addend to the sum of products, and normalises the total.
///
/// ```text
///   dot       s iiiiii.fffffffffffff     FractionBits below the anchor
///   addend    s      i.ffffff0000000     its last AddendCutBits places are zero
/// ```
#[inline(always)]
fn add_addend<W: Word>(plan: &FusedThenAddPlan, dot: Term<W>, stages: &mut Stages<W>, dropped: &mut W::Flag) {
    let fused = &plan.fused;
    let addend = product::addend(&stages.unpacked_c, fused);
    let floor = W::literal(i64::from(fused.exponent_floor));
    stages.anchor = dot.exponent.maximum(addend.exponent).maximum(floor);
    stages.aligned.push(align(&dot, fused.term_place_left, stages.anchor, fused));

    let distance = stages.anchor - addend.exponent;
    *dropped = out_of_reach(distance, plan);
    let cut: &CutPlan = &plan.addend_cut;
    let aligned = align_by(distance, &addend, cut).shift_left(plan.addend_cut_bits);
    stages.aligned.push(W::select(*dropped, W::literal(0), aligned));
    stages.terms.push(dot);
    stages.terms.push(addend);
    fused::sum_and_normalise(fused, stages);
}

/// Cuts the normalised total, where the unit does.
#[inline(always)]
fn cut_total<W: Word>(plan: &FusedThenAddPlan, stages: &mut FusedThenAddStages<W>) {
    let Some(cut_bits) = plan.total_cut_bits else { return };
    stages.total = stages.fused.normalised;
    stages.fused.normalised = convert::cut(&stages.total, cut_bits, &plan.fused);
}

#[inline(always)]
fn out_of_reach<W: Word>(distance: W, plan: &FusedThenAddPlan) -> W::Flag {
    match plan.addend_reach {
        Some(reach) => W::literal(i64::from(reach)).less_than(distance),
        None => W::Flag::constant(false),
    }
}
