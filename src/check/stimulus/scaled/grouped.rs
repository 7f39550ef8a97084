//! Units that align groups by their scales alone: the class shapes the scales, as signed factors of one term a block; the
//! elements of each group then give the term its sign and a sum of about 1, or a large one.

use super::super::draw::Draw;
use super::super::operand::Operand;
use super::super::{Class, Shape};
use super::{Row, Scaled};
use crate::describe::format::Format;
use crate::describe::unit::{Scales, Unit};

/// How the elements of a group are filled.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Filling {
    /// One product of 1, the others zero.
    Unit,
    /// Anything finite.
    Mixed,
    /// Every product the largest, all of one sign.
    Largest,
    /// Pairs that cancel; now and then one element is changed.
    Cancelling,
}

/// The scales as factors.
#[derive(Debug, Clone)]
pub(super) struct Grouped {
    group: usize,
    /// A unit with one product a block, whose factors are scales with a sign and a zero.
    factors: Shape,
    /// Fraction bits that a factor has beyond its scale.
    spare_bits: [u32; 2],
}

/// A scale format with a sign, a fraction and a zero.
fn factor(format: &Format) -> Format {
    Format { signed: true, fraction_bits: format.fraction_bits.max(1), subnormals: true, ..format.clone() }
}

impl Grouped {
    pub(super) fn new(unit: &Unit, scales: &Scales, group: usize) -> Grouped {
        let mut factors = unit.clone();
        factors.products = unit.scale_count();
        factors.scales = None;
        factors.formats.a = factor(&scales.a);
        factors.formats.b = factor(&scales.b);
        let spare_bits = [&scales.a, &scales.b].map(|format| u32::from(format.fraction_bits == 0));
        Grouped { group, factors: Shape::of(&factors), spare_bits }
    }

    pub(super) fn generate(
        &self,
        scaled: &Scaled,
        class: Class,
        shape: &Shape,
        index: u64,
        draw: &mut Draw,
        row: &mut Row,
    ) {
        *row.c = class.generate(&self.factors, index, draw, row.scale_a, row.scale_b);
        let filling = filling(class, draw);
        // The same elements in every group let whole groups cancel each other.
        let alike = draw.flip();
        for block in 0..row.scale_a.len() {
            let a = self.scale(&scaled.a, &self.factors.a, self.spare_bits[0], &mut row.scale_a[block], draw);
            let b = self.scale(&scaled.b, &self.factors.b, self.spare_bits[1], &mut row.scale_b[block], draw);
            let elements = block * scaled.block..(block + 1) * scaled.block;
            for first in elements.step_by(self.group) {
                match alike && first > 0 {
                    true => self.repeat(first, row),
                    false => self.fill(filling, shape, first, draw, row),
                }
            }
            self.sign_block(scaled, block, [a, b], shape, row);
        }
    }

    /// Turns a factor into a scale; returns the factor's sign, or `None` for a zero that the scale cannot show.
    fn scale(
        &self,
        scale: &Operand,
        factor: &Operand,
        spare_bits: u32,
        place: &mut u64,
        draw: &mut Draw,
    ) -> Option<bool> {
        let negative = factor.is_negative(*place);
        let magnitude = if negative { factor.negated(*place) } else { *place };
        *place = match factor.non_finite.contains(&magnitude) {
            true => scale.non_finite[0],
            false => scale.near_largest(false, 0).min(magnitude >> spare_bits),
        };
        let shows_zero = spare_bits == 0 && draw.flip();
        if magnitude == 0 && !shows_zero {
            *place = scale.power(false, scale.exponent(draw));
            return None;
        }
        Some(negative)
    }

    /// Copies the elements of the first group.
    fn repeat(&self, first: usize, row: &mut Row) {
        row.a.copy_within(0..self.group, first);
        row.b.copy_within(0..self.group, first);
    }

    fn fill(&self, filling: Filling, shape: &Shape, first: usize, draw: &mut Draw, row: &mut Row) {
        let (a, b) = (&mut row.a[first..first + self.group], &mut row.b[first..first + self.group]);
        let one = draw.below(self.group);
        for i in 0..self.group {
            (a[i], b[i]) = match filling {
                Filling::Unit if i == one => (shape.a.power(false, 0), shape.b.power(false, 0)),
                Filling::Unit => (shape.a.zero(draw.flip()), shape.b.zero(draw.flip())),
                Filling::Largest => {
                    let negative = draw.flip();
                    (shape.a.near_largest(negative, 0), shape.b.near_largest(negative, 0))
                }
                Filling::Cancelling if i % 2 == 1 => (shape.a.negated(a[i - 1]), b[i - 1]),
                Filling::Cancelling if i + 1 == self.group => (shape.a.zero(false), shape.b.zero(false)),
                Filling::Mixed | Filling::Cancelling => (element(&shape.a, draw), element(&shape.b, draw)),
            };
        }
        if filling == Filling::Cancelling && draw.rarely(2) {
            a[one] ^= shape.a.fraction_bit(draw.below(shape.a.fraction_bits as usize));
        }
    }

    /// Gives the elements of a block the sign of its factors, or makes them zero.
    fn sign_block(&self, scaled: &Scaled, block: usize, factors: [Option<bool>; 2], shape: &Shape, row: &mut Row) {
        let elements = &mut row.a[block * scaled.block..(block + 1) * scaled.block];
        match factors {
            [Some(a), Some(b)] if a == b => {}
            [Some(_), Some(_)] => elements.iter_mut().for_each(|a| *a = shape.a.negated(*a)),
            _ => elements.fill(shape.a.zero(false)),
        }
    }
}

fn filling(class: Class, draw: &mut Draw) -> Filling {
    let often = match class {
        Class::CarryOut => return Filling::Largest,
        Class::Tie | Class::Floor | Class::OverflowEdge | Class::Simple => Filling::Unit,
        Class::Cancellation if draw.flip() => Filling::Unit,
        Class::Cancellation => Filling::Cancelling,
        _ => Filling::Mixed,
    };
    match draw.bits(3) {
        0 => Filling::Mixed,
        1 => Filling::Unit,
        _ => often,
    }
}

fn element(operand: &Operand, draw: &mut Draw) -> u64 {
    match draw.bits(3) {
        0 => operand.subnormal(draw),
        1 => operand.zero(draw.flip()),
        _ => {
            let exponent = operand.exponent(draw);
            operand.in_binade(exponent, draw)
        }
    }
}
