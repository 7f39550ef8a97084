//! What happened inside the unit on one vector, read from its stages.

use super::event_set::EventSet;
use super::flag_events::flag_events;
use super::product::Term;
use super::scale_events::ScaleClasses;
use super::stages::Stages;
use crate::compute::word::MachineWord;
use crate::describe::plan::FusedPlan;

macro_rules! events {
    ($($(#[$doc:meta])* $event:ident = $name:literal),* $(,)?) => {
        /// Something that a stage can do.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Event {
            $($(#[$doc])* $event,)*
        }

        impl Event {
            /// Every event, in datapath order.
            pub const ALL: &'static [Event] = &[$(Event::$event),*];

            /// Name in reports.
            pub fn name(self) -> &'static str {
                match self {
                    $(Event::$event => $name,)*
                }
            }
        }
    };
}

events! {
    /// An operand a or b is subnormal.
    SubnormalOperand = "subnormal operand",
    /// The addend is subnormal.
    SubnormalAddend = "subnormal addend",
    /// An operand or the addend is NaN.
    NanOperand = "NaN operand",
    /// A scale is NaN.
    NanScale = "NaN scale",
    /// A scale is zero.
    ZeroScale = "zero scale",
    /// A scale is subnormal.
    SubnormalScale = "subnormal scale",
    /// A scale has the least exponent of its format.
    LeastScale = "least scale exponent",
    /// A scale has the greatest exponent of its format.
    GreatestScale = "greatest scale exponent",
    /// A factor is infinite and another is zero.
    InfinityTimesZero = "infinity times zero",
    /// Infinite terms of both signs.
    OpposingInfinities = "opposing infinities",
    /// An operand or the addend is a signalling NaN.
    SignallingNan = "signalling NaN",
    /// An infinity times zero beside a NaN, none of them signalling.
    InvalidProductBesideNan = "infinity times zero beside a NaN",
    /// Infinite terms of both signs beside a NaN, none of them signalling, and no infinity times zero.
    InvalidSumBesideNan = "opposing infinities beside a NaN",
    /// The result is infinite because a term is.
    InfiniteTerm = "infinite term",
    /// Nonzero products of a group add to exactly zero.
    GroupCancelled = "group cancellation",
    /// A product of finite factors is infinite: no finite result is as large.
    ProductOverflow = "product overflow",
    /// The sum of a group loses bits where the groups meet.
    GroupBitsLost = "group bits lost",
    /// The sum of products loses bits where it meets the addend.
    SumBitsLost = "sum bits lost",
    /// The addend lies too far below the products to take part.
    AddendDropped = "addend dropped",
    /// The sum of products and addend, normalised, loses bits before its conversion.
    TotalBitsLost = "total bits lost",
    /// The floor lies above the exponent of every nonzero term.
    FloorActive = "floor active",
    /// A term loses bits below the window.
    BitsLost = "term bits lost",
    /// A nonzero term lies below the window altogether.
    TermLost = "whole term lost",
    /// The sum needs a bit above the window.
    CarryUsed = "carry used",
    /// The sum needs the uppermost carry bit.
    LastCarryUsed = "last carry used",
    /// Nonzero terms add to exactly zero.
    Cancelled = "exact cancellation",
    /// The leading one lies above the anchor.
    NormalisedRight = "normalised right",
    /// The leading one lies below the anchor.
    NormalisedLeft = "normalised left",
    /// The conversion discards something.
    Inexact = "inexact conversion",
    /// The conversion discards exactly half a unit in the last place.
    Tie = "tie",
    /// The conversion moves the magnitude up.
    RoundedUp = "rounded up",
    /// Rounding up reaches the next binade.
    RoundingCarry = "rounding carry",
    /// The result is subnormal.
    SubnormalResult = "subnormal result",
    /// A nonzero sum becomes zero.
    Underflow = "underflow to zero",
    /// A tiny sum would be rounded up to the least normal number.
    TinyRoundedUp = "tiny rounded to normal",
    /// A finite sum lies above the largest finite number.
    Overflow = "overflow",
    /// A factor is the integer zero.
    ZeroInteger = "zero integer",
    /// A factor is the least integer of its format, below zero.
    LeastInteger = "least integer",
    /// Both factors of a product are the least integers of their formats, below zero.
    LeastProduct = "product of least integers",
    /// A sum of integers lies above the greatest result.
    AboveGreatest = "above the greatest integer",
    /// A sum of integers lies below the least result.
    BelowLeast = "below the least integer",
}

/// The events of the evaluation that left `stages`.
#[inline]
pub fn events<W: MachineWord>(plan: &FusedPlan, stages: &Stages<W>) -> EventSet {
    let mut set = EventSet::default();
    add_events(plan, stages, ScaleClasses::default(), &mut set);
    if plan.flags {
        flag_events(plan, stages, &mut set);
    }
    set
}

/// Adds the events of everything but the scales.
#[inline]
pub(super) fn add_events<W: MachineWord>(
    plan: &FusedPlan,
    stages: &Stages<W>,
    scales: ScaleClasses,
    set: &mut EventSet,
) {
    if operand_events(plan, stages, scales, set) {
        return;
    }
    let any_term = term_events(plan, stages, set);
    sum_events(plan, stages, any_term, set);
    conversion_events(plan, stages, set);
}

/// Events of the operands; returns whether infinity or NaN overrides the arithmetic.
#[inline]
pub(super) fn operand_events<W: MachineWord>(
    plan: &FusedPlan,
    stages: &Stages<W>,
    scales: ScaleClasses,
    set: &mut EventSet,
) -> bool {
    let zero = W::literal(0);
    let subnormal = |significand: W, fraction_bits: u32| {
        zero.less_than(significand) & significand.less_than(W::literal(1 << fraction_bits))
    };
    let c = &stages.unpacked_c;
    let mut nan = c.nan;
    let mut subnormals = false;
    let mut invalid = scales.infinity_times_zero;
    for (index, a) in stages.unpacked_a.iter().enumerate() {
        let b = &stages.unpacked_b[index];
        nan |= a.nan | b.nan;
        invalid |= (a.infinite & b.zero) | (b.infinite & a.zero);
        subnormals |= subnormal(a.significand, plan.a.fraction_bits) | subnormal(b.significand, plan.b.fraction_bits);
    }
    set.add(Event::SubnormalOperand, subnormals);
    set.add(Event::SubnormalAddend, subnormal(c.significand, plan.c.fraction_bits));
    set.add(Event::NanOperand, nan);
    let any_nan = nan | scales.nan;
    set.add(Event::InfinityTimesZero, invalid & !any_nan);
    set.add(Event::OpposingInfinities, stages.special.nan & !any_nan & !invalid);
    set.add(Event::InfiniteTerm, stages.special.infinite);
    stages.special.nan | stages.special.infinite
}

/// Events of alignment; returns whether any term is nonzero.
#[inline]
fn term_events<W: MachineWord>(plan: &FusedPlan, stages: &Stages<W>, set: &mut EventSet) -> bool {
    let zero = W::literal(0);
    let addend = plan.terms.count as usize;
    let mut greatest = None;
    let (mut bits_lost, mut term_lost) = (false, false);
    for (index, term) in stages.terms.iter().enumerate() {
        let aligned = stages.aligned[index];
        if term.significand.equals(zero) {
            continue;
        }
        greatest = Some(greatest.map_or(term.exponent, |greatest: W| greatest.maximum(term.exponent)));
        let place_left = if index == addend { plan.addend_place_left } else { plan.term_place_left };
        bits_lost |= loses_bits(plan, term, place_left, aligned, stages.anchor);
        term_lost |= aligned.equals(zero);
    }
    set.add(Event::BitsLost, bits_lost);
    set.add(Event::TermLost, term_lost);
    set.add(Event::FloorActive, greatest.is_some_and(|greatest| greatest.less_than(stages.anchor)));
    greatest.is_some()
}

/// Whether the aligned term differs from the exact one.
#[inline]
fn loses_bits<W: MachineWord>(plan: &FusedPlan, term: &Term<W>, place_left: u32, aligned: W, anchor: W) -> bool {
    let placed = term.significand.shift_left(place_left);
    let distance = anchor - term.exponent + W::literal(i64::from(plan.guard_bits));
    let reach = W::literal(i64::from(plan.window_width + plan.guard_bits));
    if reach.less_than(distance) {
        return true;
    }
    let magnitude = aligned.negate_if(term.negative);
    let above = placed.shift_right_by(distance);
    !magnitude.equals(above) | !above.shift_left_by(distance).equals(placed)
}

#[inline]
pub(super) fn sum_events<W: MachineWord>(plan: &FusedPlan, stages: &Stages<W>, any_term: bool, set: &mut EventSet) {
    let magnitude = stages.sum.negate_if(stages.normalised.negative);
    let reaches = |bits: u32| !magnitude.shift_right(bits).is_zero();
    let last_carry = plan.window_width + plan.carry_bits_derived.max(1) - 1;
    set.add(Event::CarryUsed, reaches(plan.window_width));
    set.add(Event::LastCarryUsed, reaches(last_carry));
    set.add(Event::Cancelled, stages.normalised.zero & any_term & !set.contains(Event::TermLost));
    set.add(Event::NormalisedRight, reaches(plan.fraction_bits + 1));
    set.add(Event::NormalisedLeft, !stages.normalised.zero & !reaches(plan.fraction_bits));
}

#[inline]
pub(super) fn conversion_events<W: MachineWord>(plan: &FusedPlan, stages: &Stages<W>, set: &mut EventSet) {
    let result = &plan.result;
    let discarded = plan.normalised_width - result.fraction_bits - 1;
    let significand = stages.normalised.significand;
    let kept = significand.shift_right(discarded);
    let rest = significand.field(0, discarded);
    let rounded_up = !kept.equals(stages.rounded);
    let hidden = W::literal(1 << result.fraction_bits);
    let lowest = stages.normalised.exponent.equals(W::literal(i64::from(result.exponent_min)));
    let subnormal = stages.rounded.less_than(hidden) & lowest & !stages.normalised.zero;
    let binades = stages.normalised.exponent - W::literal(i64::from(result.exponent_min));
    let magnitude = binades.shift_left(result.fraction_bits) + stages.rounded;
    set.add(Event::Inexact, !rest.is_zero());
    set.add(Event::Tie, rest.equals(W::literal(1).shift_left(discarded - 1)));
    set.add(Event::RoundedUp, rounded_up);
    let next_binade =
        stages.rounded.equals(hidden.shift_left(1)) | (stages.rounded.equals(hidden) & kept.less_than(hidden));
    set.add(Event::RoundingCarry, rounded_up & next_binade);
    set.add(Event::SubnormalResult, subnormal & !stages.rounded.is_zero());
    set.add(Event::Underflow, !stages.normalised.zero & stages.rounded.is_zero());
    let overflows = W::literal(result.magnitude_max as i64).less_than(magnitude) & !stages.normalised.zero;
    set.add(Event::Overflow, overflows);
}
