//! Rows and columns of the elements that a lane holds for `mma`: one arm for each table of PTX ISA 9.7.14.5, "Matrix
//! Fragments for mma", with groupID = %laneid >> 2 and threadID_in_group = %laneid % 4 as there. No value is looked at.

use super::{Element, Shape};

/// A place: which of the instruction's matrices (m8n8k4 of f16 multiplies four), row, column.
pub type Place = (usize, usize, usize);

/// Matrices that an `mma` multiplies at once.
pub fn matrices(shape: Shape, a: Element) -> usize {
    if (shape.k, a) == (4, Element::F16) { 4 } else { 1 }
}

/// Which of the four computations of m8n8k4 a lane takes part in: lanes 0-3 and 16-19 in the first, and so on.
fn computation(lane: usize) -> usize {
    lane % 16 / 4
}

/// Rows 4 to 7 are the high group's, %laneid >= 16.
fn high_group(lane: usize) -> usize {
    if lane < 16 { 0 } else { 4 }
}

/// Element a_i of A, m x k, row-major in the sense of .row.
pub fn of_a(shape: Shape, element: Element, lane: usize, i: usize) -> Option<Place> {
    let (group, thread) = (lane >> 2, lane % 4);
    let below = |condition: bool| if condition { group } else { group + 8 };
    let (row, column) = match (shape.m, shape.n, shape.k, element.container()) {
        (8, 8, 4, 16) => return Some((computation(lane), lane % 4 + high_group(lane), i)),
        (8, 8, 4, 64) => (group, thread),
        (8, 8, 16, 8) => (group, thread * 4 + i),
        (8, 8, 32, 4) => (group, thread * 8 + i),
        (16, 8, 4, 32 | 64) => (below(i == 0), thread),
        (16, 8, 8, 16) => (below(i < 2), thread * 2 + (i & 1)),
        (16, 8, 8, 32 | 64) => (below(i == 0 || i == 2), if i < 2 { thread } else { thread + 4 }),
        (16, 8, 16, 16) => (below(i < 2 || (4..6).contains(&i)), thread * 2 + (i & 1) + if i < 4 { 0 } else { 8 }),
        (16, 8, 16, 64) => (below(i & 1 == 0), if i & 1 == 0 { i * 2 + thread } else { i * 2 - 2 + thread }),
        (16, 8, 16, 8) => (below(i < 4), thread * 4 + (i & 3)),
        (16, 8, 32, 4) => (below(i < 8), thread * 8 + (i & 7)),
        (16, 8, 32, 8) => (below(i < 4 || (8..12).contains(&i)), thread * 4 + (i & 3) + if i < 8 { 0 } else { 16 }),
        (16, 8, 64, 4) => (below(i < 8 || (16..24).contains(&i)), thread * 8 + (i & 7) + if i < 16 { 0 } else { 32 }),
        _ => return None,
    };
    Some((0, row, column))
}

/// Element b_i of B, k x n, column-major in the sense of .col.
pub fn of_b(shape: Shape, element: Element, lane: usize, i: usize) -> Option<Place> {
    let (group, thread) = (lane >> 2, lane % 4);
    let row = match (shape.m, shape.n, shape.k, element.container()) {
        (8, 8, 4, 16) => return Some((computation(lane), i, lane % 4 + high_group(lane))),
        (8, 8, 4, 64) | (16, 8, 4, 32 | 64) => thread,
        (8, 8, 16, 8) | (16, 8, 16, 8) => thread * 4 + i,
        (8, 8, 32, 4) => thread * 8 + i,
        (16, 8, 8, 16) => thread * 2 + i,
        (16, 8, 8, 32 | 64) => {
            if i == 0 {
                thread
            } else {
                thread + 4
            }
        }
        (16, 8, 16, 16) => thread * 2 + (i & 1) + if i < 2 { 0 } else { 8 },
        (16, 8, 16, 64) => thread + i * 4,
        (16, 8, 32, 4) => thread * 8 + (i & 7),
        (16, 8, 32, 8) => thread * 4 + (i & 3) + if i < 4 { 0 } else { 16 },
        (16, 8, 64, 4) => thread * 8 + (i & 7) + if i < 8 { 0 } else { 32 },
        _ => return None,
    };
    Some((0, row, group))
}

/// Element c_i of C, or d_i of D, m x n; `a` is the type of A, on which m8n8k4 depends.
pub fn of_c(shape: Shape, a: Element, element: Element, lane: usize, i: usize) -> Option<Place> {
    let (group, thread) = (lane >> 2, lane % 4);
    match (shape.m, shape.n) {
        (8, 8) if matrices(shape, a) == 4 => Some(match element {
            Element::F16 => (computation(lane), lane % 4 + high_group(lane), i),
            _ => {
                let row = (lane & 0b1) + (i & 0b10) + high_group(lane);
                (computation(lane), row, (i & 0b100) + (lane & 0b10) + (i & 0b1))
            }
        }),
        (8, 8) => Some((0, group, thread * 2 + i)),
        (16, 8) => Some((0, if i < 2 { group } else { group + 8 }, thread * 2 + (i & 1))),
        _ => None,
    }
}
