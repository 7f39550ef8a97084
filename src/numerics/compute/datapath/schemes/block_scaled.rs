//! The block-scaled scheme: products, or exact sums of groups of them, take the scales of their blocks into the alignment;
//! from there on they are summed and converted as in the fused scheme (Xie et al., arXiv 2511.10909).

use super::fused;
use crate::compute::Inputs;
use crate::compute::datapath::stages::BlockScaledStages;
use crate::compute::datapath::{scale, special, unpack};
use crate::compute::word::Word;
use crate::describe::plan::BlockScaledPlan;

/// Evaluates d = convert(c + sum of scale_a * a_i * scale_b * b_i) and leaves every intermediate in `stages`.
#[inline(always)]
pub fn evaluate<W: Word>(plan: &BlockScaledPlan, inputs: Inputs<W::Encoding>, stages: &mut BlockScaledStages<W>) -> W {
    unpack_all(plan, inputs, stages);
    let (block, operands) = (plan.block as usize, &mut stages.fused);
    match &plan.group {
        None => {
            for (index, product) in stages.products.iter().enumerate() {
                let (a, b) = (&stages.scale_a[index / block], &stages.scale_b[index / block]);
                operands.terms.push(scale::scaled(product, a, b, plan));
            }
        }
        Some(group) => {
            let size = group.products as usize;
            for (index, products) in stages.products.chunks_exact(size).enumerate() {
                let (a, b) = (&stages.scale_a[index * size / block], &stages.scale_b[index * size / block]);
                let sum = scale::group_sum(products, plan, group);
                stages.groups.push(sum);
                operands.terms.push(scale::scaled(&sum, a, b, plan));
            }
        }
    }
    operands.special = special::special(&stages.scaled_a, &stages.scaled_b, &operands.unpacked_c);
    fused::add_and_convert(&plan.fused, operands)
}

/// Unpacks elements, scales and addend, and multiplies the elements.
#[inline(always)]
fn unpack_all<W: Word>(plan: &BlockScaledPlan, inputs: Inputs<W::Encoding>, stages: &mut BlockScaledStages<W>) {
    stages.clear();
    for (index, &a) in inputs.scale_a.iter().enumerate() {
        stages.scale_a.push(scale::unpack_scale(W::encoding(a), &plan.scale_a));
        stages.scale_b.push(scale::unpack_scale(W::encoding(inputs.scale_b[index]), &plan.scale_b));
    }
    for (index, &a) in inputs.a.iter().enumerate() {
        let a = unpack::unpack(W::encoding(a), &plan.fused.a);
        let b = unpack::unpack(W::encoding(inputs.b[index]), &plan.fused.b);
        let block = index / plan.block as usize;
        stages.fused.unpacked_a.push(a);
        stages.fused.unpacked_b.push(b);
        stages.scaled_a.push(scale::with_scale(&a, &stages.scale_a[block]));
        stages.scaled_b.push(scale::with_scale(&b, &stages.scale_b[block]));
        stages.products.push(scale::element_product(&a, &b, plan));
    }
    stages.fused.unpacked_c = unpack::unpack(W::encoding(inputs.c), &plan.fused.c);
}
