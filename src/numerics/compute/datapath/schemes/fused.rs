//! The fused scheme: all products and the addend aligned to one anchor, cut, added as integers, converted once
//! (Fasi et al. 2021, section 3; Valpey et al. 2025, section 4).

use super::Scheme;
use crate::compute::Inputs;
use crate::compute::datapath::product::PRODUCT;
use crate::compute::datapath::stages::Stages;
use crate::compute::datapath::unpack::{Unpacked, operand_names};
use crate::compute::datapath::{align, anchor, convert, flags, product, special, sum, unpack};
use crate::compute::events::{self, Event, EventSet};
use crate::compute::record::{Encoding, Recorder, Stage};
use crate::compute::word::{MachineWord, Word};
use crate::describe::plan::FusedPlan;
use crate::describe::unit::Flags;

/// d = convert(c + sum of a_i * b_i).
#[derive(Debug)]
pub struct Fused;

impl Scheme for Fused {
    type Plan = FusedPlan;
    type Stages<W: Word> = Stages<W>;

    fn stages<W: Word>(plan: &FusedPlan) -> Stages<W> {
        Stages::new(plan.products)
    }

    #[inline(always)]
    fn evaluate<W: Word>(
        plan: &FusedPlan,
        inputs: Inputs<W::Encoding>,
        stages: &mut Stages<W>,
        recorder: &mut impl Recorder<W>,
    ) -> W {
        if plan.has_addend {
            stages.unpacked_c = unpack_addend(W::encoding(inputs.c), plan, recorder);
        }
        multiply(plan, inputs.a, inputs.b, stages, recorder);
        stages.special = special::special(&stages.unpacked_a, &stages.unpacked_b, &stages.unpacked_c);
        add_and_convert(plan, stages, recorder);
        put_packed(plan, stages.packed, recorder);
        if plan.flags {
            stages.flags = flags::flags(plan, stages);
            recorder.put(Stage::Packed, "flags", Encoding::Unsigned(Flags::WIDTH), stages.flags);
            return stages.packed + stages.flags.shift_left(plan.result.width);
        }
        stages.packed
    }

    #[inline]
    fn events<W: MachineWord>(plan: &FusedPlan, stages: &Stages<W>) -> EventSet {
        events::fused::events(plan, stages)
    }

    fn concerns(plan: &FusedPlan, event: Event) -> bool {
        events::fused::concerns(event) || plan.flags && events::flags::concerns(event)
    }

    fn unreachable(plan: &FusedPlan, event: Event) -> Option<String> {
        events::fused::unreachable(plan, event)
    }
}

/// Unpacks an addend that may have been computed.
#[inline(always)]
pub(super) fn unpack_addend<W: Word>(addend: W, plan: &FusedPlan, recorder: &mut impl Recorder<W>) -> Unpacked<W> {
    let addend = unpack::unpack(addend, &plan.c);
    addend.put(operand_names!("unpacked_c"), &plan.c, plan.exponent_width, recorder);
    addend
}

/// Unpacks the factors and multiplies them.
#[inline(always)]
pub(super) fn multiply<W: Word>(
    plan: &FusedPlan,
    a: &[W::Encoding],
    b: &[W::Encoding],
    stages: &mut Stages<W>,
    recorder: &mut impl Recorder<W>,
) {
    stages.unpacked_a.clear();
    stages.unpacked_b.clear();
    stages.terms.clear();
    for (index, &a) in a.iter().enumerate() {
        let a = unpack_a(a, plan, recorder);
        let b = unpack_b(b[index], plan, recorder);
        let product = product::product(&a, &b, plan);
        product.put(PRODUCT, plan.product_width, plan.exponent_width, recorder);
        stages.unpacked_a.push(a);
        stages.unpacked_b.push(b);
        stages.terms.push(product);
    }
}

/// Unpacks a factor.
#[inline(always)]
pub(super) fn unpack_a<W: Word>(a: W::Encoding, plan: &FusedPlan, recorder: &mut impl Recorder<W>) -> Unpacked<W> {
    let a = unpack::unpack(W::encoding(a), &plan.a);
    a.put(operand_names!("unpacked_a"), &plan.a, plan.exponent_width, recorder);
    a
}

/// Unpacks the other one.
#[inline(always)]
pub(super) fn unpack_b<W: Word>(b: W::Encoding, plan: &FusedPlan, recorder: &mut impl Recorder<W>) -> Unpacked<W> {
    let b = unpack::unpack(W::encoding(b), &plan.b);
    b.put(operand_names!("unpacked_b"), &plan.b, plan.exponent_width, recorder);
    b
}

/// Adds the unpacked addend, if there is one, to the terms, aligns, sums and converts them.
#[inline(always)]
pub(super) fn add_and_convert<W: Word>(plan: &FusedPlan, stages: &mut Stages<W>, recorder: &mut impl Recorder<W>) {
    stages.aligned.clear();
    let addend = product::addend(&stages.unpacked_c, plan);
    stages.anchor = anchor::anchor(&stages.terms, plan);
    if plan.has_addend {
        recorder.put(Stage::Product, "addend_exponent", Encoding::Signed(plan.exponent_width), addend.exponent);
        stages.anchor = stages.anchor.maximum(addend.exponent);
    }
    recorder.put(Stage::Anchor, "anchor", Encoding::Signed(plan.exponent_width), stages.anchor);
    for term in &stages.terms {
        stages.aligned.push(align::align(term, plan.term_place_left, stages.anchor, plan));
    }
    if plan.has_addend {
        stages.aligned.push(align::align(&addend, plan.addend_place_left, stages.anchor, plan));
        stages.terms.push(addend);
    }
    sum_and_normalise(plan, stages, recorder);
    put_normalised(plan, stages, recorder);
    round_and_pack(plan, stages, recorder);
}

/// Adds the aligned terms and normalises their sum.
#[inline(always)]
pub(super) fn sum_and_normalise<W: Word>(plan: &FusedPlan, stages: &mut Stages<W>, recorder: &mut impl Recorder<W>) {
    for &aligned in &stages.aligned {
        recorder.put(Stage::Aligned, "aligned", Encoding::Signed(plan.aligned_width), aligned);
    }
    stages.sum = sum::sum(&stages.aligned, plan);
    recorder.put(Stage::Sum, "sum", Encoding::Signed(plan.sum_width), stages.sum);
    stages.normalised = convert::normalise(stages.sum, stages.anchor, plan);
}

/// Hands out what is rounded.
#[inline(always)]
pub(super) fn put_normalised<W: Word>(plan: &FusedPlan, stages: &Stages<W>, recorder: &mut impl Recorder<W>) {
    let (stage, normalised) = (Stage::Normalised, &stages.normalised);
    recorder.put_flag(stage, "normalised_negative", normalised.negative);
    recorder.put(stage, "normalised_exponent", Encoding::Signed(plan.exponent_width), normalised.exponent);
    let encoding = Encoding::Unsigned(plan.normalised_width);
    recorder.put(stage, "normalised_significand", encoding, normalised.significand);
    recorder.put_aside(stage, "normalised_zero", normalised.zero);
}

/// Rounds the normalised sum and makes it a result.
#[inline(always)]
pub(super) fn round_and_pack<W: Word>(plan: &FusedPlan, stages: &mut Stages<W>, recorder: &mut impl Recorder<W>) {
    stages.rounded = convert::round(&stages.normalised, plan);
    stages.packed = convert::pack(&stages.normalised, stages.rounded, &stages.special, plan);
    let encoding = Encoding::Unsigned(plan.result.fraction_bits + 2);
    recorder.put(Stage::Rounded, "rounded", encoding, stages.rounded);
    recorder.put_flag(Stage::Packed, "special_nan", stages.special.nan);
    recorder.put_aside(Stage::Packed, "special_negative", stages.special.negative);
    recorder.put_flag(Stage::Packed, "special_infinite", stages.special.infinite);
}

/// Hands out the result.
#[inline(always)]
pub(super) fn put_packed<W: Word>(plan: &FusedPlan, packed: W, recorder: &mut impl Recorder<W>) {
    recorder.put(Stage::Packed, "packed_word", Encoding::Unsigned(plan.result.width), packed);
}
