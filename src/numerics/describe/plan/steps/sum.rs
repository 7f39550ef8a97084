//! The sum of a link: where its numbers are placed, and what it can be.

use dashu_int::UBig;
use dashu_int::ops::BitTest;

use super::super::signed_width;
use super::{NumberPlan, Source};
use crate::describe::arithmetic::{Exponent, Flushing, InputSubnormals, Round, RoundTo, Step, Window};
use crate::describe::format::Rounding;

/// A number that enters a sum.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TermPlan {
    pub source: Source,
    pub is_addend: bool,
    pub negate: bool,
    /// Subnormal numbers of a format that enter.
    pub flush: InputSubnormals,
    /// Its range, and fraction bits that it is given to have as many as the others.
    pub number: NumberPlan,
    pub widened: u32,
    pub align: AlignPlan,
}

/// How a number is cut at its distance from the anchor.
///
/// ```text
///   significand      i.fffffff
///   placed           i.fffffff000 | gggg     left by place_left; guard bits, the addend's cut bits too
///   kept             window, then left by spare_left to the window's last place
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AlignPlan {
    /// Least exponent of the number.
    pub exponent_min: i32,
    pub place_left: u32,
    /// Bits below the last kept one at distance 0.
    pub guard_bits: u32,
    pub placed_width: u32,
    /// Zeros below what is kept of an addend with a shorter cut.
    pub spare_left: u32,
    /// A number further below the anchor counts as zero.
    pub reach: Option<u32>,
}

/// How numbers are added.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SumPlan {
    pub kind: SumKind,
    pub exponent: Exponent,
    /// Bits of the widest value on the way.
    pub widest: u32,
    /// Bits of an aligned number and of the sum, signs included.
    pub aligned_width: u32,
    pub width: u32,
    /// Bits below the window of every number at distance 0.
    pub guard_bits: u32,
    /// Whether the exponent of a zero takes no part in the anchor, though it may have one: the window is that of an exact sum.
    pub zeros_absent: bool,
    /// Least and greatest exponent that takes part, and the anchor where no number has one.
    pub low: i32,
    pub high: i32,
    exponent_width: u32,
    pub number: NumberPlan,
}

/// How numbers come to one place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SumKind {
    /// One number of so many fraction bits, as it is, or with its leading one in the top bit.
    Single { fraction_bits: i32 },
    /// Fixed point: each number is a multiple of 2^place.
    Exact { place: i32 },
    /// Below the greatest exponent.
    Window { fraction_bits: u32, rounding: Rounding, floor: Option<i32>, wraps: bool },
}

impl SumPlan {
    /// The plan of a sum of numbers, of which some are addends. `round` is the rounding that follows at once.
    pub(super) fn of(step: &Step, inputs: &[(NumberPlan, bool)], round: Option<&Round>) -> (Vec<AlignPlan>, SumPlan) {
        // A number that is rounded to a precision takes its exponent from its leading one.
        let rounded = round.is_some_and(|round| !matches!(round.to, RoundTo::Range { precision: None, .. }));
        let exponent = if rounded { Exponent::Own } else { step.exponent };
        match &step.window {
            Some(window) => windowed(window, exponent, inputs),
            None => match inputs {
                [(only, _)]
                    if !matches!(exponent, Exponent::Fixed(_))
                        && !round.is_some_and(|round| reaches_below(round, only)) =>
                {
                    single(exponent, only)
                }
                _ => match round.and_then(|round| narrow(round, inputs)) {
                    Some(window) => {
                        let (aligned, sum) = windowed(&window, Exponent::Own, inputs);
                        let zeros_absent = inputs.iter().any(|(number, _)| number.zero_has_exponent);
                        (aligned, SumPlan { zeros_absent, ..sum })
                    }
                    None => exact(exponent, inputs),
                },
            },
        }
    }

    /// Bits of two's complement that hold every exponent which takes part.
    #[inline]
    pub fn exponent_width(&self) -> u32 {
        self.exponent_width
    }

    /// The least anchor of a window, if it has one.
    #[inline]
    pub fn floor(&self) -> Option<i32> {
        match self.kind {
            SumKind::Window { floor, .. } => floor,
            SumKind::Single { .. } | SumKind::Exact { .. } => None,
        }
    }

    /// Whether sums are taken modulo a power of two that some of them reach.
    pub fn wraps(&self) -> bool {
        matches!(self.kind, SumKind::Window { wraps: true, .. })
    }

    /// Bits of the widest value on the way.
    pub(super) fn widest(&self) -> u32 {
        self.widest.max(self.width).max(self.number.width())
    }
}

/// One number: its exponent is also the greatest of all.
fn single(exponent: Exponent, only: &NumberPlan) -> (Vec<AlignPlan>, SumPlan) {
    let align = AlignPlan {
        exponent_min: only.exponent_min,
        place_left: 0,
        guard_bits: 0,
        placed_width: only.width(),
        spare_left: 0,
        reach: None,
    };
    let sum = SumPlan {
        kind: SumKind::Single { fraction_bits: only.fraction_bits },
        exponent,
        widest: only.width() + 1,
        aligned_width: only.width() + 1,
        width: only.width() + 1,
        guard_bits: 0,
        low: only.exponent_min,
        high: only.exponent_max,
        exponent_width: only.exponent_width(),
        zeros_absent: false,
        number: if exponent == Exponent::Leading { leading(only) } else { only.clone() },
    };
    (vec![align], sum)
}

/// All numbers in units of the lowest last place.
fn exact(exponent: Exponent, inputs: &[(NumberPlan, bool)]) -> (Vec<AlignPlan>, SumPlan) {
    let place = inputs.iter().map(|(number, _)| number.place()).min().unwrap_or(0);
    let mut total = UBig::ZERO;
    let mut aligned = Vec::new();
    for (number, _) in inputs {
        let place_left = (number.place() - place) as u32;
        let span = (number.exponent_max - number.exponent_min) as usize;
        let largest = &number.significand_max << (place_left as usize + span);
        let placed_width = largest.bit_len() as u32;
        total += largest;
        let exponent_min = number.exponent_min;
        aligned.push(AlignPlan { exponent_min, place_left, guard_bits: 0, placed_width, spare_left: 0, reach: None });
    }
    let width = 1 + total.bit_len() as u32;
    let aligned_width = 1 + aligned.iter().map(|align| align.placed_width).max().unwrap_or(0);
    let low = inputs.iter().map(|(number, _)| number.exponent_min).min().unwrap_or(0);
    let high = inputs.iter().map(|(number, _)| number.exponent_max).max().unwrap_or(0);
    let fixed = |at: i32| NumberPlan::new(total.clone(), at - place, at..=at);
    let number = match exponent {
        Exponent::Fixed(at) => fixed(at),
        Exponent::Own => fixed(0),
        // An exact sum has the greatest exponent where the file says so.
        Exponent::Anchor => floating(&fixed(0), low, high),
        Exponent::Leading => leading(&fixed(0)),
    };
    let kind = SumKind::Exact { place };
    let exponent_width = signed_width(low.into(), high.into());
    let (widest, guard_bits) = (width, 0);
    (
        aligned,
        SumPlan {
            kind,
            exponent,
            widest,
            aligned_width,
            width,
            guard_bits,
            zeros_absent: false,
            low,
            high,
            exponent_width,
            number,
        },
    )
}

/// A number in fixed point, brought to the exponents of its terms.
fn floating(fixed: &NumberPlan, low: i32, high: i32) -> NumberPlan {
    let place = fixed.place();
    NumberPlan::new(&fixed.significand_max << (high - low) as usize, high - place, low..=high)
        .with_exponents_of_zeros(true)
}

/// A number with its leading one in the top bit.
fn leading(number: &NumberPlan) -> NumberPlan {
    let width = number.width().max(1);
    let greatest = number.exponent_max + number.integer_bits().max(1) - 1;
    NumberPlan::of_width(width, width as i32 - 1, number.place()..=greatest)
}

fn windowed(window: &Window, exponent: Exponent, inputs: &[(NumberPlan, bool)]) -> (Vec<AlignPlan>, SumPlan) {
    let low = inputs.iter().map(|(number, _)| number.exponent_min).chain(window.floor).min().unwrap_or(0);
    let anchors = inputs.iter().map(|(number, _)| number.exponent_max);
    let high = anchors.chain(window.floor).max().unwrap_or(0);
    let least_anchor = window.floor.unwrap_or(low);
    let away = !matches!(window.rounding, Rounding::TowardZero);
    let guards = inputs.iter().map(|(number, _)| number.fraction_bits - window.fraction_bits as i32);
    let guard_bits = guards.max().unwrap_or(0).max(0) as u32;
    let (mut total, mut aligned, mut widest, mut aligned_width) = (UBig::ZERO, Vec::new(), 0, 1);
    for (number, is_addend) in inputs {
        let own = window.addend.as_ref().filter(|_| *is_addend);
        let spare_left = own.map_or(0, |own| window.fraction_bits - own.fraction_bits);
        let place_left = (window.fraction_bits as i32 + guard_bits as i32 - number.fraction_bits) as u32;
        let cut_bits = guard_bits + spare_left;
        let placed = &number.significand_max << place_left as usize;
        let kept = ((&placed >> cut_bits as usize) + UBig::from(u8::from(away))) << spare_left as usize;
        // The unit with which lost bits are compared is one place above the placed number.
        let placed_width = placed.bit_len() as u32;
        widest = widest.max(placed_width + 2 + spare_left);
        aligned_width = aligned_width.max(1 + kept.bit_len() as u32);
        total += kept;
        let (exponent_min, reach) = (number.exponent_min, own.and_then(|own| own.reach));
        aligned.push(AlignPlan { exponent_min, place_left, guard_bits: cut_bits, placed_width, spare_left, reach });
    }
    let derived = 1 + total.bit_len() as u32;
    let wraps = window.width.is_some_and(|width| width < derived);
    let width = if wraps { window.width.unwrap_or(derived) } else { derived };
    let significand_max = if wraps { UBig::ONE << (width as usize - 1) } else { total };
    let number = NumberPlan::new(significand_max, window.fraction_bits as i32, least_anchor.max(low)..=high)
        .with_exponents_of_zeros(true);
    let number = match exponent {
        Exponent::Own | Exponent::Anchor => number,
        Exponent::Leading => leading(&number),
        Exponent::Fixed(at) => {
            let span = (number.exponent_max - number.exponent_min) as usize;
            NumberPlan::new(&number.significand_max << span, at - number.place(), at..=at)
        }
    };
    let kind =
        SumKind::Window { fraction_bits: window.fraction_bits, rounding: window.rounding, floor: window.floor, wraps };
    let widest = derived.max(widest);
    let exponent_width = signed_width(low.into(), high.into());
    (
        aligned,
        SumPlan {
            kind,
            exponent,
            widest,
            aligned_width,
            width,
            guard_bits,
            zeros_absent: false,
            low,
            high,
            exponent_width,
            number,
        },
    )
}

/// Whether a rounding has a least exponent above those of a number, which is then cheaper cut there than shifted up to it.
fn reaches_below(round: &Round, number: &NumberPlan) -> bool {
    let least = match &round.to {
        RoundTo::Format(format) => Some(format.exponent_min()),
        RoundTo::Range { exponent_min, .. } => *exponent_min,
    };
    least.is_some_and(|least| least > number.exponent_min)
}

/// A window in which the exact sum of one or two numbers is rounded as it would be exactly: what is lost becomes a sticky bit.
///
/// Let x have the greater exponent E; as it is not zero, it is at least 2^(E - f_x). If y loses bits, it is below
/// 2^(E - F + f_y + i_y), f being fraction and i integer bits. With F >= f_x + f_y + i_y + 1 their sum is then above
/// 2^(E - f_x - 1), and with F >= f_x + P + 2 the last place of P bits of it is at least four units of the window. At a floor
/// of e_min at most one number may lose bits, which the other's last place decides; there the last place of the result is
/// 2^(e_min - P + 1), four units with F >= P + 1. Tininess is decided one place lower. A zero takes no part in E.
///
/// `None` where a window is no narrower than the exact sum, or the exact one is needed.
fn narrow(round: &Round, inputs: &[(NumberPlan, bool)]) -> Option<Window> {
    let (precision, least) = match &round.to {
        RoundTo::Format(format) if !format.is_integer() => (format.precision(), Some(format.exponent_min())),
        RoundTo::Range { precision: Some(precision), exponent_min, .. } => (*precision, *exponent_min),
        _ => return None,
    };
    let precision = precision as i32 + i32::from(round.subnormals == Flushing::FlushedIfTiny);
    let beside =
        |x: &NumberPlan, y: &NumberPlan| x.fraction_bits + (y.fraction_bits + y.integer_bits() + 1).max(precision + 2);
    let fraction_bits = match inputs {
        [(only, _)] => only.fraction_bits.max(precision + 2),
        [(x, _), (y, _)] => beside(x, y).max(beside(y, x)).max(precision + 2),
        _ => return None,
    };
    let mut places: Vec<i32> = inputs.iter().map(|(number, _)| number.place()).collect();
    places.sort_unstable();
    let floor = least.map(|least| places.get(1).map_or(least, |second| least.min(second + fraction_bits)));
    let span = |(number, _): &(NumberPlan, bool)| number.width() as i32 + number.exponent_max - number.place();
    let exact = inputs.iter().map(span).max().unwrap_or(0);
    (fraction_bits >= 0 && exact > fraction_bits + 4).then_some(Window {
        fraction_bits: fraction_bits as u32,
        rounding: Rounding::ToOdd,
        floor,
        width: None,
        addend: None,
    })
}
