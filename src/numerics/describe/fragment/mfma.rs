//! Fragments of AMD's `V_MFMA` (CDNA 3 ISA document, chapter "Matrix Arithmetic Instructions"; AMD matrix instruction calculator).

use super::Axis::{Block, Column, Row};
use super::{Axis, Fragment, Places, Size, Step, Tile, doubling};
use crate::describe::instruction::Instruction;

/// Lanes of a wavefront.
const WAVEFRONT: usize = 64;

/// The tile of a `V_MFMA` instruction: 32 x 32, 16 x 16, or 16 blocks of 4 x 4.
pub(super) fn tile(instruction: &Instruction) -> Result<Tile, String> {
    let shape = instruction.shape;
    let [m, n, k] = [shape.m, shape.n, shape.k].map(|size| size as usize);
    if m != n || !matches!(m, 4 | 16 | 32) {
        return Err(format!("no V_MFMA of one block has the shape {m}x{n}x{k}"));
    }
    let blocks = if m == 4 { WAVEFRONT / m } else { 1 };
    let width = |bits: u32| bits.next_power_of_two();
    let [a, b] = [instruction.a.width(), instruction.b.width()].map(width);
    let result = |bits: u32| result(Size { blocks, rows: m, columns: n }, bits);
    Ok(Tile {
        m,
        n,
        k,
        blocks,
        threads: WAVEFRONT,
        a: operand(Row, Size { blocks, rows: m, columns: k }, a),
        b: operand(Column, Size { blocks, rows: k, columns: n }, b),
        c: result(instruction.c.width()),
        d: result(instruction.d().width()),
    })
}

/// A, or B with the axes exchanged. A lane holds E neighbouring elements along K, in as many registers as they need:
///
/// ```text
///   lane   ...       | 4 3 2 1 0     32 rows; 16 rows end at bit 3, 4 rows at bit 1
///          E 2E of k | rows
///          (blocks, of 4 rows)
/// ```
fn operand(outer: Axis, size: Size, width: u32) -> Fragment {
    let (inner, lines, k) = match outer {
        Row => (Column, size.rows, size.columns),
        _ => (Row, size.columns, size.rows),
    };
    let held = k * lines * size.blocks / WAVEFRONT;
    let upper = if size.blocks > 1 { doubling(Block, 1, size.blocks) } else { doubling(inner, held, k) };
    let along: Vec<Step> = doubling(inner, 1, held);
    let (elements, registers) = along.split_at((32 / width.min(32)).trailing_zeros() as usize);
    let places = Places {
        lanes: [doubling(outer, 1, lines), upper].concat(),
        registers: registers.to_vec(),
        elements: elements.to_vec(),
    };
    Fragment::in_registers(size, width, &places)
}

/// C or D: a lane holds elements of one column, four neighbouring rows at a time; in fp64, every fourth row.
///
/// ```text
///   32 x 32   lane 5: row 4; 4 to 0: column          register 3 2 | 1 0: row 16 8 | 2 1
///   16 x 16   lane 5 4: row 8 4; 3 to 0: column      register       1 0: row        2 1
///   4 x 4     lane 5 to 2: block; 1 0: column        register       1 0: row        2 1
///   fp64      lane 5 4: row 2 1; 3 to 0: column      register       1 0: row        8 4
/// ```
fn result(size: Size, width: u32) -> Fragment {
    let upper: Vec<Step> = match (size.rows, width) {
        (32, _) => vec![(Row, 4)],
        (16, 64) => vec![(Row, 1), (Row, 2)],
        (16, _) => vec![(Row, 4), (Row, 8)],
        _ => doubling(Block, 1, size.blocks),
    };
    let registers = match (size.rows, width) {
        (32, _) => vec![(Row, 1), (Row, 2), (Row, 8), (Row, 16)],
        (16, 64) => vec![(Row, 4), (Row, 8)],
        _ => vec![(Row, 1), (Row, 2)],
    };
    let lanes = [doubling(Column, 1, size.columns), upper].concat();
    Fragment::in_registers(size, width, &Places { lanes, registers, elements: Vec::new() })
}
