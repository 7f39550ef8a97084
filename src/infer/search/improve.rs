//! One hypothesis after the other, each explaining more answers: one parameter changed at a time, or two. Asks the box
//! nothing.

use super::{Constraints, Effort, Fit, Search, differing};
use crate::describe::instruction::Instruction;
use crate::infer::black_box::Memory;
use crate::infer::space::Setting;

/// Parameters with as many values, all of them numbers, are tried at every so-manieth value first.
const LONG: usize = 128;
const STRIDE: usize = 8;

/// By how many places two numbers are changed together.
const STEPS: [isize; 7] = [1, 2, 3, 4, 6, 8, 16];

impl Search<'_> {
    /// The best hypothesis found from a hypothesis.
    pub fn improve(&self, hypothesis: Instruction, constraints: &Constraints) -> Fit {
        let mut ordered = self.failing_first(&hypothesis, constraints);
        let mut best = Fit { hypothesis, failures: ordered.refuting.weight() };
        while best.failures > 0 {
            let before = best.failures;
            let parameters = self.space.parameters(&best.hypothesis);
            for parameter in &parameters {
                let failures = best.failures;
                self.improve_one(&mut best, parameter, &ordered);
                if best.failures < failures {
                    ordered = self.failing_first(&best.hypothesis, &ordered);
                }
            }
            if best.failures == before {
                let moved =
                    self.improve_along(&mut best, &ordered) || self.improve_two(&mut best, &parameters, &ordered);
                if !moved {
                    break;
                }
                ordered = self.failing_first(&best.hypothesis, &ordered);
            }
        }
        best
    }

    /// The same answers, those first that a hypothesis does not explain: another one that does not explain them either is no
    /// better, and is left without a look at the rest.
    pub(super) fn failing_first(&self, hypothesis: &Instruction, constraints: &Constraints) -> Constraints {
        let mut engine = (self.evaluate)(hypothesis);
        let [refuting, sample] = [(); 2].map(|()| Memory::new(constraints.sample.empty_batch()));
        let mut ordered = Constraints { refuting, sample };
        for block in constraints.blocks() {
            let failing = differing(engine.as_mut(), block);
            for (v, &answer) in block.answers.iter().enumerate() {
                let place = if failing.contains(&v) { &mut ordered.refuting } else { &mut ordered.sample };
                place.push_weighted(&block.batch.vector(v), answer, block.weights[v]);
            }
        }
        ordered
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

    /// Two numbers at a time, both by as much, until one pair helps: a window that ends at the same place has as many more
    /// fraction bits as its floor lies higher, so that between the two no change of one alone helps.
    fn improve_along(&self, best: &mut Fit, constraints: &Constraints) -> bool {
        let before = best.failures;
        let hypothesis = best.hypothesis.clone();
        let numbers = self.space.numbers(&hypothesis);
        let moved = |(numbers, own): &(Vec<Setting>, usize), by: isize| {
            own.checked_add_signed(by).and_then(|index| numbers.get(index)).cloned()
        };
        for (index, first) in numbers.iter().enumerate() {
            for second in &numbers[..index] {
                for by in STEPS.into_iter().flat_map(|step| [step, -step]) {
                    for other in [by, -by] {
                        let (Some(one), Some(two)) = (moved(first, by), moved(second, other)) else { continue };
                        for (_, middle) in self.space.alternatives(&hypothesis, &[one]) {
                            self.improve_from(best, &middle, std::slice::from_ref(&two), constraints);
                        }
                    }
                }
                if best.failures < before {
                    return true;
                }
            }
        }
        false
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
