//! Which vectors are asked again, and when: a sample of them, at random distances, the same in every run. Judges no answer.

use std::collections::BTreeMap;

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// One vector in so many is asked again.
const ONE_IN: u64 = 32;

/// Greatest distance between the two, as a power of two: what has an effect so late is rare.
const DISTANCE_LOG_MAX: u64 = 16;

/// A vector to ask again.
pub(super) struct Repeat {
    pub line: String,
    /// Index in the batch when it was first asked.
    pub first: usize,
    /// The answer then, once that batch is answered.
    pub answer: Option<u64>,
}

/// The sample.
pub(super) struct Repeats {
    generator: Xoshiro256PlusPlus,
    /// Vectors so far, those that were asked again not counted.
    asked: u64,
    /// By the number of vectors after which each is due, and by its own number.
    waiting: BTreeMap<(u64, u64), Repeat>,
}

impl Repeats {
    pub fn new() -> Repeats {
        Repeats { generator: Xoshiro256PlusPlus::seed_from_u64(1), asked: 0, waiting: BTreeMap::new() }
    }

    /// Notes that a vector is asked, as number `first` of its batch. The very first one is asked again at once: a program may
    /// never see a second one.
    pub fn note(&mut self, line: &str, first: usize) {
        self.asked += 1;
        let distance = match (self.asked, self.draw(ONE_IN)) {
            (1, _) => 0,
            (_, 0) => {
                let range = 1 << self.draw(DISTANCE_LOG_MAX + 1);
                self.draw(range)
            }
            _ => return,
        };
        let repeat = Repeat { line: line.to_owned(), first, answer: None };
        self.waiting.insert((self.asked + distance, self.asked), repeat);
    }

    /// A vector that is due.
    pub fn due(&mut self) -> Option<Repeat> {
        let entry = self.waiting.first_entry().filter(|entry| entry.key().0 <= self.asked)?;
        Some(entry.remove())
    }

    /// Keeps the first answers of a batch with the vectors that wait.
    pub fn answered(&mut self, results: &[u64]) {
        for repeat in self.waiting.values_mut().filter(|repeat| repeat.answer.is_none()) {
            repeat.answer = Some(results[repeat.first]);
        }
    }

    /// A random number below `limit`; that some are a little likelier than others does not matter.
    fn draw(&mut self, limit: u64) -> u64 {
        self.generator.next_u64() % limit
    }
}
