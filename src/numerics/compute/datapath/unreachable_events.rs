//! Which events a unit can show at all: those of its scheme, without those that its plan rules out.

use super::addition_events::{ONLY_LATE, unreachable_fused_then_add};
use super::events::Event;
use super::flag_events::{ONLY_FLAGS, unreachable_flags};
use super::integer_events::{ONLY_INTEGERS, SHARED_WITH_INTEGERS, unreachable_integer};
use super::operation_events::unreachable_operations;
use super::scale_events::{ONLY_SCALES, unreachable_block_scaled};
use crate::describe::format::Rounding;
use crate::describe::plan::{FusedPlan, Plan};
use crate::describe::unit::AlignmentRounding;

/// Whether the event is one of the unit's scheme: reports list no other.
pub fn concerns(plan: &Plan, event: Event) -> bool {
    let of_integers = ONLY_INTEGERS.contains(&event);
    let of_scales = ONLY_SCALES.contains(&event);
    if event == Event::TinyRoundedUp {
        return matches!(plan, Plan::Operations(plan) if plan.step.result.flush_tiny);
    }
    let late = ONLY_LATE.contains(&event);
    if ONLY_FLAGS.contains(&event) {
        return matches!(plan, Plan::Fused(plan) if plan.flags);
    }
    match plan {
        Plan::Fused(_) | Plan::Operations(_) => !of_integers && !of_scales && !late,
        Plan::BlockScaled(_) => !of_integers && !late,
        Plan::FusedThenAdd(_) => !of_integers && (!of_scales || event == Event::GroupCancelled),
        Plan::Integer(_) => of_integers || SHARED_WITH_INTEGERS.contains(&event),
    }
}

/// Why the unit can never show the event; `None` for an event that a good stimulus must reach.
pub fn unreachable(plan: &Plan, event: Event) -> Option<String> {
    if !concerns(plan, event) {
        return Some("the unit's scheme has no such event".to_owned());
    }
    match plan {
        Plan::Fused(plan) => unreachable_fused(plan, event),
        Plan::Operations(plan) => unreachable_operations(plan, event),
        Plan::BlockScaled(plan) => {
            unreachable_block_scaled(plan, event).or_else(|| unreachable_fused(&plan.fused, event))
        }
        Plan::FusedThenAdd(plan) => unreachable_fused_then_add(plan, event),
        Plan::Integer(plan) => unreachable_integer(plan, event),
    }
}

pub(super) fn unreachable_fused(plan: &FusedPlan, event: Event) -> Option<String> {
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
        Event::RoundedUp | Event::RoundingCarry if plan.result.rounding == Rounding::TowardZero => {
            Some("truncation never rounds up".to_owned())
        }
        Event::RoundingCarry | Event::Underflow if plan.result.rounding == Rounding::ToOdd => {
            Some("rounding to odd goes up to odd numbers only".to_owned())
        }
        Event::SubnormalResult => plan.never_subnormal(),
        Event::Underflow => plan.never_underflows(),
        Event::Overflow => plan.never_overflows(),
        event => unreachable_flags(plan, event),
    }
}
