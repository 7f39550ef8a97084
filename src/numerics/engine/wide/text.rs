//! The datapath text of a unit on registers of eight words, or of eight integers of several words.

#![allow(unsafe_code, reason = "functions for processors with AVX-512 are called")]

use super::super::Batch;
use crate::compute::Inputs;
use crate::compute::datapath::schemes::{Scheme, WithScheme, with_scheme};
use crate::compute::record::Discard;
use crate::compute::word::vector::{Encodings, LANES, Vector64, VectorWord};
use crate::compute::word::vector_words::VectorWords;
use crate::describe::plan::Plan;
use crate::isa::Isa;

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
struct OnRegisters<S: Scheme, W: VectorWord> {
    plan: S::Plan,
    stages: S::Stages<W>,
}

impl<S: Scheme, W: VectorWord> OnRegisters<S, W> {
    fn boxed(plan: &S::Plan) -> Box<dyn EightVectors> {
        Box::new(OnRegisters::<S, W> { stages: S::stages(plan), plan: plan.clone() })
    }
}

impl<S: Scheme, W: VectorWord> EightVectors for OnRegisters<S, W> {
    fn answer(&mut self, inputs: Inputs<Encodings>) -> Encodings {
        // SAFETY: a text is made only where the processor has the instructions.
        unsafe { evaluate::<S, W>(&self.plan, inputs, &mut self.stages) }
    }
}

/// Puts a scheme on the narrowest register word with that many bits.
struct OnNarrowestWord {
    bits: u32,
}

impl WithScheme for OnNarrowestWord {
    type Output = Box<dyn EightVectors>;

    fn run<S: Scheme>(self, plan: &S::Plan) -> Box<dyn EightVectors> {
        match self.bits {
            0..=64 => OnRegisters::<S, Vector64>::boxed(plan),
            65..=128 => OnRegisters::<S, VectorWords<2>>::boxed(plan),
            129..=256 => OnRegisters::<S, VectorWords<4>>::boxed(plan),
            257..=384 => OnRegisters::<S, VectorWords<6>>::boxed(plan),
            _ => OnRegisters::<S, VectorWords<16>>::boxed(plan),
        }
    }
}

impl Text {
    /// The text of a unit.
    ///
    /// # Errors
    /// The processor lacks the instructions.
    pub fn new(plan: &Plan) -> Result<Text, String> {
        if Isa::best() != Isa::Avx512 {
            return Err("the processor has no AVX-512 (F, BW, CD, DQ, VL)".to_owned());
        }
        let scheme = with_scheme(plan, OnNarrowestWord { bits: plan.word_bits() });
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
fn evaluate<S: Scheme, W: VectorWord>(
    plan: &S::Plan,
    inputs: Inputs<Encodings>,
    stages: &mut S::Stages<W>,
) -> Encodings {
    S::evaluate(plan, inputs, stages, &mut Discard).low_bits()
}
