//! What raised the exception flags of a unit on one vector, and what can never raise them.

use super::{Event, EventSet};
use crate::compute::datapath::Stages;
use crate::compute::datapath::flags::invalid;
use crate::compute::word::MachineWord;
use crate::describe::plan::FusedPlan;

/// Adds the events of a unit with flags.
#[inline]
pub(super) fn add_events<W: MachineWord>(plan: &FusedPlan, stages: &Stages<W>, set: &mut EventSet) {
    let cause = invalid(plan, stages);
    let quiet = set.contains(Event::NanOperand) & !cause.signalling;
    set.add(Event::SignallingNan, cause.signalling);
    set.add(Event::InvalidProductBesideNan, quiet & cause.product);
    set.add(Event::InvalidSumBesideNan, quiet & cause.sum & !cause.product);
}

/// Whether the event is one of units with flags, and not of every unit.
pub fn concerns(event: Event) -> bool {
    matches!(event, Event::SignallingNan | Event::InvalidProductBesideNan | Event::InvalidSumBesideNan)
}

/// Why the unit can never show an event of the flags; `None` where it can, and for other events.
pub(super) fn unreachable(plan: &FusedPlan, event: Event) -> Option<String> {
    let operands = [&plan.a, &plan.b, &plan.c];
    let terms = plan.terms.count + u32::from(plan.has_addend);
    let products_infinite = plan.a.has_infinity() || plan.b.has_infinity();
    match event {
        _ if !concerns(event) => None,
        Event::SignallingNan => operands
            .iter()
            .all(|operand| !operand.has_signalling_nan)
            .then(|| "no operand format has a signalling NaN".to_owned()),
        _ if !products_infinite => Some("no factor can be infinite".to_owned()),
        Event::InvalidProductBesideNan if terms < 2 => Some("there is one term only".to_owned()),
        Event::InvalidSumBesideNan if terms < 3 => Some(format!("there are {terms} terms only")),
        _ => None,
    }
}
