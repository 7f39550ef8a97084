//! The events of a list of steps on one vector: of all its links together.

use super::{Event, EventSet, fused};
use crate::compute::datapath::schemes::steps::{LinkStages, StepsStages};
use crate::compute::datapath::{Unpacked, round};
use crate::compute::word::MachineWord;
use crate::describe::arithmetic::Flushing;
use crate::describe::plan::{LimitPlan, LinkPlan, OperandPlan, RoundPlan, Source, StepsPlan, TermPlan};

/// Whether the event is one of the list.
pub fn concerns(plan: &StepsPlan, event: Event) -> bool {
    let windows = plan.links.iter().any(|link| link.is_cut);
    let reach = plan.links.iter().flat_map(|link| &link.terms).any(|term| term.align.reach.is_some());
    let rounds = || plan.links.iter().flat_map(|link| &link.rounds);
    let tiny = rounds().any(|round| round.subnormals == Flushing::FlushedIfTiny);
    match event {
        Event::BitsLost | Event::TermLost | Event::FloorActive => windows,
        Event::AddendDropped => reach,
        Event::TinyRoundedUp => tiny,
        Event::NanScale | Event::ZeroScale | Event::SubnormalScale | Event::LeastScale | Event::GreatestScale => {
            plan.scales.is_some()
        }
        Event::ProductOverflow => rounds().any(|round| !round.is_normalising()),
        Event::SumBitsLost => plan.links.iter().any(|link| link.is_cut && link.terms.iter().any(is_sum)),
        Event::TotalBitsLost => rounds().any(RoundPlan::is_to_precision),
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
    if let Some(plans) = &plan.scales {
        for scales in &stages.scales {
            scale_events(&scales[0], &plans[0].operand, &mut set);
            scale_events(&scales[1], &plans[1].operand, &mut set);
        }
    }
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

/// The result of an earlier step.
fn is_sum(term: &TermPlan) -> bool {
    matches!(term.source, Source::Link(_))
}

#[inline]
fn scale_events<W: MachineWord>(scale: &Unpacked<W>, plan: &OperandPlan, set: &mut EventSet) {
    let number = !scale.nan;
    let hidden = W::literal(1 << plan.fraction_bits);
    set.add(Event::NanScale, scale.nan);
    set.add(Event::ZeroScale, scale.zero);
    set.add(Event::SubnormalScale, number & !scale.zero & scale.significand.less_than(hidden));
    set.add(Event::LeastScale, number & !scale.zero & scale.exponent.equals(W::literal(plan.exponent_min.into())));
    let greatest = W::literal(plan.scale_exponent_max().into());
    set.add(Event::GreatestScale, number & scale.exponent.equals(greatest));
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
        set.add(Event::SumBitsLost, !exact & is_sum(&plan.terms[index]));
        set.add(Event::TermLost, aligned.equals(zero));
    }
    set.add(Event::FloorActive, window && greatest.is_some_and(|greatest| greatest.less_than(link.sum.anchor)));
    set.add(Event::Cancelled, any_term & link.sum.total.equals(zero) & !link.sum.number.nan & (link.inputs.len() > 1));
    for (rounded, plan) in link.rounds.iter().zip(&plan.rounds) {
        set.add(Event::Overflow, rounded.overflow);
        let Some(happened) = round::happened(rounded, plan) else {
            set.add(Event::ProductOverflow, rounded.overflow);
            continue;
        };
        set.add(Event::TotalBitsLost, happened.inexact & plan.is_to_precision());
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
        Event::ZeroScale | Event::SubnormalScale if !scales.any(|scale| scale.fraction_bits > 0) => {
            Some("every scale is a power of two".to_owned())
        }
        Event::ProductOverflow => plan.never_exceeds_bounds(),
        Event::BitsLost => plan.loses_no_bit(|_| true),
        Event::TermLost => plan.loses_no_bit(|_| true).or_else(|| plan.leaves_sticky_bits()),
        Event::SumBitsLost => plan.loses_no_bit(is_sum),
        Event::FloorActive => plan.floors_stay_low(),
        Event::Inexact | Event::Tie => plan.never_rounds(),
        Event::TotalBitsLost => plan.totals_keep_bits(),
        Event::SubnormalResult => plan.never_subnormal(),
        Event::Overflow => plan.never_overflows(),
        Event::Underflow => plan.never_underflows(),
        Event::RoundedUp | Event::RoundingCarry => plan.never_rounds().or_else(|| of_roundings(plan, event)),
        _ => None,
    }
}

/// Why the way in which every number is rounded never shows the event.
fn of_roundings(plan: &StepsPlan, event: Event) -> Option<String> {
    let mut reasons =
        plan.links.iter().flat_map(|link| &link.rounds).map(|round| fused::of_rounding(round.rounding, event));
    reasons.try_fold(None, |_, reason| reason.map(Some)).flatten()
}
