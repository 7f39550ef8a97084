//! Tiles of `wmma` in memory. Its fragments in registers are not published; `wmma.load` and `wmma.store` know them.

use super::mma::WARP;
use super::{Fragment, Size, Tile};
use crate::describe::instruction::Instruction;

/// A, C and D row by row, B column by column.
pub(super) fn tile(instruction: &Instruction) -> Tile {
    let shape = instruction.shape;
    let [m, n, k] = [shape.m, shape.n, shape.k].map(|size| size as usize);
    let rows_first = |rows, columns, width: u32| {
        Fragment::in_memory(Size { blocks: 1, rows, columns }, width, |row, column| {
            (row * columns + column) * width as usize
        })
    };
    let width = instruction.b.width();
    Tile {
        m,
        n,
        k,
        blocks: 1,
        threads: WARP,
        a: rows_first(m, k, instruction.a.width()),
        b: Fragment::in_memory(Size { blocks: 1, rows: k, columns: n }, width, |row, column| {
            (column * k + row) * width as usize
        }),
        c: rows_first(m, n, instruction.c.width()),
        d: rows_first(m, n, instruction.d().width()),
    }
}
