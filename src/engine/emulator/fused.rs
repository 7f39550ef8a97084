//! The fused scheme as the emulator runs it.

use dashu_int::IBig;

use super::Datapath;
use crate::compute::Inputs;
use crate::compute::datapath::{EventSet, Stages, Term, Unpacked, events, schemes};
use crate::compute::word::MachineWord;
use crate::describe::plan::FusedPlan;

pub(super) struct Fused<W: MachineWord> {
    plan: FusedPlan,
    stages: Stages<W>,
}

impl<W: MachineWord> Fused<W> {
    pub(super) fn new(plan: &FusedPlan) -> Self {
        Fused { stages: Stages::new(plan.products), plan: plan.clone() }
    }
}

impl<W: MachineWord> Datapath for Fused<W> {
    #[inline]
    fn evaluate(&mut self, inputs: Inputs) -> u64 {
        schemes::fused::evaluate(&self.plan, inputs, &mut self.stages).low_bits()
    }

    #[inline]
    fn events(&self) -> EventSet {
        events(&self.plan, &self.stages)
    }

    fn values(&self) -> Vec<Vec<IBig>> {
        values(&self.plan, &self.stages)
    }

    fn stages(&self) -> Vec<(String, Vec<IBig>)> {
        let names = self.plan.signals.iter().map(|signal| signal.name.to_owned());
        names.zip(values(&self.plan, &self.stages)).collect()
    }
}

/// The values of all signals, in the order of the plan's signals.
pub(super) fn values<W: MachineWord>(plan: &FusedPlan, stages: &Stages<W>) -> Vec<Vec<IBig>> {
    let mut all = operand_values(plan, stages);
    term_values(&stages.terms[..stages.unpacked_a.len()], &mut all);
    tail_values(plan, stages, &mut all);
    all
}

/// The values of all signals of a sum of two.
pub(super) fn addition_values<W: MachineWord>(plan: &FusedPlan, stages: &Stages<W>) -> Vec<Vec<IBig>> {
    let mut all = Vec::new();
    unpacked_values(&stages.unpacked_a, &mut all);
    unpacked_values(std::slice::from_ref(&stages.unpacked_c), &mut all);
    tail_values(plan, stages, &mut all);
    all
}

pub(super) fn operand_values<W: MachineWord>(plan: &FusedPlan, stages: &Stages<W>) -> Vec<Vec<IBig>> {
    let mut all = Vec::new();
    unpacked_values(&stages.unpacked_a, &mut all);
    unpacked_values(&stages.unpacked_b, &mut all);
    if plan.has_addend {
        unpacked_values(std::slice::from_ref(&stages.unpacked_c), &mut all);
    }
    all
}

pub(super) fn term_values<W: MachineWord>(terms: &[Term<W>], all: &mut Vec<Vec<IBig>>) {
    all.push(terms.iter().map(|term| IBig::from(u8::from(term.negative))).collect());
    all.push(terms.iter().map(|term| term.exponent.integer()).collect());
    all.push(terms.iter().map(|term| term.significand.integer()).collect());
}

/// What follows the terms beside the addend.
pub(super) fn tail_values<W: MachineWord>(plan: &FusedPlan, stages: &Stages<W>, all: &mut Vec<Vec<IBig>>) {
    let flag = |value: bool| vec![IBig::from(u8::from(value))];
    let word = |value: W| vec![value.integer()];
    if plan.has_addend {
        all.push(stages.terms[stages.terms.len() - 1..].iter().map(|addend| addend.exponent.integer()).collect());
    }
    all.push(word(stages.anchor));
    all.push(stages.aligned.iter().map(|value| value.integer()).collect());
    all.push(word(stages.sum));
    all.push(flag(stages.normalised.negative));
    all.push(word(stages.normalised.exponent));
    all.push(word(stages.normalised.significand));
    all.push(word(stages.rounded));
    all.push(flag(stages.special.nan));
    all.push(flag(stages.special.infinite));
    all.push(word(stages.packed));
    if plan.flags {
        all.push(word(stages.flags));
    }
}

fn unpacked_values<W: MachineWord>(operand: &[Unpacked<W>], all: &mut Vec<Vec<IBig>>) {
    let flag = |value: bool| IBig::from(u8::from(value));
    all.push(operand.iter().map(|value| flag(value.negative)).collect());
    all.push(operand.iter().map(|value| value.exponent.integer()).collect());
    all.push(operand.iter().map(|value| value.significand.integer()).collect());
    all.push(operand.iter().map(|value| flag(value.infinite)).collect());
    all.push(operand.iter().map(|value| flag(value.nan)).collect());
}
