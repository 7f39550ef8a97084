//! Random mutations of vectors that came close: those whose answers showed something that no answer had shown before.
//!
//! What an answer shows is seen from outside: how far below its largest term it lies, how far below that its distance from
//! the sum, and the sign of that distance. A vector that loses its last bits in a new way comes close to one on which
//! engines differ, because they differ in what they lose.

use std::collections::HashSet;

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

use super::BATCH;
use super::shrink::{Change, changed, formats, operand};
use crate::describe::format::Format;
use crate::describe::interface::Interface;
use crate::describe::unit::Formats;
use crate::engine::{Batch, Vector};
use crate::infer::random::below;

/// Vectors that are kept for mutation.
const POOL: usize = 4096;

/// Vectors that came close, and what was seen of answers.
pub(in crate::infer) struct Mutator {
    random: Xoshiro256PlusPlus,
    seen: HashSet<(i32, i32, bool)>,
    pool: Vec<Vector>,
}

fn exponent(value: f64) -> i32 {
    if value == 0.0 || !value.is_finite() { -2000 } else { value.abs().log2().floor() as i32 }
}

/// The products of a vector, scaled.
fn products(frame: &Interface, batch: &Batch, v: usize) -> impl Iterator<Item = f64> {
    let Formats { a, b, .. } = &frame.formats;
    let scale = move |product: usize| {
        frame.scales.as_ref().map_or(1.0, |scales| {
            let block = v * batch.scales() as usize + product / scales.block as usize;
            scales.a.to_f64(batch.scale_a[block]) * scales.b.to_f64(batch.scale_b[block])
        })
    };
    let factors = batch.a(v).iter().zip(batch.b(v)).enumerate();
    factors.map(move |(product, (&one, &other))| a.to_f64(one) * b.to_f64(other) * scale(product))
}

impl Mutator {
    pub fn new(seed: u64) -> Mutator {
        Mutator { random: Xoshiro256PlusPlus::seed_from_u64(seed), seen: HashSet::new(), pool: Vec::new() }
    }

    /// Mutations of these vectors.
    pub fn around(vectors: impl Iterator<Item = Vector>, seed: u64) -> Mutator {
        Mutator { pool: vectors.take(POOL).collect(), ..Mutator::new(seed) }
    }

    /// Looks at the answers of one engine to a batch, and keeps the vectors with something new.
    pub fn learn(&mut self, frame: &Interface, batch: &Batch, results: impl Iterator<Item = f64>) {
        let formats = &frame.formats;
        for (v, d) in results.enumerate() {
            let c = if frame.has_addend() { formats.c.to_f64(batch.c[v]) } else { 0.0 };
            let (sum, largest) = products(frame, batch, v)
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
        below(&mut self.random, count)
    }

    /// A batch of mutated vectors; empty where nothing came close.
    pub fn fill(&mut self, frame: &Interface, batch: &mut Batch) {
        batch.clear();
        let formats = formats(frame);
        for _ in 0..if self.pool.is_empty() { 0 } else { BATCH } {
            let chosen = self.below(self.pool.len());
            let mut vector = self.pool[chosen].clone();
            for _ in 0..=self.below(3) {
                self.mutate(frame, &formats, &mut vector);
            }
            batch.push(&vector);
        }
    }

    fn mutate(&mut self, frame: &Interface, formats: &[&Format], vector: &mut Vector) {
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
        let operand = operand(vector, position);
        *operand = match simple {
            None => (*operand ^ 1 << bit) & formats[position].mask(),
            Some(change) => changed(formats[position], *operand, change).unwrap_or(*operand),
        };
    }
}

/// The vectors that one small change of one operand makes of these, or one binade between a product and all others: all of
/// them, or where they are more than 8192, as many of them drawn. A vector that distinguishes a window from a shorter one
/// becomes one that distinguishes it from a longer one.
pub(in crate::infer) fn neighbours(frame: &Interface, vectors: &[Vector]) -> Batch {
    const MAX: usize = 2 * BATCH;
    const CHANGES: [Change; 5] = [Change::Shift(-1), Change::Shift(1), Change::Negate, Change::DropLast, Change::Zero];
    let (formats, mut batch) = (formats(frame), Batch::of_interface(frame));
    let places = formats.len() + frame.products as usize;
    let count = vectors.len() * places * CHANGES.len();
    let mut random = Xoshiro256PlusPlus::seed_from_u64(0);
    let chosen: Vec<usize> =
        if count <= MAX { (0..count).collect() } else { (0..MAX).map(|_| below(&mut random, count)).collect() };
    for index in chosen {
        let (place, change) = (index / CHANGES.len(), CHANGES[index % CHANGES.len()]);
        let (position, mut vector) = (place % places, vectors[place / places].clone());
        match (position.checked_sub(formats.len()), change) {
            (None, _) => {
                let operand = operand(&mut vector, position);
                *operand = changed(formats[position], *operand, change).unwrap_or(*operand);
            }
            (Some(kept), Change::Shift(_)) => {
                let others = vector.a.iter_mut().enumerate().filter(|(product, _)| *product != kept);
                others.for_each(|(_, a)| *a = changed(formats[0], *a, change).unwrap_or(*a));
            }
            _ => continue,
        }
        batch.push(&vector);
    }
    batch
}

#[cfg(test)]
mod tests {
    use super::neighbours;
    use crate::describe::unit::Unit;
    use crate::engine::Vector;

    const UNIT: &str = r#"
name = "three"
scheme = "fused"
products = 3
formats = { a = "binary16", b = "binary16", c = "binary32", d = "binary32" }
alignment = { fraction_bits = 24, rounding = "toward-zero", exponent_floor = "none" }
conversion = { rounding = "toward-zero", overflow = "infinity" }
"#;

    /// 2^5 - 2^5 + 1.5, and two that are one binade further apart; nothing where no vector is given.
    #[test]
    fn neighbours_move_one_product_from_the_others() {
        let interface = Unit::from_toml("three.toml", UNIT).expect("a unit file").interface();
        let one = 0x3c00;
        let vector =
            |a: [u64; 3]| Vector { a: a.to_vec(), b: vec![one; 3], c: 0, scale_a: Vec::new(), scale_b: Vec::new() };
        let around = neighbours(&interface, &[vector([0x5000, 0xd000, 0x3e00])]);
        let all: Vec<Vector> = (0..around.len()).map(|v| around.vector(v)).collect();
        assert!(all.contains(&vector([0x5400, 0xd400, 0x3e00])), "the others one binade up");
        assert!(all.contains(&vector([0x5000, 0xd000, 0x3a00])), "the rest one binade down");
        assert!(!all.contains(&vector([0x5400, 0xd400, 0x3a00])), "one change at a time");
        assert_eq!(neighbours(&interface, &[]).len(), 0);
    }

    /// Where not all fit, every kind of change is among those drawn.
    #[test]
    fn neighbours_of_many_vectors_have_every_change() {
        let mut interface = Unit::from_toml("three.toml", UNIT).expect("a unit file").interface();
        interface.products = 64;
        let vector =
            Vector { a: vec![0x3e00; 64], b: vec![0x3e00; 64], c: 0, scale_a: Vec::new(), scale_b: Vec::new() };
        // With one in five of all changes, in their order, one kind only would be there.
        let around = neighbours(&interface, &vec![vector; 34]);
        for [changed, what] in [[0x3a00, 1], [0x4200, 2], [0xbe00, 3], [0x3c00, 4], [0, 5]] {
            let count = (0..around.len()).filter(|&v| around.b(v).contains(&changed)).count();
            assert!(count > 100, "change {what}: {count}");
        }
    }
}
