//! Vectors that are asked: directed probes first, then shaped ones, and those of few terms. Made from formats, sizes and
//! hypotheses.

pub(super) mod few_terms;
mod near_tie;

use std::collections::HashMap;

use few_terms::few_terms;

use super::distinguish::{BATCH, Mutator};
use super::space::Setting;
use crate::check::probe;
use crate::check::stimulus::{CHUNK, Stimulus};
use crate::describe::instruction::Instruction;
use crate::describe::interface::{Frame, Interface};
use crate::describe::unit::Scheme;
use crate::engine::{Batch, Vector};

/// Directed probes of every test that fits, with its name.
fn directed(interface: &Interface) -> impl Iterator<Item = (Vector, &'static str)> + '_ {
    probe::all()
        .into_iter()
        .flat_map(move |test| test.probes(interface).into_iter().map(move |probe| (probe.vector, test.name)))
}

/// Directed probes of every test that fits.
pub(super) fn probes(frame: &Interface) -> Batch {
    let mut batch = Batch::of_interface(frame);
    directed(frame).for_each(|(vector, _)| batch.push(&vector));
    batch
}

/// The test that has each directed probe, of several the first.
pub(super) fn tests(frame: &Interface) -> HashMap<Vector, &'static str> {
    let mut tests = HashMap::new();
    directed(frame).for_each(|(vector, test)| {
        tests.entry(vector).or_insert(test);
    });
    tests
}

/// Fraction bits for which the first shaped vectors are made.
const FIRST_FRACTION_BITS: [u32; 6] = [4, 10, 13, 24, 35, 60];

/// Hypotheses whose shapes the first vectors take: each scheme, and aligned sums with short and long windows.
pub(super) fn first_stimuli(starts: &[Instruction]) -> Vec<Instruction> {
    let mut all = starts.to_vec();
    let aligned = [Scheme::Fused, Scheme::BlockScaled];
    for start in starts.iter().filter(|start| aligned.contains(&start.unit.scheme)) {
        all.extend(FIRST_FRACTION_BITS.map(|bits| {
            let mut windowed = start.clone();
            Setting::FractionBits(bits).apply(&mut windowed);
            let floor = windowed.unit.formats.d.exponent_min() - bits as i32 / 4;
            let mut floored = windowed.clone();
            Setting::ExponentFloor(Some(floor)).apply(&mut floored);
            if floored.is_valid() { floored } else { windowed }
        }));
    }
    all.retain(Instruction::is_valid);
    all
}

/// `count` shaped vectors of a hypothesis, at most [`BATCH`]. The batch's number is part of what is drawn.
pub(super) fn shaped(hypothesis: &Instruction, seed: u64, number: u64, count: usize) -> Batch {
    of_frame(&hypothesis.frame(), seed, number, count)
}

/// Two batches of five show the window in which the sum and the addend are added, where there is one.
fn of_frame(frame: &Frame, seed: u64, number: u64, count: usize) -> Batch {
    let stimulus = match &frame.unit.addition {
        Some(addition) if number % 5 > 2 => {
            let mut added = frame.clone();
            added.unit.alignment_mut().fraction_bits = addition.sum_fraction_bits;
            Stimulus::shaped(&added, seed)
        }
        _ => Stimulus::shaped(frame, seed),
    };
    let mut batch = stimulus.empty_batch();
    stimulus.fill(number * (BATCH / CHUNK) as u64, count.min(BATCH), &mut batch);
    batch
}

/// What a hypothesis is confirmed by. Three eighths of it are its own shaped vectors: these show its windows and its floors, and
/// may hide those of another unit. An eighth have few terms. The rest are shaped vectors of what is not distinguished from it
/// yet, and mutations of vectors that distinguished it from something.
pub(super) struct Mixed {
    frame: Frame,
    seed: u64,
    others: Vec<Frame>,
    distinguishing: Vec<Vector>,
}

impl Mixed {
    /// `others`: what is not distinguished from the hypothesis yet. `distinguishing`: vectors that distinguished it from something.
    pub fn new(
        hypothesis: &Instruction,
        seed: u64,
        others: impl Iterator<Item = Frame>,
        distinguishing: Vec<Vector>,
    ) -> Mixed {
        Mixed { frame: hypothesis.frame(), seed, others: others.collect(), distinguishing }
    }

    /// The first `count` vectors of that batch, at most [`BATCH`].
    pub fn batch(&self, number: u64, count: usize) -> Batch {
        let others = self.others.len().max(1);
        // By a prime, so that a few batches are scattered over all of them.
        let other = self.others.get(((number / 4).wrapping_mul(2_654_435_761) % others as u64) as usize);
        match (number % 4, other) {
            (1, Some(other)) => of_frame(other, self.seed, number, count),
            (2, _) if number % 8 == 2 && !self.frame.formats.a.is_integer() => {
                few_terms(&self.frame, self.seed ^ number, count)
            }
            (3, _) if !self.distinguishing.is_empty() => {
                let mut changed = Batch::of_interface(&self.frame);
                Mutator::around(self.distinguishing.iter().cloned(), self.seed ^ number)
                    .fill(&self.frame, &mut changed);
                let mut first = Batch::of_interface(&self.frame);
                (0..count.min(changed.len())).for_each(|v| first.push(&changed.vector(v)));
                first
            }
            _ => of_frame(&self.frame, self.seed, number, count),
        }
    }
}
