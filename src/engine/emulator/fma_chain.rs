//! A chain of fused multiply-adds as the emulator runs it.

use dashu_int::IBig;

use super::{Datapath, fused};
use crate::compute::Inputs;
use crate::compute::datapath::{EventSet, Stages, events, schemes};
use crate::compute::word::MachineWord;
use crate::describe::plan::FmaChainPlan;

pub(super) struct FmaChain<W: MachineWord> {
    plan: FmaChainPlan,
    /// One entry a step.
    stages: Vec<Stages<W>>,
}

impl<W: MachineWord> FmaChain<W> {
    pub(super) fn new(plan: &FmaChainPlan) -> Self {
        FmaChain { stages: vec![Stages::new(1); plan.products as usize], plan: plan.clone() }
    }
}

impl<W: MachineWord> Datapath for FmaChain<W> {
    #[inline]
    fn evaluate(&mut self, inputs: Inputs) -> u64 {
        schemes::fma_chain::evaluate(&self.plan, inputs, &mut self.stages).low_bits()
    }

    /// What happened in any step.
    #[inline]
    fn events(&self) -> EventSet {
        let steps = self.stages.iter().map(|stages| events(&self.plan.step, stages));
        steps.fold(EventSet::default(), EventSet::union)
    }

    fn values(&self) -> Vec<Vec<IBig>> {
        vec![self.stages.iter().map(|stages| stages.packed.integer()).collect()]
    }

    fn stages(&self) -> Vec<(String, Vec<IBig>)> {
        let named = |(index, stages): (usize, &Stages<W>)| {
            let names = self.plan.step.signals.iter().map(move |signal| format!("step[{index}].{}", signal.name));
            names.zip(fused::values(stages)).collect::<Vec<_>>()
        };
        self.stages.iter().enumerate().flat_map(named).collect()
    }
}
