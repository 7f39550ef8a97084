//! Classes for units that add the addend to the sum of the products: what either loses where they meet decides.

use super::Shape;
use super::classes::{common_exponent, product};
use super::draw::Draw;

/// An addend just below a power of two, and products around its last place: the rounded sum reaches the next binade, or
/// just does not.
pub(super) fn binade_edge(shape: &Shape, _index: u64, draw: &mut Draw, a: &mut [u64], b: &mut [u64]) -> u64 {
    let top = common_exponent(shape, draw);
    let last = top - shape.c.fraction_bits.min(shape.d.fraction_bits) as i32;
    let one = draw.below(a.len());
    for (i, (a, b)) in a.iter_mut().zip(b.iter_mut()).enumerate() {
        (*a, *b) = match i == one || draw.rarely(2) {
            true => product(shape, last - draw.between(-1, 3), draw),
            false => (shape.a.zero(draw.flip()), shape.b.zero(false)),
        };
    }
    shape.c.number(draw.flip(), top, u64::MAX - draw.bits(2))
}

/// An addend around the least exponent at which it is kept, or far below, and products that cancel so that it shows.
pub(super) fn addend_edge(shape: &Shape, _index: u64, draw: &mut Draw, a: &mut [u64], b: &mut [u64]) -> u64 {
    let top = common_exponent(shape, draw);
    for (a, b) in a.iter_mut().zip(b.iter_mut()) {
        (*a, *b) = product(shape, top - draw.bits(2) as i32, draw);
    }
    let apart = if draw.flip() { 1 } else { (a.len() / 2).max(1) };
    if draw.flip() && a.len() > apart {
        for i in (apart..a.len()).filter(|i| (i / apart) % 2 == 1) {
            (a[i], b[i]) = (shape.a.negated(a[i - apart]), b[i - apart]);
        }
    }
    shape.c.in_binade(top - shape.fraction_bits + draw.between(-4, 4), draw)
}
