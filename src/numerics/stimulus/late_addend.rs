//! Classes for units that add the addend to the sum of the products: what either loses where they meet decides.

use super::draw::Draw;
use super::vectors::{Term, Vectors};
use crate::lanes::Lanes;

impl<L: Lanes> Vectors<'_, L> {
    /// An addend just below a power of two, and products around its last place: the rounded sum reaches the next binade, or
    /// just does not.
    #[inline(always)]
    pub fn binade_edge(&mut self, draw: &mut Draw<L>) {
        let (c, d) = (&self.shape.c, &self.shape.d);
        let top = self.common_exponent(draw);
        let last = top.plus(-(c.fraction_bits.min(d.fraction_bits) as i32));
        let one = draw.below(L::of(self.a.len() as i64));
        for i in 0..self.a.len() {
            let some = one.equals(L::of(i as i64)) | draw.rarely(2);
            let exponent = last - draw.between(-1, 3);
            self.terms[i] = Term { absent: !some, ..Self::product(exponent, draw) };
        }
        self.build(draw);
        let fraction = L::of(-1) - draw.bits(2);
        self.c = c.number(draw.sign(), top, fraction);
    }

    /// An addend around the least exponent at which it is kept, or far below, and products that cancel so that it shows.
    #[inline(always)]
    pub fn addend_edge(&mut self, draw: &mut Draw<L>) {
        let shape = self.shape;
        let top = self.common_exponent(draw);
        for i in 0..self.a.len() {
            let exponent = top - draw.bits(2);
            self.terms[i] = Self::product(exponent, draw);
        }
        self.build(draw);
        let count = self.a.len();
        let apart = if draw.source.shared.flip() { 1 } else { (count / 2).max(1) };
        let cancel = draw.flip();
        for i in (apart..count).filter(|i| (i / apart) % 2 == 1) {
            self.a[i] = L::select(cancel, shape.a.negated(self.a[i - apart]), self.a[i]);
            self.b[i] = L::select(cancel, self.b[i - apart], self.b[i]);
        }
        let exponent = top + draw.between(-4 - shape.fraction_bits, 4 - shape.fraction_bits);
        self.c = shape.c.in_binade(exponent, draw);
    }
}
