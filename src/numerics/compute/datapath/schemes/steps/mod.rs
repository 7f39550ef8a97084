//! A list of steps: products, and one link after another on the numbers that are there.

use super::Scheme;
use crate::compute::Inputs;
use crate::compute::datapath::number::{self, Number, Summand, Summed};
use crate::compute::datapath::round::{self, Rounded};
use crate::compute::datapath::unpack::{Unpacked, unpack};
use crate::compute::datapath::{flags, scale};
use crate::compute::events::{self, Event, EventSet};
use crate::compute::record::{Encoding, Recorder, Stage};
use crate::compute::word::{Flag, MachineWord, Word};
use crate::describe::plan::{InputPlan, LinkPlan, NumberPlan, OperandPlan, StepsPlan, SumKind};
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

mod links;

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
    /// The product of both scales of each block.
    factors: Vec<Number<W>>,
    pub products: Vec<Number<W>>,
    pub links: Vec<LinkStages<W>>,
    numbers: Vec<Number<W>>,
    addend: Number<W>,
    /// Whether operands, sums and roundings are kept.
    is_read: bool,
    /// An operand signals, a product is infinity times zero, or infinities of both signs meet.
    pub signalling: W::Flag,
    pub product_invalid: W::Flag,
    pub sum_invalid: W::Flag,
}

impl<W: Word> StepsStages<W> {
    #[inline(always)]
    fn is_read(&self) -> bool {
        W::IS_READ & self.is_read
    }
}

/// Those of one link.
#[derive(Debug)]
pub struct LinkStages<W: Word> {
    pub inputs: Vec<Summand<W>>,
    pub aligned: Vec<W>,
    pub sum: Summed<W>,
    pub rounds: Vec<Rounded<W>>,
}

impl<W: Word> LinkStages<W> {
    /// Those before the first evaluation.
    fn empty(link: &LinkPlan) -> LinkStages<W> {
        let (number, zero) = (Number::zero(0), W::literal(0));
        let aligned = match link.sum.kind {
            SumKind::Single { .. } => 0,
            SumKind::Exact { .. } | SumKind::Window { .. } => link.terms.len(),
        };
        LinkStages {
            inputs: vec![Summand::zero(); aligned],
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
            factors: vec![Number::zero(0); scales.len()],
            scales,
            products: vec![Number::zero(0); products],
            links: plan.links.iter().map(LinkStages::empty).collect(),
            numbers: vec![Number::zero(0); plan.links.len()],
            addend: Number::zero(0),
            is_read: true,
            signalling: never,
            product_invalid: never,
            sum_invalid: never,
        }
    }

    fn unread_stages<W: Word>(plan: &StepsPlan) -> StepsStages<W> {
        StepsStages { is_read: false, ..Steps::stages(plan) }
    }

    #[inline(always)]
    fn evaluate<W: Word>(
        plan: &StepsPlan,
        inputs: Inputs<W::Encoding>,
        stages: &mut StepsStages<W>,
        recorder: &mut impl Recorder<W>,
    ) -> W {
        let mut raised = multiply(plan, inputs, stages, recorder);
        let runs = match stages.is_read() {
            true => &plan.runs,
            false => &plan.fewest_runs,
        };
        for run in runs {
            match run.passed {
                Some(passed) => links::pass_on(plan, run.first, passed, stages, &mut raised, recorder),
                None => links::evaluate(plan, run, stages, &mut raised, recorder),
            }
        }
        let Raised { invalid, opposed, overflow } = raised;
        (stages.product_invalid, stages.sum_invalid) = (invalid, opposed);
        recorder.enter(None);
        let last = stages.numbers.last().copied().unwrap_or(Number::zero(plan.result.exponent_min));
        let packed = round::pack(&last, &plan.result);
        recorder.put(Stage::Packed, "packed_word", Encoding::Unsigned(plan.result.width), packed);
        if plan.flags {
            let invalid = stages.signalling | invalid | opposed;
            let raised = W::from_flag(invalid).shift_left(Flags::INVALID_BIT)
                + W::from_flag(overflow).shift_left(Flags::OVERFLOW_BIT);
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

/// Keeps a value where it is read.
#[inline(always)]
fn keep<T>(is_read: bool, kept: &mut T, value: T) {
    *kept = match is_read {
        true => value,
        false => return,
    };
}

/// Keeps values where they are read.
#[inline(always)]
fn keep_all<T: Copy>(is_read: bool, kept: &mut [T], values: &[T]) {
    let kept = match is_read {
        true => kept,
        false => return,
    };
    kept.copy_from_slice(values);
}

/// The encoding 0.
fn unpacked_zero<W: Word>(input: &InputPlan) -> Unpacked<W> {
    unpack(W::literal(0), &input.operand)
}

/// Unpacks every operand and scale, and multiplies: what products raise is left.
#[inline(always)]
fn multiply<W: Word>(
    plan: &StepsPlan,
    inputs: Inputs<W::Encoding>,
    stages: &mut StepsStages<W>,
    recorder: &mut impl Recorder<W>,
) -> Raised<W> {
    let never = W::Flag::constant(false);
    if let Some(scales) = &plan.scales {
        for (index, &a) in inputs.scale_a.iter().enumerate() {
            let (a, b) = (W::encoding(a), W::encoding(inputs.scale_b[index]));
            let (a, b) = (scale::unpack_scale(a, &scales[0].operand), scale::unpack_scale(b, &scales[1].operand));
            let (x, y) = (Number::operand(&a, &scales[0]), Number::operand(&b, &scales[1]));
            let (factor, _) = number::product(&x, &y, &plan.scale);
            put_number(&factor, &plan.scale, Stage::Unpacked, names!("scale"), recorder);
            (stages.scales[index], stages.factors[index]) = ([a, b], factor);
        }
    }
    // Lists flush numbers, not encodings; known here, that is compiled away.
    let of_a = OperandPlan { flush_subnormals: false, flush_to_plus_zero: false, ..plan.a.operand };
    let of_b = OperandPlan { flush_subnormals: false, flush_to_plus_zero: false, ..plan.b.operand };
    let is_read = stages.is_read();
    let is_plain = plan.a.is_plain() && plan.b.is_plain();
    let is_signalling_read = plan.flags | recorder.keeps();
    let (mut any_invalid, mut any_signalling) = (never, never);
    let products = &mut stages.products[..inputs.a.len()];
    for (index, &a) in inputs.a.iter().enumerate() {
        let (a, b) = (unpack(W::encoding(a), &of_a), unpack(W::encoding(inputs.b[index]), &of_b));
        let (x, y) = match is_plain {
            true => (Number::plain(&a, &plan.a.number), Number::plain(&b, &plan.b.number)),
            false => (Number::operand(&a, &plan.a), Number::operand(&b, &plan.b)),
        };
        let (product, invalid) = number::product(&x, &y, &plan.product);
        put_number(&product, &plan.product, Stage::Product, names!("product"), recorder);
        recorder.put_aside(Stage::Product, "product_invalid", invalid);
        any_signalling = match is_signalling_read {
            true => {
                let signalling = flags::signalling(&a, &of_a) | flags::signalling(&b, &of_b);
                recorder.put_aside(Stage::Product, "product_signalling", signalling);
                any_signalling | signalling
            }
            false => any_signalling,
        };
        any_invalid = any_invalid | invalid;
        keep(is_read, &mut stages.a[index], a);
        keep(is_read, &mut stages.b[index], b);
        products[index] = product;
    }
    stages.signalling = any_signalling;
    if let Some(input) = &plan.c {
        let c = unpack(W::encoding(inputs.c), &input.operand);
        stages.signalling = stages.signalling | flags::signalling(&c, &input.operand);
        let addend = Number::operand(&c, input);
        put_number(&addend, &input.number, Stage::Unpacked, names!("unpacked_c"), recorder);
        (stages.c, stages.addend) = (Some(c), addend);
    }
    Raised { invalid: any_invalid, opposed: never, overflow: never }
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

/// Exceptions so far: a product of infinity and zero, infinities of both signs, a number above the greatest one.
struct Raised<W: Word> {
    invalid: W::Flag,
    opposed: W::Flag,
    overflow: W::Flag,
}
