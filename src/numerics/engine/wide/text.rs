//! The datapath text of a unit on registers of eight words, or of eight integers of several words.

#![allow(unsafe_code, reason = "functions for processors with AVX-512 are called")]

use super::super::Batch;
use super::is_supported;
use crate::compute::Inputs;
use crate::compute::datapath::schemes::integer::{self, IntegerStages};
use crate::compute::datapath::schemes::{block_scaled, fused, fused_then_add, operations};
use crate::compute::datapath::{BlockScaledStages, FusedThenAddStages, Stages};
use crate::compute::word::vector::{Encodings, LANES, Vector64, VectorWord};
use crate::compute::word::vector_words::VectorWords;
use crate::describe::plan::{BlockScaledPlan, FusedPlan, FusedThenAddPlan, IntegerPlan, OperationsPlan, Plan};

/// One unit's scheme, and the operands of eight vectors.
pub struct Text {
    scheme: Box<dyn EightVectors>,
    a: Vec<Encodings>,
    b: Vec<Encodings>,
    scale_a: Vec<Encodings>,
    scale_b: Vec<Encodings>,
}

/// A scheme on some word.
trait EightVectors {
    /// Answers eight vectors.
    fn answer(&mut self, inputs: Inputs<Encodings>) -> Encodings;
}

/// A plan with the intermediate values of the last eight vectors.
enum Scheme<W: VectorWord> {
    Fused(Box<FusedPlan>, Box<Stages<W>>),
    Operations(Box<OperationsPlan>, Vec<Stages<W>>),
    BlockScaled(Box<BlockScaledPlan>, Box<BlockScaledStages<W>>),
    Integer(Box<IntegerPlan>, Box<IntegerStages<W>>),
    FusedThenAdd(Box<FusedThenAddPlan>, Box<FusedThenAddStages<W>>),
}

impl<W: VectorWord + 'static> Scheme<W> {
    fn of(plan: Plan) -> Box<dyn EightVectors> {
        Box::new(match plan {
            Plan::Fused(plan) => {
                let stages = Stages::<W>::new(plan.products);
                Scheme::Fused(Box::new(plan), Box::new(stages))
            }
            Plan::Operations(plan) => {
                let stages = vec![Stages::<W>::new(1); plan.operations.len()];
                Scheme::Operations(Box::new(plan), stages)
            }
            Plan::BlockScaled(plan) => {
                let stages = BlockScaledStages::<W>::new(plan.fused.products);
                Scheme::BlockScaled(Box::new(plan), Box::new(stages))
            }
            Plan::Integer(plan) => {
                let stages = IntegerStages::<W>::new(plan.products);
                Scheme::Integer(Box::new(plan), Box::new(stages))
            }
            Plan::FusedThenAdd(plan) => {
                let stages = FusedThenAddStages::<W>::new(plan.fused.products);
                Scheme::FusedThenAdd(Box::new(plan), Box::new(stages))
            }
        })
    }
}

impl<W: VectorWord> EightVectors for Scheme<W> {
    fn answer(&mut self, inputs: Inputs<Encodings>) -> Encodings {
        // SAFETY: a text is made only where the processor has the instructions.
        unsafe { evaluate(self, inputs) }
    }
}

impl Text {
    /// The text of a unit.
    ///
    /// # Errors
    /// The processor lacks the instructions.
    pub fn new(plan: Plan) -> Result<Text, String> {
        if !is_supported() {
            return Err("the processor has no AVX-512 (F, BW, CD, DQ, VL)".to_owned());
        }
        let scheme = match plan.word_bits() {
            0..=64 => Scheme::<Vector64>::of(plan),
            65..=128 => Scheme::<VectorWords<2>>::of(plan),
            129..=256 => Scheme::<VectorWords<4>>::of(plan),
            257..=384 => Scheme::<VectorWords<6>>::of(plan),
            _ => Scheme::<VectorWords<16>>::of(plan),
        };
        Ok(Text { scheme, a: Vec::new(), b: Vec::new(), scale_a: Vec::new(), scale_b: Vec::new() })
    }

    /// Answers the vectors of a batch.
    pub fn run(&mut self, batch: &Batch, results: &mut [u64]) {
        let (products, scales) = (batch.products() as usize, batch.scales() as usize);
        for (number, results) in results.chunks_mut(LANES).enumerate() {
            let own = number * LANES..number * LANES + results.len();
            let rows = |count: usize| own.start * count..own.end * count;
            gather(&batch.a[rows(products)], products, &mut self.a);
            gather(&batch.b[rows(products)], products, &mut self.b);
            gather(&batch.scale_a[rows(scales)], scales, &mut self.scale_a);
            gather(&batch.scale_b[rows(scales)], scales, &mut self.scale_b);
            let mut c = Encodings([0; LANES]);
            c.0[..results.len()].copy_from_slice(&batch.c[own]);
            let inputs = Inputs { a: &self.a, b: &self.b, c, scale_a: &self.scale_a, scale_b: &self.scale_b };
            results.copy_from_slice(&self.scheme.answer(inputs).0[..results.len()]);
        }
    }
}

/// Rows of operands, one vector after the other, become lanes; lanes without a vector are zeros.
fn gather(rows: &[u64], count: usize, lanes: &mut Vec<Encodings>) {
    lanes.clear();
    lanes.resize(count, Encodings([0; LANES]));
    for (lane, row) in rows.chunks_exact(count.max(1)).enumerate() {
        for (place, &encoding) in row.iter().enumerate() {
            lanes[place].0[lane] = encoding;
        }
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512cd")]
fn evaluate<W: VectorWord>(scheme: &mut Scheme<W>, inputs: Inputs<Encodings>) -> Encodings {
    let packed = match scheme {
        Scheme::Fused(plan, stages) => fused::evaluate(plan, inputs, stages),
        Scheme::Operations(plan, stages) => operations::evaluate(plan, inputs, stages),
        Scheme::BlockScaled(plan, stages) => block_scaled::evaluate(plan, inputs, stages),
        Scheme::Integer(plan, stages) => integer::evaluate(plan, inputs, stages),
        Scheme::FusedThenAdd(plan, stages) => fused_then_add::evaluate(plan, inputs, stages),
    };
    packed.low_bits()
}
