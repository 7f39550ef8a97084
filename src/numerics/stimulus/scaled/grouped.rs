//! Units that align groups by their scales alone: the class shapes the scales, as signed factors of one term a block; the
//! elements of each group then give the term its sign and a sum of about 1, or a large one.

use super::super::draw::Draw;
use super::super::operand::Operand;
use super::super::vectors::Vectors;
use super::super::{Class, Shape};
use crate::describe::format::Format;
use crate::describe::interface::Frame;
use crate::describe::unit::Scales;
use crate::lanes::{Lanes, Mask};

/// How the elements of a group are filled, in all lanes alike.
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
pub(in crate::stimulus) struct Grouped {
    group: usize,
    block: usize,
    /// A unit with one product a block, whose factors are scales with a sign and a zero.
    factors: Shape,
    /// Fraction bits that a factor has beyond its scale.
    spare_bits: [u32; 2],
}

/// A factor that became a scale.
struct Factor<L: Lanes> {
    /// 1 or 0.
    negative: L,
    /// A zero that the scale cannot show.
    vanished: L::Mask,
}

/// A scale format with a sign, a fraction and a zero.
fn factor(format: &Format) -> Format {
    Format { signed: true, fraction_bits: format.fraction_bits.max(1), subnormals: true, ..format.clone() }
}

impl Grouped {
    pub(super) fn new(frame: &Frame, scales: &Scales, group: usize) -> Grouped {
        let mut factors = frame.clone();
        let interface = &mut factors.interface;
        interface.products = frame.scale_count();
        interface.scales = None;
        interface.formats.a = factor(&scales.a);
        interface.formats.b = factor(&scales.b);
        let spare_bits = [&scales.a, &scales.b].map(|format| u32::from(format.fraction_bits == 0));
        Grouped { group, block: scales.block as usize, factors: Shape::of(&factors), spare_bits }
    }

    #[inline(always)]
    pub(super) fn generate<L: Lanes>(&self, class: Class, vectors: &mut Vectors<L>, draw: &mut Draw<L>) {
        let mut factors = Vectors::new(&self.factors, vectors.first_lane);
        class.generate(&mut factors, draw.source);
        vectors.c = factors.c;
        let filling = filling(class, draw);
        // The same elements in every group let whole groups cancel each other.
        let alike = draw.source.shared.flip();
        for block in 0..vectors.scale_a.len() {
            let [scale_a, scale_b] = &vectors.shape.scale_operands;
            let (a, own_a) = self.scale(scale_a, &self.factors.a, self.spare_bits[0], factors.a[block], draw);
            let (b, own_b) = self.scale(scale_b, &self.factors.b, self.spare_bits[1], factors.b[block], draw);
            (vectors.scale_a[block], vectors.scale_b[block]) = (a, b);
            for first in (block * self.block..(block + 1) * self.block).step_by(self.group) {
                match alike && first > 0 {
                    true => {
                        vectors.a.copy_within(0..self.group, first);
                        vectors.b.copy_within(0..self.group, first);
                    }
                    false => self.fill(filling, first, vectors, draw),
                }
            }
            self.sign_block(block, [own_a, own_b], vectors);
        }
    }

    /// Turns a factor into a scale.
    #[inline(always)]
    fn scale<L: Lanes>(
        &self,
        scale: &Operand,
        factor: &Operand,
        spare_bits: u32,
        encoding: L,
        draw: &mut Draw<L>,
    ) -> (L, Factor<L>) {
        let (positive, never) = (L::of(0), L::Mask::all(false));
        let negative = factor.sign(encoding);
        let magnitude = factor.negated_where(negative, encoding);
        let equals = |value: u64| magnitude.equals(L::of(value as i64));
        let special = factor.non_finite.iter().fold(never, |found, &value| found | equals(value));
        let mut own = magnitude.shift_right(spare_bits).minimum(scale.near_largest(positive, L::of(0)));
        if let Some(&value) = scale.non_finite.first() {
            own = L::select(special, L::of(value as i64), own);
        }
        let shows_zero = if spare_bits == 0 { draw.flip() } else { never };
        let vanished = equals(0) & !shows_zero;
        let anything = scale.power(positive, scale.exponent(draw));
        (L::select(vanished, anything, own), Factor { negative, vanished })
    }

    #[inline(always)]
    fn fill<L: Lanes>(&self, filling: Filling, first: usize, vectors: &mut Vectors<L>, draw: &mut Draw<L>) {
        let shape = vectors.shape;
        let (a, b) = (&mut vectors.a[first..first + self.group], &mut vectors.b[first..first + self.group]);
        let one = draw.below(L::of(self.group as i64));
        let positive = L::of(0);
        for i in 0..self.group {
            (a[i], b[i]) = match filling {
                Filling::Unit => {
                    let here = one.equals(L::of(i as i64));
                    let one = |format: &Operand, draw: &mut Draw<L>| {
                        L::select(here, format.power(positive, L::of(0)), format.zero(draw.sign()))
                    };
                    (one(&shape.a, draw), one(&shape.b, draw))
                }
                Filling::Largest => {
                    let negative = draw.sign();
                    (shape.a.near_largest(negative, L::of(0)), shape.b.near_largest(negative, L::of(0)))
                }
                Filling::Cancelling if i % 2 == 1 => (shape.a.negated(a[i - 1]), b[i - 1]),
                Filling::Cancelling if i + 1 == self.group => (shape.a.plain_zero(), shape.b.plain_zero()),
                Filling::Mixed | Filling::Cancelling => (element(&shape.a, draw), element(&shape.b, draw)),
            };
        }
        if filling == Filling::Cancelling {
            let changed = draw.rarely(2);
            for (i, a) in a.iter_mut().enumerate() {
                *a = *a ^ shape.a.fraction_bit(changed & one.equals(L::of(i as i64)), draw);
            }
        }
    }

    /// Gives the elements of a block the sign of its factors, or makes them zero.
    #[inline(always)]
    fn sign_block<L: Lanes>(&self, block: usize, [a, b]: [Factor<L>; 2], vectors: &mut Vectors<L>) {
        let format = &vectors.shape.a;
        let (opposite, vanished) = (a.negative ^ b.negative, a.vanished | b.vanished);
        for element in &mut vectors.a[block * self.block..(block + 1) * self.block] {
            let signed = format.negated_where(opposite, *element);
            *element = L::select(vanished, format.plain_zero(), signed);
        }
    }
}

#[inline(always)]
fn filling<L: Lanes>(class: Class, draw: &mut Draw<L>) -> Filling {
    let often = match class {
        Class::CarryOut => return Filling::Largest,
        Class::Tie | Class::Floor | Class::OverflowEdge | Class::Simple => Filling::Unit,
        Class::Cancellation if draw.source.shared.flip() => Filling::Unit,
        Class::Cancellation => Filling::Cancelling,
        _ => Filling::Mixed,
    };
    match draw.source.shared.below(8) {
        0 => Filling::Mixed,
        1 => Filling::Unit,
        _ => often,
    }
}

#[inline(always)]
fn element<L: Lanes>(operand: &Operand, draw: &mut Draw<L>) -> L {
    let kind = draw.bits(3);
    let exponent = operand.exponent(draw);
    let (subnormal, normal) = (operand.subnormal(draw), operand.in_binade(exponent, draw));
    let zero = operand.zero(draw.sign());
    let finite = L::select(kind.equals(L::of(0)), subnormal, normal);
    L::select(kind.equals(L::of(1)), zero, finite)
}
