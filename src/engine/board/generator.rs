//! What a board makes on the chip: vectors by chance and signatures of results, bit for bit as `rtl/board` has them.

use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use super::super::Batch;
use super::layout::{Layout, Masks};

/// Lanes of 64 bits of an xorshift generator (Marsaglia, "Xorshift RNGs", 2003: shifts by 13, 7, 17) and masks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Generator {
    state: Vec<u64>,
    masks: Masks,
}

/// A step of a lane.
fn step(lane: u64) -> u64 {
    let first = lane ^ lane << 13;
    let second = first ^ first >> 7;
    second ^ second << 17
}

impl Generator {
    /// Lanes that a seed gives by SplitMix64; none of them is zero, where it would stay.
    pub fn new(layout: &Layout, seed: u64, masks: Masks) -> Generator {
        let mut drawn = SplitMix64::seed_from_u64(seed);
        let lane = |_| match drawn.next_u64() {
            0 => drawn.next_u64(),
            lane => lane,
        };
        Generator { state: (0..layout.lanes()).map(lane).collect(), masks }
    }

    /// The state as it is now.
    pub(super) fn state(&self) -> &[u64] {
        &self.state
    }

    pub(super) fn masks(&self) -> &Masks {
        &self.masks
    }

    /// Passes over vectors.
    pub fn skip(&mut self, count: u64) {
        for lane in &mut self.state {
            for _ in 0..count {
                *lane = step(*lane);
            }
        }
    }

    /// The words of the next vector.
    pub(super) fn next(&self) -> Vec<u64> {
        let mut words = Vec::new();
        self.fill(&mut words);
        words
    }

    fn fill(&self, words: &mut Vec<u64>) {
        words.clear();
        let masks = self.masks.keep.iter().zip(&self.masks.set);
        words.extend(self.state.iter().zip(masks).map(|(lane, (keep, set))| lane & keep | set));
    }

    /// Appends the elements of the next vector to a batch.
    pub fn draw(&mut self, layout: &Layout, words: &mut Vec<u64>, batch: &mut Batch) {
        self.fill(words);
        self.state.iter_mut().for_each(|lane| *lane = step(*lane));
        layout.unpack(words, batch);
    }
}

/// The register with several inputs (MISR) that results go through: x^64 + x^63 + x^61 + x^60 + 1, from ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Signature(u64);

impl Default for Signature {
    fn default() -> Signature {
        Signature(!0)
    }
}

impl Signature {
    /// Takes a result.
    #[inline]
    pub fn take(&mut self, result: u64) {
        let value = self.0;
        let below = (value >> 63 ^ value >> 62 ^ value >> 60 ^ value >> 59) & 1;
        self.0 = (value << 1 | below) ^ result;
    }

    pub fn value(self) -> u64 {
        self.0
    }

    /// The only result that a signature took.
    pub fn only_result(signature: u64) -> u64 {
        let mut none = Signature::default();
        none.take(0);
        none.0 ^ signature
    }
}
