//! Exception flags, decided beside the result: invalid from the operands, overflow from the rounded sum.

use super::convert;
use super::stages::Stages;
use super::unpack::Unpacked;
use crate::compute::word::{Flag, Word};
use crate::describe::plan::{FusedPlan, OperandPlan};
use crate::describe::unit::Flags;

/// Whether an operand is a signalling NaN: top fraction bit 0 (IEEE 754-2019, 6.2.1), in formats that have some.
///
/// ```text
///   NaN   hidden | quiet | fraction     the significand as unpacked
/// ```
#[inline(always)]
pub(super) fn signalling<W: Word>(operand: &Unpacked<W>, plan: &OperandPlan) -> W::Flag {
    let quiet = operand.significand.bit(plan.fraction_bits.max(1) - 1);
    operand.nan & !quiet & W::Flag::constant(plan.has_signalling_nan)
}

/// What makes an operation invalid, whatever the result is.
#[derive(Clone, Copy)]
pub(in crate::compute) struct Invalid<W: Word> {
    /// An operand is a signalling NaN.
    pub signalling: W::Flag,
    /// An infinity times zero.
    pub product: W::Flag,
    /// Infinite terms of both signs.
    pub sum: W::Flag,
}

/// A quiet NaN hides neither an invalid product beside it nor infinite terms of both signs; its own product is no infinite
/// one.
#[inline(always)]
pub(in crate::compute) fn invalid<W: Word>(plan: &FusedPlan, stages: &Stages<W>) -> Invalid<W> {
    let c = &stages.unpacked_c;
    let never = W::Flag::constant(false);
    let mut signals = if plan.has_addend { signalling(c, &plan.c) } else { never };
    let mut product = never;
    let mut plus_infinity = c.infinite & !c.negative;
    let mut minus_infinity = c.infinite & c.negative;
    for (index, a) in stages.unpacked_a.iter().enumerate() {
        let b = &stages.unpacked_b[index];
        signals = signals | signalling(a, &plan.a) | signalling(b, &plan.b);
        // The NaN of FNUZ formats has the significand of zero.
        product = product | (a.infinite & b.zero & !b.nan) | (b.infinite & a.zero & !a.nan);
        let negative = a.negative ^ b.negative;
        let infinite = (a.infinite & !b.nan & !b.zero) | (b.infinite & !a.nan & !a.zero);
        plus_infinity = plus_infinity | (infinite & !negative);
        minus_infinity = minus_infinity | (infinite & negative);
    }
    Invalid { signalling: signals, product, sum: plus_infinity & minus_infinity }
}

/// The flags of an evaluation as a number, in the order of [`Flags`].
#[inline(always)]
pub(super) fn flags<W: Word>(plan: &FusedPlan, stages: &Stages<W>) -> W {
    let Invalid { signalling, product, sum } = invalid(plan, stages);
    let finite = !stages.special.nan & !stages.special.infinite & !stages.normalised.zero;
    let magnitude = convert::unbounded_magnitude(&stages.normalised, stages.rounded, plan);
    let overflow = finite & W::literal(plan.result.magnitude_max as i64).less_than(magnitude);
    let invalid = W::from_flag(signalling | product | sum).shift_left(Flags::INVALID_BIT);
    (invalid + W::from_flag(overflow).shift_left(Flags::OVERFLOW_BIT)).claim_unsigned(Flags::WIDTH)
}
