//! The class of units with exception flags: what is invalid may stand beside a NaN, in any order.

use super::Class;
use super::draw::Draw;
use super::operand::Operand;
use super::vectors::{Vectors, put};
use crate::lanes::Lanes;

/// An infinity, a zero or a NaN; rarely one whose top fraction bit is 0.
#[inline(always)]
fn exceptional<L: Lanes>(operand: &Operand, draw: &mut Draw<L>) -> L {
    let kind = draw.bits(4);
    let mut value = operand.zero(draw.sign());
    if !operand.non_finite.is_empty() {
        let between = kind.less_than(L::of(10)) & !kind.less_than(L::of(2));
        value = L::select(between, draw.choose(&operand.non_finite), value);
    }
    if let Some(nan) = operand.low_nan {
        let nan = operand.negated_where(draw.sign(), L::of(nan as i64));
        value = L::select(kind.equals(L::of(0)), nan, value);
    }
    value
}

impl<L: Lanes> Vectors<'_, L> {
    /// Ordinary numbers with two to five exceptional operands among them: an invalid sum beside a NaN takes three.
    #[inline(always)]
    pub fn exceptions(&mut self, draw: &mut Draw<L>) {
        Class::Close.generate(self, draw.source);
        let shape = self.shape;
        for _ in 0..2 + draw.source.shared.below(4) {
            let place = draw.below(L::of(self.a.len() as i64));
            let kind = draw.bits(3);
            let (of_c, both) = (kind.equals(L::of(6)), kind.equals(L::of(7)));
            let of_a = kind.less_than(L::of(3)) | both;
            let (a, b) = (exceptional(&shape.a, draw), exceptional(&shape.b, draw));
            put(&mut self.a, of_a, place, a);
            put(&mut self.b, !of_c & (both | !of_a), place, b);
            self.c = L::select(of_c, exceptional(&shape.c, draw), self.c);
        }
    }
}
