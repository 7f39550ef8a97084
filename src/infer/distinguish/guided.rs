//! Random changes of vectors that came close: those whose answers showed something that no answer had shown before.
//!
//! What an answer shows is seen from outside: how far below its largest term it lies, how far below that its distance from
//! the sum, and the sign of that distance. A vector that loses its last bits in a new way comes close to one on which
//! engines part, because they part in what they lose.

use std::collections::HashSet;

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use super::size::{Change, changed, formats};
use crate::check::stimulus::CHUNK;
use crate::describe::format::Format;
use crate::describe::unit::Unit;
use crate::engine::{Batch, Vector};

/// Vectors that are kept for change.
const POOL: usize = 4096;

/// Vectors that came close, and what was seen of answers.
pub(in crate::infer) struct Guided {
    random: Xoshiro256PlusPlus,
    seen: HashSet<(i32, i32, bool)>,
    pool: Vec<Vector>,
}

fn exponent(value: f64) -> i32 {
    if value == 0.0 || !value.is_finite() { -2000 } else { value.abs().log2().floor() as i32 }
}

impl Guided {
    pub fn new(seed: u64) -> Guided {
        Guided { random: Xoshiro256PlusPlus::seed_from_u64(seed), seen: HashSet::new(), pool: Vec::new() }
    }

    /// Changes of these vectors.
    pub fn around(vectors: impl Iterator<Item = Vector>, seed: u64) -> Guided {
        Guided { pool: vectors.take(POOL).collect(), ..Guided::new(seed) }
    }

    /// Looks at the answers of one engine to a batch, and keeps the vectors with something new.
    pub fn learn(&mut self, frame: &Unit, batch: &Batch, results: impl Iterator<Item = f64>) {
        let formats = &frame.formats;
        for (v, d) in results.enumerate() {
            let (a, b) = (batch.a(v).iter(), batch.b(v).iter());
            let products = a.zip(b).map(|(&a, &b)| formats.a.to_f64(a) * formats.b.to_f64(b));
            let c = if frame.has_addend() { formats.c.to_f64(batch.c[v]) } else { 0.0 };
            let (sum, largest) = products
                .chain([c])
                .fold((0.0, 0.0), |(sum, largest): (f64, f64), term| (sum + term, largest.max(term.abs())));
            let lost = d - sum;
            let below = |value: f64| exponent(largest) - exponent(value);
            if self.seen.insert((below(d), below(lost), lost < 0.0)) && self.pool.len() < POOL {
                self.pool.push(batch.vector(v));
            }
        }
    }

    fn below(&mut self, count: usize) -> usize {
        (((self.random.next_u64() >> 32) * count as u64) >> 32) as usize
    }

    /// A batch of changed vectors; empty where nothing came close.
    pub fn fill(&mut self, frame: &Unit, batch: &mut Batch) {
        batch.clear();
        let formats = formats(frame);
        for _ in 0..if self.pool.is_empty() { 0 } else { CHUNK } {
            let chosen = self.below(self.pool.len());
            let mut vector = self.pool[chosen].clone();
            for _ in 0..=self.below(3) {
                self.change(frame, &formats, &mut vector);
            }
            batch.push(&vector);
        }
    }

    fn change(&mut self, frame: &Unit, formats: &[&Format], vector: &mut Vector) {
        let products = frame.products as usize;
        let position = self.below(formats.len());
        let other = self.below(products);
        let bit = self.below(formats[position].width().max(1) as usize);
        let own = position % products;
        let simple = match self.below(7) {
            0 => {
                vector.a.swap(own, other);
                vector.b.swap(own, other);
                return;
            }
            1 => {
                (vector.a[other], vector.b[other]) = (vector.a[own], vector.b[own]);
                return;
            }
            2 => None,
            3 => Some(Change::Negate),
            4 => Some(Change::Shift(self.below(7) as i32 - 3)),
            5 => Some(Change::DropLast),
            _ => Some(Change::Zero),
        };
        let factors = vector.a.iter_mut().chain(&mut vector.b).chain(&mut vector.scale_a).chain(&mut vector.scale_b);
        let operand = factors.chain([&mut vector.c]).nth(position).expect("a position within the vector");
        *operand = match simple {
            None => (*operand ^ 1 << bit) & formats[position].mask(),
            Some(change) => changed(formats[position], *operand, change).unwrap_or(*operand),
        };
    }
}
