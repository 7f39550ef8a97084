//! What happened inside a unit of integers on one vector, read from its stages.

use super::{Event, EventSet};
use crate::compute::datapath::schemes::integer::IntegerStages;
use crate::compute::word::MachineWord;
use crate::describe::plan::{IntegerOperand, IntegerPlan};

/// Whether the event is one of integers.
pub fn concerns(event: Event) -> bool {
    use Event::*;
    matches!(event, ZeroInteger | LeastInteger | LeastProduct | AboveGreatest | BelowLeast | Cancelled | Overflow)
}

/// The events of the evaluation that left `stages`.
#[inline]
pub fn events<W: MachineWord>(plan: &IntegerPlan, stages: &IntegerStages<W>) -> EventSet {
    let mut set = EventSet::default();
    let zero = W::literal(0);
    let is_least = |value: W, operand: &IntegerOperand| operand.signed & value.equals(W::literal(operand.least));
    let (mut zeros, mut least, mut both_least) = (false, false, false);
    let mut any_term = !stages.c.is_zero();
    for (index, &a) in stages.a.iter().enumerate() {
        let b = stages.b[index];
        let (a_least, b_least) = (is_least(a, &plan.a), is_least(b, &plan.b));
        zeros |= a.is_zero() | b.is_zero();
        least |= a_least | b_least;
        both_least |= a_least & b_least;
        any_term |= !a.is_zero() & !b.is_zero();
    }
    let above = W::literal(plan.d.greatest).less_than(stages.sum);
    let below = stages.sum.less_than(W::literal(plan.d.least));
    set.add(Event::ZeroInteger, zeros);
    set.add(Event::LeastInteger, least);
    set.add(Event::LeastProduct, both_least);
    set.add(Event::Cancelled, any_term & stages.sum.equals(zero));
    set.add(Event::Overflow, above | below);
    set.add(Event::AboveGreatest, above);
    set.add(Event::BelowLeast, below);
    set
}

/// Why the unit can never show an event of integers; `None` for an event that a good stimulus must reach.
pub fn unreachable(plan: &IntegerPlan, event: Event) -> Option<String> {
    let (low, high) = (plan.sum_least, plan.sum_greatest);
    let no_above = high <= i128::from(plan.d.greatest);
    let no_below = low >= i128::from(plan.d.least);
    match event {
        Event::LeastInteger if !plan.a.signed && !plan.b.signed => {
            Some("unsigned integers have no least one below zero".to_owned())
        }
        Event::LeastProduct if !plan.a.signed || !plan.b.signed => {
            Some("a factor is unsigned: its least integer is zero".to_owned())
        }
        Event::Cancelled if low >= 0 => Some("no term is negative".to_owned()),
        Event::Overflow if no_above && no_below => Some(format!("every sum is a result: {low} to {high}")),
        Event::AboveGreatest if no_above => Some(format!("the greatest sum is {high}")),
        Event::BelowLeast if no_below => Some(format!("the least sum is {low}")),
        _ => None,
    }
}
