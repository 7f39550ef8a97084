//! Matrices of a study: drawn from a distribution, or given.

use std::f64::consts::TAU;

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use super::entries::Entries;
use super::file::{Distribution, Drawn};

/// A and B from files.
#[derive(Debug, Clone, PartialEq)]
pub struct Given {
    pub a: Entries,
    pub b: Entries,
}

/// A and B of one size; `place` counts sizes from 0.
pub(super) fn draw(drawn: &Drawn, place: usize, size: usize) -> [Entries; 2] {
    let mut next = entries(&drawn.distribution, drawn.seed_of(place));
    [(); 2].map(|()| {
        let values = (0..size * size).map(|_| next()).collect();
        Entries { rows: size, columns: size, values }
    })
}

/// Draws one entry after the other.
fn entries(distribution: &Distribution, seed: u64) -> Box<dyn FnMut() -> f64> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut unit = move || (random.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
    match *distribution {
        Distribution::GlibcTriangular => {
            let mut rand = GlibcRand::new(seed as u32);
            Box::new(move || {
                let (first, second) = (f64::from(rand.draw()), f64::from(rand.draw()));
                (first + second) / (2.0 * f64::from(GlibcRand::MAX)) - 0.5
            })
        }
        Distribution::Uniform { low, high } => Box::new(move || low + (high - low) * unit()),
        // Box and Muller 1958; the second number of each pair is dropped.
        Distribution::Normal { mean, deviation } => {
            Box::new(move || mean + deviation * (-2.0 * (1.0 - unit()).ln()).sqrt() * (TAU * unit()).cos())
        }
        Distribution::LogUniform { exponents: [low, high] } => Box::new(move || {
            let binades = f64::from(high) - f64::from(low) + 1.0;
            let exponent = low + (unit() * binades) as i32;
            let sign = if unit() < 0.5 { -1.0 } else { 1.0 };
            sign * (1.0 + unit()) * 2f64.powi(exponent)
        }),
        Distribution::Files { .. } => unreachable!("entries of files are not drawn"),
    }
}

/// `rand` of the GNU C library with its usual state of 31 words (`TYPE_3` of its manual), seeded by `srand`.
struct GlibcRand {
    words: [u32; 31],
    place: usize,
}

impl GlibcRand {
    const MAX: u32 = 0x7fff_ffff;
    /// Draws that are dropped after the first words.
    const DROPPED: usize = 310;

    fn new(seed: u32) -> GlibcRand {
        let mut words = [0u32; 31];
        // Seed 0 is taken as 1.
        words[0] = seed.max(1);
        for place in 1..31 {
            let next = 16_807 * i64::from(words[place - 1] as i32) % i64::from(GlibcRand::MAX);
            words[place] = (next + if next < 0 { i64::from(GlibcRand::MAX) } else { 0 }) as u32;
        }
        // The next three words are the first three once more.
        let mut rand = GlibcRand { words, place: 3 };
        (0..GlibcRand::DROPPED).for_each(|_| {
            rand.draw();
        });
        rand
    }

    fn draw(&mut self) -> u32 {
        // The word drawn 31 times ago stands here; the one of 3 times ago, 28 places on.
        let sum = self.words[self.place].wrapping_add(self.words[(self.place + 28) % 31]);
        self.words[self.place] = sum;
        self.place = (self.place + 1) % 31;
        sum >> 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As a program linked with the GNU C library prints them.
    #[test]
    fn draws_are_those_of_glibc() {
        let of = |seed: u32| {
            let mut rand = GlibcRand::new(seed);
            [(); 3].map(|()| rand.draw())
        };
        assert_eq!(of(1), [1_804_289_383, 846_930_886, 1_681_692_777]);
        assert_eq!(of(0), of(1));
        assert_eq!(of(2), [1_505_335_290, 1_738_766_719, 190_686_788]);
    }

    #[test]
    fn entries_stay_in_their_ranges() {
        let of = |distribution| {
            let mut next = entries(&distribution, 7);
            (0..10_000).map(move |_| next()).collect::<Vec<f64>>()
        };
        assert!(of(Distribution::Uniform { low: -2.0, high: 3.0 }).iter().all(|x| (-2.0..3.0).contains(x)));
        let binades = of(Distribution::LogUniform { exponents: [-3, 2] });
        assert!(binades.iter().all(|x| (0.125..8.0).contains(&x.abs())));
        assert!(binades.iter().any(|x| x.abs() < 0.25) && binades.iter().any(|x| x.abs() >= 4.0));
        let normal = of(Distribution::Normal { mean: 1.0, deviation: 2.0 });
        let mean = normal.iter().sum::<f64>() / 1e4;
        let variance = normal.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / 1e4;
        assert!((mean - 1.0).abs() < 0.1 && (variance - 4.0).abs() < 0.25, "{mean} {variance}");
        let triangular = of(Distribution::GlibcTriangular);
        assert!(triangular.iter().all(|x| x.abs() <= 0.5) && triangular.iter().any(|x| x.abs() > 0.45));
    }

    #[test]
    fn rows_are_spread_evenly() {
        let all = Entries { rows: 8, columns: 1, values: (0..8).map(f64::from).collect() };
        assert_eq!(all.spread(3).values, [0.0, 2.0, 5.0]);
        assert_eq!(all.spread(8), all);
    }
}
