//! The fused-then-add scheme: products aligned in groups, cut and added as integers; that sum and the addend aligned and cut
//! once more, added and, perhaps cut a last time, converted (CDNA3; Xie et al., arXiv 2511.10909).

use super::{Scheme, fused};
use crate::compute::Inputs;
use crate::compute::datapath::align::{align, align_by};
use crate::compute::datapath::product::{self, PRODUCT, Term};
use crate::compute::datapath::stages::Stages;
use crate::compute::datapath::{FusedThenAddStages, Unpacked, convert, special};
use crate::compute::events::{self, Event, EventSet};
use crate::compute::record::{Encoding, Recorder, Stage};
use crate::compute::word::{Flag, MachineWord, Word};
use crate::describe::plan::{CutPlan, FusedThenAddPlan};

/// d = convert(c + sum of a_i * b_i).
#[derive(Debug)]
pub struct FusedThenAdd;

impl Scheme for FusedThenAdd {
    type Plan = FusedThenAddPlan;
    type Stages<W: Word> = FusedThenAddStages<W>;

    fn stages<W: Word>(plan: &FusedThenAddPlan) -> FusedThenAddStages<W> {
        FusedThenAddStages::new(plan.fused.products)
    }

    #[inline(always)]
    fn evaluate<W: Word>(
        plan: &FusedThenAddPlan,
        inputs: Inputs<W::Encoding>,
        stages: &mut FusedThenAddStages<W>,
        recorder: &mut impl Recorder<W>,
    ) -> W {
        stages.clear();
        multiply(plan, inputs, stages, recorder);
        for group in 0..plan.groups as usize {
            add_group(plan, group, stages, recorder);
        }
        let dot = add_groups(plan, stages, recorder);
        add_addend(plan, dot, &mut stages.fused, &mut stages.addend_dropped, recorder);
        cut_total(plan, stages, recorder);
        fused::put_normalised(&plan.fused, &stages.fused, recorder);
        fused::round_and_pack(&plan.fused, &mut stages.fused, recorder);
        fused::put_packed(&plan.fused, stages.fused.packed, recorder);
        stages.fused.packed
    }

    #[inline]
    fn events<W: MachineWord>(plan: &FusedThenAddPlan, stages: &FusedThenAddStages<W>) -> EventSet {
        events::fused_then_add::events(plan, stages)
    }

    fn concerns(_: &FusedThenAddPlan, event: Event) -> bool {
        events::fused::concerns(event) || events::fused_then_add::concerns(event)
    }

    fn unreachable(plan: &FusedThenAddPlan, event: Event) -> Option<String> {
        events::fused_then_add::unreachable(plan, event)
    }
}

/// Unpacks the operands and multiplies them; decides infinities and NaN.
#[inline(always)]
fn multiply<W: Word>(
    plan: &FusedThenAddPlan,
    inputs: Inputs<W::Encoding>,
    stages: &mut FusedThenAddStages<W>,
    recorder: &mut impl Recorder<W>,
) {
    let fused = &plan.fused;
    stages.fused.unpacked_c = fused::unpack_addend(W::encoding(inputs.c), fused, recorder);
    for (index, &a) in inputs.a.iter().enumerate() {
        let a = fused::unpack_a(a, fused, recorder);
        let b = fused::unpack_b(inputs.b[index], fused, recorder);
        let term = product::product_with_floor(&a, &b, plan.product_floor, fused);
        term.put(PRODUCT, fused.product_width, fused.exponent_width, recorder);
        let overflow = too_large(&term, plan);
        if plan.overflow_exponent.is_some() {
            recorder.put_flag(Stage::Product, "product_overflow", overflow);
        }
        stages.fused.unpacked_a.push(a);
        stages.fused.unpacked_b.push(b);
        stages.classed_a.push(Unpacked { infinite: a.infinite | overflow, ..a });
        stages.product_overflow.push(overflow);
        stages.products.push(term);
    }
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
fn add_group<W: Word>(
    plan: &FusedThenAddPlan,
    group: usize,
    stages: &mut FusedThenAddStages<W>,
    recorder: &mut impl Recorder<W>,
) {
    let groups = plan.groups as usize;
    let mut anchor = W::literal(i64::from(plan.product_floor));
    for term in stages.products.iter().skip(group).step_by(groups) {
        anchor = anchor.maximum(term.exponent);
    }
    recorder.put(Stage::Anchor, "group_anchor", Encoding::Signed(plan.fused.exponent_width), anchor);
    let mut sum = W::literal(0);
    for term in stages.products.iter().skip(group).step_by(groups) {
        let aligned = align_by(anchor - term.exponent, term, &plan.product_cut);
        recorder.put(Stage::Aligned, "aligned_product", Encoding::Signed(plan.product_cut.aligned_width), aligned);
        stages.aligned_product.push(aligned);
        sum = sum + aligned;
    }
    let sum = sum.claim_signed(plan.group_sum_width);
    recorder.put(Stage::Sum, "group_sum", Encoding::Signed(plan.group_sum_width), sum);
    stages.group_anchor.push(anchor);
    stages.group_sum.push(sum);
}

/// The sum of all products as a term: it keeps the greatest anchor, even where it is zero.
#[inline(always)]
fn add_groups<W: Word>(
    plan: &FusedThenAddPlan,
    stages: &mut FusedThenAddStages<W>,
    recorder: &mut impl Recorder<W>,
) -> Term<W> {
    let mut anchor = stages.group_anchor[0];
    for &other in &stages.group_anchor[1..] {
        anchor = anchor.maximum(other);
    }
    recorder.put(Stage::Sum, "dot_exponent", Encoding::Signed(plan.fused.exponent_width), anchor);
    let mut sum = stages.group_sum[0];
    if plan.groups > 1 {
        sum = W::literal(0);
        for (index, &group) in stages.group_sum.iter().enumerate() {
            let exponent = stages.group_anchor[index];
            let aligned = align_by(anchor - exponent, &signed(group, exponent), &plan.group_cut);
            recorder.put(Stage::Aligned, "aligned_group", Encoding::Signed(plan.group_sum_width), aligned);
            stages.aligned_group.push(aligned);
            sum = sum + aligned;
        }
        sum = sum.claim_signed(plan.dot_sum_width);
    }
    let dot = signed(sum, anchor);
    recorder.put_flag(Stage::Sum, "dot_negative", dot.negative);
    recorder.put(Stage::Sum, "dot_significand", Encoding::Unsigned(plan.fused.terms.width), dot.significand);
    dot
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
fn add_addend<W: Word>(
    plan: &FusedThenAddPlan,
    dot: Term<W>,
    stages: &mut Stages<W>,
    dropped: &mut W::Flag,
    recorder: &mut impl Recorder<W>,
) {
    let fused = &plan.fused;
    let addend = product::addend(&stages.unpacked_c, fused);
    recorder.put(Stage::Product, "addend_exponent", Encoding::Signed(fused.exponent_width), addend.exponent);
    let floor = W::literal(i64::from(fused.exponent_floor));
    stages.anchor = dot.exponent.maximum(addend.exponent).maximum(floor);
    recorder.put(Stage::Anchor, "anchor", Encoding::Signed(fused.exponent_width), stages.anchor);
    stages.aligned.push(align(&dot, fused.term_place_left, stages.anchor, fused));

    let distance = stages.anchor - addend.exponent;
    *dropped = out_of_reach(distance, plan);
    if plan.addend_reach.is_some() {
        recorder.put_flag(Stage::Aligned, "addend_dropped", *dropped);
    }
    let cut: &CutPlan = &plan.addend_cut;
    let aligned = align_by(distance, &addend, cut).shift_left(plan.addend_cut_bits);
    stages.aligned.push(W::select(*dropped, W::literal(0), aligned));
    stages.terms.push(dot);
    stages.terms.push(addend);
    fused::sum_and_normalise(fused, stages, recorder);
}

/// Cuts the normalised total, where the unit does.
#[inline(always)]
fn cut_total<W: Word>(plan: &FusedThenAddPlan, stages: &mut FusedThenAddStages<W>, recorder: &mut impl Recorder<W>) {
    let Some(cut_bits) = plan.total_cut_bits else { return };
    stages.total = stages.fused.normalised;
    let (exponent, significand) = (stages.total.exponent, stages.total.significand);
    recorder.put(Stage::Normalised, "total_exponent", Encoding::Signed(plan.fused.exponent_width), exponent);
    recorder.put(Stage::Normalised, "total_significand", Encoding::Unsigned(plan.fused.normalised_width), significand);
    stages.fused.normalised = convert::cut(&stages.total, cut_bits, &plan.fused);
}

#[inline(always)]
fn out_of_reach<W: Word>(distance: W, plan: &FusedThenAddPlan) -> W::Flag {
    match plan.addend_reach {
        Some(reach) => W::literal(i64::from(reach)).less_than(distance),
        None => W::Flag::constant(false),
    }
}
