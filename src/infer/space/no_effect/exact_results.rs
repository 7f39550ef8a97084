//! Where every sum is a result as it is: nothing is rounded, and d needs no more bits.

use super::never_overflows;
use crate::describe::instruction::Instruction;
use crate::describe::plan::{Plan, ResultPlan};
use crate::infer::space::Setting;

/// Why the change of one rounding, or of one format of d, to another does not show.
pub(super) fn alike(setting: &Setting, one: &Instruction, other: &Instruction) -> Option<String> {
    let ((reason, own), (_, changed)) = (unrounded(one)?, unrounded(other)?);
    let whole = own.has_whole_range() && changed.has_whole_range();
    let overflow = match setting {
        // The addition in the end takes d.
        Setting::Result(_) if one.final_addition.is_some() || own.nan != changed.nan => return None,
        // The largest number is another one.
        Setting::Result(_) => whole && [own, changed].iter().all(|result| result.overflow_to_infinity == [true; 2]),
        _ => whole && own.overflow_to_infinity == changed.overflow_to_infinity,
    };
    let never = || never_overflows(one).filter(|_| never_overflows(other).is_some());
    if overflow { Some(reason) } else { never().map(|never| format!("{reason}; {never}")) }
}

/// Why no sum is rounded, and what d is.
fn unrounded(one: &Instruction) -> Option<(String, ResultPlan)> {
    // What flags say beside the result is not looked at.
    if one.unit.conversion.flags {
        return None;
    }
    match Plan::of(&one.unit) {
        Plan::Fused(plan) => Some((plan.never_rounds()?, plan.result)),
        Plan::BlockScaled(plan) => Some((plan.fused.never_rounds()?, plan.fused.result)),
        Plan::FusedThenAdd(plan) => Some((plan.never_rounds()?, plan.fused.result)),
        Plan::Operations(_) | Plan::Integer(_) => None,
    }
}
