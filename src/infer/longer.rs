//! Longer searches, where short ones found nothing: which hypotheses they begin with, and what is asked before.

use super::InferError;
use super::distinguish::{BATCH, Guided};
use super::few_terms::few_terms;
use super::inference::{FINE, Inference};
use super::search::{Candidate, Constraints, Effort, Refuted};
use super::settle::{Explained, Settled};
use super::space::{Composition, SCHEMES};
use crate::describe::instruction::Instruction;
use crate::describe::unit::Scheme;
use crate::engine::Batch;

/// The candidate of each scheme that explains most, and every one that leaves no more than one answer in so many to explain,
/// is worth a longer search; a thorough one only the latter.
const NEAR: usize = 8;

/// Longer searches, for how many candidates at most, and whether more is asked around what refutes them first.
const LONGER: [(Effort, usize, bool); 7] = [
    (Effort::Quick, 12, false),
    (Effort::Quick, 4, true),
    (Effort::Staged, 1, false),
    (Effort::Thorough, 4, false),
    (Effort::Shaken, 4, true),
    (Effort::Thorough, 4, false),
    (Effort::Last, SCHEMES.len(), false),
];

impl Inference<'_, '_> {
    /// Searches that take longer, where short ones came closest.
    pub(super) fn longer(
        &mut self,
        candidates: &[Candidate],
        refuted: &mut [Refuted],
        mut fine: Constraints,
    ) -> Result<Option<Explained>, InferError> {
        let whole = Composition::whole(&self.space.interface);
        for (effort, count, asks) in LONGER {
            let own = |index: &usize| effort.is_for(candidates[*index].scheme);
            let mut nearest: Vec<usize> = (0..candidates.len()).filter(own).collect();
            // One block is the likeliest composition: of the same unit, others leave as little where few answers tell them apart.
            let likelihood = |index: usize| 1 + usize::from(candidates[index].composition == whole);
            nearest.sort_by_key(|&index| refuted[index].by.len() / likelihood(index));
            let mut begun: Vec<Scheme> = Vec::new();
            let mut seen: Vec<&Instruction> = Vec::new();
            nearest.retain(|&index| {
                let Refuted { hypothesis, by } = &refuted[index];
                let first = effort != Effort::Thorough && !begun.contains(&candidates[index].scheme);
                // Searches of many compositions end with the same hypothesis.
                let new = !seen.contains(&hypothesis.as_ref());
                begun.extend(first.then_some(candidates[index].scheme));
                seen.push(hypothesis);
                new && (first || by.len() <= FINE / NEAR)
            });
            nearest.truncate(count);
            if asks {
                let near: Vec<&Refuted> = nearest.iter().map(|&index| &refuted[index]).collect();
                fine = self.ask_around(&near)?;
            }
            self.search.effort = effort;
            for index in nearest {
                let (candidate, own) = (&candidates[index], &refuted[index].hypothesis);
                let other = match effort {
                    Effort::Staged => Some(self.staged(candidate, &mut fine)?),
                    _ => self.search.taken_over(candidate, own, refuted),
                };
                let better = self.search.better(own, other, &fine);
                match self.attempt(candidate, better, &fine)? {
                    Settled::Found(explained) => return Ok(Some(*explained)),
                    Settled::Refuted(other) => refuted[index] = other,
                }
            }
        }
        Ok(None)
    }

    /// Asks what lies around the vectors that refute these hypotheses, so that a search finds its way from them. The answers
    /// to explain then, with those that refute them.
    fn ask_around(&mut self, near: &[&Refuted]) -> Result<Constraints, InferError> {
        for refuted in near {
            let frame = refuted.hypothesis.frame();
            self.ask_shaped(&refuted.hypothesis)?;
            let vectors = refuted.by.iter().map(|(vector, _)| vector.clone());
            let mut around = Batch::of_interface(&frame);
            Guided::around(vectors, self.options.seed ^ self.batch).fill(&frame, &mut around);
            self.black_box.ask(&around)?;
        }
        let mut constraints = Constraints::of_memory(&self.black_box.memory, FINE);
        for (vector, answer) in near.iter().flat_map(|near| &near.by) {
            constraints.refuting.push(vector, *answer);
        }
        Ok(constraints)
    }

    /// The best hypothesis of a search in stages, after vectors of few terms were asked; they are among the answers to explain then.
    fn staged(&mut self, candidate: &Candidate, fine: &mut Constraints) -> Result<Instruction, InferError> {
        /// Vectors of few terms.
        const FEW_TERMS: usize = 2 * BATCH;
        let frame = candidate.start.hypothesis.frame();
        self.batch += 1;
        self.black_box.ask(&few_terms(&frame, self.options.seed ^ self.batch, FEW_TERMS))?;
        fine.sample = Constraints::of_memory(&self.black_box.memory, FINE).sample;
        Ok(self.search.staged(candidate, &self.black_box.memory))
    }
}
