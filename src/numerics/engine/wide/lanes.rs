//! The datapath text of a unit on registers of lanes: of one word, and of two, four or eight where AVX-512 has masks for their
//! carries. Elsewhere, and for wider units with AVX2, lanes gain nothing. Each text on several words takes a compiler seconds: units
//! that are rare in the catalogue and among the hypotheses of inference have none.

use std::fmt::Debug;
use std::marker::PhantomData;

use super::super::Batch;
use crate::compute::Inputs;
use crate::compute::datapath::schemes::{Fused, Scheme, Steps, WithScheme, with_scheme};
use crate::compute::record::Discard;
use crate::compute::word::lanes::{LaneWord, LaneWords, VectorWord};
use crate::describe::plan::Plan;
use crate::isa::Isa;
use crate::lanes::{Avx2, Avx512, LANES_MAX, Lanes, Level, Work};

/// The lanes of a level that the text computes on.
type Lanes64<S> = <S as Level>::Lanes64;

/// The text of a unit on lanes, on levels where they gain.
pub(super) fn on_lanes(plan: &Plan, isa: Isa) -> Option<Box<dyn Vectors>> {
    let words = plan.word_bits().div_ceil(64);
    match (isa, words) {
        (Isa::Avx512, 1) => Some(with_scheme(plan, OnWord::<Lanes64<Avx512>>(PhantomData))),
        (Isa::Avx512, 2..=8) => on_words(plan, words),
        (Isa::Avx2, 1) => Some(with_scheme(plan, OnWord::<Lanes64<Avx2>>(PhantomData))),
        _ => None,
    }
}

/// The text on words of lanes of AVX-512, so many or the next power of two.
fn on_words(plan: &Plan, words: u32) -> Option<Box<dyn Vectors>> {
    type Words<const N: usize> = LaneWords<Lanes64<Avx512>, N>;
    Some(match (plan, words) {
        (Plan::Fused(plan), 2) => OnLanes::<Fused, Words<2>>::boxed(plan),
        (Plan::Fused(plan), 3 | 4) => OnLanes::<Fused, Words<4>>::boxed(plan),
        (Plan::Fused(plan), _) => OnLanes::<Fused, Words<8>>::boxed(plan),
        (Plan::Steps(plan), 2) => OnLanes::<Steps, Words<2>>::boxed(plan),
        (Plan::Steps(plan), 3 | 4) => OnLanes::<Steps, Words<4>>::boxed(plan),
        (Plan::Steps(plan), _) => OnLanes::<Steps, Words<8>>::boxed(plan),
        (Plan::Integer(_), _) => return None,
    })
}

/// Puts a scheme on one word of lanes.
struct OnWord<L>(PhantomData<L>);

impl<L: Lanes> WithScheme for OnWord<L> {
    type Output = Box<dyn Vectors>;

    fn run<S: Scheme>(self, plan: &S::Plan) -> Box<dyn Vectors> {
        OnLanes::<S, LaneWord<L>>::boxed(plan)
    }
}

/// A scheme on some word.
pub trait Vectors: Debug + Send {
    /// Answers the vectors of a batch.
    fn answer(&mut self, batch: &Batch, results: &mut [u64]);
}

/// A plan with the operands of some vectors, and what their evaluation leaves.
#[derive(Debug)]
struct OnLanes<S: Scheme, W: VectorWord> {
    plan: S::Plan,
    stages: S::Stages<W>,
    a: Vec<W::Lanes>,
    b: Vec<W::Lanes>,
    scale_a: Vec<W::Lanes>,
    scale_b: Vec<W::Lanes>,
}

impl<S: Scheme, W: VectorWord> OnLanes<S, W> {
    fn boxed(plan: &S::Plan) -> Box<dyn Vectors> {
        let (stages, plan) = (S::unread_stages(plan), plan.clone());
        Box::new(OnLanes::<S, W> { plan, stages, a: vec![], b: vec![], scale_a: vec![], scale_b: vec![] })
    }
}

impl<S: Scheme, W: VectorWord> Vectors for OnLanes<S, W> {
    fn answer(&mut self, batch: &Batch, results: &mut [u64]) {
        W::Lanes::call::<_, _, Evaluate>(self, &mut (batch, results));
    }
}

struct Evaluate;

impl<S: Scheme, W: VectorWord> Work<OnLanes<S, W>, (&Batch, &mut [u64])> for Evaluate {
    #[inline(always)]
    fn run(on: &mut OnLanes<S, W>, (batch, results): &mut (&Batch, &mut [u64])) {
        let count = W::Lanes::COUNT;
        let (products, scales) = (batch.products() as usize, batch.scales() as usize);
        for (number, results) in results.chunks_mut(count).enumerate() {
            let own = number * count..number * count + results.len();
            gather(&batch.a[own.start * products..own.end * products], products, &mut on.a);
            gather(&batch.b[own.start * products..own.end * products], products, &mut on.b);
            gather(&batch.scale_a[own.start * scales..own.end * scales], scales, &mut on.scale_a);
            gather(&batch.scale_b[own.start * scales..own.end * scales], scales, &mut on.scale_b);
            let c = lanes(&batch.c[own]);
            let inputs = Inputs { a: &on.a, b: &on.b, c, scale_a: &on.scale_a, scale_b: &on.scale_b };
            let answers: W = S::evaluate(&on.plan, inputs, &mut on.stages, &mut Discard);
            if results.len() == count {
                answers.low_bits().store(results);
            } else {
                let mut words = [0; LANES_MAX];
                answers.low_bits().store(&mut words);
                results.copy_from_slice(&words[..results.len()]);
            }
        }
    }
}

/// A word a lane; lanes without one are zeros.
#[inline(always)]
fn lanes<L: Lanes>(words: &[u64]) -> L {
    let mut padded = [0; LANES_MAX];
    padded[..words.len()].copy_from_slice(words);
    L::load(&padded)
}

/// Rows of operands, one vector after the other, become lanes; lanes without a vector are zeros.
#[inline(always)]
fn gather<L: Lanes>(rows: &[u64], count: usize, lanes: &mut Vec<L>) {
    lanes.resize(count, L::of(0));
    if rows.len() == count * L::COUNT && count.is_multiple_of(4) {
        let fours = count / 4;
        for (group, lanes) in lanes.as_chunks_mut::<4>().0.iter_mut().enumerate() {
            *lanes = L::load_rows(rows.as_chunks().0, group, fours);
        }
        return;
    }
    for (place, lane) in lanes.iter_mut().enumerate() {
        let mut words = [0; LANES_MAX];
        for (vector, word) in words.iter_mut().enumerate().take(rows.len() / count) {
            *word = rows[vector * count + place];
        }
        *lane = L::load(&words);
    }
}
