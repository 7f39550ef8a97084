//! The plan of a list of steps: every link with the ranges of its numbers, in the order in which links are evaluated.

mod number;
mod order;
mod round;
mod sum;

pub use number::NumberPlan;
pub use round::{LimitPlan, NormalisePlan, RoundPlan};
pub use sum::{AlignPlan, SumKind, SumPlan, TermPlan};

use super::{OperandPlan, ResultPlan};
use crate::describe::arithmetic::{Arithmetic, InputSubnormals, Operand, Round, RoundTo, Step, StepRound, ZeroSign};
use crate::describe::format::Rounding;
use crate::describe::unit::Unit;

/// Everything that follows from a list of steps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StepsPlan {
    pub a: OperandPlan,
    pub b: OperandPlan,
    pub c: Option<OperandPlan>,
    /// Exponents that a, b and c enter with where a wider format is given: its least one.
    pub widened: [Option<i32>; 3],
    /// Of a and of b.
    pub scales: Option<[OperandPlan; 2]>,
    /// Subnormal a and b.
    pub flushed: [InputSubnormals; 2],
    pub product: NumberPlan,
    pub addend: Option<NumberPlan>,
    /// The last one leaves the result.
    pub links: Vec<LinkPlan>,
    pub result: ResultPlan,
    pub flags: bool,
    /// Bits a signed machine word needs to run the datapath.
    pub word_bits: u32,
}

/// Where a number comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// The product of those elements of a and b.
    Product(u32),
    Addend,
    /// +0, the start of a chain.
    Zero,
    /// What an earlier link leaves.
    Link(u32),
}

/// One link: the sum of some numbers, scaled and rounded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinkPlan {
    /// Index of its step.
    pub step: usize,
    pub terms: Vec<TermPlan>,
    pub sum: SumPlan,
    /// Sign of a zero sum: of all terms where they share one, else minus.
    pub zero_of_terms: bool,
    pub zero_negative: bool,
    /// Index of the scales with which the sum is multiplied.
    pub scale: Option<usize>,
    pub shift: i32,
    pub rounds: Vec<RoundPlan>,
    /// What it leaves.
    pub number: NumberPlan,
}

impl StepsPlan {
    /// Derives the plan of a unit whose file lists its steps.
    pub fn of(unit: &Unit) -> StepsPlan {
        let arithmetic = &unit.arithmetic();
        let operand = |operand: &Operand| OperandPlan::new(&operand.format, false);
        let [a, b] = [&arithmetic.a, &arithmetic.b].map(operand);
        let least = |operand: &Operand| operand.widened.as_ref().map(|wider| wider.exponent_min());
        let widened = [least(&arithmetic.a), least(&arithmetic.b), arithmetic.c.as_ref().and_then(least)];
        let c = arithmetic.c.as_ref().map(operand);
        let scales = arithmetic.scales.as_ref();
        let scales = scales.map(|scales| [&scales.a, &scales.b].map(|format| OperandPlan::new(format, false)));
        let product = NumberPlan::operand(&a, widened[0]).times(&NumberPlan::operand(&b, widened[1]));
        let addend = c.as_ref().map(|c| NumberPlan::operand(c, widened[2]));
        let mut plan = StepsPlan {
            links: Vec::new(),
            result: ResultPlan::new(unit),
            flags: arithmetic.flags,
            word_bits: 0,
            a,
            b,
            c,
            widened,
            flushed: [arithmetic.a.subnormals, arithmetic.b.subnormals],
            scales,
            product,
            addend,
        };
        order::links(arithmetic, &mut plan);
        plan.word_bits = 2 + plan.widest(unit);
        plan
    }

    /// What the numbers of a source can be.
    pub fn number(&self, source: Source) -> NumberPlan {
        match source {
            Source::Product(_) => self.product.clone(),
            Source::Addend => self.addend.clone().unwrap_or_else(NumberPlan::zero),
            Source::Zero => NumberPlan::zero(),
            Source::Link(index) => self.links[index as usize].number.clone(),
        }
    }

    /// Bits of the widest value.
    fn widest(&self, unit: &Unit) -> u32 {
        let operands = [&self.a, &self.b].into_iter().chain(&self.c).chain(self.scales.iter().flatten());
        let ports = operands.map(|operand| operand.width).max().unwrap_or(0).max(unit.answer_width());
        let links = self.links.iter().map(LinkPlan::widest).max().unwrap_or(0);
        ports.max(self.product.width()).max(links)
    }

    fn link(&self, arithmetic: &Arithmetic, index: usize, terms: Vec<order::Entry>, block: usize) -> LinkPlan {
        let step = &arithmetic.steps[index];
        let rounds: Vec<&Round> = step.round.iter().map(|round| arithmetic.round(round)).collect();
        let scaled = if step.scaled { self.scales.as_ref() } else { None };
        let inputs: Vec<(NumberPlan, bool)> =
            terms.iter().map(|entry| (self.number(entry.source), entry.is_addend)).collect();
        let plain = scaled.is_none() && step.shift == 0;
        let (aligned, sum) = SumPlan::of(step, &inputs, rounds.first().copied().filter(|_| plain));
        let mut number = sum.number.clone();
        if let Some(scales) = scaled {
            for scale in scales {
                number = number.times(&NumberPlan::operand(scale, None));
            }
        }
        number = number.shifted(step.shift);
        let mut plans = Vec::new();
        for round in rounds {
            let plan = RoundPlan::of(round, &number);
            number = plan.number.clone();
            plans.push(plan);
        }
        let term = |(entry, align): (order::Entry, AlignPlan)| TermPlan {
            source: entry.source,
            negate: entry.negate,
            flush: step.inputs,
            subnormal_bits: self.number(entry.source).subnormal_bits,
            align,
        };
        LinkPlan {
            step: index,
            terms: terms.into_iter().zip(aligned).map(term).collect(),
            sum,
            zero_of_terms: step.zero == ZeroSign::Ieee,
            zero_negative: match step.zero {
                ZeroSign::Positive => false,
                ZeroSign::Negative => true,
                ZeroSign::Ieee => arithmetic.rounds_toward_negative_from(index),
            },
            scale: scaled.map(|_| block),
            shift: step.shift,
            rounds: plans,
            number,
        }
    }
}

impl LinkPlan {
    /// Bits of the widest value, its exponents too.
    fn widest(&self) -> u32 {
        let rounds = self.rounds.iter().map(RoundPlan::widest).max().unwrap_or(0);
        self.sum.widest().max(rounds).max(self.number.width())
    }
}

impl Arithmetic {
    /// The rounding that an entry of a step names.
    pub fn round<'a>(&'a self, round: &'a StepRound) -> &'a Round {
        match round {
            StepRound::Result => &self.conversion,
            StepRound::To(round) => round,
        }
    }

    /// Whether the next rounding of a step or of those behind it is toward negative: then x - x is -0.
    fn rounds_toward_negative_from(&self, index: usize) -> bool {
        let mut rounds = self.steps[index..].iter().flat_map(|step: &Step| &step.round).map(|round| self.round(round));
        let rounding = rounds.find(|round| !matches!(round.to, RoundTo::Range { precision: None, .. }));
        rounding.is_some_and(|round| round.rounding == Rounding::TowardNegative)
    }
}
