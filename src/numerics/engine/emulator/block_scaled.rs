//! The block-scaled scheme as the emulator runs it.

use dashu_int::IBig;

use super::{Datapath, integers};
use crate::compute::datapath::{BlockScaledStages, EventSet, block_scaled_events, schemes};
use crate::compute::word::MachineWord;
use crate::compute::{Inputs, signals};
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
        integers(signals::block_scaled(&self.plan, &self.stages))
    }
}
