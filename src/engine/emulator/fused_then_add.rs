//! The fused-then-add scheme as the emulator runs it.

use dashu_int::IBig;

use super::Datapath;
use super::fused::{operand_values, tail_values, term_values};
use crate::compute::Inputs;
use crate::compute::datapath::{EventSet, FusedThenAddStages, fused_then_add_events, schemes};
use crate::compute::word::MachineWord;
use crate::describe::plan::FusedThenAddPlan;

pub(super) struct FusedThenAdd<W: MachineWord> {
    plan: FusedThenAddPlan,
    stages: FusedThenAddStages<W>,
}

impl<W: MachineWord> FusedThenAdd<W> {
    pub(super) fn new(plan: &FusedThenAddPlan) -> Self {
        FusedThenAdd { stages: FusedThenAddStages::new(plan.fused.products), plan: plan.clone() }
    }
}

impl<W: MachineWord> Datapath for FusedThenAdd<W> {
    #[inline]
    fn evaluate(&mut self, inputs: Inputs) -> u64 {
        schemes::fused_then_add::evaluate(&self.plan, inputs, &mut self.stages).low_bits()
    }

    #[inline]
    fn events(&self) -> EventSet {
        fused_then_add_events(&self.plan, &self.stages)
    }

    fn stages(&self) -> Vec<(String, Vec<IBig>)> {
        let names = self.plan.fused.signals.iter().map(|signal| signal.name.to_owned());
        names.zip(self.values()).collect()
    }

    fn values(&self) -> Vec<Vec<IBig>> {
        let (plan, stages) = (&self.plan, &self.stages);
        let words = |words: &[W]| words.iter().map(|word| word.integer()).collect();
        let flag = |flag: &bool| IBig::from(u8::from(*flag));
        let mut all = operand_values(&self.plan.fused, &stages.fused);
        term_values(&stages.products, &mut all);
        if plan.overflow_exponent.is_some() {
            all.push(stages.product_overflow.iter().map(flag).collect());
        }
        all.push(words(&stages.group_anchor));
        all.push(words(&stages.aligned_product));
        all.push(words(&stages.group_sum));
        if plan.groups > 1 {
            all.push(words(&stages.aligned_group));
        }
        term_values(&stages.fused.terms[..1], &mut all);
        if plan.addend_reach.is_some() {
            all.push(vec![flag(&stages.addend_dropped)]);
        }
        tail_values(&self.plan.fused, &stages.fused, &mut all);
        all
    }
}
