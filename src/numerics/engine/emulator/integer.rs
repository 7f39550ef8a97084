//! The integer scheme as the emulator runs it.

use dashu_int::IBig;

use super::{Datapath, integers};
use crate::compute::datapath::schemes::integer::{IntegerStages, evaluate};
use crate::compute::datapath::{EventSet, integer_events};
use crate::compute::word::MachineWord;
use crate::compute::{Inputs, signals};
use crate::describe::plan::IntegerPlan;

pub(super) struct Integer<W: MachineWord> {
    plan: IntegerPlan,
    stages: IntegerStages<W>,
}

impl<W: MachineWord> Integer<W> {
    pub(super) fn new(plan: &IntegerPlan) -> Self {
        Integer { stages: IntegerStages::new(plan.products), plan: plan.clone() }
    }
}

impl<W: MachineWord> Datapath for Integer<W> {
    #[inline]
    fn evaluate(&mut self, inputs: Inputs) -> u64 {
        evaluate(&self.plan, inputs, &mut self.stages).low_bits()
    }

    #[inline]
    fn events(&self) -> EventSet {
        integer_events(&self.plan, &self.stages)
    }

    fn values(&self) -> Vec<Vec<IBig>> {
        integers(signals::integer(&self.stages))
    }

    fn stages(&self) -> Vec<(String, Vec<IBig>)> {
        let names = self.plan.signals.iter().map(|signal| signal.name.to_owned());
        names.zip(self.values()).collect()
    }
}
