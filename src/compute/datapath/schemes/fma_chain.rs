//! A chain of fused multiply-adds: d = fma(a[L-1], b[L-1], ... fma(a[0], b[0], c)), each step rounded once
//! (IEEE 754-2019, 5.4.1).

use super::fused;
use crate::compute::Inputs;
use crate::compute::datapath::convert;
use crate::compute::datapath::stages::Stages;
use crate::compute::word::Word;
use crate::describe::plan::FmaChainPlan;

/// Evaluates all steps, the first product first, and leaves the intermediates of step i in `stages[i]`.
#[inline]
pub fn evaluate<W: Word>(plan: &FmaChainPlan, inputs: Inputs, stages: &mut [Stages<W>]) -> W {
    let mut result = W::encoding(inputs.c);
    for ((a, b), stages) in inputs.a.chunks(1).zip(inputs.b.chunks(1)).zip(stages) {
        fused::add_products(&plan.step, a, b, result, stages);
        stages.packed = convert::sign_zero(stages, &plan.step);
        result = stages.packed;
    }
    result
}
