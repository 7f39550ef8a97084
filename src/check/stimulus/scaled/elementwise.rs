//! Scales of units that align their products one by one: one exponent for the vector, around which the class works.

use super::super::draw::Draw;
use super::super::{Class, Shape};
use super::{Row, Scaled};

/// Draws the scales' exponent, then elements and addend around it, then the scales.
pub(super) fn generate(scaled: &Scaled, class: Class, shape: &mut Shape, index: u64, draw: &mut Draw, row: &mut Row) {
    shape.scale = exponent(scaled, class, shape, draw);
    *row.c = class.generate(shape, index, draw, row.a, row.b);
    let exact = draw.flip();
    // Blocks of one vector mostly agree, so that the class means what it says; some differ by a few binades.
    let differ = draw.rarely(2);
    for block in 0..row.scale_a.len() {
        let apart = if differ { draw.between(-3, 3) } else { 0 };
        scaled.set_scales(block, shape.scale + apart, exact, draw, row);
    }
    let block = draw.below(row.scale_a.len());
    let (operand, place) = match draw.flip() {
        true => (&scaled.a, &mut row.scale_a[block]),
        false => (&scaled.b, &mut row.scale_b[block]),
    };
    if operand.fraction_bits > 0 {
        match class {
            Class::Zero if draw.rarely(3) => *place = operand.zero(false),
            Class::Subnormal if draw.rarely(2) => *place = operand.subnormal(draw),
            _ => {}
        }
    }
}

/// What the scales add to the exponents of products: such that products can lie where the class wants them.
fn exponent(scaled: &Scaled, class: Class, shape: &Shape, draw: &mut Draw) -> i32 {
    let (least, greatest) = scaled.exponents();
    let (c, d) = (&shape.c, &shape.d);
    let (low, high) = match class {
        Class::Simple => return 0.clamp(least, greatest),
        Class::Subnormal => (d.exponent_min - d.fraction_bits as i32 - 2, d.exponent_min),
        Class::OverflowEdge => (d.exponent_max - d.fraction_bits as i32 - 3, d.exponent_max),
        Class::Floor => (shape.floor - shape.fraction_bits - 2, shape.floor + 2),
        _ if draw.flip() => return draw.between(-3, 3).clamp(least, greatest),
        _ => {
            let meeting = draw.between(c.exponent_min, c.exponent_max);
            (meeting, meeting)
        }
    };
    // With the first the lowest product lies at the low end, with the second the highest one at the high end.
    let ends = [low - shape.a.exponent_min - shape.b.exponent_min, high - shape.a.exponent_max - shape.b.exponent_max];
    draw.between(ends[0].min(ends[1]) - 1, ends[0].max(ends[1]) + 1).clamp(least, greatest)
}
