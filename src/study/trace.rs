//! One element of a product with every intermediate of an algorithm.

use serde::Serialize;

use super::curve::Prepared;
use super::entries::Entries;
use super::error::StudyError;
use super::file::{Combination, Curve};
use super::norms::distance;
use super::run::Run;
use super::truth;
use crate::describe::format::Format;
use crate::describe::instruction::Instruction;
use crate::engine::gemm::{Elements, Matrix};
use crate::engine::{Composed, Matrices};

/// An element as an algorithm computes it, on the scalar emulator.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Trace {
    pub curve: String,
    pub unit: String,
    pub row: usize,
    pub column: usize,
    /// Entries of A's row and B's column.
    pub a: Vec<f64>,
    pub b: Vec<f64>,
    /// Words of A and of B, a list a word. Those of slices are integers.
    pub words_a: Vec<Vec<f64>>,
    pub words_b: Vec<Vec<f64>>,
    pub products: Vec<TracedProduct>,
    pub result: f64,
    pub truth: f64,
    pub error: f64,
}

/// A product of two words.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TracedProduct {
    /// Which word of A, and which of B.
    pub words: [u32; 2],
    /// Sums behind each step of the instruction; where sums are promoted, those of the step's part.
    pub steps: Vec<f64>,
    /// Sums of parts of K that leave the unit, where sums are promoted.
    pub parts: Vec<f64>,
    pub sum: f64,
}

/// An element outside the product.
fn outside(place: [usize; 2], sizes: [usize; 2]) -> StudyError {
    let message = format!("element {},{}; allowed: 0,0 to {},{}", place[0], place[1], sizes[0] - 1, sizes[1] - 1);
    StudyError::Curve { curve: "--trace".to_owned(), message }
}

impl Run<'_> {
    /// One element of the product at the first size, by every curve that is computed.
    ///
    /// # Errors
    /// The product has no such element, or those of [`Run::run`].
    pub fn trace(&self, row: usize, column: usize) -> Result<Vec<Trace>, StudyError> {
        let (number, size) = self.sizes().first().copied().unwrap_or_default();
        let [a, b] = self.matrices(number, size)?;
        if row >= a.rows || column >= b.columns {
            return Err(outside([row, column], [a.rows, b.columns]));
        }
        let a = Entries { rows: 1, columns: a.columns, values: a.row(row).to_vec() };
        let values = (0..b.rows).map(|place| b.row(place)[column]).collect();
        let b = Entries { rows: b.rows, columns: 1, values };
        let [whole, rest] = truth::product(self.study.said.truth.arithmetic, &a, &b, &|_| {}).map(|part| part[0]);
        let traced = |(curve, instruction): (&Curve, &Instruction)| {
            let trace = curve.trace(instruction, &a, &b)?;
            let error = distance([whole, rest], trace.result);
            Ok(Trace { row, column, truth: whole, error, ..trace })
        };
        self.study.computed().map(traced).collect()
    }
}

impl Curve {
    fn trace(&self, instruction: &Instruction, a: &Entries, b: &Entries) -> Result<Trace, StudyError> {
        let prepared = Prepared::of(self, instruction, a, b)?;
        let (mut products, mut last) = (Vec::new(), None);
        for &words in &self.products {
            let promotion = self.promotion(instruction, words, a.columns);
            let (product, d) = self.traced(&prepared, instruction, words, promotion, last)?;
            last = (self.combination == Combination::Chained).then_some(d);
            products.push(product);
        }
        let sums: Vec<Vec<f64>> = products.iter().map(|product| vec![product.sum]).collect();
        let results = match self.combination {
            Combination::Chained => vec![products.last().map_or(0.0, |product| product.sum)],
            Combination::Separate => self.combine(&prepared, &sums, 1),
        };
        // Without the zeros after K.
        let values = |words: &[Matrix], format: &Format| {
            let of = |word: &Matrix| word.elements.part(0, a.columns).numbers(format);
            words.iter().map(of).collect()
        };
        Ok(Trace {
            curve: self.name.clone(),
            unit: instruction.name.clone(),
            row: 0,
            column: 0,
            a: a.values.clone(),
            b: b.values.clone(),
            words_a: values(&prepared.a.words, &instruction.a),
            words_b: values(&prepared.b.words, &instruction.b),
            products,
            result: self.finish(results)[0],
            truth: 0.0,
            error: 0.0,
        })
    }

    /// A product of two words step by step, and the encoding of its sum.
    fn traced(
        &self,
        prepared: &Prepared,
        instruction: &Instruction,
        words: [u32; 2],
        promotion: Option<usize>,
        addend: Option<u64>,
    ) -> Result<(TracedProduct, u64), StudyError> {
        let own = instruction.shape.k as usize;
        let [a, b] = [(&prepared.a.words, words[0]), (&prepared.b.words, words[1])]
            .map(|(all, number)| all[number as usize - 1].elements.clone());
        let mut emulator = Composed::emulated(instruction);
        let mut sum = addend.unwrap_or(0);
        let (mut steps, mut parts) = (Vec::new(), Vec::new());
        let number = |bits: u64| instruction.d().to_f64(bits);
        for first in (0..a.len()).step_by(own) {
            if promotion.is_some_and(|every| first % every == 0) && first > 0 {
                parts.push(number(sum));
                sum = 0;
            }
            let list =
                |elements: &Elements| (first..first + own).map(|place| elements.get(place)).collect::<Vec<u64>>();
            let step = Matrices { m: 1, n: 1, k: own, a: list(&a), b: list(&b), c: vec![sum], ..Matrices::default() };
            let d = step.multiply(instruction, emulator.as_mut());
            let failed = |message: String| StudyError::Curve { curve: self.name.clone(), message };
            sum = d.map_err(|error| failed(error.to_string()))?[0];
            steps.push(number(sum));
        }
        let total = match promotion {
            None => number(sum),
            Some(_) => {
                parts.push(number(sum));
                let add = |total: f32, part: &f64| total + *part as f32;
                parts.iter().fold(0.0, add).into()
            }
        };
        Ok((TracedProduct { words, steps, parts, sum: total }, sum))
    }
}

impl Trace {
    /// As the errors of a product of one element; 0 where the truth is.
    pub fn relative(&self) -> f64 {
        if self.error == 0.0 || self.truth == 0.0 { 0.0 } else { self.error / self.truth.abs() }
    }
}
