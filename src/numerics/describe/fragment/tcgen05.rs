//! Tiles of `tcgen05.mma` (PTX ISA, "Tensor Core 5th Generation Instructions"): A and B in shared memory without swizzling, C and D
//! in tensor memory, a row of 128 in each lane.

use super::Axis::{Column, Row};
use super::wgmma::shared;
use super::{Fragment, Places, Size, Tile, doubling};
use crate::describe::format::Format;
use crate::describe::instruction::{Instruction, Kind};

/// Rows of D, one for each lane of four warps.
const ROWS: usize = 128;

/// The tile of a `tcgen05.mma` instruction with so many columns.
pub(super) fn tile(instruction: &Instruction, n: usize) -> Tile {
    let k = instruction.shape.k as usize;
    let a = operand(instruction, &instruction.a, Size { blocks: 1, rows: ROWS, columns: k }, |row, column| {
        (ROWS, row, column)
    });
    let b =
        operand(instruction, &instruction.b, Size { blocks: 1, rows: k, columns: n }, |row, column| (n, column, row));
    let [c, d] = [&instruction.c, instruction.d()].map(|format| result(n, format.width()));
    Tile { m: ROWS, n, k, blocks: 1, threads: ROWS, a, b, c, d }
}

/// A or B: `place` gives the number of lines, the line, and the index along K. Operands of kind f8f6f4 with fewer than 8 bits
/// are packed within each 16 bytes, of which 16 elements leave the rest empty ("Packing formats used in shared memory").
fn operand(
    instruction: &Instruction,
    format: &Format,
    size: Size,
    place: impl Fn(usize, usize) -> (usize, usize, usize),
) -> Fragment {
    let width = format.width();
    let step = if instruction.kind == Some(Kind::F8f6f4) { 8 } else { width.next_power_of_two() };
    let row_elements = 128 / step as usize;
    Fragment::in_memory(size, width, |row, column| {
        let (lines, line, k) = place(row, column);
        let start = shared(lines, line, k / row_elements * row_elements, step);
        start + k % row_elements * width as usize
    })
}

/// C or D: a lane's registers are the columns of its row, two to a register where results have 16 bits.
fn result(n: usize, width: u32) -> Fragment {
    let (first, elements) = if width == 16 { (2, vec![(Column, 1)]) } else { (1, Vec::new()) };
    let places = Places { lanes: doubling(Row, 1, ROWS), registers: doubling(Column, first, n), elements };
    Fragment::in_registers(Size { blocks: 1, rows: ROWS, columns: n }, width, &places)
}
