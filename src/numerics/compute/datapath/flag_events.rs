//! What raised the exception flags of a unit on one vector, and what can never raise them.

use super::event_set::EventSet;
use super::events::Event;
use super::flags::invalid;
use super::stages::Stages;
use crate::compute::word::MachineWord;
use crate::describe::format::NonFinite;
use crate::describe::plan::FusedPlan;

/// Adds the events of a unit with flags.
#[inline]
pub(super) fn flag_events<W: MachineWord>(plan: &FusedPlan, stages: &Stages<W>, set: &mut EventSet) {
    let cause = invalid(plan, stages);
    let quiet = set.contains(Event::NanOperand) & !cause.signalling;
    set.add(Event::SignallingNan, cause.signalling);
    set.add(Event::InvalidProductBesideNan, quiet & cause.product);
    set.add(Event::InvalidSumBesideNan, quiet & cause.sum & !cause.product);
}

/// Events that only units with flags show.
pub(super) const ONLY_FLAGS: [Event; 3] =
    [Event::SignallingNan, Event::InvalidProductBesideNan, Event::InvalidSumBesideNan];

/// Why the unit can never show an event of the flags; `None` where it can, and for other events.
pub(super) fn unreachable_flags(plan: &FusedPlan, event: Event) -> Option<String> {
    let operands = [&plan.a, &plan.b, &plan.c];
    let terms = plan.terms.count + u32::from(plan.has_addend);
    let products_infinite = plan.a.has_infinity() || plan.b.has_infinity();
    match event {
        _ if !ONLY_FLAGS.contains(&event) => None,
        Event::SignallingNan => operands
            .iter()
            .all(|operand| operand.non_finite != NonFinite::Ieee)
            .then(|| "no operand format has a signalling NaN".to_owned()),
        _ if !products_infinite => Some("no factor can be infinite".to_owned()),
        Event::InvalidProductBesideNan if terms < 2 => Some("there is one term only".to_owned()),
        Event::InvalidSumBesideNan if terms < 3 => Some(format!("there are {terms} terms only")),
        _ => None,
    }
}
