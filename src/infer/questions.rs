//! Which vectors are asked: directed probes first, then shaped ones. Made from formats, sizes and hypotheses.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

use super::distinguish::{BATCH, Guided};
use super::random::below;
use crate::check::probe::{features, open_questions};
use crate::check::stimulus::{CHUNK, Stimulus};
use crate::describe::format::Format;
use crate::describe::instruction::Instruction;
use crate::describe::unit::{Formats, Unit};
use crate::engine::{Batch, Vector};

/// Directed probes of every test that fits.
pub(super) fn probes(frame: &Unit) -> Batch {
    let mut batch = Batch::of_unit(frame);
    for test in features().into_iter().chain(open_questions()) {
        test.probes(frame).iter().for_each(|probe| batch.push(&probe.vector));
    }
    batch
}

/// `count` shaped vectors of a hypothesis, at most [`BATCH`]. The batch's number is part of what is drawn.
pub(super) fn shaped(hypothesis: &Instruction, seed: u64, number: u64, count: usize) -> Batch {
    of_frame(&hypothesis.frame(), seed, number, count)
}

fn of_frame(frame: &Unit, seed: u64, number: u64, count: usize) -> Batch {
    let stimulus = Stimulus::shaped(frame, seed);
    let mut batch = stimulus.empty_batch();
    stimulus.fill(number * (BATCH / CHUNK) as u64, count.min(BATCH), &mut batch);
    batch
}

/// Whether two products can cancel each other.
fn cancels(frame: &Unit) -> bool {
    let Formats { a, b, .. } = &frame.formats;
    frame.products > 1 && (a.signed || b.signed)
}

/// Two or three terms of any magnitude, and zeros. In half of the vectors, where products can, two more cancel each other, half
/// of these as large as can be, beside one or two terms: so even the last bit of a long window shows, which hardly any other
/// vector does. Where what is aligned is rounded to odd, two terms may show what one does not.
fn few_terms(frame: &Unit, seed: u64, count: usize) -> Batch {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut below = |count: usize| below(&mut random, count);
    let mut batch = Batch::of_unit(frame);
    let (Formats { a, b, c, .. }, products) = (&frame.formats, frame.products as usize);
    for _ in 0..count {
        let mut vector =
            Vector { a: vec![a.zero(false); products], b: vec![b.zero(false); products], ..Vector::default() };
        vector.c = if c.is_absent() { 0 } else { c.zero(false) };
        let cancelling = cancels(frame) && below(2) == 0;
        if let Some(scales) = &frame.scales {
            for (own, format) in [(&mut vector.scale_a, &scales.a), (&mut vector.scale_b, &scales.b)] {
                // One scale for all where products cancel: those of different scales would not.
                let one = anywhere(format, &mut below);
                let scale = |_| if cancelling { one } else { anywhere(format, &mut below) };
                *own = (0..frame.scale_count()).map(scale).collect();
            }
        }
        // Places of terms: those of the products, and one of c.
        let mut places: Vec<usize> = (0..products + usize::from(!c.is_absent())).collect();
        if cancelling {
            let largest = below(2) == 0;
            let [large_a, large_b] =
                [a, b].map(|format| if largest { format.largest(false) } else { anywhere(format, &mut below) });
            let (first, second) = (places.remove(below(products)), places.remove(below(products - 1)));
            (vector.a[first], vector.b[first]) = (large_a, large_b);
            vector.a[second] = large_a ^ a.sign_bit();
            vector.b[second] = large_b ^ if a.signed { 0 } else { b.sign_bit() };
        }
        let others = if cancelling { 1 } else { 2 } + below(2);
        for _ in 0..others.min(places.len()) {
            let place = places.swap_remove(below(places.len()));
            if place == products {
                vector.c = anywhere(c, &mut below);
            } else {
                (vector.a[place], vector.b[place]) = (anywhere(a, &mut below), anywhere(b, &mut below));
            }
        }
        batch.push(&vector);
    }
    batch
}

/// A finite number, each place of its leading bit as likely as any other, with any bits below it or none.
fn anywhere(format: &Format, below: &mut impl FnMut(usize) -> usize) -> u64 {
    let fraction_bits = format.fraction_bits;
    // Leading bits of subnormal numbers first, and then exponent fields.
    let subnormal = if format.subnormals { fraction_bits } else { 0 };
    let first_field = u64::from(format.subnormals);
    let last_field = format.magnitude_max() >> fraction_bits;
    let place = below((last_field + 1 - first_field) as usize + subnormal as usize) as u64;
    let (leading, bits_below) = match place.checked_sub(u64::from(subnormal)) {
        None => (1 << place, place as u32),
        Some(field) => ((first_field + field) << fraction_bits, fraction_bits),
    };
    let (upper, lower) = (bits_below / 2, bits_below.div_ceil(2));
    let rest = if below(2) == 0 { (below(1 << upper) << lower | below(1 << lower)) as u64 } else { 0 };
    let magnitude = (leading | rest).min(format.magnitude_max());
    format.assemble(format.signed && below(2) == 0, magnitude)
}

/// What a hypothesis is confirmed by. Three eighths of it are its own shaped vectors: these show its windows and its floors, and
/// may hide those of another unit. An eighth have few terms. The rest are shaped vectors of what nothing tells from it
/// yet, and changes of vectors that told it from something.
pub(super) struct Mixed {
    frame: Unit,
    seed: u64,
    others: Vec<Unit>,
    telling: Vec<Vector>,
}

impl Mixed {
    /// `others`: what nothing tells from the hypothesis yet. `telling`: vectors that told it from something.
    pub fn new(hypothesis: &Instruction, seed: u64, others: impl Iterator<Item = Unit>, telling: Vec<Vector>) -> Mixed {
        Mixed { frame: hypothesis.frame(), seed, others: others.collect(), telling }
    }

    /// The first `count` vectors of that batch, at most [`BATCH`].
    pub fn batch(&self, number: u64, count: usize) -> Batch {
        let others = self.others.len().max(1);
        // By a prime, so that a few batches are scattered over all of them.
        let other = self.others.get((number / 4 * 2_654_435_761 % others as u64) as usize);
        match (number % 4, other) {
            (1, Some(other)) => of_frame(other, self.seed, number, count),
            (2, _) if number % 8 == 2 && !self.frame.formats.a.is_integer() => {
                few_terms(&self.frame, self.seed ^ number, count)
            }
            (3, _) if !self.telling.is_empty() => {
                let mut changed = Batch::of_unit(&self.frame);
                Guided::around(self.telling.iter().cloned(), self.seed ^ number).fill(&self.frame, &mut changed);
                let mut first = Batch::of_unit(&self.frame);
                (0..count.min(changed.len())).for_each(|v| first.push(&changed.vector(v)));
                first
            }
            _ => of_frame(&self.frame, self.seed, number, count),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    /// Two products cancel, and what is left lies any number of places below them.
    #[test]
    fn products_cancel_over_every_window() {
        let text = r#"
name = "window"
scheme = "fused"
products = 3
formats = { a = "binary16", b = "binary16", c = "binary32", d = "binary32" }
alignment = { fraction_bits = 40, rounding = "toward-zero", exponent_floor = "none", normalise_products = false }
conversion = { rounding = "toward-zero", overflow = "infinity", exact_zero = "positive" }
subnormals = { operands = "kept", addend = "kept", result = "kept" }
"#;
        let unit = Unit::from_toml("window.toml", text).expect("a unit file");
        let batch = few_terms(&unit, 1, BATCH);
        let Formats { a, b, c, .. } = &unit.formats;
        let mut depths = HashSet::new();
        for v in 0..batch.len() {
            let products =
                batch.a(v).iter().zip(batch.b(v)).map(|(&bits_a, &bits_b)| a.to_f64(bits_a) * b.to_f64(bits_b));
            let mut terms: Vec<f64> = products.chain([c.to_f64(batch.c[v])]).filter(|term| *term != 0.0).collect();
            terms.sort_by(|one, other| other.abs().total_cmp(&one.abs()));
            match terms[..] {
                [one, other, rest] if one == -other => depths.insert((one / rest).abs().log2().floor() as i32),
                _ => continue,
            };
        }
        let missing: Vec<i32> = (1..=70).filter(|depth| !depths.contains(depth)).collect();
        assert!(missing.is_empty(), "no vector has its rest so many places below: {missing:?}");
    }
}
