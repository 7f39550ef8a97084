//! The class of units with exception flags: what is invalid may stand beside a NaN, in any order.

use super::classes::close;
use super::draw::Draw;
use super::{Operand, Shape};

/// An infinity, a zero or a NaN; rarely one that signals.
fn exceptional(operand: &Operand, draw: &mut Draw) -> u64 {
    let choices = &operand.non_finite;
    match (draw.bits(3), operand.signalling) {
        (0, Some(signalling)) if draw.flip() => {
            if draw.flip() {
                operand.negated(signalling)
            } else {
                signalling
            }
        }
        (1..=4, _) if !choices.is_empty() => choices[draw.below(choices.len())],
        _ => operand.zero(draw.flip()),
    }
}

/// Ordinary numbers with two to four exceptional operands among them.
pub(super) fn exceptions(shape: &Shape, index: u64, draw: &mut Draw, a: &mut [u64], b: &mut [u64]) -> u64 {
    let mut c = close(shape, index, draw, a, b);
    for _ in 0..2 + draw.below(3) {
        let place = draw.below(shape.products);
        match draw.bits(3) {
            0..=2 => a[place] = exceptional(&shape.a, draw),
            3..=5 => b[place] = exceptional(&shape.b, draw),
            6 => c = exceptional(&shape.c, draw),
            _ => (a[place], b[place]) = (exceptional(&shape.a, draw), exceptional(&shape.b, draw)),
        }
    }
    c
}
