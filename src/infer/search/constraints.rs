//! Answers that a search has to explain: a sample of all, and those that refuted a hypothesis. Judges nothing.

use crate::infer::black_box::{Block, Memory};

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
