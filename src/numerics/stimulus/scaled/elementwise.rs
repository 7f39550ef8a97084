//! Scales of units that align their products one by one: one exponent for the vector, around which the class works.

use super::super::Class;
use super::super::draw::Draw;
use super::super::vectors::{Vectors, put};
use crate::lanes::Lanes;

/// Draws the scales' exponent, then elements and addend around it, then the scales.
#[inline(always)]
pub(super) fn generate<L: Lanes>(class: Class, vectors: &mut Vectors<L>, draw: &mut Draw<L>) {
    vectors.scale = exponent(class, vectors, draw);
    class.generate(vectors, draw.source);
    let exact = draw.flip();
    // Blocks of one vector mostly agree, so that the class means what it says; some differ by a few binades.
    let differ = draw.rarely(2);
    for block in 0..vectors.scale_a.len() {
        let apart = L::select(differ, draw.between(-3, 3), L::of(0));
        set_scales(block, vectors.scale + apart, exact, vectors, draw);
    }
    let small = match class {
        Class::Zero => draw.rarely(3),
        Class::Subnormal => draw.rarely(2),
        _ => return,
    };
    let place = draw.below(L::of(vectors.scale_a.len() as i64));
    let of_a = draw.flip();
    let [a, b] = &vectors.shape.scale_operands;
    for (operand, own, places) in [(a, of_a, &mut vectors.scale_a), (b, !of_a, &mut vectors.scale_b)] {
        if operand.fraction_bits > 0 {
            let value = match class {
                Class::Zero => operand.plain_zero(),
                _ => operand.subnormal(draw),
            };
            put(places, own & small, place, value);
        }
    }
}

/// What the scales add to the exponents of products: such that products can lie where the class wants them.
#[inline(always)]
fn exponent<L: Lanes>(class: Class, vectors: &mut Vectors<L>, draw: &mut Draw<L>) -> L {
    let shape = vectors.shape;
    let [a, b] = &shape.scale_operands;
    let (least, greatest) = (i64::from(a.exponent_min + b.exponent_min), i64::from(a.exponent_max + b.exponent_max));
    let (c, d) = (&shape.c, &shape.d);
    // With the first the lowest product lies at the low end, with the second the highest one at the high end.
    let lowest = shape.a.exponent_min + shape.b.exponent_min;
    let highest = shape.a.exponent_max + shape.b.exponent_max;
    let (low, high) = match class {
        Class::Simple => return L::of(0).clamp(least, greatest),
        Class::Subnormal => (d.exponent_min - d.fraction_bits as i32 - 2, d.exponent_min),
        Class::OverflowEdge => (d.exponent_max - d.fraction_bits as i32 - 3, d.exponent_max),
        Class::Floor => (shape.floor - shape.fraction_bits - 2, shape.floor + 2),
        _ => {
            let meeting = draw.between(c.exponent_min, c.exponent_max);
            let ends = [meeting.plus(-lowest), meeting.plus(-highest)];
            let apart = draw.within(ends[0].minimum(ends[1]).plus(-1), ends[0].maximum(ends[1]).plus(1));
            return L::select(draw.flip(), draw.between(-3, 3), apart).clamp(least, greatest);
        }
    };
    let ends = [low - lowest, high - highest];
    draw.between(ends[0].min(ends[1]) - 1, ends[0].max(ends[1]) + 1).clamp(least, greatest)
}

/// Sets the scales of one block to about 2^exponent, split at random between a and b.
#[inline(always)]
fn set_scales<L: Lanes>(block: usize, exponent: L, exact: L::Mask, vectors: &mut Vectors<L>, draw: &mut Draw<L>) {
    let [a, b] = &vectors.shape.scale_operands;
    let low = exponent.plus(-b.exponent_max).maximum(L::of(i64::from(a.exponent_min)));
    let high = exponent.plus(-b.exponent_min).minimum(L::of(i64::from(a.exponent_max)));
    let first = draw.within(low, high);
    let fraction = |word: L| L::select(exact, L::of(0), word);
    let (fraction_a, fraction_b) = (fraction(draw.word()), fraction(draw.word()));
    let positive = L::of(0);
    vectors.scale_a[block] = a.number(positive, first, fraction_a);
    vectors.scale_b[block] = b.number(positive, exponent - first, fraction_b);
}
