//! Matrices of binary64 numbers.

use rayon::prelude::*;

use crate::describe::format::{Format, Overflow, Rounding};

/// A matrix of numbers, row by row.
#[derive(Debug, Clone, PartialEq)]
pub struct Entries {
    pub rows: usize,
    pub columns: usize,
    pub values: Vec<f64>,
}

impl Entries {
    pub(super) fn row(&self, row: usize) -> &[f64] {
        &self.values[row * self.columns..][..self.columns]
    }

    /// Rows spread evenly, the first one among them.
    pub(super) fn spread(&self, count: usize) -> Entries {
        let rows = (0..count).map(|place| self.row(place * self.rows / count));
        Entries { rows: count, columns: self.columns, values: rows.flatten().copied().collect() }
    }

    /// Rounded to a format.
    pub(super) fn rounded(mut self, format: &Format, rounding: Rounding) -> Entries {
        self.values.par_iter_mut().for_each(|value| *value = rounded(format, *value, rounding).1);
        self
    }
}

/// A number of binary64 rounded to a format, which overflows as IEEE 754 says: encoding and value.
pub(super) fn rounded(format: &Format, value: f64, rounding: Rounding) -> (u64, f64) {
    let encoding = format.from_f64(value, rounding, Overflow::Ieee);
    (encoding, format.to_f64(encoding))
}
