//! Generators for units of integers.

use super::draw::Draw;
use super::operand::Operand;
use super::vectors::Vectors;
use crate::lanes::{Lanes, Mask};

/// Any integer of a format, as a number.
#[inline(always)]
fn any<L: Lanes>(operand: &Operand, draw: &mut Draw<L>) -> L {
    let encoding = operand.any(draw);
    operand.value(encoding)
}

/// An end of a format, a neighbour of one, next to zero, or anything.
#[inline(always)]
fn extreme<L: Lanes>(operand: &Operand, draw: &mut Draw<L>) -> L {
    let Operand { least, greatest, .. } = *operand;
    let known = [least, least + 1, -1, 0, 1, greatest - 1, greatest];
    let kind = draw.bits(3);
    let anything = any(operand, draw);
    let pick = |found: L, (i, value): (usize, i64)| L::select(kind.equals(L::of(i as i64)), L::of(value), found);
    known.into_iter().enumerate().fold(anything, pick)
}

/// Either end of a format, now and then its neighbour.
#[inline(always)]
fn end<L: Lanes>(operand: &Operand, least: L::Mask, draw: &mut Draw<L>) -> L {
    let inwards = L::where_set(draw.rarely(4), 1);
    L::select(least, L::of(operand.least) + inwards, L::of(operand.greatest) - inwards)
}

/// A sum that stays far beyond every addend where it would wrap.
#[inline(always)]
fn added<L: Lanes>(sum: L, product: L) -> L {
    (sum + product).clamp(-(1 << 61), 1 << 61)
}

impl<L: Lanes> Vectors<'_, L> {
    #[inline(always)]
    pub fn small_integers(&mut self, draw: &mut Draw<L>) {
        let shape = self.shape;
        for i in 0..self.a.len() {
            self.a[i] = shape.a.integer(draw.between(-3, 3));
            self.b[i] = shape.b.integer(draw.between(-3, 3));
        }
        self.c = shape.c.integer(draw.between(-20, 20));
    }

    #[inline(always)]
    pub fn extreme_integers(&mut self, draw: &mut Draw<L>) {
        let shape = self.shape;
        for i in 0..self.a.len() {
            self.a[i] = shape.a.integer(extreme(&shape.a, draw));
            self.b[i] = shape.b.integer(extreme(&shape.b, draw));
        }
        self.c = shape.c.integer(extreme(&shape.c, draw));
    }

    /// Sets one product and returns its value.
    #[inline(always)]
    fn integer_product(&mut self, i: usize, (a, b): (L, L)) -> L {
        self.a[i] = self.shape.a.integer(a);
        self.b[i] = self.shape.b.integer(b);
        a * b
    }

    /// The addend that brings the sum of the products to `target`, as near as the format allows.
    #[inline(always)]
    fn integer_addend(&mut self, target: L, products: L) {
        self.c = self.shape.c.integer(target - products);
    }

    #[inline(always)]
    pub fn integer_cancellation(&mut self, draw: &mut Draw<L>) {
        let (a, b) = (&self.shape.a, &self.shape.b);
        let in_pairs = draw.flip();
        let mut last = (L::of(0), L::of(0));
        let mut sum = L::of(0);
        for i in 0..self.a.len() {
            let own = (any(a, draw), any(b, draw));
            // The second of a pair is the first with the sign of a changed, where a's format has that integer.
            let opposite = ((L::of(0) - last.0).clamp(a.least, a.greatest), last.1);
            let repeated = in_pairs & L::Mask::all(i % 2 == 1);
            last = (L::select(repeated, opposite.0, own.0), L::select(repeated, opposite.1, own.1));
            sum = added(sum, self.integer_product(i, last));
        }
        let target = draw.between(-1, 1);
        self.integer_addend(target, sum);
    }

    #[inline(always)]
    pub fn integer_overflow(&mut self, draw: &mut Draw<L>) {
        let (a, b, d) = (&self.shape.a, &self.shape.b, &self.shape.d);
        let mut sum = L::of(0);
        for i in 0..self.a.len() {
            let own = (any(a, draw), any(b, draw));
            sum = added(sum, self.integer_product(i, own));
        }
        let edge = L::select(draw.flip(), L::of(d.greatest), L::of(d.least));
        let target = edge + draw.between(-2, 2);
        self.integer_addend(target, sum);
    }

    #[inline(always)]
    pub fn largest_sums(&mut self, draw: &mut Draw<L>) {
        let shape = self.shape;
        let (a_least, b_least, c_least) = (draw.flip(), draw.flip(), draw.flip());
        for i in 0..self.a.len() {
            self.a[i] = shape.a.integer(end(&shape.a, a_least, draw));
            self.b[i] = shape.b.integer(end(&shape.b, b_least, draw));
        }
        self.c = shape.c.integer(end(&shape.c, c_least, draw));
    }
}
