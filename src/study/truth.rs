//! The true product, to about twice the precision of binary64, or in binary64.

use rayon::prelude::*;

use super::entries::Entries;
use super::file::Arithmetic;

/// Veltkamp's constant of binary64: the upper of two halves has 26 bits.
const SPLITTER: f64 = 134_217_729.0;

/// A B row by row, unevaluated: nearest numbers, and what is left; `progress` is told products as they are done.
pub(super) fn product(
    arithmetic: Arithmetic,
    a: &Entries,
    b: &Entries,
    progress: &(dyn Fn(u64) + Sync),
) -> [Vec<f64>; 2] {
    let (n, k) = (b.columns, a.columns);
    let mut sums = vec![0.0; a.rows * n];
    let mut rests = vec![0.0; a.rows * n];
    let rows = sums.par_chunks_mut(n).zip(rests.par_chunks_mut(n)).enumerate();
    rows.for_each(|(row, (sums, rests))| {
        for (place, &entry) in a.row(row).iter().enumerate() {
            let others = b.row(place);
            match arithmetic {
                Arithmetic::Binary64 => {
                    for (sum, other) in sums.iter_mut().zip(others) {
                        *sum += entry * other;
                    }
                }
                Arithmetic::Compensated => add_exactly(sums, rests, entry, others),
            }
        }
        for (sum, rest) in sums.iter_mut().zip(rests) {
            let whole = *sum + *rest;
            *rest -= whole - *sum;
            *sum = whole;
        }
        progress((n * k) as u64);
    });
    [sums, rests]
}

/// Adds the products of an entry with others to sums, errors of products (Dekker 1971) and of sums (Knuth 1969) to the rests.
fn add_exactly(sums: &mut [f64], rests: &mut [f64], entry: f64, others: &[f64]) {
    let (high, low) = halves(entry);
    for ((sum, rest), &other) in sums.iter_mut().zip(rests).zip(others) {
        let product = entry * other;
        let (other_high, other_low) = halves(other);
        let lost = ((high * other_high - product) + high * other_low + low * other_high) + low * other_low;
        let next = *sum + product;
        let added = next - *sum;
        let missed = (*sum - (next - added)) + (product - added);
        *sum = next;
        *rest += missed + lost;
    }
}

/// Two halves of a number, the upper one rounded to 26 bits.
fn halves(value: f64) -> (f64, f64) {
    let scaled = SPLITTER * value;
    let high = scaled - (scaled - value);
    (high, value - high)
}

/// Elements of |A| |B| in binary64.
pub(super) fn magnitudes(a: &Entries, b: &Entries) -> Vec<f64> {
    let [a, b] =
        [a, b].map(|entries| Entries { values: entries.values.iter().map(|value| value.abs()).collect(), ..*entries });
    let [sums, _] = product(Arithmetic::Binary64, &a, &b, &|_| {});
    sums
}

#[cfg(test)]
mod tests {
    use dashu_int::IBig;
    use rand_xoshiro::Xoshiro256PlusPlus;
    use rand_xoshiro::rand_core::{Rng, SeedableRng};

    use super::*;

    /// A number as a multiple of 2^-200.
    fn exact(value: f64) -> IBig {
        let bits = value.abs().to_bits();
        let (significand, exponent) = (bits & ((1 << 52) - 1) | 1 << 52, (bits >> 52) as i32 - 1075);
        if value == 0.0 {
            return IBig::ZERO;
        }
        let places = exponent + 200;
        assert!(places >= 0, "{value:e}");
        IBig::from(significand) * (IBig::ONE << places as usize) * if value < 0.0 { -1 } else { 1 }
    }

    #[test]
    fn compensated_sums_are_those_of_exact_arithmetic() {
        const K: usize = 200;
        let mut random = Xoshiro256PlusPlus::seed_from_u64(5);
        let mut number = || {
            let fraction = (random.next_u64() >> 11) as f64 / (1u64 << 53) as f64 - 0.5;
            fraction * 2f64.powi((random.next_u64() % 20) as i32 - 10)
        };
        let a = Entries { rows: 3, columns: K, values: (0..3 * K).map(|_| number()).collect() };
        let b = Entries { rows: K, columns: 2, values: (0..2 * K).map(|_| number()).collect() };
        let truth = product(Arithmetic::Compensated, &a, &b, &|_| {});
        let plain = product(Arithmetic::Binary64, &a, &b, &|_| {});
        let mut lost = 0;
        for place in 0..6 {
            let (row, column) = (place / 2, place % 2);
            let terms = (0..K).map(|k| (a.row(row)[k], b.row(k)[column]));
            let sum: IBig = terms.clone().map(|(one, other)| exact(one) * exact(other)).sum();
            let size: f64 = terms.map(|(one, other)| (one * other).abs()).sum();
            // Sums are multiples of 2^-400 here.
            let apart = |[whole, rest]: [f64; 2]| {
                let missed = &sum - (exact(whole) + exact(rest)) * (IBig::ONE << 200);
                missed.to_f64().value().abs() * 2f64.powi(-400) / size
            };
            assert!(apart([truth[0][place], truth[1][place]]) < 1e-29, "{place}");
            lost += usize::from(apart([plain[0][place], plain[1][place]]) > 1e-18);
        }
        assert!(lost >= 4, "binary64 alone misses {lost} of 6 sums");
    }
}
