//! The events of a list of steps on one vector: of all its links together.

use super::{Event, EventSet, fused};
use crate::compute::datapath::round;
use crate::compute::datapath::schemes::steps::{LinkStages, StepsStages};
use crate::compute::word::MachineWord;
use crate::describe::arithmetic::Flushing;
use crate::describe::plan::{LimitPlan, LinkPlan, OperandPlan, StepsPlan};

/// Whether the event is one of the list.
pub fn concerns(plan: &StepsPlan, event: Event) -> bool {
    let windows = plan.links.iter().any(|link| link.is_cut);
    let reach = plan.links.iter().flat_map(|link| &link.terms).any(|term| term.align.reach.is_some());
    let tiny = plan.links.iter().flat_map(|link| &link.rounds).any(|round| round.subnormals == Flushing::FlushedIfTiny);
    match event {
        Event::BitsLost | Event::TermLost | Event::FloorActive => windows,
        Event::AddendDropped => reach,
        Event::TinyRoundedUp => tiny,
        Event::NanScale | Event::ZeroScale => plan.scales.is_some(),
        Event::SignallingNan => plan.flags,
        Event::CarryUsed | Event::LastCarryUsed | Event::NormalisedLeft | Event::NormalisedRight => false,
        _ => fused::concerns(event),
    }
}

/// The events of the evaluation that left `stages`.
#[inline]
pub fn events<W: MachineWord>(plan: &StepsPlan, stages: &StepsStages<W>) -> EventSet {
    let mut set = EventSet::default();
    let subnormal = |significand: W, operand: &OperandPlan| {
        W::literal(0).less_than(significand) & significand.less_than(W::literal(1 << operand.fraction_bits))
    };
    let operands = || stages.a.iter().zip(&stages.b);
    let c = stages.c.as_ref();
    set.add(
        Event::SubnormalOperand,
        operands().any(|(a, b)| subnormal(a.significand, &plan.a.operand) | subnormal(b.significand, &plan.b.operand)),
    );
    set.add(
        Event::SubnormalAddend,
        c.zip(plan.c.as_ref()).is_some_and(|(c, plan)| subnormal(c.significand, &plan.operand)),
    );
    set.add(Event::NanOperand, operands().any(|(a, b)| a.nan | b.nan) || c.is_some_and(|c| c.nan));
    set.add(Event::NanScale, stages.scales.iter().flatten().any(|scale| scale.nan));
    set.add(Event::ZeroScale, stages.scales.iter().flatten().any(|scale| scale.zero));
    set.add(Event::SignallingNan, plan.flags & stages.signalling);
    set.add(Event::InfinityTimesZero, stages.product_invalid);
    set.add(Event::OpposingInfinities, stages.sum_invalid);
    let last = stages.links.last().map(|link| &link.sum.number);
    set.add(Event::InfiniteTerm, last.is_some_and(|last| last.infinite));
    for (plan, link) in plan.links.iter().zip(&stages.links) {
        link_events(plan, link, &mut set);
    }
    set
}

#[inline]
fn link_events<W: MachineWord>(plan: &LinkPlan, link: &LinkStages<W>, set: &mut EventSet) {
    if link.sum.number.nan | link.sum.number.infinite {
        return;
    }
    let zero = W::literal(0);
    let window = plan.is_cut;
    let mut any_term = false;
    let mut greatest: Option<W> = None;
    for (index, x) in link.inputs.iter().enumerate().filter(|(_, x)| !x.significand.equals(zero)) {
        any_term = true;
        greatest = Some(greatest.map_or(x.exponent, |greatest| greatest.maximum(x.exponent)));
        let Some(aligned) = link.aligned.get(index).filter(|_| window) else { continue };
        let align = &plan.terms[index].align;
        let distance = link.sum.anchor - x.exponent;
        let dropped = align.reach.is_some_and(|reach| W::literal(reach.into()).less_than(distance));
        let placed = x.significand.shift_left(align.place_left);
        let below = distance + W::literal(align.guard_bits.into());
        let bounded = below.minimum(W::literal(i64::from(align.placed_width) + 1));
        let exact = placed.shift_right_by(below).shift_left_by(bounded).equals(placed);
        set.add(Event::AddendDropped, dropped);
        set.add(Event::BitsLost, !exact);
        set.add(Event::TermLost, aligned.equals(zero));
    }
    set.add(Event::FloorActive, window && greatest.is_some_and(|greatest| greatest.less_than(link.sum.anchor)));
    set.add(Event::Cancelled, any_term & link.sum.total.equals(zero) & !link.sum.number.nan & (link.inputs.len() > 1));
    for (rounded, plan) in link.rounds.iter().zip(&plan.rounds) {
        set.add(Event::Overflow, rounded.overflow);
        let Some(happened) = round::happened(rounded, plan) else { continue };
        set.add(Event::Inexact, happened.inexact);
        set.add(Event::Tie, happened.tie);
        set.add(Event::RoundedUp, happened.up);
        set.add(Event::RoundingCarry, happened.carry);
        set.add(Event::SubnormalResult, happened.subnormal);
        set.add(Event::Underflow, happened.underflow);
        set.add(Event::TinyRoundedUp, happened.tiny);
    }
}

/// Why no vector can show the event, as far as formats alone decide.
pub fn unreachable(plan: &StepsPlan, event: Event) -> Option<String> {
    let operands = || [&plan.a, &plan.b].into_iter().chain(&plan.c).map(|input| &input.operand);
    let mut scales = plan.scales.iter().flatten().map(|input| &input.operand);
    let rounds = || plan.links.iter().flat_map(|link| &link.rounds);
    let bounded = rounds().any(|round| !matches!(round.limit, LimitPlan::Exponent(None)));
    match event {
        Event::NanOperand if !operands().any(OperandPlan::has_nan) => Some("no operand is NaN".to_owned()),
        Event::SignallingNan if !operands().any(|operand| operand.has_signalling_nan) => {
            Some("no format has a signalling NaN".to_owned())
        }
        Event::InfinityTimesZero if !plan.a.operand.has_infinity() && !plan.b.operand.has_infinity() => {
            Some("no factor is infinite".to_owned())
        }
        Event::OpposingInfinities => plan.never_opposes_infinities(),
        Event::InfiniteTerm if !operands().any(OperandPlan::has_infinity) && !bounded => {
            Some("no operand is infinite".to_owned())
        }
        Event::SubnormalAddend if plan.c.is_none() => Some("the unit has no addend".to_owned()),
        Event::NanScale if !scales.any(OperandPlan::has_nan) => Some("no scale is NaN".to_owned()),
        Event::ZeroScale if !scales.any(|scale| scale.fraction_bits > 0) => Some("no scale is zero".to_owned()),
        Event::SubnormalResult => plan.never_subnormal(),
        Event::Overflow => plan.never_overflows(),
        Event::Underflow => plan.never_underflows(),
        Event::RoundedUp | Event::RoundingCarry => of_roundings(plan, event),
        _ => None,
    }
}

/// Why the way in which every number is rounded never shows the event.
fn of_roundings(plan: &StepsPlan, event: Event) -> Option<String> {
    let mut reasons =
        plan.links.iter().flat_map(|link| &link.rounds).map(|round| fused::of_rounding(round.rounding, event));
    reasons.try_fold(None, |_, reason| reason.map(Some)).flatten()
}
