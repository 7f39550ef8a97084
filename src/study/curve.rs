//! One algorithm on given matrices: words, products on the unit, and their combination.

use std::borrow::Cow;

use super::entries::{Entries, rounded};
use super::error::StudyError;
use super::file::{Combination, Curve, Rounded};
use super::words::{Split, TooLarge, slice, split};
use crate::describe::format::{Format, Rounding};
use crate::describe::instruction::Instruction;
use crate::engine::Kind;
use crate::engine::gemm::{Elements, Matrix, Multiplied, Operands, places_of_part};

/// What an algorithm made of two matrices.
#[derive(Debug, Clone, PartialEq)]
pub struct Computed {
    /// Elements of D, row by row.
    pub results: Vec<f64>,
    /// Which of the ways to multiply, for people.
    pub path: String,
}

/// Operands of a curve, split.
pub(super) struct Prepared {
    pub a: Split,
    pub b: Split,
}

impl Prepared {
    /// Words of both operands, with zeros after their K up to a multiple of the instruction's.
    pub fn of(curve: &Curve, instruction: &Instruction, a: &Entries, b: &Entries) -> Result<Prepared, StudyError> {
        curve.check_slices(a.columns)?;
        let k = a.columns.next_multiple_of(instruction.shape.k as usize);
        let input: Vec<(Format, Rounding)> = curve.input.iter().filter_map(Rounded::named).collect();
        let prepare = |name: &'static str, entries: &Entries, format: &Format, by_row: bool| {
            let mut entries = Cow::Borrowed(entries);
            for (format, rounding) in &input {
                entries = Cow::Owned(entries.into_owned().rounded(format, *rounding));
            }
            let entries = entries.as_ref();
            let words = &curve.words;
            match words.slice_bits {
                Some(bits) => Ok(slice(entries, format, words.count, bits, by_row)),
                None => split(entries, format, words).map_err(|TooLarge { value }| StudyError::TooLarge {
                    curve: curve.name.clone(),
                    matrix: name,
                    value,
                    format: format.name.clone(),
                    greatest: format.to_f64(format.largest(false)),
                }),
            }
        };
        let (mut a, mut b) = (prepare("A", a, &instruction.a, true)?, prepare("B", b, &instruction.b, false)?);
        let padded = |words: Vec<Matrix>, size: fn(&Matrix, usize) -> [usize; 2]| -> Vec<Matrix> {
            let padded = |word: Matrix| {
                let [rows, columns] = size(&word, k);
                word.padded(rows, columns)
            };
            words.into_iter().map(padded).collect()
        };
        a.words = padded(a.words, |word, k| [word.rows, k]);
        b.words = padded(b.words, |word, k| [k, word.columns]);
        Ok(Prepared { a, b })
    }
}

impl Curve {
    /// After how many places of K sums of a product of two words leave the unit, where they do.
    pub(super) fn promotion(&self, instruction: &Instruction, words: [u32; 2], k: usize) -> Option<usize> {
        let parts = self.split_k.as_ref().map(|parts| parts.of(k) as usize);
        let of_parts = parts.and_then(|parts| places_of_part(instruction, k, parts));
        let chosen = self.promote_products.as_ref().is_none_or(|chosen| chosen.contains(&words));
        self.promote_every.filter(|_| chosen).map(|every| every as usize).or(of_parts)
    }

    /// Whether int32 holds every sum of products of slices.
    fn check_slices(&self, k: usize) -> Result<(), StudyError> {
        let Some(bits) = self.words.slice_bits else { return Ok(()) };
        let most = (1usize << 31) / (1 << (2 * bits));
        if k <= most {
            return Ok(());
        }
        let message = format!("K is {k}; allowed: up to {most} with slices of {bits} bits, whose sums int32 holds");
        Err(StudyError::Curve { curve: self.name.clone(), message })
    }

    /// The algorithm on A and B; `progress` is told products as they are done.
    ///
    /// # Errors
    /// An entry has no word in the unit's format, or the unit cannot do what the curve asks.
    pub(super) fn compute(
        &self,
        instruction: &Instruction,
        a: &Entries,
        b: &Entries,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Computed, StudyError> {
        let prepared = Prepared::of(self, instruction, a, b)?;
        let single = Format::binary32();
        let (mut sums, mut path) = (Vec::new(), String::new());
        let mut last: Option<Matrix> = None;
        for words @ [first, second] in &self.products {
            let (rows, columns) = (a.rows, b.columns);
            let zeros = Elements::zeros(instruction.c.width(), rows * columns);
            let c = last.take().unwrap_or(Matrix { rows, columns, elements: zeros });
            let word = |words: &[Matrix], number: u32| words[number as usize - 1].clone();
            let operands =
                Operands { a: word(&prepared.a.words, *first), b: word(&prepared.b.words, *second), c, scales: None };
            let promotion = self.promotion(instruction, *words, a.columns);
            // Additions outside the unit fill bits that its d leaves empty.
            let format = if promotion.is_some() { &single } else { instruction.d() };
            let multiplied = match promotion {
                Some(every) => operands
                    .promoted(instruction, every)
                    .and_then(|sums| sums.multiply(instruction, Kind::Wide, progress)),
                None => operands.multiply(instruction, Kind::Wide, progress),
            };
            let failed = |message: String| StudyError::Curve { curve: self.name.clone(), message };
            match multiplied.map_err(|error| failed(error.to_string()))? {
                Multiplied::Absent(reason) => return Err(failed(reason.to_string())),
                Multiplied::Done(answer) => {
                    path = answer.path;
                    match self.combination {
                        Combination::Separate => sums.push(answer.d.elements.numbers(format)),
                        Combination::Chained => last = Some(answer.d),
                    }
                }
            }
        }
        let results = match last {
            Some(d) => d.elements.numbers(instruction.d()),
            None => self.combine(&prepared, &sums, b.columns),
        };
        Ok(Computed { results: self.finish(results), path })
    }

    /// Separate sums as one result: those of words of the same order are added in theirs, then orders from the last to the first.
    pub(super) fn combine(&self, prepared: &Prepared, sums: &[Vec<f64>], columns: usize) -> Vec<f64> {
        let bits = self.words.slice_bits.unwrap_or(self.words.shift) as i32;
        let mut orders: Vec<u32> = self.products.iter().map(|[first, second]| first + second).collect();
        orders.sort_unstable();
        orders.dedup();
        let of_order = |order: u32| {
            let own = self.products.iter().zip(sums).filter(|([first, second], _)| first + second == order);
            own.map(|(_, sum)| sum).collect::<Vec<_>>()
        };
        let groups: Vec<(u32, Vec<&Vec<f64>>)> = orders.into_iter().map(|order| (order, of_order(order))).collect();
        let (a, b) = (&prepared.a.exponents, &prepared.b.exponents);
        let scale = |place: usize, order: u32| match self.words.slice_bits {
            Some(bits) => 2f64.powi(a[place / columns] + b[place % columns] - (bits * order) as i32),
            None => 2f64.powi(-(bits * (order as i32 - 2))),
        };
        let of_group = |place: usize, group: &[&Vec<f64>]| {
            group.iter().map(|sum| sum[place]).reduce(|one, next| self.add.add(one, next))
        };
        let combined = |place: usize| {
            let mut total: Option<(f64, u32)> = None;
            for (order, group) in groups.iter().rev() {
                let own = of_group(place, group).expect("an order has a product");
                let next = match total {
                    None => own,
                    Some((rest, below)) => self.add.add(own, rest * 2f64.powi(-bits * (below - order) as i32)),
                };
                total = Some((next, *order));
            }
            let (total, order) = total.expect("a curve has a product");
            total * scale(place, order)
        };
        (0..sums[0].len()).map(combined).collect()
    }

    /// Results in the format that they are brought to in the end.
    pub(super) fn finish(&self, mut results: Vec<f64>) -> Vec<f64> {
        if let Some((format, rounding)) = self.result.as_ref().and_then(Rounded::named) {
            results.iter_mut().for_each(|result| *result = rounded(&format, *result, rounding).1);
        }
        results
    }
}

impl Rounded {
    /// The sum of two numbers.
    pub(super) fn add(&self, one: f64, other: f64) -> f64 {
        let single = self.format == "binary32";
        let cut = self.rounding == Rounding::TowardZero;
        macro_rules! sum {
            ($one:expr, $other:expr) => {{
                let (one, other) = ($one, $other);
                let sum = one + other;
                // What the sum misses (Knuth 1969), against its sign where it was rounded away from zero.
                let added = sum - one;
                let missed = (one - (sum - added)) + (other - added);
                let is_away = match sum.is_finite() {
                    true => missed != 0.0 && (missed < 0.0) != (sum < 0.0),
                    false => one.is_finite() && other.is_finite(),
                };
                match (cut && is_away, sum < 0.0) {
                    (false, _) => sum,
                    (true, false) => sum.next_down(),
                    (true, true) => sum.next_up(),
                }
            }};
        }
        if single { sum!(one as f32, other as f32).into() } else { sum!(one, other) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_rounded_as_they_say() {
        let of = |format: &str, rounding| Rounded { format: format.to_owned(), rounding };
        let (one, small) = (1.0, 2f64.powi(-25) * 1.5);
        let nearest = of("binary32", Rounding::NearestEven);
        let cut = of("binary32", Rounding::TowardZero);
        assert_eq!(nearest.add(one, -small), 1.0 - 2f64.powi(-24));
        assert_eq!(nearest.add(one, 2f64.powi(-24) * 1.5), 1.0 + 2f64.powi(-23));
        assert_eq!(cut.add(one, 2f64.powi(-24) * 1.5), 1.0);
        assert_eq!(cut.add(-one, -(2f64.powi(-24) * 1.5)), -1.0);
        assert_eq!(cut.add(one, -2f64.powi(-26)), 1.0 - 2f64.powi(-24));
        let double = of("binary64", Rounding::TowardZero);
        assert_eq!(double.add(one, small), 1.0 + small);
        assert_eq!(double.add(one, -2f64.powi(-60)), 1.0 - 2f64.powi(-53));
        assert_eq!(double.add(-one, 2f64.powi(-60)), -1.0 + 2f64.powi(-53));
        // Overflow, and infinities that were there before.
        let largest = f64::from(f32::MAX);
        assert_eq!([nearest.add(-largest, -largest), cut.add(-largest, -largest)], [f64::NEG_INFINITY, -largest]);
        assert_eq!([cut.add(largest, largest), double.add(f64::MAX, f64::MAX)], [largest, f64::MAX]);
        assert_eq!(cut.add(f64::NEG_INFINITY, one), f64::NEG_INFINITY);
        assert!(cut.add(f64::NEG_INFINITY, f64::INFINITY).is_nan());
    }
}
