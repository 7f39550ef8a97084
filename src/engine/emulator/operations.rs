//! Rounded operations as the emulator runs them.

use dashu_int::IBig;

use super::{Datapath, fused};
use crate::compute::Inputs;
use crate::compute::datapath::{EventSet, Stages, operation_events, schemes};
use crate::compute::word::MachineWord;
use crate::describe::plan::{FusedPlan, Operation, OperationsPlan};

pub(super) struct Operations<W: MachineWord> {
    plan: OperationsPlan,
    /// One entry an operation.
    stages: Vec<Stages<W>>,
}

impl<W: MachineWord> Operations<W> {
    pub(super) fn new(plan: &OperationsPlan) -> Self {
        Operations { stages: vec![Stages::new(1); plan.operations.len()], plan: plan.clone() }
    }

    /// The plan and the stages of each operation.
    fn each(&self) -> impl Iterator<Item = (&FusedPlan, &Stages<W>)> {
        let of = |operation: &Operation| match operation {
            Operation::Add { .. } => &self.plan.addition,
            Operation::MultiplyAdd { .. } | Operation::Multiply { .. } => &self.plan.step,
        };
        self.plan.operations.iter().map(of).zip(&self.stages)
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
        self.each().map(|(plan, stages)| operation_events(plan, stages)).fold(EventSet::default(), EventSet::union)
    }

    fn values(&self) -> Vec<Vec<IBig>> {
        vec![self.stages.iter().map(|stages| stages.packed.integer()).collect()]
    }

    fn stages(&self) -> Vec<(String, Vec<IBig>)> {
        let named = |(index, (operation, (plan, stages))): (usize, (&Operation, (&FusedPlan, &Stages<W>)))| {
            let values = match operation {
                Operation::Add { .. } => fused::addition_values(plan, stages),
                Operation::MultiplyAdd { .. } | Operation::Multiply { .. } => fused::values(plan, stages),
            };
            let names = plan.signals.iter().map(|signal| format!("step[{index}].{}", signal.name));
            names.zip(values).collect::<Vec<_>>()
        };
        self.plan.operations.iter().zip(self.each()).enumerate().flat_map(named).collect()
    }
}
