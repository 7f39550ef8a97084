//! The block-scaled scheme: products, or exact sums of groups of them, take the scales of their blocks into the alignment;
//! from there on they are summed and converted as in the fused scheme (Xie et al., arXiv 2511.10909).

use super::{Scheme, fused};
use crate::compute::Inputs;
use crate::compute::datapath::product::{PRODUCT, Term, TermNames};
use crate::compute::datapath::stages::BlockScaledStages;
use crate::compute::datapath::unpack::Unpacked;
use crate::compute::datapath::{scale, special};
use crate::compute::events::{self, Event, EventSet};
use crate::compute::record::{Encoding, Recorder, Stage};
use crate::compute::word::{MachineWord, Word};
use crate::describe::plan::{BlockScaledPlan, OperandPlan};

/// d = convert(c + sum of scale_a * a_i * scale_b * b_i).
#[derive(Debug)]
pub struct BlockScaled;

/// Terms with their scales.
const SCALED: &TermNames =
    &TermNames { negative: "scaled_negative", significand: "scaled_significand", exponent: "scaled_exponent" };

/// What the parts of a scale are called.
struct ScaleNames {
    exponent: &'static str,
    significand: &'static str,
    nan: &'static str,
}

const SCALE_A: &ScaleNames = &ScaleNames {
    exponent: "unpacked_scale_a_exponent",
    significand: "unpacked_scale_a_significand",
    nan: "unpacked_scale_a_nan",
};
const SCALE_B: &ScaleNames = &ScaleNames {
    exponent: "unpacked_scale_b_exponent",
    significand: "unpacked_scale_b_significand",
    nan: "unpacked_scale_b_nan",
};

impl Scheme for BlockScaled {
    type Plan = BlockScaledPlan;
    type Stages<W: Word> = BlockScaledStages<W>;

    fn stages<W: Word>(plan: &BlockScaledPlan) -> BlockScaledStages<W> {
        BlockScaledStages::new(plan.fused.products)
    }

    #[inline(always)]
    fn evaluate<W: Word>(
        plan: &BlockScaledPlan,
        inputs: Inputs<W::Encoding>,
        stages: &mut BlockScaledStages<W>,
        recorder: &mut impl Recorder<W>,
    ) -> W {
        unpack_all(plan, inputs, stages, recorder);
        let (block, operands) = (plan.block as usize, &mut stages.fused);
        match &plan.group {
            None => {
                for (index, product) in stages.products.iter().enumerate() {
                    let (a, b) = (&stages.scale_a[index / block], &stages.scale_b[index / block]);
                    operands.terms.push(scaled(product, a, b, plan, recorder));
                }
            }
            Some(group) => {
                let size = group.products as usize;
                for (index, products) in stages.products.chunks_exact(size).enumerate() {
                    let (a, b) = (&stages.scale_a[index * size / block], &stages.scale_b[index * size / block]);
                    let sum = scale::group_sum(products, plan, group);
                    let encoding = Encoding::Unsigned(group.sum_width - 1);
                    recorder.put_flag(Stage::Product, "group_negative", sum.negative);
                    recorder.put(Stage::Product, "group_magnitude", encoding, sum.significand);
                    stages.groups.push(sum);
                    operands.terms.push(scaled(&sum, a, b, plan, recorder));
                }
            }
        }
        operands.special = special::special(&stages.scaled_a, &stages.scaled_b, &operands.unpacked_c);
        fused::add_and_convert(&plan.fused, operands, recorder);
        fused::put_packed(&plan.fused, operands.packed, recorder);
        operands.packed
    }

    #[inline]
    fn events<W: MachineWord>(plan: &BlockScaledPlan, stages: &BlockScaledStages<W>) -> EventSet {
        events::block_scaled::events(plan, stages)
    }

    fn concerns(_: &BlockScaledPlan, event: Event) -> bool {
        events::fused::concerns(event) || events::block_scaled::concerns(event)
    }

    fn unreachable(plan: &BlockScaledPlan, event: Event) -> Option<String> {
        events::block_scaled::unreachable(plan, event)
    }
}

/// Unpacks scales, elements and addend, and multiplies the elements.
#[inline(always)]
fn unpack_all<W: Word>(
    plan: &BlockScaledPlan,
    inputs: Inputs<W::Encoding>,
    stages: &mut BlockScaledStages<W>,
    recorder: &mut impl Recorder<W>,
) {
    let fused = &plan.fused;
    stages.clear();
    for (index, &a) in inputs.scale_a.iter().enumerate() {
        let b = inputs.scale_b[index];
        stages.scale_a.push(unpack_scale(W::encoding(a), SCALE_A, &plan.scale_a, plan, recorder));
        stages.scale_b.push(unpack_scale(W::encoding(b), SCALE_B, &plan.scale_b, plan, recorder));
    }
    stages.fused.unpacked_c = fused::unpack_addend(W::encoding(inputs.c), fused, recorder);
    for (index, &a) in inputs.a.iter().enumerate() {
        let a = fused::unpack_a(a, fused, recorder);
        let b = fused::unpack_b(inputs.b[index], fused, recorder);
        let block = index / plan.block as usize;
        let product = scale::element_product(&a, &b, plan);
        product.put(PRODUCT, fused.product_width, fused.exponent_width, recorder);
        stages.fused.unpacked_a.push(a);
        stages.fused.unpacked_b.push(b);
        stages.scaled_a.push(scale::with_scale(&a, &stages.scale_a[block]));
        stages.scaled_b.push(scale::with_scale(&b, &stages.scale_b[block]));
        stages.products.push(product);
    }
}

#[inline(always)]
fn unpack_scale<W: Word>(
    encoding: W,
    names: &ScaleNames,
    own: &OperandPlan,
    plan: &BlockScaledPlan,
    recorder: &mut impl Recorder<W>,
) -> Unpacked<W> {
    let scale = scale::unpack_scale(encoding, own);
    recorder.put(Stage::Unpacked, names.exponent, Encoding::Signed(plan.fused.exponent_width), scale.exponent);
    recorder.put(Stage::Unpacked, names.significand, Encoding::Unsigned(own.precision()), scale.significand);
    recorder.put_flag(Stage::Unpacked, names.nan, scale.nan);
    scale
}

#[inline(always)]
fn scaled<W: Word>(
    term: &Term<W>,
    a: &Unpacked<W>,
    b: &Unpacked<W>,
    plan: &BlockScaledPlan,
    recorder: &mut impl Recorder<W>,
) -> Term<W> {
    let scaled = scale::scaled(term, a, b, plan);
    scaled.put(SCALED, plan.fused.terms.width, plan.fused.exponent_width, recorder);
    scaled
}
