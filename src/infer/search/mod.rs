//! The search for a hypothesis that explains all answers: from the best of many first ones, by local search for a sample of
//! the answers, to which those are added that refute what is found. Asks the box nothing.

mod contradiction;
pub(super) mod distinguishing;
#[cfg(test)]
pub(in crate::infer) mod example;
pub(super) mod ladders;
mod local_search;
mod staged;

pub use contradiction::Contradiction;
pub(super) use contradiction::Ended;

use std::collections::HashSet;

use rayon::prelude::*;

use crate::describe::instruction::Instruction;
use crate::describe::unit::Scheme;
use crate::engine::{Batch, Engine, Vector};
use crate::infer::Evaluator;
use crate::infer::black_box::{Block, Memory};
use crate::infer::space::{Composition, Space};

/// A hypothesis, and how many answers it does not explain.
#[derive(Debug, Clone)]
pub(in crate::infer) struct Fit {
    pub hypothesis: Instruction,
    pub failures: usize,
}

/// A scheme in a composition.
#[derive(Debug, Clone)]
pub(in crate::infer) struct Candidate {
    pub scheme: Scheme,
    pub composition: Composition,
    /// The best of its first hypotheses.
    pub start: Fit,
}

/// Answers by which most first hypotheses fall.
const FEW: usize = 48;

/// Answers to explain; those that have refuted a hypothesis come first, so that most hypotheses fall early.
#[derive(Debug, Clone)]
pub(in crate::infer) struct Constraints {
    pub refuting: Memory,
    pub sample: Memory,
}

impl Constraints {
    /// A sample of what was answered: evenly chosen, at most `count`.
    pub fn of_memory(memory: &Memory, count: usize) -> Constraints {
        let [refuting, mut sample] = [(); 2].map(|()| Memory::new(memory.empty_batch()));
        for index in (0..memory.len()).step_by(memory.len().div_ceil(count).max(1)) {
            let (vector, answer) = memory.entry(index);
            sample.push(&vector, answer);
        }
        Constraints { refuting, sample }
    }

    /// Those that refuted a hypothesis, then the sample.
    pub fn blocks(&self) -> impl Iterator<Item = &Block> {
        self.refuting.blocks().iter().chain(self.sample.blocks())
    }

    pub fn len(&self) -> usize {
        self.refuting.len() + self.sample.len()
    }

    /// One in `step` of these answers.
    pub fn every(&self, step: usize) -> Constraints {
        let [refuting, sample] = [(); 2].map(|()| Memory::new(self.sample.empty_batch()));
        let mut few = Constraints { refuting, sample };
        for memory in [&self.refuting, &self.sample] {
            for (vector, answer) in (0..memory.len()).step_by(step.max(1)).map(|index| memory.entry(index)) {
                few.sample.push(&vector, answer);
            }
        }
        few
    }
}

/// What the engine of a hypothesis answers; it does not fail.
fn answers(engine: &mut dyn Engine, batch: &Batch) -> Vec<u64> {
    engine.answers(batch).unwrap_or_else(|_| vec![0; batch.len()])
}

/// Vectors of a block on which an engine differs.
fn differing(engine: &mut dyn Engine, block: &Block) -> Vec<usize> {
    let answers = answers(engine, &block.batch);
    (0..answers.len()).filter(|&v| answers[v] != block.answers[v]).collect()
}

/// The first vector in the memory on which an engine differs.
pub(in crate::infer) fn first_difference(engine: &mut dyn Engine, memory: &Memory) -> Option<usize> {
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
pub(in crate::infer) struct Search<'a> {
    pub space: &'a Space,
    pub evaluate: Evaluator<'a>,
    pub effort: Effort,
}

/// How long is searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::infer) enum Effort {
    /// One parameter at a time, and two numbers by as many places.
    Light,
    /// And two of few values at a time where one does not help, such as a rounding and what overflows; and where no more than
    /// half is left to explain, with exchanged windows, by breakout and from other first hypotheses.
    Quick,
    /// So in any case, and from perturbed hypotheses.
    Perturbed,
    /// Two parameters of many values at a time, or plain values of one with all of the other; and so in any case.
    Thorough,
    /// As thorough, and from first hypotheses of which no two give the same answers.
    Last,
    /// As thorough, but climbing only: begun with what was found in stages, which explain few terms first.
    Staged,
}

impl Effort {
    /// Whether hypotheses of a scheme are searched for so: in stages only where products and c are aligned one after the other.
    pub fn is_for(self, scheme: Scheme) -> bool {
        self != Effort::Staged || scheme == Scheme::FusedThenAdd
    }

    fn is_thorough(self) -> bool {
        matches!(self, Effort::Thorough | Effort::Last | Effort::Staged)
    }

    /// How often answers that refute a hypothesis are taken up.
    fn turns(self) -> usize {
        if self == Effort::Light { 8 } else { 200 }
    }

    /// Of two parameters with more pairs of values not all pairs are tried.
    fn pairs(self) -> usize {
        match self {
            Effort::Light => 0,
            Effort::Quick | Effort::Perturbed => 24,
            Effort::Thorough | Effort::Last | Effort::Staged => 2000,
        }
    }

    /// How many first hypotheses are kept, after the first few answers and in the end.
    fn kept(self) -> [usize; 2] {
        match self {
            Effort::Light | Effort::Quick | Effort::Staged => [16, 4],
            Effort::Perturbed | Effort::Thorough | Effort::Last => [64, 16],
        }
    }

    /// Whether a hypothesis that no change improves is left for others.
    fn escapes(self, failures: usize, constraints: &Constraints) -> bool {
        match self {
            Effort::Light | Effort::Staged => false,
            Effort::Quick => failures * 2 <= constraints.len(),
            Effort::Perturbed | Effort::Thorough | Effort::Last => true,
        }
    }
}

impl Search<'_> {
    /// How much the answers count that a hypothesis does not explain; counts no further than `enough`.
    fn failures(&self, hypothesis: &Instruction, constraints: &Constraints, enough: usize) -> usize {
        let mut engine = (self.evaluate)(hypothesis);
        let mut failures = 0;
        for block in constraints.blocks() {
            failures += differing(engine.as_mut(), block).into_iter().map(|v| block.weights[v]).sum::<usize>();
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
        let all = Scheme::ALL.into_iter().flat_map(|scheme| {
            Composition::all(interface, scheme).into_iter().map(move |composition| (scheme, composition))
        });
        let all: Vec<(Scheme, Composition)> = all.collect();
        let mut candidates: Vec<Candidate> = all
            .into_par_iter()
            .filter_map(|(scheme, composition)| {
                let start = self.best(scheme, &composition, constraints).into_iter().next()?;
                Some(Candidate { scheme, composition, start })
            })
            .collect();
        candidates.sort_by_key(|candidate| candidate.start.failures);
        candidates
    }

    /// The first hypotheses that explain most answers: most of them fall on the first few.
    pub fn best(&self, scheme: Scheme, composition: &Composition, constraints: &Constraints) -> Vec<Fit> {
        let kept = self.effort.kept();
        let few = constraints.every(constraints.len().div_ceil(FEW));
        let starts = match self.effort {
            Effort::Last => self.distinct(self.space.last_starts(scheme, composition), &few),
            _ => self.space.starts(scheme, composition),
        };
        let first = self.least_failing(starts, &few, kept[0]);
        self.least_failing(first.into_iter().map(|fit| fit.hypothesis).collect(), constraints, kept[1])
    }

    /// Of hypotheses that give the same answers only the first.
    fn distinct(&self, hypotheses: Vec<Instruction>, constraints: &Constraints) -> Vec<Instruction> {
        let mut seen = HashSet::new();
        let new = |hypothesis: &Instruction| seen.insert(self.answers(hypothesis, constraints));
        hypotheses.into_iter().filter(new).collect()
    }

    /// What a hypothesis answers.
    fn answers(&self, hypothesis: &Instruction, constraints: &Constraints) -> Vec<u64> {
        let mut engine = (self.evaluate)(hypothesis);
        constraints.blocks().flat_map(|block| answers(engine.as_mut(), &block.batch)).collect()
    }

    fn least_failing(&self, starts: Vec<Instruction>, constraints: &Constraints, kept: usize) -> Vec<Fit> {
        let mut best: Vec<Fit> = Vec::new();
        for hypothesis in starts {
            let enough = best.get(kept - 1).map_or(usize::MAX, |fit| fit.failures);
            let failures = self.failures(&hypothesis, constraints, enough);
            if failures < enough {
                let place = best.partition_point(|fit| fit.failures <= failures);
                best.insert(place, Fit { hypothesis, failures });
                best.truncate(kept);
            }
        }
        best
    }

    /// The best hypothesis of a candidate for the answers given and for everything in the memory, begun with one that may be
    /// it: what refutes it there is added to the answers, until nothing does or nothing better is found.
    pub fn explain(
        &self,
        candidate: &Candidate,
        first: Instruction,
        constraints: &mut Constraints,
        memory: &Memory,
    ) -> Result<Instruction, Refuted> {
        let mut fit = self.climb(first, constraints);
        for turn in 1.. {
            if fit.failures > 0 && self.effort.escapes(fit.failures, constraints) {
                fit = self.escape(candidate, fit, constraints);
            }
            if fit.failures > 0 && self.effort == Effort::Perturbed {
                fit = self.perturb(fit, constraints);
            }
            if fit.failures == 0 && self.take_refuting(&fit.hypothesis, constraints, memory) == 0 {
                return Ok(fit.hypothesis);
            }
            if fit.failures > 0 || turn == self.effort.turns() {
                break;
            }
            fit = self.climb(fit.hypothesis, constraints);
        }
        Err(self.refuted(fit.hypothesis, constraints))
    }

    /// Takes up some answers in the memory that refute a hypothesis, and says how many.
    fn take_refuting(&self, hypothesis: &Instruction, constraints: &mut Constraints, memory: &Memory) -> usize {
        /// Refuting vectors taken up at a time.
        const TAKEN: usize = 16;
        let mut engine = (self.evaluate)(hypothesis);
        let mut taken = 0;
        for block in memory.blocks() {
            for v in differing(engine.as_mut(), block).into_iter().take(TAKEN - taken) {
                constraints.refuting.push(&block.batch.vector(v), block.answers[v]);
                taken += 1;
            }
            if taken == TAKEN {
                break;
            }
        }
        taken
    }

    /// A hypothesis of a candidate that takes over what the best of all others than its own has: what both schemes have may be
    /// right there already.
    pub fn transferred(&self, candidate: &Candidate, own: &Instruction, all: &[Refuted]) -> Option<Instruction> {
        let others = all.iter().filter(|other| other.hypothesis.as_ref() != own);
        let best = others.min_by_key(|refuted| refuted.by.len())?;
        self.space.in_scheme(&best.hypothesis, candidate.scheme, &candidate.composition)
    }

    /// A hypothesis, or another one that explains more.
    pub fn better(&self, own: &Instruction, other: Option<Instruction>, constraints: &Constraints) -> Instruction {
        let failures = self.failures(own, constraints, usize::MAX);
        let better = other.filter(|other| self.failures(other, constraints, failures) < failures);
        better.unwrap_or_else(|| own.clone())
    }

    /// A hypothesis with the answers that it does not explain, each once.
    pub fn refuted(&self, hypothesis: Instruction, constraints: &Constraints) -> Refuted {
        let mut engine = (self.evaluate)(&hypothesis);
        let mut seen = HashSet::new();
        let mut by = Vec::new();
        for block in constraints.blocks() {
            let entries = differing(engine.as_mut(), block).into_iter();
            let entries = entries.map(|v| (block.batch.vector(v), block.answers[v]));
            by.extend(entries.filter(|(vector, _)| seen.insert(vector.clone())));
        }
        Refuted { hypothesis: Box::new(hypothesis), by }
    }
}

/// The best hypothesis of a scheme in a composition, and answers that it does not explain.
#[derive(Debug, Clone)]
pub struct Refuted {
    pub hypothesis: Box<Instruction>,
    /// Vectors and words: of the sample that it was improved by, and of what was taken up since. None where every answer is
    /// explained, but refining the hypothesis did not end in the rounds there are.
    pub by: Vec<(Vector, u64)>,
}
