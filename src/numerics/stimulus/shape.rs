//! What the generators know of a unit: its formats and sizes, and the window that its sum has.

use super::draw::Draw;
use super::operand::Operand;
use crate::describe::interface::Frame;
use crate::lanes::Lanes;

/// What the generators know of a unit.
#[derive(Debug, Clone)]
pub struct Shape {
    pub products: usize,
    /// Scales of a per vector, and of b.
    pub scales: usize,
    pub a: Operand,
    pub b: Operand,
    /// Of a unit without an addend, numbers of the result's format, which are drawn and left out.
    pub c: Operand,
    pub d: Operand,
    pub has_addend: bool,
    /// F, the fraction bits below the anchor; 0 where nothing is aligned.
    pub fraction_bits: i32,
    /// Least exponent of the anchor, or the least exponent of a product where there is no floor.
    pub floor: i32,
    /// The scales of a and of b. Of a unit without scales, the formats of a and b, of which none is drawn.
    pub scale_operands: [Operand; 2],
}

impl Shape {
    /// The shape of a frame.
    pub fn of(frame: &Frame) -> Shape {
        let Frame { interface, unit } = frame;
        let formats = &interface.formats;
        let least_scale =
            interface.scales.as_ref().map_or(0, |scales| scales.a.exponent_min() + scales.b.exponent_min());
        let least_product = formats.a.exponent_min() + formats.b.exponent_min() + least_scale;
        let alignment = unit.alignment.as_ref();
        let floor = match &unit.addition {
            Some(addition) => addition.exponent_floor,
            None => alignment.and_then(|own| own.exponent_floor),
        };
        Shape {
            products: interface.products as usize,
            scales: interface.scale_count() as usize,
            a: Operand::new(&formats.a),
            b: Operand::new(&formats.b),
            c: Operand::new(if interface.has_addend() { &formats.c } else { &formats.d }),
            has_addend: interface.has_addend(),
            d: Operand::new(&formats.d),
            fraction_bits: alignment.map_or(0, |own| own.fraction_bits as i32),
            floor: floor.unwrap_or(least_product).max(least_product),
            scale_operands: match &interface.scales {
                Some(scales) => [Operand::new(&scales.a), Operand::new(&scales.b)],
                None => [Operand::new(&formats.a), Operand::new(&formats.b)],
            },
        }
    }

    /// Everything that has a format.
    pub fn operands(&self) -> [&Operand; 6] {
        let [scale_a, scale_b] = &self.scale_operands;
        [&self.a, &self.b, scale_a, scale_b, &self.c, &self.d]
    }

    /// An exponent of a such that the rest of `exponent` is one of b, where the formats allow.
    #[inline(always)]
    pub fn factor_exponent<L: Lanes>(&self, exponent: L, draw: &mut Draw<L>) -> L {
        let (a, b) = (&self.a, &self.b);
        let low = exponent.plus(-b.exponent_max).maximum(L::of(i64::from(a.exponent_min)));
        let high = exponent.plus(-b.exponent_min).minimum(L::of(i64::from(a.exponent_max)));
        // Beyond the formats the two change places: then both factors share what is beyond.
        draw.within(low.minimum(high), low.maximum(high))
    }
}
