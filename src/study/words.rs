//! Operands as words of a shorter format: each word is what is left after those before it, rounded.

use rayon::prelude::*;

use super::entries::{Entries, rounded};
use super::file::Words;
use crate::describe::format::{Format, NonFinite, Rounding};
use crate::engine::gemm::Matrix;

/// Entries that a thread splits at once.
const PIECE: usize = 1 << 14;

/// A matrix as words, and what they stand for.
pub(super) struct Split {
    /// Encodings.
    pub words: Vec<Matrix>,
    /// Of slices the exponents of rows of A, or of columns of B: an entry is the sum of 2^(exponent - bits p) times word p, p
    /// from 1.
    pub exponents: Vec<i32>,
}

/// An entry that no word of a format holds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct TooLarge {
    pub value: f64,
}

/// Words of floating-point numbers.
pub(super) fn split(entries: &Entries, format: &Format, words: &Words) -> Result<Split, TooLarge> {
    let scale = 2f64.powi(words.shift as i32);
    let mut left = entries.values.clone();
    let mut encodings = vec![0u64; left.len()];
    let mut all = Vec::new();
    for place in 0..words.count as usize {
        let rounding = words.rounding[place.min(words.rounding.len() - 1)];
        left.par_chunks_mut(PIECE).zip(encodings.par_chunks_mut(PIECE)).try_for_each(|(left, encodings)| {
            for (left, encoding) in left.iter_mut().zip(encodings) {
                let (bits, word) = rounded(format, *left, rounding);
                if !word.is_finite() || is_cut_off(format, *left, rounding) {
                    return Err(TooLarge { value: *left });
                }
                *encoding = bits;
                *left = (*left - word) * scale;
            }
            Ok(())
        })?;
        all.push(Matrix::of(format, entries.rows, entries.columns, &encodings));
    }
    Ok(Split { words: all, exponents: Vec::new() })
}

/// Whether a number is rounded to the largest one of a format only because that has no infinity and no NaN.
fn is_cut_off(format: &Format, value: f64, rounding: Rounding) -> bool {
    let to_nearest = matches!(rounding, Rounding::NearestEven | Rounding::NearestAway);
    if !to_nearest || format.non_finite != NonFinite::None {
        return false;
    }
    // All significands of such a format are used, so that the tie above its largest number would be rounded up.
    let largest = format.to_f64(format.largest(false));
    value.abs() >= largest + 2f64.powi(exponent(largest) - format.fraction_bits as i32 - 1)
}

/// Slices of so many bits below the greatest exponent of each row, or of each column; they are cut, so that none needs a bit more.
pub(super) fn slice(entries: &Entries, format: &Format, count: u32, bits: u32, by_row: bool) -> Split {
    let lines = if by_row { entries.rows } else { entries.columns };
    let line = |place: usize| if by_row { place / entries.columns } else { place % entries.columns };
    let mut greatest = vec![0f64; lines];
    for (place, value) in entries.values.iter().enumerate() {
        greatest[line(place)] = greatest[line(place)].max(value.abs());
    }
    // The power of two above the greatest magnitude; lines of zeros have any.
    let exponents: Vec<i32> =
        greatest.iter().map(|value| if *value == 0.0 { 0 } else { exponent(*value) + 1 }).collect();
    let step = 2f64.powi(bits as i32);
    let values = entries.values.iter().enumerate();
    let mut left: Vec<f64> = values.map(|(place, value)| value * 2f64.powi(-exponents[line(place)])).collect();
    let mut words = Vec::new();
    for _ in 0..count {
        let encodings = left.iter_mut().map(|left| {
            let slice = (*left * step).trunc();
            *left = *left * step - slice;
            slice as i64 as u64 & format.mask()
        });
        words.push(Matrix::of(format, entries.rows, entries.columns, &encodings.collect::<Vec<_>>()));
    }
    Split { words, exponents }
}

/// The exponent of a positive normal number.
fn exponent(value: f64) -> i32 {
    (value.to_bits() >> 52) as i32 - 1023
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Words and what is left are the number.
        #[test]
        fn words_are_what_was_split(value in -0.5f64..0.5, shift in 0u32..12, count in 1u32..4) {
            let entries = Entries { rows: 1, columns: 1, values: vec![value] };
            let words = Words { count, shift, ..Words::default() };
            let format = Format::bfloat16();
            let split = split(&entries, &format, &words).unwrap();
            let mut sum = 0.0;
            for (place, word) in split.words.iter().enumerate() {
                sum += format.to_f64(word.get(0, 0)) * 2f64.powi(-(shift as i32 * place as i32));
            }
            prop_assert!((value - sum).abs() <= value.abs() * 2f64.powi(-8 * count as i32), "{value} {sum}");
        }

        #[test]
        fn slices_are_what_was_split(values in prop::array::uniform4(-8f64..8.0), bits in 1u32..=7, by_row: bool) {
            let entries = Entries { rows: 2, columns: 2, values: values.to_vec() };
            let format = Format::named("int8").unwrap();
            let split = slice(&entries, &format, 8, bits, by_row);
            for (place, value) in values.iter().enumerate() {
                let exponent = split.exponents[if by_row { place / 2 } else { place % 2 }];
                let slices = split.words.iter().map(|word| format.integer(word.get(place / 2, place % 2)) as f64);
                let weighed = slices.zip(1..).map(|(slice, p)| slice * 2f64.powi(exponent - bits as i32 * p));
                let sum: f64 = weighed.sum();
                prop_assert!((value - sum).abs() < 2f64.powi(exponent - 8 * bits as i32), "{value} {sum}");
            }
        }
    }

    #[test]
    fn too_large_entries_are_refused() {
        let entries = Entries { rows: 1, columns: 1, values: vec![1e6] };
        let refused = split(&entries, &Format::binary16(), &Words::default());
        assert_eq!(refused.err(), Some(TooLarge { value: 1e6 }));
        // 6 is the largest number of e2m1, and 4 the one before: a tie between them is a number, one above is none.
        let e2m1 = |value: f64| {
            let entries = Entries { rows: 1, columns: 1, values: vec![value] };
            split(&entries, &Format::named("e2m1").unwrap(), &Words::default()).is_ok()
        };
        assert_eq!([5.0, 6.9, 7.0, -8.0].map(e2m1), [true, true, false, false]);
    }
}
