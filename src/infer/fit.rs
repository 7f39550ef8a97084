//! Looking for a hypothesis that explains all answers: one parameter after the other, then two at a time. Asks the box
//! nothing.

use super::Evaluator;
use super::black_box::{Block, Memory};
use super::composition::Composition;
use super::setting::Setting;
use super::space::{SCHEMES, Space};
use crate::describe::instruction::Instruction;
use crate::engine::{Engine, Vector};

/// Answers to explain; those that have refuted a hypothesis come first, so that most hypotheses fall early.
#[derive(Debug, Clone)]
pub(super) struct Constraints {
    pub refuting: Memory,
    pub sample: Memory,
}

impl Constraints {
    /// A sample of what was answered: every so-manieth answer, at most `count`.
    pub fn sample(memory: &Memory, count: usize) -> Constraints {
        let (mut refuting, mut sample) = (memory.clone(), memory.clone());
        refuting.clear();
        sample.clear();
        for index in (0..memory.len()).step_by(memory.len().div_ceil(count).max(1)) {
            let (vector, answer) = memory.entry(index);
            sample.push(&vector, answer);
        }
        Constraints { refuting, sample }
    }
}

/// A hypothesis, and how many answers it does not explain.
#[derive(Debug, Clone)]
pub(super) struct Fit {
    pub hypothesis: Instruction,
    pub failures: usize,
}

/// A scheme in a composition.
#[derive(Debug, Clone)]
pub(super) struct Candidate {
    /// The best of its first hypotheses, the best one first.
    pub starts: Vec<Fit>,
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
#[derive(Clone, Copy)]
pub(super) struct Search<'a> {
    pub space: &'a Space,
    pub evaluate: Evaluator<'a>,
    /// Whether two parameters are changed at a time where one does not help.
    pub pairs: bool,
}

impl Search<'_> {
    /// How many answers a hypothesis does not explain; counts no further than `enough`.
    fn failures(&self, hypothesis: &Instruction, constraints: &Constraints, enough: usize) -> usize {
        let mut engine = (self.evaluate)(hypothesis);
        let mut failures = 0;
        for block in constraints.refuting.blocks().iter().chain(constraints.sample.blocks()) {
            failures += differing(engine.as_mut(), block).len();
            if failures >= enough {
                return enough;
            }
        }
        failures
    }

    /// Every scheme in every composition that the interface allows, with its best first hypotheses: that which explains most
    /// answers first, and of equals the simplest.
    pub fn candidates(&self, constraints: &Constraints) -> Vec<Candidate> {
        let interface = &self.space.interface;
        let all = SCHEMES.into_iter().flat_map(|scheme| {
            Composition::all(interface, scheme).into_iter().map(move |composition| (scheme, composition))
        });
        let mut candidates: Vec<Candidate> = all
            .filter_map(|(scheme, composition)| {
                let starts = self.best(self.space.starts(scheme, &composition), constraints);
                (!starts.is_empty()).then_some(Candidate { starts })
            })
            .collect();
        candidates.sort_by_key(|candidate| candidate.starts[0].failures);
        candidates
    }

    /// The first hypotheses that explain most answers.
    fn best(&self, starts: Vec<Instruction>, constraints: &Constraints) -> Vec<Fit> {
        /// How many are kept.
        const KEPT: usize = 4;
        let mut best: Vec<Fit> = Vec::new();
        for hypothesis in starts {
            let enough = if best.len() < KEPT { usize::MAX } else { best[KEPT - 1].failures };
            let failures = self.failures(&hypothesis, constraints, enough);
            if failures < enough {
                let place = best.partition_point(|fit| fit.failures <= failures);
                best.insert(place, Fit { hypothesis, failures });
                best.truncate(KEPT);
            }
        }
        best
    }

    /// The best hypothesis found from a hypothesis.
    pub fn improve(&self, hypothesis: Instruction, constraints: &Constraints) -> Fit {
        let failures = self.failures(&hypothesis, constraints, usize::MAX);
        let mut best = Fit { hypothesis, failures };
        while best.failures > 0 {
            let before = best.failures;
            let parameters = self.space.parameters(&best.hypothesis);
            parameters.iter().for_each(|parameter| self.improve_one(&mut best, parameter, constraints));
            if best.failures == before && !(self.pairs && self.improve_two(&mut best, &parameters, constraints)) {
                break;
            }
        }
        best
    }

    fn improve_one(&self, best: &mut Fit, parameter: &[Setting], constraints: &Constraints) {
        let hypothesis = best.hypothesis.clone();
        self.improve_from(best, &hypothesis, parameter, constraints);
    }

    /// Two parameters at a time, until one pair helps.
    fn improve_two(&self, best: &mut Fit, parameters: &[Vec<Setting>], constraints: &Constraints) -> bool {
        let before = best.failures;
        let hypothesis = best.hypothesis.clone();
        for (index, first) in parameters.iter().enumerate() {
            for second in &parameters[..index] {
                if first.len() * second.len() > PAIRS_MAX {
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

    /// The best hypothesis for the answers given and for everything in the memory: what refutes it there is added to the
    /// answers, until nothing does or nothing better is found.
    pub fn explain(
        &self,
        mut fit: Fit,
        constraints: &mut Constraints,
        memory: &Memory,
    ) -> Result<Instruction, Refuted> {
        /// Refuting vectors taken up at a time.
        const TAKEN: usize = 16;
        loop {
            if fit.failures > 0 {
                return Err(self.refuted(fit.hypothesis, constraints));
            }
            let mut engine = (self.evaluate)(&fit.hypothesis);
            let mut taken = 0;
            for block in memory.blocks() {
                for v in differing(engine.as_mut(), block).into_iter().take(TAKEN - taken) {
                    constraints.refuting.push(&block.batch.vector(v), block.answers[v]);
                    taken += 1;
                }
            }
            if taken == 0 {
                return Ok(fit.hypothesis);
            }
            fit = self.improve(fit.hypothesis, constraints);
        }
    }

    fn refuted(&self, hypothesis: Instruction, constraints: &Constraints) -> Refuted {
        let mut engine = (self.evaluate)(&hypothesis);
        let mut by = Vec::new();
        for block in constraints.refuting.blocks().iter().chain(constraints.sample.blocks()) {
            let entries = differing(engine.as_mut(), block).into_iter();
            by.extend(entries.map(|v| (block.batch.vector(v), block.answers[v])));
        }
        by.dedup();
        Refuted { hypothesis: Box::new(hypothesis), by }
    }
}

/// The best hypothesis of a scheme in a composition, and answers that it does not explain.
#[derive(Debug, Clone)]
pub struct Refuted {
    pub hypothesis: Box<Instruction>,
    pub by: Vec<(Vector, u64)>,
}
