//! What one launch of a matrix instruction multiplies: the fragments of its four operands.

use super::Fragment;
use crate::describe::format::Format;
use crate::describe::instruction::{Form, Instruction, Kind};

/// The tile of a matrix instruction: D = A B + C, D m x n, K products per element, `blocks` times.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tile {
    pub m: usize,
    pub n: usize,
    pub k: usize,
    /// Independent products of matrices.
    pub blocks: usize,
    /// Threads that hold the tile together.
    pub threads: usize,
    pub a: Fragment,
    pub b: Fragment,
    pub c: Fragment,
    pub d: Fragment,
}

/// The columns of the tile for matrices of `n` columns, where the instruction leaves them open (PTX ISA, "Matrix Shape" of
/// `wgmma`): 8 to 256 in steps of 8; with integers from 32 on in steps of 16.
pub fn columns(instruction: &Instruction, n: usize) -> Option<usize> {
    let step = if instruction.a.is_integer() && n > 32 { 16 } else { 8 };
    (instruction.form == Some(Form::Wgmma)).then(|| n.next_multiple_of(step).min(256))
}

/// Bits of an operand's container, and by how many bits the operand is shifted left in it. The instructions of kind f8f6f4
/// take every operand in 8 bits; operands of 4 bits stand in the middle (PTX ISA, "Packing format for sub-byte types").
pub(super) fn container(instruction: &Instruction, format: &Format) -> (u32, u32) {
    match (instruction.kind, format.width()) {
        (Some(Kind::F8f6f4), 4) => (8, 2),
        (Some(Kind::F8f6f4), _) => (8, 0),
        (_, width) => (width.next_power_of_two(), 0),
    }
}
