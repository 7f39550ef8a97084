//! The datapath text of a unit on a register of eight words.

#![allow(unsafe_code, reason = "functions for processors with AVX-512 are called")]

use super::super::Batch;
use super::is_supported;
use crate::compute::Inputs;
use crate::compute::datapath::schemes::integer::{self, IntegerStages};
use crate::compute::datapath::schemes::{block_scaled, fused, fused_then_add, operations};
use crate::compute::datapath::{BlockScaledStages, FusedThenAddStages, Stages};
use crate::compute::word::vector::{Encodings, LANES, Vector64};
use crate::describe::plan::{BlockScaledPlan, FusedPlan, FusedThenAddPlan, IntegerPlan, OperationsPlan, Plan};

/// One unit's scheme, and the operands of eight vectors.
pub struct Text {
    scheme: Scheme,
    a: Vec<Encodings>,
    b: Vec<Encodings>,
    scale_a: Vec<Encodings>,
    scale_b: Vec<Encodings>,
}

/// A plan with the intermediate values of the last eight vectors.
enum Scheme {
    Fused(Box<FusedPlan>, Box<Stages<Vector64>>),
    Operations(Box<OperationsPlan>, Vec<Stages<Vector64>>),
    BlockScaled(Box<BlockScaledPlan>, Box<BlockScaledStages<Vector64>>),
    Integer(Box<IntegerPlan>, Box<IntegerStages<Vector64>>),
    FusedThenAdd(Box<FusedThenAddPlan>, Box<FusedThenAddStages<Vector64>>),
}

impl Text {
    /// The text of a unit.
    ///
    /// # Errors
    /// The processor lacks the instructions, or the unit's words exceed a lane.
    pub fn new(plan: &Plan) -> Result<Text, String> {
        if !is_supported() {
            return Err("the processor has no AVX-512 (F, BW, CD, DQ, VL)".to_owned());
        }
        let bits = match plan {
            Plan::Fused(plan) => plan.word_bits,
            Plan::Operations(plan) => plan.word_bits(),
            Plan::BlockScaled(plan) => plan.fused.word_bits,
            Plan::Integer(plan) => plan.word_bits,
            Plan::FusedThenAdd(plan) => plan.fused.word_bits,
        };
        if bits > 64 {
            return Err(format!("the unit needs words of {bits} bits; a lane has 64"));
        }
        let scheme = match plan.clone() {
            Plan::Fused(plan) => {
                let stages = Stages::new(plan.products);
                Scheme::Fused(Box::new(plan), Box::new(stages))
            }
            Plan::Operations(plan) => {
                let stages = vec![Stages::new(1); plan.operations.len()];
                Scheme::Operations(Box::new(plan), stages)
            }
            Plan::BlockScaled(plan) => {
                let stages = BlockScaledStages::new(plan.fused.products);
                Scheme::BlockScaled(Box::new(plan), Box::new(stages))
            }
            Plan::Integer(plan) => {
                let stages = IntegerStages::new(plan.products);
                Scheme::Integer(Box::new(plan), Box::new(stages))
            }
            Plan::FusedThenAdd(plan) => {
                let stages = FusedThenAddStages::new(plan.fused.products);
                Scheme::FusedThenAdd(Box::new(plan), Box::new(stages))
            }
        };
        Ok(Text { scheme, a: Vec::new(), b: Vec::new(), scale_a: Vec::new(), scale_b: Vec::new() })
    }

    /// Answers the vectors of the batch from `first` on.
    pub fn run(&mut self, batch: &Batch, first: usize, results: &mut [u64]) {
        let (products, scales) = (batch.products() as usize, batch.scales() as usize);
        for (number, results) in results.chunks_mut(LANES).enumerate() {
            let own = first + number * LANES..first + number * LANES + results.len();
            let rows = |count: usize| own.start * count..own.end * count;
            gather(&batch.a[rows(products)], products, &mut self.a);
            gather(&batch.b[rows(products)], products, &mut self.b);
            gather(&batch.scale_a[rows(scales)], scales, &mut self.scale_a);
            gather(&batch.scale_b[rows(scales)], scales, &mut self.scale_b);
            let mut c = Encodings([0; LANES]);
            c.0[..results.len()].copy_from_slice(&batch.c[own]);
            let inputs = Inputs { a: &self.a, b: &self.b, c, scale_a: &self.scale_a, scale_b: &self.scale_b };
            // SAFETY: a text is made only where the processor has the instructions.
            let answers = unsafe { evaluate(&mut self.scheme, inputs) };
            results.copy_from_slice(&answers.0[..results.len()]);
        }
    }
}

/// Rows of operands, one vector after the other, become lanes; lanes without a vector are zeros.
fn gather(rows: &[u64], count: usize, lanes: &mut Vec<Encodings>) {
    lanes.clear();
    lanes.resize(count, Encodings([0; LANES]));
    for (lane, row) in rows.chunks_exact(count.max(1)).enumerate() {
        lanes.iter_mut().zip(row).for_each(|(operand, &encoding)| operand.0[lane] = encoding);
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512cd,bmi2")]
fn evaluate(scheme: &mut Scheme, inputs: Inputs<Encodings>) -> Encodings {
    let packed = match scheme {
        Scheme::Fused(plan, stages) => fused::evaluate(plan, inputs, stages),
        Scheme::Operations(plan, stages) => operations::evaluate(plan, inputs, stages),
        Scheme::BlockScaled(plan, stages) => block_scaled::evaluate(plan, inputs, stages),
        Scheme::Integer(plan, stages) => integer::evaluate(plan, inputs, stages),
        Scheme::FusedThenAdd(plan, stages) => fused_then_add::evaluate(plan, inputs, stages),
    };
    packed.low_bits()
}
