//! One rounding of a number, and the encoding of the last one.

use super::number::Number;
use crate::compute::record::{Encoding, Recorder, Stage};
use crate::compute::word::{Flag, Word};
use crate::describe::arithmetic::Flushing;
use crate::describe::format::Rounding;
use crate::describe::plan::{LimitPlan, NormalisePlan, ResultPlan, RoundPlan};

/// A rounded number, and the values on the way from which its events follow.
#[derive(Debug, Clone, Copy)]
pub struct Rounded<W: Word> {
    pub number: Number<W>,
    /// A finite number is above the greatest one.
    pub overflow: W::Flag,
    /// The sign before.
    negative: W::Flag,
    /// Neither zero nor special.
    finite: W::Flag,
    /// Weight of the top bit, and the significand before it is rounded and afterwards.
    top: W,
    normal: W,
    whole: W,
    /// A finite number becomes infinite.
    infinite: W::Flag,
}

impl<W: Word> Rounded<W> {
    /// That of a zero.
    pub fn zero() -> Rounded<W> {
        let (never, nothing) = (W::Flag::constant(false), W::literal(0));
        Rounded {
            number: Number::zero(0),
            overflow: never,
            negative: never,
            finite: never,
            top: nothing,
            normal: nothing,
            whole: nothing,
            infinite: never,
        }
    }
}

/// The events of a rounding.
#[derive(Debug, Clone, Copy)]
pub struct Happened<W: Word> {
    /// Something is discarded; it is half a unit in the last place; one more is kept.
    pub inexact: W::Flag,
    pub tie: W::Flag,
    pub up: W::Flag,
    /// Keeping one more reaches the next binade.
    pub carry: W::Flag,
    /// The number is subnormal before it is flushed.
    pub subnormal: W::Flag,
    /// A number that is not zero becomes zero.
    pub underflow: W::Flag,
    /// A tiny number would be rounded to a normal one.
    pub tiny: W::Flag,
}

/// The number rounded as its plan says.
#[inline(always)]
pub fn round<W: Word>(x: &Number<W>, plan: &RoundPlan, recorder: &mut impl Recorder<W>) -> Rounded<W> {
    match &plan.normalise {
        None => bounded(x, plan),
        Some(normalise) => rounded(x, plan, normalise, recorder),
    }
}

/// Nothing is rounded: numbers of too great an exponent are infinite.
#[inline(always)]
pub fn bounded<W: Word>(x: &Number<W>, plan: &RoundPlan) -> Rounded<W> {
    let finite = !x.significand.is_zero() & !x.infinite & !x.nan;
    let overflow = match (plan.never_exceeds(), &plan.limit) {
        (false, &LimitPlan::Exponent(Some(greatest))) => {
            let width = plan.input.width().max(1);
            let top = x.exponent + W::literal(i64::from(width) - 1 - i64::from(plan.input.fraction_bits));
            let leading = top - x.significand.leading_zeros(width);
            W::literal(greatest.into()).less_than(leading) & finite
        }
        _ => W::Flag::constant(false),
    };
    Rounded {
        number: Number { infinite: x.infinite | overflow, ..*x },
        overflow,
        negative: x.negative,
        finite,
        top: x.exponent,
        normal: x.significand,
        whole: x.significand,
        infinite: overflow,
    }
}

/// The events of a rounding; none of one that only bounds a number.
pub fn happened<W: Word>(rounded: &Rounded<W>, plan: &RoundPlan) -> Option<Happened<W>> {
    let normalise = plan.normalise.as_ref()?;
    let &Rounded { number, negative, finite, top, normal, whole, infinite, .. } = rounded;
    let precision = normalise.precision;
    let Kept { kept, guard, sticky, up } = keep(normal, precision, negative, plan.rounding, normalise);
    let carry = whole.bit(precision);
    let lowest = lowest(top, normalise);
    let subnormal = lowest & subnormal_bits(whole, precision) & finite & !rounded.overflow;
    let tiny = match plan.subnormals {
        Flushing::FlushedIfTiny => {
            lowest & below_least(normal, negative, plan, normalise) & !subnormal_bits(whole, precision) & finite
        }
        _ => W::Flag::constant(false),
    };
    Some(Happened {
        inexact: (guard | sticky) & finite,
        tie: guard & !sticky & finite,
        up: up & finite,
        carry: up & finite & (carry | (lowest & subnormal_bits(kept, precision) & !subnormal)),
        subnormal,
        underflow: number.significand.is_zero() & finite & !infinite,
        tiny,
    })
}

/// The upper bits of a significand, and those that decide about one more.
struct Kept<W: Word> {
    kept: W,
    guard: W::Flag,
    sticky: W::Flag,
    up: W::Flag,
}

/// The upper bits of a normalised significand.
///
/// ```text
///   significand   1fffff | g s s s s     kept, guard, sticky
/// ```
#[inline(always)]
fn keep<W: Word>(
    significand: W,
    bits: u32,
    negative: W::Flag,
    rounding: Rounding,
    normalise: &NormalisePlan,
) -> Kept<W> {
    let discarded = normalise.width - bits;
    let kept = significand.shift_right(discarded);
    let guard = significand.bit(discarded - 1);
    let sticky = !significand.field(0, discarded - 1).is_zero();
    let inexact = guard | sticky;
    let up = match rounding {
        Rounding::NearestEven => guard & (sticky | kept.bit(0)),
        Rounding::NearestAway => guard,
        Rounding::TowardZero => W::Flag::constant(false),
        Rounding::TowardPositive => inexact & !negative,
        Rounding::TowardNegative => inexact & negative,
        Rounding::ToOdd => inexact & !kept.bit(0),
    };
    Kept { kept, guard, sticky, up }
}

/// The significand with its leading one in the top bit, or at the least exponent; and the weight of the top bit. That of a zero goes
/// as far as a shift can say.
///
/// ```text
///   window        0000 significand 000     headroom, significand, pad
/// ```
#[inline(always)]
fn normalised<W: Word>(x: &Number<W>, plan: &NormalisePlan, recorder: &mut impl Recorder<W>) -> (W, W) {
    let window = x.significand.shift_left(plan.pad_bits);
    let top = x.exponent + W::literal(plan.top_offset.into());
    let (top, normal) = match plan.shifts {
        true => shifted(window, top, plan),
        false => (top, window),
    };
    recorder.put(Stage::Normalised, "normalised_exponent", Encoding::Signed(plan.exponent_width), top);
    recorder.put(Stage::Normalised, "normalised_significand", Encoding::Unsigned(plan.width), normal);
    (top, normal)
}

#[inline(always)]
fn shifted<W: Word>(window: W, top: W, plan: &NormalisePlan) -> (W, W) {
    let shift = W::select(window.is_zero(), W::literal(plan.shift_max.into()), window.leading_zeros(plan.width));
    let shift = match plan.exponent_min {
        Some(least) => shift.minimum(top - W::literal(least.into())),
        None => shift,
    };
    (top - shift, window.shift_left_by(shift).claim_unsigned(plan.width))
}

#[inline(always)]
fn rounded<W: Word>(
    x: &Number<W>,
    plan: &RoundPlan,
    normalise: &NormalisePlan,
    recorder: &mut impl Recorder<W>,
) -> Rounded<W> {
    let precision = normalise.precision;
    let zero = x.significand.is_zero();
    let finite = !zero & !x.infinite & !x.nan;
    let (top, normal) = normalised(x, normalise, recorder);
    let Kept { kept, up, .. } = keep(normal, precision, x.negative, plan.rounding, normalise);
    let whole = (kept + W::from_flag(up)).claim_unsigned(precision + 1);
    recorder.put(Stage::Rounded, "rounded", Encoding::Unsigned(precision + 1), whole);
    let carry = whole.bit(precision);
    let significand = W::select(carry, whole.shift_right(1), whole);
    let exponent = top + W::from_flag(carry);
    let limited = limit(exponent, significand, x.negative, finite, plan);
    let never = W::Flag::constant(false);
    let lowest = lowest(top, normalise);
    let subnormal = lowest & subnormal_bits(significand, precision) & !limited.overflow & finite;
    let (none, overflow, infinite) = match plan.subnormals {
        Flushing::Kept => (zero, limited.overflow, limited.infinite),
        Flushing::Flushed => (zero | subnormal, limited.overflow, limited.infinite),
        Flushing::FlushedIfTiny => {
            let tiny = lowest & below_least(normal, x.negative, plan, normalise) & finite;
            let flushed = subnormal | tiny;
            (zero | flushed, limited.overflow & !tiny, limited.infinite & !flushed)
        }
    };
    let significand = W::select(none, W::literal(0), limited.significand);
    let gone = significand.is_zero();
    let infinite = x.infinite | infinite;
    let negative = match (&plan.limit, plan.rounded_zero_positive) {
        (LimitPlan::Format { has_negative_zero: false, .. }, _) => x.negative & (!gone | infinite),
        (_, true) => x.negative & (!gone | infinite | zero),
        (_, false) => x.negative,
    };
    let (infinite, nan) = match plan.limit {
        LimitPlan::Format { has_infinity: false, .. } => (never, x.nan | infinite),
        _ => (infinite, x.nan),
    };
    let exponent = match plan.limit {
        LimitPlan::Format { .. } => limited.exponent,
        LimitPlan::Exponent(_) => W::select(gone, W::literal(plan.number.exponent_min.into()), limited.exponent),
    };
    let number = Number {
        negative,
        exponent: exponent.claim(plan.number.exponent_min.into()..=plan.number.exponent_max.into()),
        significand: significand.claim_unsigned(plan.number.width()),
        absent: gone,
        infinite,
        nan,
    };
    Rounded { number, overflow, negative: x.negative, finite, top, normal, whole, infinite: limited.infinite }
}

/// Whether a number is at the least exponent.
#[inline(always)]
fn lowest<W: Word>(top: W, normalise: &NormalisePlan) -> W::Flag {
    match normalise.exponent_min {
        Some(least) => top.equals(W::literal(least.into())),
        None => W::Flag::constant(false),
    }
}

/// Whether a significand has no leading one in its top bit.
#[inline(always)]
fn subnormal_bits<W: Word>(significand: W, precision: u32) -> W::Flag {
    significand.shift_right(precision - 1).is_zero()
}

/// Whether a number at the least exponent is below the least normal number, rounded as if exponents had no bound.
#[inline(always)]
fn below_least<W: Word>(normal: W, negative: W::Flag, plan: &RoundPlan, normalise: &NormalisePlan) -> W::Flag {
    let finer = keep(normal, normalise.precision + 1, negative, plan.rounding, normalise);
    (finer.kept + W::from_flag(finer.up)).shift_right(normalise.precision).is_zero()
}

/// A rounded number within the range.
struct Limited<W: Word> {
    exponent: W,
    significand: W,
    overflow: W::Flag,
    infinite: W::Flag,
}

#[inline(always)]
fn limit<W: Word>(exponent: W, significand: W, negative: W::Flag, finite: W::Flag, plan: &RoundPlan) -> Limited<W> {
    let never = W::Flag::constant(false);
    match plan.limit {
        LimitPlan::Exponent(None) => Limited { exponent, significand, overflow: never, infinite: never },
        LimitPlan::Exponent(Some(greatest)) => {
            let overflow = W::literal(greatest.into()).less_than(exponent) & finite;
            Limited { exponent, significand, overflow, infinite: overflow }
        }
        LimitPlan::Format { largest_exponent, largest_significand, to_infinity, .. } => {
            let (greatest, largest) = (W::literal(largest_exponent.into()), W::literal(largest_significand as i64));
            let beyond = greatest.less_than(exponent);
            let above = match plan.has_whole_range() {
                true => beyond,
                false => beyond | (greatest.equals(exponent) & largest.less_than(significand)),
            };
            let overflow = above & finite;
            Limited {
                exponent: W::select(above, greatest, exponent),
                significand: W::select(above, largest, significand),
                overflow,
                infinite: match to_infinity {
                    [true, true] => overflow,
                    [false, false] => never,
                    [true, false] => overflow & !negative,
                    [false, true] => overflow & negative,
                },
            }
        }
    }
}

/// The encoding of a number that the format of the result has.
#[inline(always)]
pub fn pack<W: Word>(x: &Number<W>, plan: &ResultPlan) -> W {
    // Without a hidden bit a number has the least exponent, or is a zero, whose exponent does not count.
    let hidden = x.significand.bit(plan.fraction_bits);
    let field = W::select(hidden, x.exponent - W::literal(i64::from(plan.exponent_min) - 1), W::literal(0));
    let magnitude = field.shift_left(plan.fraction_bits) + x.significand.field(0, plan.fraction_bits);
    let magnitude = match plan.infinity_magnitude {
        Some(infinity) => W::select(x.infinite, W::literal(infinity as i64), magnitude),
        None => magnitude,
    };
    let sign = W::select(x.negative, W::bits(1 << (plan.width - 1)), W::literal(0));
    let word = sign + magnitude.shift_left(plan.padding_bits);
    W::select(x.nan, W::bits(plan.nan), word).claim_unsigned(plan.width)
}
