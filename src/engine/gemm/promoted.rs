//! Sums that leave the matrix unit now and then: K in parts, each summed by the instruction from plus zero, and added in binary32,
//! rounded to nearest, as libraries do for units that keep few bits (DeepSeek-AI, arXiv 2412.19437, section 3.3.2).

use super::product::{Answer, Multiplied, Operands};
use super::{Elements, Matrix};
use crate::describe::format::Format;
use crate::describe::instruction::Instruction;
use crate::engine::{Composed, Kind, Matrices, MatrixError};

/// Parts of K at most.
pub const PARTS_MAX: usize = 1024;

/// Places of K that a program loads at once, and does not divide: parts of K are multiples of it.
const TILE: usize = 32;

/// How many places a part has where K is summed in so many parts, which are as long as each other, rounded up; none where it is not
/// split.
pub fn places_of_part(instruction: &Instruction, k: usize, parts: usize) -> Option<usize> {
    let places = |parts| k.div_ceil(parts).next_multiple_of(TILE).next_multiple_of(instruction.shape.k as usize);
    (parts > 1).then(|| places(parts))
}

/// Whether additions outside the unit take its sums. They fill the bits that its d leaves empty: what they give is binary32.
pub fn gives_binary32(instruction: &Instruction) -> bool {
    let single = |format: &Format| format.width() == 32 && format.exponent_bits == 8 && format.bias == 127;
    single(&instruction.c) && single(instruction.d()) && instruction.unit.scales.is_none()
}

/// The instructions whose sums can be added outside the unit, in words, and why this one is not among them.
fn of_binary32(instruction: &Instruction) -> String {
    let (name, c, d) = (&instruction.name, &instruction.c.name, &instruction.d().name);
    let why = match instruction.unit.scales {
        Some(_) => format!("{name} has scales"),
        None => format!("c and d of {name} are {c} and {d}"),
    };
    format!("an instruction without scales whose c and d are binary32; {why}")
}

/// What an addition gives where it gives NaN.
const NAN: u32 = 0x7fff_ffff;

/// Operands of which every so many places of K are summed apart.
#[derive(Debug, Clone, Copy)]
pub struct Promoted<'a> {
    operands: &'a Operands,
    every: usize,
}

impl Operands {
    /// The same operands with sums promoted every so many places of K.
    ///
    /// # Errors
    /// They do not fit the instruction, its addend or result is not binary32, it has scales, or the places are no multiple of
    /// its k.
    pub fn promoted(&self, instruction: &Instruction, every: usize) -> Result<Promoted<'_>, MatrixError> {
        let refused = |allowed: String| Err(MatrixError::Dimension { dimension: "promotion", value: every, allowed });
        let own = instruction.shape.k as usize;
        self.check(instruction)?;
        if every == 0 || !every.is_multiple_of(own) {
            return refused(format!("multiples of {own}, the k of {}", instruction.name));
        }
        if !gives_binary32(instruction) {
            return refused(of_binary32(instruction));
        }
        Ok(Promoted { operands: self, every })
    }

    /// The same operands with K summed in so many parts, as libraries split it; nothing where it stays whole, and then operands are not
    /// looked at.
    ///
    /// # Errors
    /// They do not fit the instruction, its addend or result is not binary32, it has scales, or there are more parts than
    /// [`PARTS_MAX`].
    pub fn split(&self, instruction: &Instruction, parts: usize) -> Result<Option<Promoted<'_>>, MatrixError> {
        let refused = |allowed: String| Err(MatrixError::Dimension { dimension: "split_k", value: parts, allowed });
        if !(1..=PARTS_MAX).contains(&parts) {
            return refused(format!("1 to {PARTS_MAX}"));
        }
        let Some(every) = places_of_part(instruction, self.a.columns, parts) else { return Ok(None) };
        self.check(instruction)?;
        if !gives_binary32(instruction) {
            return refused(format!("1, or {}", of_binary32(instruction)));
        }
        Ok(Some(Promoted { operands: self, every }))
    }
}

impl Promoted<'_> {
    /// Where parts of K begin and end.
    fn parts(&self) -> impl Iterator<Item = [usize; 2]> {
        let (k, every) = (self.operands.a.columns, self.every);
        (0..k).step_by(every).map(move |first| [first, k.min(first + every)])
    }

    /// D by engines of a kind, as [`Operands::multiply`] computes each part.
    ///
    /// # Errors
    /// An engine failed.
    pub fn multiply(
        &self,
        instruction: &Instruction,
        kind: Kind,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Multiplied, MatrixError> {
        let Operands { a, b, c, .. } = self.operands;
        let mut sums = vec![0u32; c.elements.len()];
        let mut last = None;
        for [first, end] in self.parts() {
            let zeros = Elements::zeros(instruction.c.width(), c.elements.len());
            let part = Operands {
                a: a.columns(first, end),
                b: b.rows(first, end),
                c: Matrix { elements: zeros, ..*c },
                scales: None,
            };
            match part.multiply(instruction, kind, progress)? {
                Multiplied::Absent(reason) => return Ok(Multiplied::Absent(reason)),
                Multiplied::Done(answer) => {
                    add_to(&mut sums, &answer.d);
                    last = Some(answer);
                }
            }
        }
        add_to(&mut sums, c);
        let Answer { d, identity, path } = last.expect("operands that fit have a K");
        let path = format!("{path}; {} sums added in binary32", self.parts().count());
        Ok(Multiplied::Done(Answer { d: Matrix { elements: sums.into(), ..d }, identity, path }))
    }

    /// One element of D by the scalar emulator.
    ///
    /// # Errors
    /// The emulator failed.
    pub fn element(&self, instruction: &Instruction, row: usize, column: usize) -> Result<u64, MatrixError> {
        let whole = self.operands.part(instruction, [row, row + 1], [column, column + 1]);
        let mut emulator = Composed::emulated(instruction);
        let mut sum = 0;
        for [first, end] in self.parts() {
            let (a, b) = (whole.a[first..end].to_vec(), whole.b[first..end].to_vec());
            let part = Matrices { m: 1, n: 1, k: end - first, a, b, c: vec![0], ..Matrices::default() };
            sum = added(sum, part.multiply(instruction, emulator.as_mut())?[0] as u32);
        }
        Ok(added(sum, whole.c[0] as u32).into())
    }
}

/// The sum of two numbers of binary32, to nearest, ties to even.
fn added(one: u32, other: u32) -> u32 {
    let sum = f32::from_bits(one) + f32::from_bits(other);
    if sum.is_nan() { NAN } else { sum.to_bits() }
}

fn add_to(sums: &mut [u32], matrix: &Matrix) {
    let Elements::U32(list) = &matrix.elements else { unreachable!("sums and addends are binary32") };
    sums.iter_mut().zip(list.iter()).for_each(|(sum, &bits)| *sum = added(*sum, bits));
}
