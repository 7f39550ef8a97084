//! Numbers as encodings, packed into bytes.

use tensorsmith::describe::format::{Format, Overflow, Rounding};

/// Encoding of a small integer in a format of the catalogue.
pub fn encode(format: &str, value: i64) -> u64 {
    let format = Format::named(format).expect("a format of the catalogue");
    match format.is_integer() {
        true => value as u64 & format.mask(),
        false => format.from_f64(value as f64, Rounding::NearestEven, Overflow::Ieee),
    }
}

/// Small pseudo-random integers, the same in every run.
pub struct Numbers(u64);

impl Numbers {
    pub fn new(seed: u64) -> Numbers {
        Numbers(seed | 1)
    }

    /// One of `low..=high`.
    pub fn next(&mut self, low: i64, high: i64) -> i64 {
        // xorshift64, Marsaglia 2003.
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        low + (self.0 >> 33) as i64 % (high - low + 1)
    }

    pub fn matrix(&mut self, elements: usize, low: i64, high: i64) -> Vec<i64> {
        (0..elements).map(|_| self.next(low, high)).collect()
    }
}

/// A x B + C of small integers; A and C row by row, B column by column.
pub fn product([m, n, k]: [usize; 3], a: &[i64], b: &[i64], c: &[i64]) -> Vec<i64> {
    let element = |row: usize, column: usize| -> i64 {
        (0..k).map(|i| a[row * k + i] * b[column * k + i]).sum::<i64>() + c[row * n + column]
    };
    (0..m * n).map(|place| element(place / n, place % n)).collect()
}
