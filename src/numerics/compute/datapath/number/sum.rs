//! Sums of numbers: of one; exact ones; and those in a window.

use super::Number;
use crate::compute::word::{Flag, Word};
use crate::describe::arithmetic::Exponent;
use crate::describe::format::Rounding;
use crate::describe::plan::{AlignPlan, EnterPlan, LinkPlan, NumberPlan, SumKind, SumPlan, TermRun};

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
fn entering<W: Word>(x: &Number<W>, enter: EnterPlan, zeros_absent: bool) -> Number<W> {
    let negative = x.negative ^ W::Flag::constant(enter.negate);
    let x = Number { negative, ..*x }.flushed(enter.flush, enter.subnormal_bits);
    let absent = match zeros_absent {
        true => x.absent | x.significand.is_zero(),
        false => x.absent,
    };
    Number { absent, significand: x.significand.shift_left(enter.widened), ..x }
}

/// A number as a sum takes it.
#[derive(Debug, Clone, Copy)]
pub struct Summand<W: Word> {
    pub negative: W::Flag,
    pub exponent: W,
    pub significand: W,
}

impl<W: Word> Summand<W> {
    pub fn zero() -> Summand<W> {
        Summand { negative: W::Flag::constant(false), exponent: W::literal(0), significand: W::literal(0) }
    }
}

/// The numbers that enter a sum so far.
#[derive(Debug, Clone, Copy)]
pub struct Entered<W: Word> {
    nan: W::Flag,
    /// One is infinite, of that sign.
    plus: W::Flag,
    minus: W::Flag,
    /// The greatest exponent, and whether no number has one.
    anchor: W,
    absent: W::Flag,
}

impl<W: Word> Entered<W> {
    /// None so far.
    #[inline(always)]
    pub fn none(plan: &SumPlan) -> Entered<W> {
        let (floor, never) = (plan.floor(), W::Flag::constant(false));
        Entered {
            nan: never,
            plus: never,
            minus: never,
            anchor: W::literal(floor.unwrap_or(plan.low).into()),
            absent: W::Flag::constant(floor.is_none()),
        }
    }

    /// All numbers of a run, which are left in `inputs` as the sum takes them.
    #[inline(always)]
    pub fn enter(&mut self, from: &[Number<W>], run: TermRun, plan: &SumPlan, inputs: &mut [Summand<W>]) {
        let (zeros_absent, low) = (plan.zeros_absent, W::literal(plan.low.into()));
        let in_window = matches!(plan.kind, SumKind::Window { .. });
        let mut entered = *self;
        for (index, input) in inputs.iter_mut().enumerate() {
            let x = entering(&from[index * run.distance as usize], run.enter, zeros_absent);
            *input = entered.add(&x, low, in_window);
        }
        *self = entered;
    }

    /// One number more, and how the sum takes it.
    #[inline(always)]
    fn add(&mut self, x: &Number<W>, low: W, in_window: bool) -> Summand<W> {
        self.classify(x);
        let exponent = W::select(x.absent, low, x.exponent);
        self.anchor = self.anchor.maximum(exponent);
        self.absent = self.absent & x.absent;
        let exponent = match in_window {
            true => exponent,
            false => x.exponent,
        };
        Summand { negative: x.negative, exponent, significand: x.significand }
    }

    #[inline(always)]
    fn anchor(&self, plan: &SumPlan) -> W {
        self.anchor.claim(plan.low.into()..=plan.high.into())
    }

    #[inline(always)]
    fn classify(&mut self, x: &Number<W>) {
        self.nan = self.nan | x.nan;
        self.plus = self.plus | (x.infinite & !x.negative);
        self.minus = self.minus | (x.infinite & x.negative);
    }
}

/// The sum of the numbers that entered, whose aligned values are left in `aligned`.
#[inline(always)]
pub fn sum<W: Word>(
    numbers: &[Summand<W>],
    entered: &Entered<W>,
    link: &LinkPlan,
    runs: &[TermRun],
    aligned: &mut [W],
) -> Summed<W> {
    let plan = &link.sum;
    let mut total = W::literal(0);
    match plan.kind {
        SumKind::Window { rounding, .. } => {
            let anchor = entered.anchor(plan);
            let mut first = 0;
            for run in runs {
                let (own, behind) = (run.align, first + run.count as usize);
                let aligned = &mut aligned[first..behind];
                for (index, x) in numbers[first..behind].iter().enumerate() {
                    let placed = align(x, anchor, rounding, plan, &own);
                    aligned[index] = placed;
                    total = total + placed;
                }
                first = behind;
            }
        }
        SumKind::Single { .. } | SumKind::Exact { .. } => {
            let mut first = 0;
            for run in runs {
                let (own, behind) = (run.align, first + run.count as usize);
                let aligned = &mut aligned[first..behind];
                for (index, x) in numbers[first..behind].iter().enumerate() {
                    let placed = in_fixed_point(x, &own);
                    aligned[index] = placed;
                    total = total + placed;
                }
                first = behind;
            }
        }
    }
    of_total(total, entered, link, zero_negative(numbers, link))
}

/// A sum of two numbers: as others, without what their loops cost. Both as the sum takes them, and aligned.
#[inline(always)]
pub fn two<W: Word>(
    numbers: [&Number<W>; 2],
    runs: &[TermRun; 2],
    link: &LinkPlan,
) -> ([Summand<W>; 2], [W; 2], Summed<W>) {
    let plan = &link.sum;
    let (zeros_absent, low) = (plan.zeros_absent, W::literal(plan.low.into()));
    let in_window = matches!(plan.kind, SumKind::Window { .. });
    let mut entered = Entered::none(plan);
    let x = entered.add(&entering(numbers[0], runs[0].enter, zeros_absent), low, in_window);
    let y = entered.add(&entering(numbers[1], runs[1].enter, zeros_absent), low, in_window);
    let aligned = match plan.kind {
        SumKind::Window { rounding, .. } => {
            let anchor = entered.anchor(plan);
            let first = align(&x, anchor, rounding, plan, &runs[0].align);
            [first, align(&y, anchor, rounding, plan, &runs[1].align)]
        }
        SumKind::Single { .. } | SumKind::Exact { .. } => {
            [in_fixed_point(&x, &runs[0].align), in_fixed_point(&y, &runs[1].align)]
        }
    };
    let total = W::literal(0) + aligned[0] + aligned[1];
    let inputs = [x, y];
    (inputs, aligned, of_total(total, &entered, link, zero_negative(&inputs, link)))
}

/// The sum of aligned numbers, with the sign of a zero.
#[inline(always)]
fn of_total<W: Word>(total: W, entered: &Entered<W>, link: &LinkPlan, zero_negative: W::Flag) -> Summed<W> {
    let plan = &link.sum;
    let anchor = entered.anchor(plan);
    let total = match plan.kind {
        SumKind::Window { wraps: true, .. } => total.wrap(plan.width),
        _ => total.claim_signed(plan.width),
    };
    let below = total.less_than(W::literal(0));
    let magnitude = total.negate_if(below);
    let (exponent, significand, absent) = placed(anchor, magnitude, total.is_zero(), entered.absent, plan);
    let x = Number { exponent, significand, absent, ..Number::zero(0) };
    summed(x, anchor, total, entered, link, zero_negative)
}

/// The sum of one number.
#[inline(always)]
pub fn single<W: Word>(x: &Number<W>, enter: EnterPlan, link: &LinkPlan) -> Summed<W> {
    let mut entered = Entered::none(&link.sum);
    let x = entering(x, enter, link.sum.zeros_absent);
    entered.classify(&x);
    let total = x.significand.negate_if(x.negative);
    let significand = total.negate_if(total.less_than(W::literal(0)));
    let zero_negative = match link.zero_of_terms {
        true => x.negative,
        false => W::Flag::constant(link.zero_negative),
    };
    let (exponent, significand, absent) = placed(x.exponent, significand, total.is_zero(), x.absent, &link.sum);
    let placed = Number { exponent, significand, absent, ..x };
    summed(placed, x.exponent, total, &entered, link, zero_negative)
}

/// A sum with the sign and the class that it has of its numbers.
#[inline(always)]
fn summed<W: Word>(
    x: Number<W>,
    anchor: W,
    total: W,
    entered: &Entered<W>,
    link: &LinkPlan,
    zero_negative: W::Flag,
) -> Summed<W> {
    let plan = &link.sum.number;
    let opposed = entered.plus & entered.minus;
    let nan = entered.nan | opposed;
    let infinite = (entered.plus | entered.minus) & !nan;
    let finite_negative = (total.is_zero() & zero_negative) | total.less_than(W::literal(0));
    let number = Number {
        negative: (infinite & entered.minus) | (!infinite & finite_negative),
        exponent: x.exponent.claim(plan.exponent_min.into()..=plan.exponent_max.into()),
        significand: x.significand.claim_unsigned(plan.width()),
        absent: x.absent,
        infinite,
        nan,
    };
    Summed { number, anchor, total, opposed }
}

/// The sign of a sum that is zero.
#[inline(always)]
fn zero_negative<W: Word>(numbers: &[Summand<W>], link: &LinkPlan) -> W::Flag {
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
        (SumKind::Single { fraction_bits }, Exponent::Leading) => {
            leading(anchor, *fraction_bits, magnitude, zero, number)
        }
        (SumKind::Single { .. }, _) | (SumKind::Window { .. }, Exponent::Own | Exponent::Anchor) => {
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

/// A number in units of the lowest place of all.
#[inline(always)]
fn in_fixed_point<W: Word>(x: &Summand<W>, align: &AlignPlan) -> W {
    let up = x.exponent - W::literal(i64::from(align.exponent_min) - i64::from(align.place_left));
    x.significand.shift_left_by(up).claim_unsigned(align.placed_width).negate_if(x.negative)
}

/// A number at its distance from the anchor, in units of the window's last place.
#[inline(always)]
fn align<W: Word>(x: &Summand<W>, anchor: W, rounding: Rounding, plan: &SumPlan, align: &AlignPlan) -> W {
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

/// The bit that a module adds to the ones' complement of a negative number, or to another one, at the place of `spare_left`.
pub fn up<W: Word>(x: &Summand<W>, anchor: W, rounding: Rounding, plan: &SumPlan, align: &AlignPlan) -> W::Flag {
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
fn cut<W: Word>(x: &Summand<W>, anchor: W, rounding: Rounding, plan: &SumPlan, align: &AlignPlan) -> Cut<W> {
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
