//! What is said where nothing is found that fits: the best hypothesis of every scheme, and a few answers that no hypothesis
//! was found to explain together, none of which can be left out.

use super::{Constraints, Refuted, Search, first_difference};
use crate::describe::instruction::Instruction;
use crate::engine::Vector;
use crate::infer::black_box::Memory;

/// Nothing was found that fits.
#[derive(Debug, Clone)]
pub struct Contradiction {
    /// The best of every scheme and composition, those with few answers against them first.
    pub best: Vec<Refuted>,
    /// Answers that no hypothesis was found to explain together; without one of them there was one. Empty where the search
    /// for them gave up. Words have their flags above d.
    pub together: Vec<(Vector, u64)>,
    pub asked: u64,
}

/// Answers taken together at most.
const TOGETHER_MAX: usize = 24;

/// What the search for a contradiction ends with.
pub(in crate::infer) enum Ended {
    Contradiction(Vec<(Vector, u64)>),
    /// A hypothesis that explains everything after all.
    Explained(Box<Instruction>),
}

impl Search<'_> {
    /// The smallest contradiction found.
    pub fn contradiction(&self, refuted: &[Refuted], memory: &Memory) -> Ended {
        let Some(first) = refuted.iter().find_map(|refuted| refuted.by.first()) else {
            return Ended::Contradiction(Vec::new());
        };
        let mut together = vec![first.clone()];
        while let Some(hypothesis) = self.explaining(&together, refuted, memory) {
            match first_difference((self.evaluate)(&hypothesis).as_mut(), memory) {
                None => return Ended::Explained(Box::new(hypothesis)),
                Some(_) if together.len() == TOGETHER_MAX => return Ended::Contradiction(Vec::new()),
                Some(index) => together.push(memory.entry(index)),
            }
        }
        let mut index = 0;
        while index < together.len() && together.len() > 1 {
            let without: Vec<_> = [&together[..index], &together[index + 1..]].concat();
            match self.explaining(&without, refuted, memory) {
                Some(_) => index += 1,
                None => together = without,
            }
        }
        Ended::Contradiction(together)
    }

    /// A hypothesis for these answers alone, searched from those that fit best.
    fn explaining(&self, answers: &[(Vector, u64)], refuted: &[Refuted], memory: &Memory) -> Option<Instruction> {
        /// How many searches are begun.
        const STARTS: usize = 8;
        let empty = memory.empty_batch();
        let mut constraints = Constraints { refuting: Memory::new(empty.clone()), sample: Memory::new(empty) };
        answers.iter().for_each(|(vector, answer)| constraints.refuting.push(vector, *answer));
        let nearest = refuted.iter().take(STARTS).map(|refuted| refuted.hypothesis.as_ref().clone());
        let mut fits = nearest.map(|hypothesis| self.climb(hypothesis, &constraints));
        fits.find(|fit| fit.failures == 0).map(|fit| fit.hypothesis)
    }
}
