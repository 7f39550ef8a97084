//! The sums that processors and kernels written by hand know, found from the steps of a unit: a file that lists them and its short form
//! have one shape.

use super::short_forms::{PRODUCT_INTEGER_BITS, chain, even_odd_chain, pairwise, with_addend};
use super::{Arithmetic, Flushing, InputSubnormals, Step, ZeroSign};
use crate::describe::format::Rounding;
use crate::describe::unit::{Alignment, AlignmentRounding, Family, Scheme, Unit};

/// A shape; formats and roundings are not part of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// Fused multiply-adds one after the other, from c: in the order of the products, or from the last one.
    FmaChain { descending: bool },
    /// Fused multiply-adds of even and of odd products from zero; both results are added, then c.
    EvenOddChain,
    /// One rounded product, and c.
    ProductThenSum,
    /// All products and c, rounded once.
    Exact,
}

impl Arithmetic {
    /// The shape of the steps, if it has a name.
    pub fn shape(&self) -> Option<Shape> {
        let operands = [&self.a, &self.b].into_iter().chain(&self.c);
        if self.scales.is_some() || operands.into_iter().any(|operand| operand.widened.is_some()) {
            return None;
        }
        let (order, last) = (self.permutation.iter().copied(), self.products);
        let ascending = order.len() == 0 || order.clone().eq(0..last);
        let descending = order.rev().eq(0..last);
        let inputs = self.c.as_ref().map_or(InputSubnormals::Kept, |c| c.subnormals);
        let c = self.c.is_some();
        let are = |steps: Vec<Step>, zero: ZeroSign| {
            steps.into_iter().map(|step| Step { zero, inputs, ..step }).eq(self.steps.iter().cloned())
        };
        if c && (ascending || descending) && are(vec![chain()], ZeroSign::Ieee) {
            return Some(Shape::FmaChain { descending: !ascending });
        }
        if c && ascending && are(even_odd_chain(c), ZeroSign::Ieee) {
            return Some(Shape::EvenOddChain);
        }
        if c && ascending && last == 1 && are(pairwise(c), ZeroSign::Ieee) {
            return Some(Shape::ProductThenSum);
        }
        let exact = ascending && are(vec![with_addend(c)], self.steps.first()?.zero);
        exact.then_some(Shape::Exact)
    }

    /// Whether every subnormal number is taken and returned as it is.
    pub fn keeps_subnormals(&self) -> bool {
        self.has_subnormals(InputSubnormals::Kept, Flushing::Kept)
    }

    /// Whether subnormal operands and tiny results are zeros of their sign.
    pub fn flushes_subnormals(&self) -> bool {
        self.has_subnormals(InputSubnormals::Flushed, Flushing::FlushedIfTiny)
    }

    fn has_subnormals(&self, inputs: InputSubnormals, results: Flushing) -> bool {
        let mut operands = [&self.a, &self.b].into_iter().chain(&self.c);
        operands.all(|operand| operand.subnormals == inputs) && self.conversion.subnormals == results
    }
}

impl Unit {
    /// The unit of one window, in the fields of the scheme `fused`, with the arithmetic of this one.
    pub fn as_fused(&self) -> Option<Unit> {
        let Some(list) = &self.list else { return (self.scheme.family() == Family::Fused).then(|| self.clone()) };
        let last = list.steps.last()?;
        let window = last.window.as_ref()?;
        let mut unit = Unit { scheme: Scheme::Fused, list: None, ..self.clone() };
        unit.alignment = Some(Alignment {
            fraction_bits: window.fraction_bits,
            rounding: AlignmentRounding::ALL.into_iter().find(|&known| Rounding::from(known) == window.rounding)?,
            exponent_floor: window.floor,
            normalise_products: list.steps.len() > 1,
        });
        let beside = 1 + PRODUCT_INTEGER_BITS + window.fraction_bits;
        unit.carry_bits = window.width.and_then(|width| width.checked_sub(beside));
        unit.conversion.zero_negative = last.zero == ZeroSign::Negative;
        unit.flush.addend = list.addend != InputSubnormals::Kept;
        unit.flush.to_plus_zero |= list.addend == InputSubnormals::FlushedToPlusZero;
        (unit.is_valid() && unit.arithmetic() == self.arithmetic()).then_some(unit)
    }
}
