//! Stage `product`: exact products, and the addend as one more term.

use super::unpack::Unpacked;
use crate::compute::record::{Encoding, Recorder, Stage};
use crate::compute::word::Word;
use crate::describe::plan::FusedPlan;

/// A signed term of the sum. A zero term has the anchor's floor as its exponent, so that it never raises the anchor.
#[derive(Debug, Clone, Copy)]
pub struct Term<W: Word> {
    pub negative: W::Flag,
    pub exponent: W,
    pub significand: W,
}

/// What the parts of a term are called.
#[derive(Debug)]
pub struct TermNames {
    pub negative: &'static str,
    pub significand: &'static str,
    pub exponent: &'static str,
}

/// Products of operands or elements.
pub const PRODUCT: &TermNames =
    &TermNames { negative: "product_negative", significand: "product_significand", exponent: "product_exponent" };

impl<W: Word> Term<W> {
    /// Hands out every part, the significand first: the exponent depends on whether it is zero.
    #[inline(always)]
    pub fn put(&self, names: &TermNames, width: u32, exponent_width: u32, recorder: &mut impl Recorder<W>) {
        recorder.put_flag(Stage::Product, names.negative, self.negative);
        recorder.put(Stage::Product, names.significand, Encoding::Unsigned(width), self.significand);
        recorder.put(Stage::Product, names.exponent, Encoding::Signed(exponent_width), self.exponent);
    }
}

/// The exact product of two operands.
///
/// ```text
///   significand   ii.ffff...f     ProductFractionBits; in [1, 4) for normal operands
///   normalised    i.ffff...ff     leading one in the top bit
/// ```
#[inline(always)]
pub fn product<W: Word>(a: &Unpacked<W>, b: &Unpacked<W>, plan: &FusedPlan) -> Term<W> {
    let exact = (a.significand * b.significand).claim_unsigned(plan.product_width);
    let mut significand = exact;
    let mut exponent = a.exponent + b.exponent;
    if plan.normalise_products {
        let zeros = exact.leading_zeros(plan.product_width);
        significand = exact.shift_left_by(zeros).claim_unsigned(plan.product_width);
        exponent = exponent + W::literal(1) - zeros;
    }
    Term { negative: a.negative ^ b.negative, exponent: floor_if_zero(exact, exponent, plan), significand }
}

/// The addend as a term.
#[inline(always)]
pub fn addend<W: Word>(c: &Unpacked<W>, plan: &FusedPlan) -> Term<W> {
    Term { negative: c.negative, exponent: floor_if_zero(c.significand, c.exponent, plan), significand: c.significand }
}

/// The exponent, or the anchor's floor for a zero term.
#[inline(always)]
fn floor_if_zero<W: Word>(significand: W, exponent: W, plan: &FusedPlan) -> W {
    W::select(significand.is_zero(), W::literal(i64::from(plan.exponent_floor)), exponent)
        .claim(i64::from(plan.term_exponent_min)..=i64::from(plan.term_exponent_max))
}
