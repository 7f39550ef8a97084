//! The fused scheme as the emulator runs it.

use dashu_int::IBig;

use super::{Datapath, integers};
use crate::compute::datapath::{EventSet, Stages, events, schemes};
use crate::compute::word::MachineWord;
use crate::compute::{Inputs, signals};
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
        integers(signals::fused(&self.plan, &self.stages))
    }

    fn stages(&self) -> Vec<(String, Vec<IBig>)> {
        let names = self.plan.signals.iter().map(|signal| signal.name.to_owned());
        names.zip(self.values()).collect()
    }
}
