//! One hypothesis after the other, each explaining more answers: one parameter changed at a time, or two. Asks the box
//! nothing.

use super::{Constraints, Effort, Fit, Search};
use crate::describe::instruction::Instruction;
use crate::infer::space::Setting;

/// Parameters with as many values, all of them numbers, are tried at every so-manieth value first.
const LONG: usize = 128;
const STRIDE: usize = 8;

impl Search<'_> {
    /// The best hypothesis found from a hypothesis.
    pub fn improve(&self, hypothesis: Instruction, constraints: &Constraints) -> Fit {
        let failures = self.failures(&hypothesis, constraints, usize::MAX);
        let mut best = Fit { hypothesis, failures };
        while best.failures > 0 {
            let before = best.failures;
            let parameters = self.space.parameters(&best.hypothesis);
            parameters.iter().for_each(|parameter| self.improve_one(&mut best, parameter, constraints));
            if best.failures == before && !self.improve_two(&mut best, &parameters, constraints) {
                break;
            }
        }
        best
    }

    fn improve_one(&self, best: &mut Fit, parameter: &[Setting], constraints: &Constraints) {
        let hypothesis = best.hypothesis.clone();
        if parameter.len() < LONG || self.effort == Effort::Thorough {
            self.improve_from(best, &hypothesis, parameter, constraints);
            return;
        }
        // The nearer such a value is to the right one, the fewer answers it fails on.
        let (mut nearest, mut fewest) = (0, best.failures + 1);
        for index in (0..parameter.len()).step_by(STRIDE) {
            for (_, other) in self.space.alternatives(&hypothesis, &parameter[index..=index]) {
                let failures = self.failures(&other, constraints, fewest);
                if failures < fewest {
                    (nearest, fewest) = (index, failures);
                }
            }
        }
        let around = nearest.saturating_sub(STRIDE)..(nearest + STRIDE).min(parameter.len());
        self.improve_from(best, &hypothesis, &parameter[around], constraints);
    }

    /// Two parameters at a time, until one pair helps.
    fn improve_two(&self, best: &mut Fit, parameters: &[Vec<Setting>], constraints: &Constraints) -> bool {
        let before = best.failures;
        let hypothesis = best.hypothesis.clone();
        for (index, first) in parameters.iter().enumerate() {
            for second in &parameters[..index] {
                if first.len() * second.len() > self.effort.pairs() {
                    continue;
                }
                for (_, middle) in self.space.alternatives(&hypothesis, first) {
                    self.improve_from(best, &middle, second, constraints);
                }
                if best.failures < before {
                    return true;
                }
            }
        }
        false
    }

    fn improve_from(&self, best: &mut Fit, middle: &Instruction, parameter: &[Setting], constraints: &Constraints) {
        for (_, other) in self.space.alternatives(middle, parameter) {
            let failures = self.failures(&other, constraints, best.failures);
            if failures < best.failures {
                *best = Fit { hypothesis: other, failures };
            }
        }
    }
}
