//! What an inference has to go by: the black box with its answers so far, the space, the search in it, and perhaps a solver.

use super::InferError;
use super::black_box::BlackBox;
use super::distinguish::BATCH;
use super::search::{Constraints, Refuted, Search, first_difference};
use super::solver::Solver;
use super::space::Space;
use super::vectors;
use crate::describe::instruction::Instruction;

/// How much is asked.
#[derive(Debug, Clone, Copy)]
pub struct Options {
    /// Of the random numbers in all vectors but the directed probes.
    pub seed: u64,
    /// Vectors on which what was found must agree with the box in the end: three eighths are its own shaped vectors.
    pub confirm: u64,
    /// Vectors searched in the end, without asking the box, for a difference from what was found.
    pub search: u64,
}

impl Default for Options {
    fn default() -> Options {
        Options { seed: 1, confirm: 1_000_000, search: 1_000_000 }
    }
}

/// Answers that first hypotheses are compared by.
pub(super) const ROUGH: usize = 256;

/// Answers that hypotheses are improved by.
pub(super) const FINE: usize = 1024;

/// Where a search leaves no more answers than these, there is another one.
pub(super) const NEXT_TO_NOTHING: usize = 16;

/// Rounds of asking before a hypothesis is given up.
pub(super) const ROUNDS: usize = 100;

pub(super) struct Inference<'a, 'b> {
    pub black_box: BlackBox<'b>,
    pub space: &'a Space,
    pub search: Search<'a>,
    pub solver: Option<Solver<'a>>,
    pub options: Options,
    /// Number of the last batch of shaped vectors.
    pub batch: u64,
}

impl Inference<'_, '_> {
    /// At most `count` of the answers, for a search to explain.
    pub fn sample(&self, count: usize) -> Constraints {
        Constraints::of_memory(&self.black_box.memory, count)
    }

    /// Asks a batch of shaped vectors of a hypothesis. A recording is asked nothing.
    pub fn ask_shaped(&mut self, hypothesis: &Instruction) -> Result<(), InferError> {
        self.batch += 1;
        self.black_box.ask(&vectors::shaped(hypothesis, self.options.seed, self.batch, BATCH / 2))
    }

    /// Whether a hypothesis explains everything that was answered.
    pub fn explains(&self, hypothesis: &Instruction) -> bool {
        first_difference((self.search.evaluate)(hypothesis).as_mut(), &self.black_box.memory).is_none()
    }

    /// Of hypotheses that no answer of a sample refuted, all answers that do.
    pub fn recount(&self, refuted: &mut [Refuted]) {
        let all = self.sample(usize::MAX);
        for refuted in refuted.iter_mut().filter(|refuted| refuted.by.is_empty()) {
            *refuted = self.search.refuted(refuted.hypothesis.as_ref().clone(), &all);
        }
    }

    /// Vectors that the engine was asked, or that were recorded.
    pub fn asked(&self) -> u64 {
        if self.black_box.is_recording() { self.black_box.memory.len() as u64 } else { self.black_box.asked }
    }
}
