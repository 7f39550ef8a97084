//! Tiles of `wgmma` (PTX ISA, "Asynchronous Warpgroup Level Matrix Multiply-Accumulate"): A and B in shared memory without
//! swizzling, C and D in the registers of four warps.

use super::Axis::{Column, Row};
use super::tile::container;
use super::{Fragment, Places, Size, Step, Tile, doubling};
use crate::describe::instruction::Instruction;

/// Lanes of four warps.
const WARPGROUP: usize = 128;
/// Bytes of a row of a core matrix, and its rows.
const CORE_ROW: usize = 16;
const CORE_ROWS: usize = 8;

/// The tile of a `wgmma` instruction with so many columns.
pub(super) fn tile(instruction: &Instruction, n: usize) -> Tile {
    let (m, k) = (instruction.shape.m as usize, instruction.shape.k as usize);
    let [(a, _), (b, _)] = [&instruction.a, &instruction.b].map(|format| container(instruction, format));
    Tile {
        m,
        n,
        k,
        blocks: 1,
        threads: WARPGROUP,
        a: Fragment::in_memory(Size { blocks: 1, rows: m, columns: k }, a, |row, column| shared(m, row, column, a)),
        b: Fragment::in_memory(Size { blocks: 1, rows: k, columns: n }, b, |row, column| shared(n, column, row, b)),
        c: result(m, n, instruction.c.width()),
        d: result(m, n, instruction.d().width()),
    }
}

/// Bytes from a core matrix of so many lines to the next one along the lines, and to the next one along K.
pub fn core_strides(lines: usize) -> [usize; 2] {
    let core = CORE_ROWS * CORE_ROW;
    [core, lines / CORE_ROWS * core]
}

/// Bit offset of element `k` of line `line`, a row of A or a column of B, of `lines`: core matrices of 8 lines of 16 bytes,
/// one after the other along the lines first.
pub(super) fn shared(lines: usize, line: usize, k: usize, width: u32) -> usize {
    let byte = k * width as usize / 8;
    let [along_lines, along_k] = core_strides(lines);
    let core = line / CORE_ROWS * along_lines + byte / CORE_ROW * along_k;
    (core + line % CORE_ROWS * CORE_ROW + byte % CORE_ROW) * 8
}

/// C or D: each warp has 16 rows, laid out as by `mma.sync`, 8 columns after the other ("Register Fragments for wgmma").
fn result(m: usize, n: usize, width: u32) -> Fragment {
    let lanes = [(Column, 2), (Column, 4), (Row, 1), (Row, 2), (Row, 4), (Row, 16), (Row, 32)].to_vec();
    let own: (Vec<Step>, Vec<Step>) = match width {
        16 => (vec![(Row, 8)], vec![(Column, 1)]),
        _ => (vec![(Column, 1), (Row, 8)], Vec::new()),
    };
    let registers = [own.0, doubling(Column, 8, n)].concat();
    Fragment::in_registers(
        Size { blocks: 1, rows: m, columns: n },
        width,
        &Places { lanes, registers, elements: own.1 },
    )
}
