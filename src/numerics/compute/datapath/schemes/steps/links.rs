//! The links of a list: one with a sum of its own, or several that pass numbers on.

use super::{LinkStages, Names, Raised, StepsStages, keep, keep_all, put_number};
use crate::compute::datapath::number::{self, Entered, Number, Summed};
use crate::compute::datapath::round::{self, Rounded};
use crate::compute::record::{Encoding, Recorder, Stage};
use crate::compute::word::Word;
use crate::describe::plan::{LinkPlan, LinkRun, RoundPlan, ScalePlan, Source, StepsPlan, SumKind, TermRun};

/// The numbers from that source on.
#[inline(always)]
fn from<'a, W: Word>(
    source: Source,
    products: &'a [Number<W>],
    addend: &'a Number<W>,
    links: &'a [Number<W>],
) -> &'a [Number<W>] {
    match source {
        Source::Product(first) => &products[first as usize..],
        Source::Addend => std::slice::from_ref(addend),
        Source::Link(first) => &links[first as usize..],
    }
}

/// The number of that source.
#[inline(always)]
fn number<'a, W: Word>(
    source: Source,
    products: &'a [Number<W>],
    addend: &'a Number<W>,
    links: &'a [Number<W>],
) -> &'a Number<W> {
    match source {
        Source::Product(index) => &products[index as usize],
        Source::Addend => addend,
        Source::Link(index) => &links[index as usize],
    }
}

/// One link: its numbers, their sum, its scales, its roundings.
#[inline(always)]
pub(super) fn evaluate<W: Word>(
    plan: &StepsPlan,
    run: &LinkRun,
    stages: &mut StepsStages<W>,
    raised: &mut Raised<W>,
    recorder: &mut impl Recorder<W>,
) {
    let (index, link) = (run.first, &plan.links[run.first]);
    recorder.enter(Some(link.place));
    let is_read = stages.is_read();
    let StepsStages { links, products, numbers, addend, factors, .. } = stages;
    let LinkStages { inputs, aligned, sum, rounds } = &mut links[index];
    let summed = match (&link.sum.kind, &run.pair) {
        (SumKind::Single { .. }, _) => {
            let term = run.terms[0];
            number::single(number(term.source, products, addend, numbers), term.enter, link)
        }
        (SumKind::Exact { .. } | SumKind::Window { .. }, Some(pair)) => {
            let first = number(pair[0].source, products, addend, numbers);
            let second = number(pair[1].source, products, addend, numbers);
            let (entered, placed, summed) = number::two([first, second], pair, link);
            let is_kept = is_read | recorder.keeps();
            keep_all(is_kept, inputs, &entered);
            keep_all(is_kept, aligned, &placed);
            summed
        }
        (SumKind::Exact { .. } | SumKind::Window { .. }, None) => {
            let mut entered = Entered::none(&link.sum);
            let mut first = 0;
            for &run in &run.terms {
                let behind = first + run.count as usize;
                let from = from(run.source, products, addend, numbers);
                entered.enter(from, run, &link.sum, &mut inputs[first..behind]);
                first = behind;
            }
            number::sum(inputs, &entered, link, &run.terms, aligned)
        }
    };
    put_sum(link, &summed, aligned, recorder);
    raised.opposed = raised.opposed | summed.opposed;
    let mut x = summed.number;
    x = match &link.scale {
        Some(scale) => scaled(x, link.place, scale, &factor(plan, &factors[scale.block]), raised, recorder),
        None => x,
    };
    x = number::shifted(x, link.shift);
    for (round, plan) in link.rounds.iter().enumerate() {
        recorder.enter(Some(link.first_round() + round));
        let rounded = round::round(&x, plan, recorder);
        put_rounded(&rounded, plan, recorder);
        raised.overflow = raised.overflow | rounded.overflow;
        x = rounded.number;
        keep(is_read, &mut rounds[round], rounded);
    }
    numbers[index] = x;
    keep(is_read, sum, summed);
}

/// Links that pass numbers on.
#[inline(always)]
pub(super) fn pass_on<W: Word>(
    plan: &StepsPlan,
    first: usize,
    passed: TermRun,
    stages: &mut StepsStages<W>,
    raised: &mut Raised<W>,
    recorder: &mut impl Recorder<W>,
) {
    let link = &plan.links[first];
    let (enter, distance, round) = (passed.enter, passed.distance as usize, link.rounds.as_slice());
    let is_read = stages.is_read();
    let StepsStages { links, products, numbers, addend, factors, .. } = stages;
    let (before, numbers) = numbers.split_at_mut(first);
    let from = from(passed.source, products, addend, before);
    for (index, number) in numbers[..passed.count as usize].iter_mut().enumerate() {
        let own = &plan.links[first + index];
        recorder.enter(Some(own.place));
        let summed = number::single(&from[index * distance], enter, link);
        put_sum(link, &summed, &[], recorder);
        raised.opposed = raised.opposed | summed.opposed;
        let mut x = summed.number;
        x = match &link.scale {
            Some(scale) => scaled(x, own.place, scale, &factor(plan, &factors[scale.block]), raised, recorder),
            None => x,
        };
        x = number::shifted(x, link.shift);
        for plan in round {
            recorder.enter(Some(own.first_round()));
            let rounded = round::bounded(&x, plan);
            put_rounded(&rounded, plan, recorder);
            raised.overflow = raised.overflow | rounded.overflow;
            x = rounded.number;
            keep(is_read, &mut links[first + index].rounds[0], rounded);
        }
        *number = x;
        keep(is_read, &mut links[first + index].sum, summed);
    }
}

/// Hands out a sum.
#[inline(always)]
fn put_sum<W: Word>(link: &LinkPlan, summed: &Summed<W>, aligned: &[W], recorder: &mut impl Recorder<W>) {
    recorder.put(Stage::Anchor, "anchor", Encoding::Signed(link.sum.exponent_width()), summed.anchor);
    for &aligned in aligned {
        recorder.put(Stage::Aligned, "aligned", Encoding::Signed(link.sum.aligned_width), aligned);
    }
    recorder.put(Stage::Sum, "sum", Encoding::Signed(link.sum.width), summed.total);
    put_number(&summed.number, &link.sum.number, Stage::Sum, names!("sum"), recorder);
    recorder.put_aside(Stage::Sum, "sum_invalid", summed.opposed);
}

/// The scale of a block. One without a fraction is a power of two: a number that is multiplied by it keeps its significand.
#[inline(always)]
fn factor<W: Word>(plan: &StepsPlan, scale: &Number<W>) -> Number<W> {
    if plan.scale.width() == 1 { scale.power() } else { *scale }
}

/// The number times the scale of its block.
#[inline(always)]
fn scaled<W: Word>(
    x: Number<W>,
    place: usize,
    plan: &ScalePlan,
    factor: &Number<W>,
    raised: &mut Raised<W>,
    recorder: &mut impl Recorder<W>,
) -> Number<W> {
    recorder.enter(Some(place + 1));
    let (product, invalid) = number::product(&x, factor, &plan.product);
    put_number(&product, &plan.product, Stage::Sum, names!("scaled"), recorder);
    recorder.put_aside(Stage::Sum, "scaled_invalid", invalid);
    raised.invalid = raised.invalid | invalid;
    product
}

/// Hands out a rounded number.
#[inline(always)]
fn put_rounded<W: Word>(rounded: &Rounded<W>, plan: &RoundPlan, recorder: &mut impl Recorder<W>) {
    put_number(&rounded.number, &plan.number, Stage::Rounded, names!("rounded"), recorder);
    recorder.put_aside(Stage::Rounded, "rounded_overflow", rounded.overflow);
}
