//! Looking for a hypothesis that explains all answers: one parameter after the other, then two at a time. Asks the box
//! nothing.

use super::Evaluator;
use super::black_box::{Block, Memory};
use super::setting::Setting;
use super::space::Space;
use crate::describe::unit::{Scheme, Unit};
use crate::engine::{Engine, Vector};

/// Answers to explain; those that have refuted a hypothesis come first, so that most hypotheses fall early.
#[derive(Debug, Clone)]
pub(super) struct Constraints {
    pub refuting: Memory,
    pub sample: Memory,
}

impl Constraints {
    fn len(&self) -> usize {
        self.refuting.len() + self.sample.len()
    }
}

/// A hypothesis, and how many answers it does not explain.
#[derive(Debug, Clone)]
pub(super) struct Fit {
    pub unit: Unit,
    pub failures: usize,
}

/// Pairs of parameters with more values together are left out.
const PAIRS_MAX: usize = 2000;

/// Vectors of a block that an engine answers otherwise.
pub(super) fn differing(engine: &mut dyn Engine, block: &Block) -> Vec<usize> {
    let mut results = Vec::new();
    match engine.run(&block.batch, &mut results) {
        Ok(()) => (0..results.len()).filter(|&v| results[v] != block.answers[v]).collect(),
        Err(_) => (0..block.answers.len()).collect(),
    }
}

/// The first vector in the memory that an engine answers otherwise.
pub(super) fn first_difference(engine: &mut dyn Engine, memory: &Memory) -> Option<usize> {
    let mut before = 0;
    for block in memory.blocks() {
        if let Some(&v) = differing(engine, block).first() {
            return Some(before + v);
        }
        before += block.answers.len();
    }
    None
}

/// The search for a hypothesis.
pub(super) struct Search<'a> {
    pub space: &'a Space,
    pub evaluate: Evaluator<'a>,
    /// Two parameters are changed at a time where fewer than one in that many answers are left to explain.
    pub pairs_below: usize,
}

impl Search<'_> {
    /// How many answers a unit does not explain; counts no further than `enough`.
    fn failures(&self, unit: &Unit, constraints: &Constraints, enough: usize) -> usize {
        let mut engine = (self.evaluate)(unit);
        let mut failures = 0;
        for block in constraints.refuting.blocks().iter().chain(constraints.sample.blocks()) {
            failures += differing(engine.as_mut(), block).len();
            if failures >= enough {
                return enough;
            }
        }
        failures
    }

    /// The best hypothesis found from a scheme's starts, or none where the scheme cannot have the interface. Where pairs of
    /// parameters are always worth it, all starts are tried, and the pairs from the best ones.
    pub fn fit(&self, scheme: Scheme, constraints: &Constraints) -> Option<Fit> {
        /// Starts whose pairs are tried.
        const BEST: usize = 3;
        let first = self.improve(self.space.start(scheme)?, constraints);
        if first.failures == 0 || self.pairs_below > 1 {
            return Some(first);
        }
        let singles = Search { pairs_below: usize::MAX, ..*self };
        let mut fits = vec![first];
        for unit in self.space.starts(scheme) {
            fits.push(singles.improve(unit, constraints));
            if fits.last().is_some_and(|fit| fit.failures == 0) {
                return fits.pop();
            }
        }
        fits.sort_by_key(|fit| fit.failures);
        fits.dedup_by(|one, other| one.unit == other.unit);
        let improved = fits.into_iter().take(BEST).map(|fit| self.improve(fit.unit, constraints));
        improved.min_by_key(|fit| fit.failures)
    }

    /// The best hypothesis found from a unit.
    pub fn improve(&self, unit: Unit, constraints: &Constraints) -> Fit {
        let failures = self.failures(&unit, constraints, usize::MAX);
        let mut best = Fit { unit, failures };
        let parameters = self.space.parameters(best.unit.scheme);
        while best.failures > 0 {
            let before = best.failures;
            parameters.iter().for_each(|parameter| self.improve_one(&mut best, parameter, constraints));
            let worth = best.failures.saturating_mul(self.pairs_below) <= constraints.len();
            if best.failures == before && !(worth && self.improve_two(&mut best, &parameters, constraints)) {
                break;
            }
        }
        best
    }

    fn improve_one(&self, best: &mut Fit, parameter: &[Setting], constraints: &Constraints) {
        let unit = best.unit.clone();
        for (_, other) in self.space.alternatives(&unit, parameter) {
            let failures = self.failures(&other, constraints, best.failures);
            if failures < best.failures {
                *best = Fit { unit: other, failures };
            }
        }
    }

    /// Two parameters at a time, until one pair helps.
    fn improve_two(&self, best: &mut Fit, parameters: &[Vec<Setting>], constraints: &Constraints) -> bool {
        let before = best.failures;
        let unit = best.unit.clone();
        for (index, first) in parameters.iter().enumerate() {
            for second in &parameters[..index] {
                if first.len() * second.len() > PAIRS_MAX {
                    continue;
                }
                for (_, middle) in self.space.alternatives(&unit, first) {
                    self.improve_from(best, &middle, second, constraints);
                }
                if best.failures < before {
                    return true;
                }
            }
        }
        false
    }

    fn improve_from(&self, best: &mut Fit, middle: &Unit, parameter: &[Setting], constraints: &Constraints) {
        for (_, other) in self.space.alternatives(middle, parameter) {
            let failures = self.failures(&other, constraints, best.failures);
            if failures < best.failures {
                *best = Fit { unit: other, failures };
            }
        }
    }

    /// The best hypothesis for the answers given and for everything in the memory: what refutes it there is added to the
    /// answers, until nothing does or nothing better is found.
    pub fn explain(&self, mut fit: Fit, constraints: &mut Constraints, memory: &Memory) -> Result<Unit, Refuted> {
        /// Refuting vectors taken up at a time.
        const TAKEN: usize = 16;
        loop {
            if fit.failures > 0 {
                return Err(self.refuted(fit.unit, constraints));
            }
            let mut engine = (self.evaluate)(&fit.unit);
            let mut taken = 0;
            for block in memory.blocks() {
                for v in differing(engine.as_mut(), block).into_iter().take(TAKEN - taken) {
                    constraints.refuting.push(&block.batch.vector(v), block.answers[v]);
                    taken += 1;
                }
            }
            if taken == 0 {
                return Ok(fit.unit);
            }
            fit = self.improve(fit.unit, constraints);
        }
    }

    fn refuted(&self, unit: Unit, constraints: &Constraints) -> Refuted {
        let mut engine = (self.evaluate)(&unit);
        let mut by = Vec::new();
        for block in constraints.refuting.blocks().iter().chain(constraints.sample.blocks()) {
            let entries = differing(engine.as_mut(), block).into_iter();
            by.extend(entries.map(|v| (block.batch.vector(v), block.answers[v])));
        }
        by.dedup();
        Refuted { unit: Box::new(unit), by }
    }
}

/// The best hypothesis of a scheme, and answers that it does not explain.
#[derive(Debug, Clone)]
pub struct Refuted {
    pub unit: Box<Unit>,
    pub by: Vec<(Vector, u64)>,
}
