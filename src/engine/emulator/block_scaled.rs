//! The block-scaled scheme as the emulator runs it.

use dashu_int::IBig;

use super::Datapath;
use super::fused::{operand_values, tail_values, term_values};
use crate::compute::Inputs;
use crate::compute::datapath::{BlockScaledStages, EventSet, Unpacked, block_scaled_events, schemes};
use crate::compute::word::MachineWord;
use crate::describe::plan::BlockScaledPlan;

pub(super) struct BlockScaled<W: MachineWord> {
    plan: BlockScaledPlan,
    stages: BlockScaledStages<W>,
}

impl<W: MachineWord> BlockScaled<W> {
    pub(super) fn new(plan: &BlockScaledPlan) -> Self {
        BlockScaled { stages: BlockScaledStages::new(plan.fused.products), plan: plan.clone() }
    }
}

impl<W: MachineWord> Datapath for BlockScaled<W> {
    #[inline]
    fn evaluate(&mut self, inputs: Inputs) -> u64 {
        schemes::block_scaled::evaluate(&self.plan, inputs, &mut self.stages).low_bits()
    }

    #[inline]
    fn events(&self) -> EventSet {
        block_scaled_events(&self.plan, &self.stages)
    }

    fn stages(&self) -> Vec<(String, Vec<IBig>)> {
        let names = self.plan.fused.signals.iter().map(|signal| signal.name.to_owned());
        names.zip(self.values()).collect()
    }

    fn values(&self) -> Vec<Vec<IBig>> {
        let stages = &self.stages;
        let mut all = operand_values(&self.plan.fused, &stages.fused);
        for scales in [&stages.scale_a, &stages.scale_b] {
            scale_values(scales, &mut all);
        }
        term_values(&stages.products, &mut all);
        if self.plan.group.is_some() {
            all.push(stages.groups.iter().map(|sum| IBig::from(u8::from(sum.negative))).collect());
            all.push(stages.groups.iter().map(|sum| sum.significand.integer()).collect());
        }
        term_values(&stages.fused.terms[..self.plan.fused.terms.count as usize], &mut all);
        tail_values(&self.plan.fused, &stages.fused, &mut all);
        all
    }
}

fn scale_values<W: MachineWord>(scales: &[Unpacked<W>], all: &mut Vec<Vec<IBig>>) {
    all.push(scales.iter().map(|scale| scale.exponent.integer()).collect());
    all.push(scales.iter().map(|scale| scale.significand.integer()).collect());
    all.push(scales.iter().map(|scale| IBig::from(u8::from(scale.nan))).collect());
}
