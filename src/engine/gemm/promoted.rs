//! Sums that leave the matrix unit now and then: K in parts, each summed by the instruction from zero on, and added in binary32,
//! rounded to nearest, as libraries do for units that keep few bits (DeepSeek-AI, arXiv 2412.19437, section 3.3.2).

use super::elements::{Elements, Matrix, each};
use super::product::{Answer, Multiplied, Operands};
use crate::describe::format::Format;
use crate::describe::instruction::Instruction;
use crate::engine::{Kind, MatrixError};

/// What an addition gives where it gives NaN, as NVIDIA's adders do.
const NAN: u32 = 0x7fff_ffff;

/// Operands of which every so many places of K are summed apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Promoted {
    /// Neighbouring places of K, each with an addend of zeros.
    parts: Vec<Operands>,
    /// Added last.
    c: Matrix,
}

impl Operands {
    /// The same operands with sums promoted every so many places of K.
    ///
    /// # Errors
    /// The instruction's addend or result is not binary32, it has scales, or the places are no multiple of its k.
    pub fn promoted(&self, instruction: &Instruction, every: usize) -> Result<Promoted, MatrixError> {
        let refused = |dimension, value, allowed: String| Err(MatrixError::Dimension { dimension, value, allowed });
        let own = instruction.shape.k as usize;
        let single = |format: &Format| format.width() == 32 && format.fraction_bits == 23 && format.bias == 127;
        if every == 0 || !every.is_multiple_of(own) {
            return refused("promotion", every, format!("multiples of {own}, the k of {}", instruction.name));
        }
        if !single(&instruction.c) || !single(instruction.d()) || self.scales.is_some() {
            let name = &instruction.name;
            return refused("promotion", every, format!("none of {name}, which adds no binary32 without scales"));
        }
        let [m, n, k] = self.sizes();
        let part = |first: usize| {
            let last = k.min(first + every);
            let zeros = Elements::zeros(instruction.c.width(), m * n);
            Operands {
                a: columns(&self.a, first, last),
                b: rows(&self.b, first, last),
                c: Matrix { rows: m, columns: n, elements: zeros },
                scales: None,
            }
        };
        Ok(Promoted { parts: (0..k).step_by(every).map(part).collect(), c: self.c.clone() })
    }
}

impl Promoted {
    /// D by engines of a kind, as [`Operands::multiply`] computes each part.
    ///
    /// # Errors
    /// The operands do not fit the instruction, or an engine failed.
    pub fn multiply(
        &self,
        instruction: &Instruction,
        kind: Kind,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Multiplied, MatrixError> {
        let mut sums = vec![0u32; self.c.elements.len()];
        let mut last = None;
        for part in &self.parts {
            match part.multiply(instruction, kind, progress)? {
                Multiplied::Absent(reason) => return Ok(Multiplied::Absent(reason)),
                Multiplied::Done(answer) => {
                    add_to(&mut sums, &answer.d);
                    last = Some(answer);
                }
            }
        }
        add_to(&mut sums, &self.c);
        let Answer { d, identity, path } = last.expect("K has a place");
        let path = format!("{path}; {} sums added in binary32", self.parts.len());
        Ok(Multiplied::Done(Answer { d: Matrix { elements: sums.into(), ..d }, identity, path }))
    }

    /// One element of D by the scalar emulator.
    ///
    /// # Errors
    /// The operands do not fit the instruction.
    pub fn element(&self, instruction: &Instruction, row: usize, column: usize) -> Result<u64, MatrixError> {
        let mut sum = 0;
        for part in &self.parts {
            sum = added(sum, part.element(instruction, row, column)? as u32);
        }
        Ok(added(sum, self.c.get(row, column) as u32).into())
    }
}

/// The sum of two numbers of binary32, to nearest, ties to even.
fn added(one: u32, other: u32) -> u32 {
    let sum = f32::from_bits(one) + f32::from_bits(other);
    if sum.is_nan() { NAN } else { sum.to_bits() }
}

fn add_to(sums: &mut [u32], matrix: &Matrix) {
    each!(&matrix.elements, list => {
        sums.iter_mut().zip(list.iter()).for_each(|(sum, &bits)| *sum = added(*sum, bits as u32));
    });
}

/// Some columns.
fn columns(matrix: &Matrix, first: usize, last: usize) -> Matrix {
    let elements = each!(&matrix.elements, list => {
        let of_row = |row: usize| list[row * matrix.columns + first..row * matrix.columns + last].iter().copied();
        (0..matrix.rows).flat_map(of_row).collect::<Vec<_>>().into()
    });
    Matrix { rows: matrix.rows, columns: last - first, elements }
}

/// Some rows.
fn rows(matrix: &Matrix, first: usize, last: usize) -> Matrix {
    let elements = matrix.elements.part(first * matrix.columns, (last - first) * matrix.columns);
    Matrix { rows: last - first, columns: matrix.columns, elements }
}
