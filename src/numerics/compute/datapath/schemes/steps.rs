//! A list of steps: products, and one link after another on the numbers that are there.

use super::Scheme;
use crate::compute::Inputs;
use crate::compute::datapath::number::{self, Number, Summed};
use crate::compute::datapath::round::{self, Rounded};
use crate::compute::datapath::unpack::{Unpacked, unpack};
use crate::compute::datapath::{flags, scale};
use crate::compute::events::{self, Event, EventSet};
use crate::compute::record::{Encoding, Recorder, Stage};
use crate::compute::word::{Flag, MachineWord, Word};
use crate::describe::plan::{InputPlan, LinkPlan, NumberPlan, Source, StepsPlan, SumKind};
use crate::describe::unit::Flags;

/// Names of the parts of a number.
struct Names {
    negative: &'static str,
    exponent: &'static str,
    significand: &'static str,
    absent: &'static str,
    infinite: &'static str,
    nan: &'static str,
}

/// The names of a number's parts, from what they begin with.
macro_rules! names {
    ($number:literal) => {
        &Names {
            negative: concat!($number, "_negative"),
            exponent: concat!($number, "_exponent"),
            significand: concat!($number, "_significand"),
            absent: concat!($number, "_absent"),
            infinite: concat!($number, "_infinite"),
            nan: concat!($number, "_nan"),
        }
    };
}

/// d is what the last link leaves.
#[derive(Debug)]
pub struct Steps;

/// The intermediate values of one evaluation.
#[derive(Debug)]
pub struct StepsStages<W: Word> {
    pub a: Vec<Unpacked<W>>,
    pub b: Vec<Unpacked<W>>,
    pub c: Option<Unpacked<W>>,
    pub scales: Vec<[Unpacked<W>; 2]>,
    pub products: Vec<Number<W>>,
    pub links: Vec<LinkStages<W>>,
    numbers: Vec<Number<W>>,
    addend: Number<W>,
    /// An operand signals, a product is infinity times zero, or infinities of both signs meet.
    pub signalling: W::Flag,
    pub product_invalid: W::Flag,
    pub sum_invalid: W::Flag,
    overflow: W::Flag,
}

/// Those of one link.
#[derive(Debug)]
pub struct LinkStages<W: Word> {
    pub inputs: Vec<Number<W>>,
    pub aligned: Vec<W>,
    pub sum: Summed<W>,
    pub rounds: Vec<Rounded<W>>,
}

impl<W: Word> LinkStages<W> {
    /// Those before the first evaluation.
    fn empty(link: &LinkPlan) -> LinkStages<W> {
        let (number, zero) = (Number::zero(0), W::literal(0));
        let aligned = match link.sum.kind {
            SumKind::Single => 0,
            SumKind::Exact { .. } | SumKind::Window { .. } => link.terms.len(),
        };
        LinkStages {
            inputs: vec![number; link.terms.len()],
            aligned: vec![zero; aligned],
            sum: Summed { number, anchor: zero, total: zero, opposed: W::Flag::constant(false) },
            rounds: vec![Rounded::zero(); link.rounds.len()],
        }
    }
}

impl Scheme for Steps {
    type Plan = StepsPlan;
    type Stages<W: Word> = StepsStages<W>;

    fn stages<W: Word>(plan: &StepsPlan) -> StepsStages<W> {
        let never = W::Flag::constant(false);
        let products = plan.products as usize;
        let mut scales = Vec::new();
        if let Some([a, b]) = &plan.scales {
            scales.resize(plan.blocks as usize, [unpacked_zero(a), unpacked_zero(b)]);
        }
        StepsStages {
            a: vec![unpacked_zero(&plan.a); products],
            b: vec![unpacked_zero(&plan.b); products],
            c: None,
            scales,
            products: vec![Number::zero(0); products],
            links: plan.links.iter().map(LinkStages::empty).collect(),
            numbers: vec![Number::zero(0); plan.links.len()],
            addend: Number::zero(0),
            signalling: never,
            product_invalid: never,
            sum_invalid: never,
            overflow: never,
        }
    }

    #[inline(always)]
    fn evaluate<W: Word>(
        plan: &StepsPlan,
        inputs: Inputs<W::Encoding>,
        stages: &mut StepsStages<W>,
        recorder: &mut impl Recorder<W>,
    ) -> W {
        multiply(plan, inputs, stages, recorder);
        for (index, link) in plan.links.iter().enumerate() {
            evaluate_link(plan, index, link, stages, recorder);
        }
        recorder.enter(None);
        let last = stages.numbers.last().copied().unwrap_or(Number::zero(plan.result.exponent_min));
        let packed = round::pack(&last, &plan.result);
        recorder.put(Stage::Packed, "packed_word", Encoding::Unsigned(plan.result.width), packed);
        if plan.flags {
            let invalid = stages.signalling | stages.product_invalid | stages.sum_invalid;
            let raised = W::from_flag(invalid).shift_left(Flags::INVALID_BIT)
                + W::from_flag(stages.overflow).shift_left(Flags::OVERFLOW_BIT);
            recorder.put(Stage::Packed, "flags", Encoding::Unsigned(Flags::WIDTH), raised);
            return packed + raised.shift_left(plan.result.width);
        }
        packed
    }

    #[inline]
    fn events<W: MachineWord>(plan: &StepsPlan, stages: &StepsStages<W>) -> EventSet {
        events::steps::events(plan, stages)
    }

    fn concerns(plan: &StepsPlan, event: Event) -> bool {
        events::steps::concerns(plan, event)
    }

    fn unreachable(plan: &StepsPlan, event: Event) -> Option<String> {
        events::steps::unreachable(plan, event)
    }
}

/// The encoding 0.
fn unpacked_zero<W: Word>(input: &InputPlan) -> Unpacked<W> {
    unpack(W::literal(0), &input.operand)
}

/// Unpacks every operand and scale, and multiplies.
#[inline(always)]
fn multiply<W: Word>(
    plan: &StepsPlan,
    inputs: Inputs<W::Encoding>,
    stages: &mut StepsStages<W>,
    recorder: &mut impl Recorder<W>,
) {
    let never = W::Flag::constant(false);
    (stages.signalling, stages.product_invalid) = (never, never);
    (stages.sum_invalid, stages.overflow) = (never, never);
    if let Some(scales) = &plan.scales {
        for (index, &a) in inputs.scale_a.iter().enumerate() {
            let (a, b) = (W::encoding(a), W::encoding(inputs.scale_b[index]));
            stages.scales[index] =
                [scale::unpack_scale(a, &scales[0].operand), scale::unpack_scale(b, &scales[1].operand)];
        }
    }
    for (index, &a) in inputs.a.iter().enumerate() {
        let (a, b) = (unpack(W::encoding(a), &plan.a.operand), unpack(W::encoding(inputs.b[index]), &plan.b.operand));
        let (x, y) = (Number::operand(&a, &plan.a), Number::operand(&b, &plan.b));
        let (product, invalid) = number::product(&x, &y, &plan.product);
        put_number(&product, &plan.product, Stage::Product, names!("product"), recorder);
        recorder.put_aside(Stage::Product, "product_invalid", invalid);
        let signalling = flags::signalling(&a, &plan.a.operand) | flags::signalling(&b, &plan.b.operand);
        recorder.put_aside(Stage::Product, "product_signalling", signalling);
        if plan.flags {
            stages.signalling = stages.signalling | signalling;
        }
        stages.product_invalid = stages.product_invalid | invalid;
        stages.a[index] = a;
        stages.b[index] = b;
        stages.products[index] = product;
    }
    if let Some(input) = &plan.c {
        let c = unpack(W::encoding(inputs.c), &input.operand);
        stages.signalling = stages.signalling | flags::signalling(&c, &input.operand);
        let addend = Number::operand(&c, input);
        put_number(&addend, &input.number, Stage::Unpacked, names!("unpacked_c"), recorder);
        (stages.c, stages.addend) = (Some(c), addend);
    }
}

#[inline(always)]
fn put_number<W: Word>(x: &Number<W>, plan: &NumberPlan, stage: Stage, names: &Names, recorder: &mut impl Recorder<W>) {
    recorder.put_flag(stage, names.negative, x.negative);
    recorder.put(stage, names.exponent, Encoding::Signed(plan.exponent_width()), x.exponent);
    recorder.put(stage, names.significand, Encoding::Unsigned(plan.width().max(1)), x.significand);
    recorder.put_aside(stage, names.absent, x.absent);
    recorder.put_aside(stage, names.infinite, x.infinite);
    recorder.put_aside(stage, names.nan, x.nan);
}

/// One link: its numbers, their sum, its scales, its roundings.
#[inline(always)]
fn evaluate_link<W: Word>(
    plan: &StepsPlan,
    index: usize,
    link: &LinkPlan,
    stages: &mut StepsStages<W>,
    recorder: &mut impl Recorder<W>,
) {
    let StepsStages { links, products, numbers, addend, scales, .. } = stages;
    let LinkStages { inputs, aligned, sum, rounds } = &mut links[index];
    for (index, term) in link.terms.iter().enumerate() {
        let x = match term.source {
            Source::Product(index) => &products[index as usize],
            Source::Addend => &*addend,
            Source::Link(index) => &numbers[index as usize],
        };
        inputs[index] = number::entering(x, term, &link.sum);
    }
    recorder.enter(Some(link.place));
    let summed = number::sum(inputs, link, aligned);
    *sum = summed;
    recorder.put(Stage::Anchor, "anchor", Encoding::Signed(link.sum.exponent_width()), summed.anchor);
    for &aligned in &*aligned {
        recorder.put(Stage::Aligned, "aligned", Encoding::Signed(link.sum.aligned_width), aligned);
    }
    recorder.put(Stage::Sum, "sum", Encoding::Signed(link.sum.width), summed.total);
    stages.sum_invalid = stages.sum_invalid | summed.opposed;
    let mut x = summed.number;
    put_number(&x, &link.sum.number, Stage::Sum, names!("sum"), recorder);
    recorder.put_aside(Stage::Sum, "sum_invalid", summed.opposed);
    if let (Some(inputs), Some(plan)) = (&plan.scales, &link.scale) {
        for (index, scale) in scales[plan.block].iter().enumerate() {
            recorder.enter(Some(link.place + 1 + index));
            let (product, invalid) =
                number::product(&x, &Number::operand(scale, &inputs[index]), &plan.products[index]);
            put_number(&product, &plan.products[index], Stage::Sum, names!("scaled"), recorder);
            recorder.put_aside(Stage::Sum, "scaled_invalid", invalid);
            stages.product_invalid = stages.product_invalid | invalid;
            x = product;
        }
    }
    x = number::shifted(x, link.shift);
    for (round, plan) in link.rounds.iter().enumerate() {
        recorder.enter(Some(link.first_round() + round));
        let rounded = round::round(&x, plan, recorder);
        put_number(&rounded.number, &plan.number, Stage::Rounded, names!("rounded"), recorder);
        recorder.put_aside(Stage::Rounded, "rounded_overflow", rounded.overflow);
        stages.overflow = stages.overflow | rounded.overflow;
        x = rounded.number;
        rounds[round] = rounded;
    }
    numbers[index] = x;
}
