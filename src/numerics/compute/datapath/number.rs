//! Numbers that steps pass on: operands, their exact products, and sums.

use super::unpack::Unpacked;
use crate::compute::word::{Flag, Word};
use crate::describe::arithmetic::{Exponent, InputSubnormals};
use crate::describe::format::Rounding;
use crate::describe::plan::{AlignPlan, InputPlan, LinkPlan, NumberPlan, SumKind, SumPlan, TermPlan};

/// (-1)^negative * significand * 2^(exponent - fraction_bits), an infinity of that sign, or NaN.
///
/// Infinity and NaN have some exponent and significand too, within the ranges of the plan.
#[derive(Debug, Clone, Copy)]
pub struct Number<W: Word> {
    pub negative: W::Flag,
    pub exponent: W,
    pub significand: W,
    /// A zero that has no exponent, and takes no part in an anchor.
    pub absent: W::Flag,
    pub infinite: W::Flag,
    pub nan: W::Flag,
}

impl<W: Word> Number<W> {
    /// +0, which has no exponent.
    #[inline(always)]
    pub fn zero(exponent: i32) -> Number<W> {
        let never = W::Flag::constant(false);
        Number {
            negative: never,
            exponent: W::literal(exponent.into()),
            significand: W::literal(0),
            absent: W::Flag::constant(true),
            infinite: never,
            nan: never,
        }
    }

    /// An operand, as a number of the wider format if there is one, and flushed if subnormals are at once.
    ///
    /// ```text
    ///   significand   0001.ffff     of a subnormal number
    ///   widened       1.ffff000     left by its leading zeros, or down to the wider format's least exponent
    /// ```
    #[inline(always)]
    pub fn operand(operand: &Unpacked<W>, input: &InputPlan) -> Number<W> {
        let plan = &input.number;
        let (exponent, significand) = match input.widened {
            None => (operand.exponent, operand.significand),
            Some(_) => {
                let room = operand.exponent - W::literal(plan.exponent_min.into());
                let shift = operand.significand.leading_zeros(plan.width()).minimum(room);
                let significand = operand.significand.shift_left_by(shift).claim_unsigned(plan.width());
                (operand.exponent - shift, significand)
            }
        };
        let number = Number {
            negative: operand.negative,
            exponent: exponent.claim(plan.exponent_min.into()..=plan.exponent_max.into()),
            significand,
            absent: operand.zero,
            infinite: operand.infinite,
            nan: operand.nan,
        };
        number.flushed(input.flushed, plan.subnormal_bits)
    }

    /// The number, or zero where it is a subnormal number of a format and those are flushed.
    #[inline(always)]
    pub fn flushed(self, flush: InputSubnormals, subnormal_bits: Option<u32>) -> Number<W> {
        let bits = match (flush, subnormal_bits) {
            (InputSubnormals::Kept, _) | (_, None) => return self,
            (_, Some(bits)) => bits,
        };
        let subnormal =
            self.significand.shift_right(bits).is_zero() & !self.significand.is_zero() & !self.infinite & !self.nan;
        let negative = match flush {
            InputSubnormals::FlushedToPlusZero => self.negative & !subnormal,
            _ => self.negative,
        };
        let significand = W::select(subnormal, W::literal(0), self.significand);
        Number { negative, significand, absent: self.absent | subnormal, ..self }
    }

    #[inline(always)]
    fn is_zero(&self) -> W::Flag {
        self.significand.is_zero() & !self.infinite & !self.nan
    }
}

/// The exact product, and whether it is one of infinity and zero.
#[inline(always)]
pub fn product<W: Word>(x: &Number<W>, y: &Number<W>, plan: &NumberPlan) -> (Number<W>, W::Flag) {
    let invalid = ((x.infinite & y.is_zero()) | (y.infinite & x.is_zero())) & !x.nan & !y.nan;
    let nan = x.nan | y.nan | invalid;
    let significand = (x.significand * y.significand).claim_unsigned(plan.width());
    let number = Number {
        negative: x.negative ^ y.negative,
        exponent: (x.exponent + y.exponent).claim(plan.exponent_min.into()..=plan.exponent_max.into()),
        significand,
        absent: x.significand.is_zero() | y.significand.is_zero(),
        infinite: (x.infinite | y.infinite) & !nan,
        nan,
    };
    (number, invalid)
}

/// The number times 2^shift.
#[inline(always)]
pub fn shifted<W: Word>(x: Number<W>, shift: i32) -> Number<W> {
    match shift {
        0 => x,
        _ => {
            Number { exponent: x.exponent + W::literal(shift.into()), absent: x.absent | x.significand.is_zero(), ..x }
        }
    }
}

/// A sum, and what coverage reads of it.
#[derive(Debug, Clone, Copy)]
pub struct Summed<W: Word> {
    pub number: Number<W>,
    pub anchor: W,
    pub total: W,
    /// Infinities of both signs.
    pub opposed: W::Flag,
}

/// A number as a sum takes it: with its sign there, flushed, with as many fraction bits as the others; in a window, with an exponent even
/// where it has none.
#[inline(always)]
pub fn entering<W: Word>(x: &Number<W>, term: &TermPlan, plan: &SumPlan) -> Number<W> {
    let negative = x.negative ^ W::Flag::constant(term.negate);
    let x = Number { negative, ..*x }.flushed(term.flush, term.number.subnormal_bits);
    let absent = match plan.zeros_absent {
        true => x.absent | x.significand.is_zero(),
        false => x.absent,
    };
    let x = Number { absent, ..x };
    let exponent = match plan.kind {
        SumKind::Window { .. } => W::select(x.absent, W::literal(plan.low.into()), x.exponent),
        SumKind::Single | SumKind::Exact { .. } => x.exponent,
    };
    Number { exponent, significand: x.significand.shift_left(term.widened), ..x }
}

/// The sum of numbers, whose aligned values are left in `aligned`.
#[inline(always)]
pub fn sum<W: Word>(numbers: &[Number<W>], link: &LinkPlan, aligned: &mut [W]) -> Summed<W> {
    let plan = &link.sum;
    let never = W::Flag::constant(false);
    let (mut nan, mut plus, mut minus) = (never, never, never);
    for x in numbers {
        nan = nan | x.nan;
        plus = plus | (x.infinite & !x.negative);
        minus = minus | (x.infinite & x.negative);
    }
    let opposed = plus & minus;
    let nan = nan | opposed;
    let infinite = (plus | minus) & !nan;
    let (anchor, absent, total) = match plan.kind {
        SumKind::Single => {
            let x = &numbers[0];
            (x.exponent, x.absent, x.significand.negate_if(x.negative))
        }
        SumKind::Exact { .. } => exact_total(numbers, &link.terms, plan, aligned),
        SumKind::Window { rounding, floor, wraps, .. } => {
            let (anchor, absent) = anchor(numbers, plan, floor);
            let mut total = W::literal(0);
            for (index, term) in link.terms.iter().enumerate() {
                let placed = align(&numbers[index], anchor, rounding, plan, &term.align);
                aligned[index] = placed;
                total = total + placed;
            }
            let total = match wraps {
                true => total.wrap(plan.width),
                false => total.claim_signed(plan.width),
            };
            (anchor, absent, total)
        }
    };
    let zero = total.is_zero();
    let below = total.less_than(W::literal(0));
    let finite_negative = (zero & zero_negative(numbers, link)) | below;
    let magnitude = total.negate_if(below);
    let (exponent, significand, absent) = placed(anchor, magnitude, zero, absent, plan);
    let number = Number {
        negative: (infinite & minus) | (!infinite & finite_negative),
        exponent: exponent.claim(plan.number.exponent_min.into()..=plan.number.exponent_max.into()),
        significand: significand.claim_unsigned(plan.number.width()),
        absent,
        infinite,
        nan,
    };
    Summed { number, anchor, total, opposed }
}

/// The sign of a sum that is zero.
#[inline(always)]
fn zero_negative<W: Word>(numbers: &[Number<W>], link: &LinkPlan) -> W::Flag {
    match link.zero_of_terms {
        false => W::Flag::constant(link.zero_negative),
        true => {
            let mut negative = W::Flag::constant(!link.zero_negative);
            for x in numbers {
                negative = match link.zero_negative {
                    true => negative | x.negative,
                    false => negative & x.negative,
                };
            }
            negative
        }
    }
}

/// Exponent, significand and absence of a sum, as its plan says.
#[inline(always)]
fn placed<W: Word>(anchor: W, magnitude: W, zero: W::Flag, absent: W::Flag, plan: &SumPlan) -> (W, W, W::Flag) {
    let number = &plan.number;
    match (&plan.kind, plan.exponent) {
        (SumKind::Single, _) | (SumKind::Window { .. }, Exponent::Own | Exponent::Anchor) => {
            (anchor, magnitude, absent)
        }
        (SumKind::Exact { .. }, Exponent::Own | Exponent::Fixed(_)) => {
            (W::literal(number.exponent_min.into()), magnitude, zero)
        }
        (SumKind::Exact { .. }, Exponent::Anchor) => {
            let up = W::literal(number.exponent_max.into()) - anchor;
            (anchor, magnitude.shift_left_by(up), absent)
        }
        (SumKind::Exact { place }, Exponent::Leading) => leading(W::literal(0), -*place, magnitude, zero, number),
        (SumKind::Window { fraction_bits, .. }, Exponent::Leading) => {
            leading(anchor, *fraction_bits as i32, magnitude, zero, number)
        }
        (SumKind::Window { fraction_bits, .. }, Exponent::Fixed(at)) => {
            let up = anchor - W::literal(i64::from(number.place()) + i64::from(*fraction_bits));
            (W::literal(at.into()), magnitude.shift_left_by(up), zero)
        }
    }
}

/// magnitude * 2^(exponent - fraction_bits) with its leading one in the top bit.
#[inline(always)]
fn leading<W: Word>(
    exponent: W,
    fraction_bits: i32,
    magnitude: W,
    zero: W::Flag,
    number: &NumberPlan,
) -> (W, W, W::Flag) {
    let width = number.width();
    let zeros = magnitude.leading_zeros(width);
    let top = exponent + W::literal(i64::from(width) - 1 - i64::from(fraction_bits));
    let exponent = W::select(zero, W::literal(number.exponent_min.into()), top - zeros);
    (exponent, magnitude.shift_left_by(zeros), zero)
}

/// The greatest exponent of numbers that enter a window, and whether there is none.
#[inline(always)]
fn anchor<W: Word>(numbers: &[Number<W>], plan: &SumPlan, floor: Option<i32>) -> (W, W::Flag) {
    let mut anchor = W::literal(floor.unwrap_or(plan.low).into());
    let mut absent = W::Flag::constant(floor.is_none());
    for x in numbers {
        anchor = anchor.maximum(x.exponent);
        absent = absent & x.absent;
    }
    (anchor.claim(plan.low.into()..=plan.high.into()), absent)
}

/// The exact sum in units of the lowest place, and the greatest exponent.
#[inline(always)]
fn exact_total<W: Word>(
    numbers: &[Number<W>],
    terms: &[TermPlan],
    plan: &SumPlan,
    aligned: &mut [W],
) -> (W, W::Flag, W) {
    let low = W::literal(plan.low.into());
    let (mut total, mut anchor, mut absent) = (W::literal(0), low, W::Flag::constant(true));
    for (index, term) in terms.iter().enumerate() {
        let (x, align) = (&numbers[index], &term.align);
        let up = x.exponent - W::literal(i64::from(align.exponent_min) - i64::from(align.place_left));
        let placed = x.significand.shift_left_by(up).claim_unsigned(align.placed_width).negate_if(x.negative);
        aligned[index] = placed;
        total = total + placed;
        anchor = anchor.maximum(W::select(x.absent, low, x.exponent));
        absent = absent & x.absent;
    }
    (anchor.claim(plan.low.into()..=plan.high.into()), absent, total.claim_signed(plan.width))
}

/// A number at its distance from the anchor, in units of the window's last place.
#[inline(always)]
fn align<W: Word>(x: &Number<W>, anchor: W, rounding: Rounding, plan: &SumPlan, align: &AlignPlan) -> W {
    let Cut { distance, kept, up } = cut(x, anchor, rounding, plan, align);
    let kept = match up {
        Some(up) => kept + W::from_flag(up),
        None => kept,
    };
    let magnitude = kept.shift_left(align.spare_left);
    let magnitude = match align.reach {
        Some(reach) => W::select(W::literal(reach.into()).less_than(distance), W::literal(0), magnitude),
        None => magnitude,
    };
    magnitude.negate_if(x.negative).claim_signed(plan.aligned_width)
}

/// What a module adds to the ones' complement of a negative number, or to another one: 0 or 1, at the place of `spare_left`.
pub fn up<W: Word>(x: &Number<W>, anchor: W, rounding: Rounding, plan: &SumPlan, align: &AlignPlan) -> W::Flag {
    let Cut { distance, up, .. } = cut(x, anchor, rounding, plan, align);
    let added = match (rounding, up) {
        // One more makes the row odd, without a carry.
        (Rounding::ToOdd, _) | (_, None) => x.negative,
        (_, Some(up)) => x.negative ^ up,
    };
    match align.reach {
        Some(reach) => added & !W::literal(reach.into()).less_than(distance),
        None => added,
    }
}

/// The magnitude of a number at the end of its window.
struct Cut<W: Word> {
    /// How far the number is below the anchor: one out of reach counts as zero.
    distance: W,
    kept: W,
    /// One more is kept, where the rounding can ask for it.
    up: Option<W::Flag>,
}

#[inline(always)]
fn cut<W: Word>(x: &Number<W>, anchor: W, rounding: Rounding, plan: &SumPlan, align: &AlignPlan) -> Cut<W> {
    let distance = (anchor - x.exponent).claim(0..=i64::from(plan.high) - i64::from(plan.low));
    let right = distance + W::literal(align.guard_bits.into());
    let placed = x.significand.shift_left(align.place_left).claim_unsigned(align.placed_width);
    let kept = placed.shift_right_by(right);
    let up = match rounding {
        Rounding::TowardZero => None,
        _ => Some(cut_up(placed, kept, right, x.negative, rounding, align.placed_width)),
    };
    Cut { distance, kept, up }
}

/// Whether one more is kept of a number that loses bits.
#[inline(always)]
fn cut_up<W: Word>(placed: W, kept: W, distance: W, negative: W::Flag, rounding: Rounding, width: u32) -> W::Flag {
    // Beyond one more than the placed width nothing changes: all bits are lost, and they are less than half.
    let bounded = distance.minimum(W::literal(i64::from(width) + 1));
    let lost = placed - kept.shift_left_by(bounded);
    let inexact = !lost.is_zero();
    match rounding {
        Rounding::TowardZero => W::Flag::constant(false),
        Rounding::TowardNegative => inexact & negative,
        Rounding::TowardPositive => inexact & !negative,
        Rounding::ToOdd => inexact & !kept.bit(0),
        Rounding::NearestAway => {
            let unit = W::literal(1).shift_left_by(bounded);
            inexact & !lost.shift_left(1).less_than(unit)
        }
        Rounding::NearestEven => {
            let (twice, unit) = (lost.shift_left(1), W::literal(1).shift_left_by(bounded));
            inexact & (unit.less_than(twice) | (unit.equals(twice) & kept.bit(0)))
        }
    }
}
