//! What rounded operations did on one vector, and what they can never do.

use super::{Event, EventSet, fused};
use crate::compute::datapath::Stages;
use crate::compute::word::MachineWord;
use crate::describe::format::Rounding;
use crate::describe::plan::{FusedPlan, Operation, OperationsPlan};
use crate::describe::unit::Scheme;

/// Whether the event is one of operations that flush tiny results, and not of every unit.
pub fn concerns(event: Event) -> bool {
    event == Event::TinyRoundedUp
}

/// The events of the operation that left `stages`.
#[inline]
pub fn events<W: MachineWord>(plan: &FusedPlan, stages: &Stages<W>) -> EventSet {
    let mut set = fused::events(plan, stages);
    let result = &plan.result;
    if result.flush_tiny {
        // Tiny results become zero, so that a zero packed from the least normal number was tiny.
        let least = W::literal(1 << result.fraction_bits);
        let lowest = stages.normalised.exponent.equals(W::literal(i64::from(result.exponent_min)));
        let magnitude = stages.packed.field(result.padding_bits, result.width - 1 - result.padding_bits);
        let number = !stages.special.nan & !stages.special.infinite;
        set.add(Event::TinyRoundedUp, number & lowest & stages.rounded.equals(least) & magnitude.is_zero());
    }
    set
}

/// Why no operation can show the event: each kind of operation has a reason, and that of the last one is told.
pub fn unreachable(plan: &OperationsPlan, event: Event) -> Option<String> {
    let of_products = matches!(plan.scheme, Scheme::Pairwise | Scheme::PairChain);
    let of_sums = match event {
        Event::SubnormalResult if of_products => sums_never_subnormal(plan),
        Event::Overflow if of_products => sums_never_overflow(plan),
        _ => None,
    };
    if of_sums.is_some() {
        return of_sums;
    }
    let mut reason = None;
    for operation in &plan.operations {
        let of_operation = match operation {
            Operation::MultiplyAdd { .. } => fused::unreachable(&plan.step, event),
            Operation::Multiply { .. } => unreachable_product(&plan.step, event),
            Operation::Dot { .. } => fused::unreachable(&plan.step, event),
            Operation::Add { .. } => unreachable_sum(&plan.addition, event),
        };
        reason = Some(of_operation?);
    }
    reason
}

/// Why no result of a tree or of a chain of pairs is subnormal: beside a sum of products that is not zero only an addend of about its size could
/// leave so little, and the last place of such an addend is normal itself. A sum may have become the largest finite result.
fn sums_never_subnormal(plan: &OperationsPlan) -> Option<String> {
    let result = &plan.step.result;
    let unit = plan.step.terms.unit.min(result.exponent_max() - result.fraction_bits as i32);
    let normal = result.exponent_min + result.fraction_bits as i32 + 1;
    (result.has_normal() && unit >= normal && plan.addition.c.flush_subnormals).then(|| {
        format!("sums of products are multiples of 2^{unit}, too large for an addend to leave a subnormal rest, and subnormal addends count as zero")
    })
}

/// Why no result of a tree or of a chain of pairs overflows: beside the largest finite addend the sum of the products is rounded away.
fn sums_never_overflow(plan: &OperationsPlan) -> Option<String> {
    let result = &plan.step.result;
    // One more, because sums may be rounded up.
    let end = plan.step.terms.end + plan.products.next_power_of_two().ilog2() as i32 + 1;
    let half = result.exponent_max() - result.fraction_bits as i32 - 1;
    let nearest = matches!(result.rounding, Rounding::NearestEven | Rounding::NearestAway);
    (nearest && end < half).then(|| {
        format!("sums of products stay below 2^{end}, and half the last place of the largest result is 2^{half}")
    })
}

/// Why no product alone can show the event.
fn unreachable_product(plan: &FusedPlan, event: Event) -> Option<String> {
    match event {
        Event::SubnormalAddend | Event::OpposingInfinities | Event::Cancelled => {
            Some("a product has no addend".to_owned())
        }
        Event::CarryUsed | Event::LastCarryUsed => Some("a product stays within its window".to_owned()),
        _ => fused::unreachable(plan, event),
    }
}

/// Why no sum of two can show the event.
fn unreachable_sum(plan: &FusedPlan, event: Event) -> Option<String> {
    match event {
        Event::InfinityTimesZero => Some("a sum has no product".to_owned()),
        Event::TinyRoundedUp => Some("a sum of two below the least normal number is exact".to_owned()),
        _ => fused::unreachable(plan, event),
    }
}
