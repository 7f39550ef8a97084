//! The fused-then-add scheme as the emulator runs it.

use dashu_int::IBig;

use super::{Datapath, integers};
use crate::compute::datapath::{EventSet, FusedThenAddStages, fused_then_add_events, schemes};
use crate::compute::word::MachineWord;
use crate::compute::{Inputs, signals};
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
        integers(signals::fused_then_add(&self.plan, &self.stages))
    }
}
