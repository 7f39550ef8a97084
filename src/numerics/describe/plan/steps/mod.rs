//! The plan of a list of steps: every link with the ranges of its numbers, in the order in which links are evaluated.

mod number;
mod order;
mod reach;
mod registers;
mod round;
mod runs;
mod sum;

pub use number::NumberPlan;
pub use registers::Registers;
pub use round::{LimitPlan, NormalisePlan, RoundPlan};
pub use runs::{EnterPlan, LinkRun, TermRun};
pub use sum::{AlignPlan, SumKind, SumPlan, TermPlan};

use super::{OperandPlan, ResultPlan};
use crate::describe::arithmetic::{Arithmetic, InputSubnormals, Operand, Round, RoundTo, Step, ZeroSign};
use crate::describe::format::{Format, Rounding};
use crate::describe::unit::Unit;

/// Everything that follows from a list of steps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StepsPlan {
    pub a: InputPlan,
    pub b: InputPlan,
    pub c: Option<InputPlan>,
    /// Of a and of b.
    pub scales: Option<[InputPlan; 2]>,
    pub products: u32,
    /// Scales of a, and of b.
    pub blocks: u32,
    /// The product of both scales of a block.
    pub scale: NumberPlan,
    pub product: NumberPlan,
    /// The last one leaves the result.
    pub links: Vec<LinkPlan>,
    /// The same links; and those that the result takes.
    pub runs: Vec<LinkRun>,
    pub fewest_runs: Vec<LinkRun>,
    pub result: ResultPlan,
    pub flags: bool,
    /// Bits a signed machine word needs to run the datapath.
    pub word_bits: u32,
}

/// How an operand or a scale enters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InputPlan {
    pub operand: OperandPlan,
    /// The least exponent of the wider format as whose number it enters.
    pub widened: Option<i32>,
    /// Subnormal numbers at once.
    pub flushed: InputSubnormals,
    pub number: NumberPlan,
}

impl InputPlan {
    fn of(operand: &Operand) -> InputPlan {
        let plan = OperandPlan::new(&operand.format, false);
        let widened = operand.widened.as_ref().map(Format::exponent_min);
        InputPlan { number: NumberPlan::operand(&plan, widened), operand: plan, widened, flushed: operand.subnormals }
    }

    /// Whether it enters as it is.
    #[inline]
    pub fn is_plain(&self) -> bool {
        self.widened.is_none() && self.flushed == InputSubnormals::Kept
    }

    fn plain(format: &Format) -> InputPlan {
        InputPlan::of(&Operand { format: format.clone(), widened: None, subnormals: InputSubnormals::Kept })
    }
}

/// The scale with which a sum is multiplied.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScalePlan {
    /// Index of its block.
    pub block: usize,
    pub product: NumberPlan,
}

/// Where a number comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// The product of those elements of a and b.
    Product(u32),
    Addend,
    /// The result of an earlier link.
    Link(u32),
}

/// One link: the sum of some numbers, scaled and rounded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinkPlan {
    /// Index of its step.
    pub step: usize,
    /// Place of its sum among the operations of all links: sums, products with scales, roundings.
    pub place: usize,
    pub terms: Vec<TermPlan>,
    /// The numbers among the terms, in the range of all, and the addend.
    pub numbers: Option<NumberPlan>,
    pub addend: Option<NumberPlan>,
    pub sum: SumPlan,
    /// Whether its window is the step's own, in which numbers can lose bits that count.
    pub is_cut: bool,
    /// Sign of a zero sum: of all terms where they share one, else minus.
    pub zero_of_terms: bool,
    pub zero_negative: bool,
    pub scale: Option<ScalePlan>,
    pub shift: i32,
    pub rounds: Vec<RoundPlan>,
    /// The range of its result.
    pub number: NumberPlan,
}

impl StepsPlan {
    /// Derives the plan of a unit whose file lists its steps.
    pub fn of(unit: &Unit) -> StepsPlan {
        let arithmetic = &unit.arithmetic();
        let [a, b] = [&arithmetic.a, &arithmetic.b].map(InputPlan::of);
        let blocks = arithmetic.scales.as_ref().map_or(0, |scales| arithmetic.products / scales.block);
        let scales = arithmetic.scales.as_ref().map(|scales| [&scales.a, &scales.b].map(InputPlan::plain));
        let mut plan = StepsPlan {
            products: arithmetic.products,
            blocks,
            product: a.number.times(&b.number),
            a,
            b,
            // Subnormal c is flushed by the link that it enters.
            c: arithmetic.c.as_ref().map(|c| InputPlan { flushed: InputSubnormals::Kept, ..InputPlan::of(c) }),
            scale: scales.as_ref().map_or_else(NumberPlan::zero, |[a, b]| a.number.times(&b.number)),
            scales,
            links: Vec::new(),
            runs: Vec::new(),
            fewest_runs: Vec::new(),
            result: ResultPlan::new(unit),
            flags: arithmetic.flags,
            word_bits: 0,
        };
        order::links(arithmetic, &mut plan);
        plan.runs = LinkRun::all(&plan.links);
        plan.fewest_runs = LinkRun::fewest(&plan.links);
        plan.word_bits = 2 + plan.widest(unit);
        plan
    }

    /// The range of a source.
    pub fn number(&self, source: Source) -> NumberPlan {
        match source {
            Source::Product(_) => self.product.clone(),
            Source::Addend => self.c.as_ref().map_or_else(NumberPlan::zero, |c| c.number.clone()),
            Source::Link(index) => self.links[index as usize].number.clone(),
        }
    }

    /// Bits of the widest value.
    fn widest(&self, unit: &Unit) -> u32 {
        let operands = [&self.a, &self.b].into_iter().chain(&self.c).chain(self.scales.iter().flatten());
        let ports = operands.map(|input| input.operand.width).max().unwrap_or(0).max(unit.answer_width());
        let links = self.links.iter().map(LinkPlan::widest).max().unwrap_or(0);
        ports.max(self.product.width()).max(links)
    }

    /// The next link. A sum from zero differs from that of its terms only in the sign of a zero.
    fn link(
        &self,
        arithmetic: &Arithmetic,
        index: usize,
        mut terms: Vec<order::Entry>,
        from_zero: bool,
        block: usize,
    ) -> LinkPlan {
        let step = &arithmetic.steps[index];
        let rounds: Vec<&Round> = step.round.iter().map(|round| arithmetic.round(round)).collect();
        let scaled = if step.scaled { self.scales.as_ref() } else { None };
        terms.sort_by_key(|entry| entry.is_addend);
        let own = |entry: &order::Entry| self.number(entry.source);
        let numbers: Vec<NumberPlan> = terms.iter().filter(|entry| !entry.is_addend).map(own).collect();
        let numbers = NumberPlan::of_all(&numbers);
        let addend = terms.iter().find(|entry| entry.is_addend).map(own);
        let common = |entry: &order::Entry| if entry.is_addend { addend.clone() } else { numbers.clone() };
        let inputs: Vec<(NumberPlan, bool)> =
            terms.iter().filter_map(|entry| Some((common(entry)?, entry.is_addend))).collect();
        let plain = scaled.is_none() && step.shift == 0;
        let (aligned, sum) = SumPlan::of(step, &inputs, rounds.first().copied().filter(|_| plain));
        let mut number = sum.number.clone();
        if from_zero {
            number.subnormal_bits = None;
        }
        let mut scale = None;
        if scaled.is_some() {
            number = number.times(&self.scale);
            scale = Some(ScalePlan { block, product: number.clone() });
        }
        number = number.shifted(step.shift);
        let mut plans = Vec::new();
        for round in rounds {
            let plan = RoundPlan::of(round, &number);
            number = plan.number.clone();
            plans.push(plan);
        }
        let term = |((entry, (common, is_addend)), align): ((order::Entry, &(NumberPlan, bool)), AlignPlan)| {
            let own = self.number(entry.source);
            TermPlan {
                source: entry.source,
                is_addend: *is_addend,
                negate: entry.negate,
                flush: step.inputs,
                widened: (common.fraction_bits - own.fraction_bits) as u32,
                number: own,
                align,
            }
        };
        let zero_negative = match step.zero {
            ZeroSign::Positive => false,
            ZeroSign::Negative => true,
            ZeroSign::Ieee => rounds_toward_negative_from(arithmetic, index),
        };
        LinkPlan {
            step: index,
            place: self.links.last().map_or(0, |last| last.first_round() + last.rounds.len()),
            terms: terms.into_iter().zip(&inputs).zip(aligned).map(term).collect(),
            numbers,
            addend,
            sum,
            is_cut: step.window.is_some(),
            zero_of_terms: step.zero == ZeroSign::Ieee && (zero_negative || !from_zero),
            zero_negative,
            scale,
            shift: step.shift,
            rounds: plans,
            number,
        }
    }
}

impl LinkPlan {
    /// Place of its first rounding among the operations of all links.
    #[inline]
    pub fn first_round(&self) -> usize {
        self.place + 1 + usize::from(self.scale.is_some())
    }

    /// Bits of the widest value, its exponents too.
    fn widest(&self) -> u32 {
        let rounds = self.rounds.iter().map(RoundPlan::widest).max().unwrap_or(0);
        self.sum.widest().max(rounds).max(self.number.width())
    }
}

/// Whether the next rounding of a step or of those behind it is toward negative: then x - x is -0.
fn rounds_toward_negative_from(arithmetic: &Arithmetic, index: usize) -> bool {
    let rounds = arithmetic.steps[index..].iter().flat_map(|step: &Step| &step.round);
    let mut rounds = rounds.map(|round| arithmetic.round(round));
    let rounding = rounds.find(|round| !matches!(round.to, RoundTo::Range { precision: None, .. }));
    rounding.is_some_and(|round| round.rounding == Rounding::TowardNegative)
}
