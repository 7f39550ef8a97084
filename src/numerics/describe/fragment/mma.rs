//! Fragments of `mma.sync` (PTX ISA, "Matrix Fragments for mma").

use super::Axis::{Block, Column, Row};
use super::tile::{Tile, container};
use super::{Fragment, Places, Size, Step, doubling};
use crate::describe::instruction::Instruction;

/// Lanes of a warp.
pub(super) const WARP: usize = 32;

/// The tile of a `mma.sync` instruction.
pub(super) fn tile(instruction: &Instruction) -> Result<Tile, String> {
    let shape = instruction.shape;
    let [m, n, k] = [shape.m, shape.n, shape.k].map(|size| size as usize);
    if [m, n, k] == [8, 8, 4] && instruction.a.width() == 16 {
        return Ok(quad_pairs(instruction));
    }
    if n != 8 || !matches!(m, 8 | 16) {
        return Err(format!("no mma.sync has the shape m{m}n{n}k{k}"));
    }
    let [a, b] = [&instruction.a, &instruction.b].map(|format| container(instruction, format));
    let [c, d] = [&instruction.c, instruction.d()].map(|format| result(m, n, format.width()));
    Ok(Tile {
        m,
        n,
        k,
        blocks: 1,
        threads: WARP,
        a: operand(Row, Size { blocks: 1, rows: m, columns: k }, a.0).shifted(a.1),
        b: operand(Column, Size { blocks: 1, rows: k, columns: n }, b.0).shifted(b.1),
        c,
        d,
    })
}

/// A, or B with the axes exchanged. With E elements in a register:
///
/// ```text
///   lane      4 3 2 | 1 0        register   ... 1 | 0           element
///             rows    E of k                 4 E k  8 rows       k
///             4 2 1   2E E                          (A only)
/// ```
fn operand(outer: super::Axis, size: Size, width: u32) -> Fragment {
    let (inner, outer_size, k) = match outer {
        Row => (Column, size.rows, size.columns),
        _ => (Row, size.columns, size.rows),
    };
    let elements = (32 / width.min(32)) as usize;
    let lanes = [(inner, elements), (inner, 2 * elements), (outer, 1), (outer, 2), (outer, 4)].to_vec();
    let registers = [doubling(outer, 8, outer_size), doubling(inner, 4 * elements, k)].concat();
    Fragment::in_registers(size, width, &Places { lanes, registers, elements: doubling(inner, 1, elements) })
}

/// C or D: neighbouring columns in a lane.
///
/// ```text
///   lane      4 3 2 | 1 0        register     1 | 0             element (16-bit results)
///             rows    columns              8 rows  column 1     column 1, and register 0 is 8 rows
///             4 2 1   4 2
/// ```
fn result(m: usize, n: usize, width: u32) -> Fragment {
    let lanes = [(Column, 2), (Column, 4), (Row, 1), (Row, 2), (Row, 4)].to_vec();
    let eight_rows = doubling(Row, 8, m);
    let (registers, elements): (Vec<Step>, Vec<Step>) = match width {
        16 => (eight_rows, vec![(Column, 1)]),
        _ => ([vec![(Column, 1)], eight_rows].concat(), Vec::new()),
    };
    Fragment::in_registers(Size { blocks: 1, rows: m, columns: n }, width, &Places { lanes, registers, elements })
}

/// Volta's m8n8k4 ("Matrix Fragments for mma.m8n8k4 with .f16 floating point type"): four independent products, each by the
/// eight lanes of a quad pair, lanes 4 q to 4 q + 3 and 4 q + 16 to 4 q + 19.
fn quad_pairs(instruction: &Instruction) -> Tile {
    const QUAD_PAIRS: usize = 4;
    let along = |axis| vec![(axis, 1), (axis, 2), (Block, 1), (Block, 2), (axis, 4)];
    let operand = |axis, inner, rows, columns| {
        let places = Places { lanes: along(axis), registers: vec![(inner, 2)], elements: vec![(inner, 1)] };
        Fragment::in_registers(Size { blocks: QUAD_PAIRS, rows, columns }, 16, &places)
    };
    let result = |width| {
        let size = Size { blocks: QUAD_PAIRS, rows: 8, columns: 8 };
        let places = match width {
            16 => Places { lanes: along(Row), registers: vec![(Column, 2), (Column, 4)], elements: vec![(Column, 1)] },
            _ => Places {
                lanes: vec![(Row, 1), (Column, 2), (Block, 1), (Block, 2), (Row, 4)],
                registers: vec![(Column, 1), (Row, 2), (Column, 4)],
                elements: Vec::new(),
            },
        };
        Fragment::in_registers(size, width, &places)
    };
    Tile {
        m: 8,
        n: 8,
        k: 4,
        blocks: QUAD_PAIRS,
        threads: WARP,
        a: operand(Row, Column, 8, 4),
        b: operand(Column, Row, 4, 8),
        c: result(instruction.c.width()),
        d: result(instruction.d().width()),
    }
}
