//! Makes a vector smaller while something about it stays true.

use crate::engine::Vector;

/// Greedily replaces operands by simpler encodings as long as `keeps` holds, until nothing more can be replaced.
pub(super) fn shrink(vector: &Vector, keeps: &mut dyn FnMut(&Vector) -> bool) -> Vector {
    let mut best = vector.clone();
    loop {
        let before = best.clone();
        for position in 0..2 * best.a.len() + 1 {
            shrink_operand(&mut best, position, keeps);
        }
        if best == before {
            return best;
        }
    }
}

fn operand(vector: &mut Vector, position: usize) -> &mut u64 {
    let products = vector.a.len();
    match position {
        _ if position < products => &mut vector.a[position],
        _ if position < 2 * products => &mut vector.b[position - products],
        _ => &mut vector.c,
    }
}

/// Tries 0, then clears single bits from the highest, then from the lowest.
fn shrink_operand(best: &mut Vector, position: usize, keeps: &mut dyn FnMut(&Vector) -> bool) {
    let value = *operand(best, position);
    let width = 64 - value.leading_zeros();
    let zero = std::iter::once(0);
    let without_high = (0..width).rev().map(|bit| !(1 << bit));
    let without_low = (0..width).map(|bit| !(u64::MAX >> (63 - bit)));
    for mask in zero.chain(without_low).chain(without_high) {
        let current = *operand(best, position);
        let candidate = current & mask;
        if candidate == current {
            continue;
        }
        *operand(best, position) = candidate;
        if !keeps(best) {
            *operand(best, position) = current;
        }
    }
}
