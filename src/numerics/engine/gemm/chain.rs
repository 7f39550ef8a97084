//! Whole matrices of units that are chains of IEEE 754 operations: the processor's own arithmetic is theirs.

use rayon::prelude::*;

use super::elements::{Elements, Matrix};
use crate::describe::arithmetic::Shape;
use crate::describe::format::{Format, Overflow, Rounding};
use crate::describe::instruction::{Instruction, Order, Start};

/// Rows that a thread computes at once.
const ROWS: usize = 4;

/// What a step of the chain is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    /// One rounding of a b + c.
    Fused,
    /// The product is rounded, then the sum. It is the same where the product is exact.
    Separate,
}

/// An instruction each element of which is a chain in K's order of steps of binary32 or binary64, rounded to nearest.
#[derive(Debug)]
pub struct Chain<'a> {
    instruction: &'a Instruction,
    step: Step,
    /// Whether results are numbers of binary64.
    double: bool,
    nan: u64,
}

/// A number of the processor.
trait Number: Copy + Send + Sync {
    fn from_f64(value: f64) -> Self;
    fn from_bits(bits: u64) -> Self;
    fn bits(self) -> u64;
    fn is_nan(self) -> bool;
    fn fused(self, b: Self, c: Self) -> Self;
    fn separate(self, b: Self, c: Self) -> Self;
}

macro_rules! number {
    ($type:ty, $word:ty) => {
        impl Number for $type {
            fn from_f64(value: f64) -> Self {
                value as $type
            }
            fn from_bits(bits: u64) -> Self {
                <$type>::from_bits(bits as $word)
            }
            fn bits(self) -> u64 {
                self.to_bits().into()
            }
            fn is_nan(self) -> bool {
                self.is_nan()
            }
            fn fused(self, b: Self, c: Self) -> Self {
                self.mul_add(b, c)
            }
            fn separate(self, b: Self, c: Self) -> Self {
                self * b + c
            }
        }
    };
}

number!(f32, u32);
number!(f64, u64);

impl Chain<'_> {
    /// The instruction as such a chain.
    ///
    /// # Errors
    /// Why it is none.
    pub fn of(instruction: &Instruction) -> Result<Chain<'_>, String> {
        let unit = &instruction.unit;
        let arithmetic = unit.arithmetic();
        let step = match arithmetic.shape() {
            Some(Shape::FmaChain { descending: false }) => Step::Fused,
            Some(Shape::ProductThenSum) => Step::Separate,
            _ => return Err("it is no chain of IEEE 754 operations".to_owned()),
        };
        if instruction.final_addition.is_some()
            || instruction.start != Start::Addend
            || instruction.order != Order::Contiguous
        {
            return Err("its steps are not in the order of K".to_owned());
        }
        let conversion = &arithmetic.conversion;
        let ieee = (conversion.rounding, conversion.overflow) == (Rounding::NearestEven, Overflow::Ieee);
        let own = arithmetic.flags || conversion.rounded_zero_positive;
        if !ieee || own || !arithmetic.keeps_subnormals() {
            return Err("its steps are not those of the processor".to_owned());
        }
        let d = instruction.d();
        let double = *d == Format::binary64();
        if !(double || *d == Format::binary32()) || *d != unit.formats.c || !d.holds(&instruction.c) {
            return Err(format!("its sums are numbers of {}", d.name));
        }
        if ![&instruction.a, &instruction.b].iter().all(|operand| d.holds(operand)) {
            return Err(format!("{} does not hold its operands", d.name));
        }
        // A product has the bits of both operands; the result's format has room for them, and for the exponents at both ends.
        let (a, b) = (&instruction.a, &instruction.b);
        let last = |format: &Format| format.exponent_min() - format.fraction_bits as i32;
        let exact = a.precision() + b.precision() <= d.precision()
            && last(a) + last(b) >= last(d)
            && a.exponent_max() + b.exponent_max() < d.exponent_max();
        let step = if exact { Step::Separate } else { step };
        Ok(Chain { instruction, step, double, nan: arithmetic.nan })
    }

    /// D; `progress` is told products as they are done.
    pub fn multiply(&self, a: &Matrix, b: &Matrix, c: &Matrix, progress: &(dyn Fn(u64) + Sync)) -> Matrix {
        match self.double {
            true => self.computed::<f64>(a, b, c, progress),
            false => self.computed::<f32>(a, b, c, progress),
        }
    }

    fn computed<N: Number>(&self, a: &Matrix, b: &Matrix, c: &Matrix, progress: &(dyn Fn(u64) + Sync)) -> Matrix {
        let (n, k) = (b.columns, a.columns);
        let [a, b, c] = [(a, &self.instruction.a), (b, &self.instruction.b), (c, &self.instruction.c)]
            .map(|(matrix, format)| decoded::<N>(&matrix.elements, format, self.instruction.d()));
        let mut sums = c;
        sums.par_chunks_mut(n * ROWS).enumerate().for_each(|(part, sums)| {
            for (row, sums) in sums.chunks_mut(n).enumerate() {
                let own = &a[(part * ROWS + row) * k..][..k];
                for (place, &entry) in own.iter().enumerate() {
                    let others = b[place * n..][..n].iter();
                    match self.step {
                        Step::Fused => {
                            sums.iter_mut().zip(others).for_each(|(sum, &other)| *sum = entry.fused(other, *sum))
                        }
                        Step::Separate => {
                            sums.iter_mut().zip(others).for_each(|(sum, &other)| *sum = entry.separate(other, *sum));
                        }
                    }
                }
            }
            progress((sums.len() * k) as u64);
        });
        let bits = |sum: &N| if sum.is_nan() { self.nan } else { sum.bits() };
        let d = self.instruction.d();
        let encodings: Vec<u64> = sums.iter().map(bits).collect();
        Matrix::of(d, sums.len() / n, n, &encodings)
    }
}

/// Elements as numbers of the result's format, which holds theirs.
fn decoded<N: Number>(elements: &Elements, format: &Format, d: &Format) -> Vec<N> {
    let number = |bits: u64| if format == d { N::from_bits(bits) } else { N::from_f64(format.to_f64(bits)) };
    (0..elements.len()).into_par_iter().map(|place| number(elements.get(place))).collect()
}
