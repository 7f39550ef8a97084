//! Makes a vector smaller while something about it stays true.

use crate::engine::Vector;

/// Greedily replaces operands by simpler encodings as long as `keeps` holds, until nothing more can be replaced.
pub(super) fn shrink(vector: &Vector, keeps: &mut dyn FnMut(&Vector) -> bool) -> Vector {
    let mut best = vector.clone();
    loop {
        let before = best.clone();
        for position in 0..best.operands().count() {
            shrink_operand(&mut best, position, keeps);
        }
        if best == before {
            return best;
        }
    }
}

fn operand(vector: &mut Vector, position: usize) -> &mut u64 {
    let factors = vector.a.iter_mut().chain(&mut vector.b).chain(&mut vector.scale_a).chain(&mut vector.scale_b);
    factors.chain([&mut vector.c]).nth(position).expect("a position within the vector")
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
