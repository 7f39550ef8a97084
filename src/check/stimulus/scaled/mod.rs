//! Vectors of block-scaled units: the same classes, with scales that let terms, addend and window meet.
//!
//! Where products are aligned one by one, the class shapes the elements around the exponent that the scales add. Where
//! groups are aligned by their scales alone, the class shapes the scales as if they were factors, and the elements of each
//! group follow.

mod elementwise;
mod grouped;

use super::draw::Draw;
use super::operand::Operand;
use super::{Class, Shape};
use crate::describe::unit::Unit;
use grouped::Grouped;

/// One vector to fill.
pub(super) struct Row<'a> {
    pub a: &'a mut [u64],
    pub b: &'a mut [u64],
    pub scale_a: &'a mut [u64],
    pub scale_b: &'a mut [u64],
    pub c: &'a mut u64,
}

/// What the generators know of a unit's scales.
#[derive(Debug, Clone)]
pub(super) struct Scaled {
    a: Operand,
    b: Operand,
    block: usize,
    grouped: Option<Grouped>,
}

impl Scaled {
    /// The scales of a unit, if it has any.
    pub(super) fn of(unit: &Unit) -> Option<Scaled> {
        unit.scales.as_ref().map(|scales| Scaled {
            a: Operand::new(&scales.a),
            b: Operand::new(&scales.b),
            block: scales.block as usize,
            grouped: scales.group.map(|group| Grouped::new(unit, scales, group as usize)),
        })
    }

    /// Draws one vector of a class. `index` counts the vectors of the class.
    pub(super) fn generate(&self, class: Class, shape: &mut Shape, index: u64, draw: &mut Draw, row: &mut Row) {
        match class {
            Class::Uniform => self.uniform(shape, draw, row),
            Class::NonFinite => {
                self.ordinary(Class::Zero, shape, index, draw, row);
                for _ in 0..=draw.bits(1) {
                    self.non_finite(shape, draw, row);
                }
            }
            Class::SpecialPosition => {
                let class = if draw.flip() { Class::Close } else { Class::Simple };
                self.ordinary(class, shape, index, draw, row);
                self.special_position(shape, index, row);
            }
            class => self.ordinary(class, shape, index, draw, row),
        }
    }

    fn ordinary(&self, class: Class, shape: &mut Shape, index: u64, draw: &mut Draw, row: &mut Row) {
        match &self.grouped {
            Some(grouped) => grouped.generate(self, class, shape, index, draw, row),
            None => elementwise::generate(self, class, shape, index, draw, row),
        }
    }

    fn uniform(&self, shape: &Shape, draw: &mut Draw, row: &mut Row) {
        row.a.fill_with(|| shape.a.any(draw));
        row.b.fill_with(|| shape.b.any(draw));
        row.scale_a.fill_with(|| self.a.any(draw));
        row.scale_b.fill_with(|| self.b.any(draw));
        *row.c = shape.c.any(draw);
    }

    /// Puts an infinity or a NaN into an element, a scale or the addend.
    fn non_finite(&self, shape: &Shape, draw: &mut Draw, row: &mut Row) {
        let (operand, places) = match draw.below(5) {
            0 => (&shape.a, &mut *row.a),
            1 => (&shape.b, &mut *row.b),
            2 => (&self.a, &mut *row.scale_a),
            3 => (&self.b, &mut *row.scale_b),
            _ => (&shape.c, std::slice::from_mut(&mut *row.c)),
        };
        if !operand.non_finite.is_empty() {
            places[draw.below(places.len())] = operand.non_finite[draw.below(operand.non_finite.len())];
        }
    }

    /// Puts every special value into every position, in turn.
    fn special_position(&self, shape: &Shape, index: u64, row: &mut Row) {
        let operands = [&shape.a, &shape.b, &self.a, &self.b, &shape.c];
        let places =
            [&mut *row.a, &mut *row.b, &mut *row.scale_a, &mut *row.scale_b, std::slice::from_mut(&mut *row.c)];
        let positions: usize = places.iter().map(|places| places.len()).sum();
        let turn = index / positions as u64;
        let mut position = (index % positions as u64) as usize;
        for (operand, places) in operands.into_iter().zip(places) {
            if let Some(place) = places.get_mut(position) {
                *place = operand.specials[(turn % operand.specials.len() as u64) as usize];
                return;
            }
            position -= places.len();
        }
    }

    /// Sets the scales of one block to about 2^exponent, split at random between a and b.
    fn set_scales(&self, block: usize, exponent: i32, exact: bool, draw: &mut Draw, row: &mut Row) {
        let low = self.a.exponent_min.max(exponent - self.b.exponent_max);
        let high = self.a.exponent_max.min(exponent - self.b.exponent_min);
        let first = if low <= high { draw.between(low, high) } else { exponent / 2 };
        let fractions = if exact { [0; 2] } else { [draw.word(), draw.word()] };
        row.scale_a[block] = self.a.number(false, first, fractions[0]);
        row.scale_b[block] = self.b.number(false, exponent - first, fractions[1]);
    }

    /// Least and greatest exponent that two scales can add.
    fn exponents(&self) -> (i32, i32) {
        (self.a.exponent_min + self.b.exponent_min, self.a.exponent_max + self.b.exponent_max)
    }
}
