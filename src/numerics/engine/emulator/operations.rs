//! Rounded operations as the emulator runs them.

use dashu_int::IBig;

use super::{Datapath, integers};
use crate::compute::datapath::{EventSet, Stages, operation_events, schemes};
use crate::compute::word::MachineWord;
use crate::compute::{Inputs, signals};
use crate::describe::plan::OperationsPlan;

pub(super) struct Operations<W: MachineWord> {
    plan: OperationsPlan,
    /// One entry an operation.
    stages: Vec<Stages<W>>,
}

impl<W: MachineWord> Operations<W> {
    pub(super) fn new(plan: &OperationsPlan) -> Self {
        Operations { stages: vec![Stages::new(1); plan.operations.len()], plan: plan.clone() }
    }
}

impl<W: MachineWord> Datapath for Operations<W> {
    #[inline]
    fn evaluate(&mut self, inputs: Inputs) -> u64 {
        schemes::operations::evaluate(&self.plan, inputs, &mut self.stages).low_bits()
    }

    /// What happened in any operation.
    #[inline]
    fn events(&self) -> EventSet {
        signals::each(&self.plan, &self.stages)
            .map(|(_, plan, stages)| operation_events(plan, stages))
            .fold(EventSet::default(), EventSet::union)
    }

    fn values(&self) -> Vec<Vec<IBig>> {
        integers(signals::operations(&self.stages))
    }

    fn stages(&self) -> Vec<(String, Vec<IBig>)> {
        let steps = signals::steps(&self.plan, &self.stages).into_iter();
        steps.map(|(name, values)| (name, values.into_iter().map(MachineWord::integer).collect())).collect()
    }
}
