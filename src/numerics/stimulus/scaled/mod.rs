//! Vectors of block-scaled units: the same classes, with scales that let terms, addend and window meet.
//!
//! Where products are aligned one by one, the class shapes the elements around the exponent that the scales add. Where
//! groups are aligned by their scales alone, the class shapes the scales as if they were factors, and the elements of each
//! group follow.

mod elementwise;
mod grouped;

use super::Class;
use super::draw::Draw;
use super::vectors::Vectors;
use crate::describe::interface::Frame;
use crate::lanes::Lanes;
use grouped::Grouped;

/// How elements and scales of a unit go together.
#[derive(Debug, Clone)]
pub(super) enum Scaled {
    /// Products are aligned one by one.
    Elementwise,
    /// Groups of products are aligned by their scales alone.
    Grouped(Box<Grouped>),
}

impl Scaled {
    /// Of a frame, if it has scales.
    pub(super) fn of(frame: &Frame) -> Option<Scaled> {
        let scales = frame.unit.scales.as_ref()?;
        Some(match scales.group {
            Some(group) => Scaled::Grouped(Box::new(Grouped::new(frame, scales, group as usize))),
            None => Scaled::Elementwise,
        })
    }

    /// Draws one vector of a class in every lane.
    #[inline(always)]
    pub(super) fn generate<L: Lanes>(&self, class: Class, vectors: &mut Vectors<L>, draw: &mut Draw<L>) {
        let ordinary = match class {
            Class::Uniform => return class.generate(vectors, draw.source),
            Class::NonFinite => Class::Zero,
            Class::SpecialPosition if draw.source.shared.flip() => Class::Close,
            Class::SpecialPosition => Class::Simple,
            class => class,
        };
        match self {
            Scaled::Elementwise => elementwise::generate(ordinary, vectors, draw),
            Scaled::Grouped(grouped) => grouped.generate(ordinary, vectors, draw),
        }
        match class {
            Class::NonFinite => (0..=draw.source.shared.below(2)).for_each(|_| vectors.place_non_finite(draw)),
            Class::SpecialPosition => vectors.place_special(draw),
            _ => {}
        }
    }
}
