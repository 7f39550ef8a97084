//! What happened inside a unit of the fused scheme on one vector, and what never can.

use super::{Event, EventSet, flags};
use crate::compute::datapath::{Stages, Term};
use crate::compute::word::MachineWord;
use crate::describe::format::Rounding;
use crate::describe::plan::FusedPlan;
use crate::describe::unit::AlignmentRounding;

/// Whether the event is one of every unit that adds floating-point numbers.
pub fn concerns(event: Event) -> bool {
    let of_steps = matches!(
        event,
        Event::NanScale
            | Event::ZeroScale
            | Event::SubnormalScale
            | Event::LeastScale
            | Event::GreatestScale
            | Event::ProductOverflow
            | Event::SumBitsLost
            | Event::AddendDropped
            | Event::TotalBitsLost
            | Event::TinyRoundedUp
    );
    let integers = super::integer::concerns(event) && !matches!(event, Event::Cancelled | Event::Overflow);
    !integers && !of_steps && !flags::concerns(event)
}

/// The events of the evaluation that left `stages`.
#[inline]
pub fn events<W: MachineWord>(plan: &FusedPlan, stages: &Stages<W>) -> EventSet {
    let mut set = EventSet::default();
    if !operand_events(plan, stages, &mut set) {
        let any_term = term_events(plan, stages, &mut set);
        sum_events(plan, stages, any_term, &mut set);
        conversion_events(plan, stages, &mut set);
    }
    if plan.flags {
        flags::add_events(plan, stages, &mut set);
    }
    set
}

/// Events of the operands; returns whether infinity or NaN overrides the arithmetic.
#[inline]
fn operand_events<W: MachineWord>(plan: &FusedPlan, stages: &Stages<W>, set: &mut EventSet) -> bool {
    let zero = W::literal(0);
    let subnormal = |significand: W, fraction_bits: u32| {
        zero.less_than(significand) & significand.less_than(W::literal(1 << fraction_bits))
    };
    let c = &stages.unpacked_c;
    let mut nan = c.nan;
    let mut subnormals = false;
    let mut invalid = false;
    for (index, a) in stages.unpacked_a.iter().enumerate() {
        let b = &stages.unpacked_b[index];
        nan |= a.nan | b.nan;
        invalid |= (a.infinite & b.zero) | (b.infinite & a.zero);
        subnormals |= subnormal(a.significand, plan.a.fraction_bits) | subnormal(b.significand, plan.b.fraction_bits);
    }
    set.add(Event::SubnormalOperand, subnormals);
    set.add(Event::SubnormalAddend, subnormal(c.significand, plan.c.fraction_bits));
    set.add(Event::NanOperand, nan);
    set.add(Event::InfinityTimesZero, invalid & !nan);
    set.add(Event::OpposingInfinities, stages.special.nan & !nan & !invalid);
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
fn sum_events<W: MachineWord>(plan: &FusedPlan, stages: &Stages<W>, any_term: bool, set: &mut EventSet) {
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
fn conversion_events<W: MachineWord>(plan: &FusedPlan, stages: &Stages<W>, set: &mut EventSet) {
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

/// Why the unit can never show the event; `None` for an event that a good stimulus must reach.
pub fn unreachable(plan: &FusedPlan, event: Event) -> Option<String> {
    let products_infinite = plan.a.has_infinity() || plan.b.has_infinity();
    match event {
        Event::SubnormalOperand if plan.a.flush_subnormals && plan.b.flush_subnormals => {
            Some("subnormal operands count as zero".to_owned())
        }
        Event::SubnormalAddend if !plan.has_addend => Some("there is no addend".to_owned()),
        Event::SubnormalAddend if plan.c.flush_subnormals => Some("subnormal addends count as zero".to_owned()),
        Event::NanOperand if !plan.a.has_nan() && !plan.b.has_nan() && !plan.c.has_nan() => {
            Some("no operand format has a NaN".to_owned())
        }
        Event::InfinityTimesZero if !products_infinite => Some("no factor can be infinite".to_owned()),
        Event::OpposingInfinities if !products_infinite => Some("only the addend can be infinite".to_owned()),
        Event::InfiniteTerm if !products_infinite && !plan.c.has_infinity() => {
            Some("no term can be infinite".to_owned())
        }
        Event::FloorActive if plan.exponent_floor <= plan.term_exponent_min => {
            Some(format!("no term has an exponent below {}", plan.exponent_floor))
        }
        Event::BitsLost | Event::TermLost if plan.loses_no_bit().is_some() => plan.loses_no_bit(),
        Event::TermLost if plan.alignment_rounding == AlignmentRounding::ToOdd => {
            Some("rounding to odd leaves a sticky bit of every term".to_owned())
        }
        Event::CarryUsed => plan.never_carries(),
        Event::LastCarryUsed => plan.last_carry_spare(),
        Event::Inexact | Event::Tie | Event::RoundedUp | Event::RoundingCarry if plan.never_rounds().is_some() => {
            plan.never_rounds()
        }
        Event::Inexact | Event::Tie | Event::RoundedUp | Event::RoundingCarry => {
            of_rounding(plan.result.rounding, event)
        }
        Event::Underflow if plan.result.rounding == Rounding::ToOdd => of_rounding(plan.result.rounding, event),
        Event::SubnormalResult => plan.never_subnormal(),
        Event::Underflow => plan.never_underflows(),
        Event::Overflow => plan.never_overflows(),
        event => flags::unreachable(plan, event),
    }
}

/// Why the way in which results are rounded never shows the event.
pub(super) fn of_rounding(rounding: Rounding, event: Event) -> Option<String> {
    match (event, rounding) {
        (Event::RoundedUp | Event::RoundingCarry, Rounding::TowardZero) => {
            Some("truncation never rounds up".to_owned())
        }
        (Event::RoundingCarry | Event::Underflow, Rounding::ToOdd) => {
            Some("rounding to odd goes up to odd numbers only".to_owned())
        }
        _ => None,
    }
}
