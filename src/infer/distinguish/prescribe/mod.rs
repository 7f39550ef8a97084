//! One input on which the given engines give exactly the given answers.
//!
//! Engines differ where small terms meet large ones that cancel: how much of the small ones is left depends on the bits kept
//! and on who shares a block with whom. So the search walks over sums of signed powers of two, at all positions, and the
//! cost of a sum is how many powers of two would have to be added to each wrong answer. Many walks run side by side; each
//! is an annealing (Kirkpatrick et al. 1983) that starts anew when it stands still.
//!
//! Architecture invariant: knows answers of engines only. The same seed walks the same way.

mod walk;

use std::time::{Duration, Instant};

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

use super::shrink;
use crate::check::probe::{Bench, Value};
use crate::describe::interface::Interface;
use crate::engine::{Batch, Engine, EngineError, Vector};
use walk::{Letters, Walk};

/// An engine and the number that it has to answer.
pub struct Prescribed<'a> {
    pub engine: &'a mut dyn Engine,
    /// Formats and sizes of its vectors and of its answers; of how it sums, nothing is asked.
    pub interface: &'a Interface,
    pub answer: Value,
}

/// What came of a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// None where the budget ended first, which proves nothing.
    pub vector: Option<Vector>,
    /// Vectors that were proposed: each asked of one engine after the other, until its answers cannot be those.
    pub tried: u64,
}

/// Walks that run side by side.
const WALKS: usize = 16;

/// Searches with about `vectors` vectors, sixteen at a time; those that make a found one smaller are not counted. `progress`
/// hears how many were tried.
///
/// A zero of either sign is zero. Nothing is found for answers whose bits are too far apart to be sums of 62 bits, for units
/// with scales, and for integers.
///
/// # Errors
/// An engine failed.
pub fn prescribe(
    prescribed: &mut [Prescribed],
    (vectors, seed): (u64, u64),
    progress: &mut dyn FnMut(u64),
) -> Result<Found, EngineError> {
    let interface = prescribed[0].interface;
    let bench = Bench::of(interface);
    let answers: Vec<Value> = prescribed.iter().map(|one| one.answer).collect();
    let lowest = answers.iter().filter(|value| !value.is_zero()).map(|value| value.last()).min().unwrap_or(0);
    let none = Found { vector: None, tried: 0 };
    let plain = bench.scales.is_none() && !bench.a.is_integer();
    let Some(letters) = Letters::new(&bench, lowest).filter(|_| plain) else { return Ok(none) };
    let wanted: Vec<i64> = answers.iter().filter_map(|value| value.multiple(lowest)).collect();
    if wanted.len() < answers.len() {
        return Ok(none);
    }
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let hints = walk::hints(&wanted, &letters);
    let mut walks: Vec<Walk> = (0..WALKS).map(|_| Walk::new(bench.products, prescribed.len())).collect();
    let mut turns: Vec<Turn> = prescribed.iter().enumerate().map(|(engine, _)| Turn::new(engine)).collect();
    let mut batch = Batch::of_interface(interface);
    let mut results = Vec::new();
    let mut tried = 0;
    while tried < vectors {
        walks.iter_mut().for_each(|walk| walk.propose(&letters, &hints, &mut random));
        for turn in &mut turns {
            let alive: Vec<&mut Walk> = walks.iter_mut().filter(|walk| walk.hopes()).collect();
            if alive.is_empty() {
                break;
            }
            fill(&alive, &letters, &bench, &mut batch);
            let one = &mut prescribed[turn.engine];
            let start = Instant::now();
            one.engine.run(&batch, &mut results)?;
            turn.time += start.elapsed();
            turn.vectors += alive.len() as u64;
            for (walk, &word) in alive.into_iter().zip(&results) {
                let (d, _) = one.interface.split_answer(word);
                let value = Value::decoded(&one.interface.formats.d, d).and_then(|value| value.multiple(lowest));
                walk.hear(turn.engine, value.map(|value| wanted[turn.engine] - value));
            }
        }
        tried += WALKS as u64;
        for walk in &mut walks {
            if walk.decide() {
                fill(&[walk], &letters, &bench, &mut batch);
                let vector = smaller(prescribed, &batch.vector(0))?;
                return Ok(Found { vector: Some(vector), tried });
            }
        }
        // The quickest engines first: what they rule out, the others need not answer. The walk is the same in any order.
        turns.sort_by(|left, right| left.rate().total_cmp(&right.rate()));
        progress(tried);
    }
    Ok(Found { vector: None, tried })
}

/// The smallest vector that changes lead to and that is still answered as prescribed.
fn smaller(prescribed: &mut [Prescribed], vector: &Vector) -> Result<Vector, EngineError> {
    let interface = prescribed[0].interface.clone();
    let mut results = Vec::new();
    let (_, vector) = shrink::smallest(&interface, vector, &mut |batch| {
        let mut kept = vec![true; batch.len()];
        for one in prescribed.iter_mut() {
            one.engine.run(batch, &mut results)?;
            for (kept, &word) in kept.iter_mut().zip(&results) {
                let (d, _) = one.interface.split_answer(word);
                *kept &= Value::decoded(&one.interface.formats.d, d) == Some(one.answer);
            }
        }
        Ok(kept)
    })?;
    Ok(vector)
}

/// An engine by number, and what it took so far.
struct Turn {
    engine: usize,
    time: Duration,
    vectors: u64,
}

impl Turn {
    fn new(engine: usize) -> Turn {
        Turn { engine, time: Duration::ZERO, vectors: 0 }
    }

    /// Seconds a vector.
    fn rate(&self) -> f64 {
        self.time.as_secs_f64() / self.vectors.max(1) as f64
    }
}

/// The proposals of walks as vectors.
fn fill(walks: &[&mut Walk], letters: &Letters, bench: &Bench, batch: &mut Batch) {
    batch.resize(walks.len());
    batch.c.fill(bench.c.zero(false));
    let places = batch.a.iter_mut().zip(&mut batch.b);
    let proposed = walks.iter().flat_map(|walk| &walk.proposed);
    places.zip(proposed).for_each(|((a, b), &letter)| (*a, *b) = letters.operands(letter));
}
