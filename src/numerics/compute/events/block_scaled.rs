//! What the scales and groups of a block-scaled unit did on one vector, and what they can never do.

use super::fused::{self, add_events};
use super::{Event, EventSet};
use crate::compute::datapath::{BlockScaledStages, Unpacked};
use crate::compute::word::MachineWord;
use crate::describe::plan::{BlockScaledPlan, OperandPlan};

/// Whether the event is one of units with scales, and not of every unit.
pub fn concerns(event: Event) -> bool {
    use Event::*;
    matches!(event, NanScale | ZeroScale | SubnormalScale | LeastScale | GreatestScale | GroupCancelled)
}

/// What the scales have to do with infinities and NaN.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ScaleClasses {
    pub nan: bool,
    /// An element is infinite and a scale of its product is zero.
    pub infinity_times_zero: bool,
}

/// The events of the evaluation that left `stages`.
#[inline]
pub fn events<W: MachineWord>(plan: &BlockScaledPlan, stages: &BlockScaledStages<W>) -> EventSet {
    let mut set = EventSet::default();
    scale_events(&plan.scale_a, &stages.scale_a, &mut set);
    scale_events(&plan.scale_b, &stages.scale_b, &mut set);
    if let Some(group) = &plan.group {
        let products = stages.products.chunks_exact(group.products as usize);
        let cancelled = products.zip(&stages.groups).any(|(products, sum)| {
            sum.significand.is_zero() & products.iter().any(|product| !product.significand.is_zero())
        });
        set.add(Event::GroupCancelled, cancelled);
    }
    let scales = ScaleClasses {
        nan: set.contains(Event::NanScale),
        infinity_times_zero: stages.scaled_a.iter().zip(&stages.scaled_b).any(|(a, b)| {
            let infinite = a.infinite | b.infinite;
            infinite & (a.zero | b.zero)
        }),
    };
    add_events(&plan.fused, &stages.fused, scales, &mut set);
    set
}

#[inline]
fn scale_events<W: MachineWord>(plan: &OperandPlan, scales: &[Unpacked<W>], set: &mut EventSet) {
    let least = W::literal(i64::from(plan.exponent_min));
    let greatest = W::literal(i64::from(plan.scale_exponent_max()));
    let hidden = W::literal(1 << plan.fraction_bits);
    for scale in scales {
        let number = !scale.nan;
        set.add(Event::NanScale, scale.nan);
        set.add(Event::ZeroScale, scale.zero);
        set.add(Event::SubnormalScale, number & !scale.zero & scale.significand.less_than(hidden));
        set.add(Event::LeastScale, number & !scale.zero & scale.exponent.equals(least));
        set.add(Event::GreatestScale, number & scale.exponent.equals(greatest));
    }
}

/// Why the unit can never show the event; `None` for an event that a good stimulus must reach.
pub fn unreachable(plan: &BlockScaledPlan, event: Event) -> Option<String> {
    let scales = [&plan.scale_a, &plan.scale_b];
    match event {
        Event::NanScale if scales.iter().all(|scale| !scale.has_nan()) => Some("no scale format has a NaN".to_owned()),
        Event::ZeroScale | Event::SubnormalScale if scales.iter().all(|scale| scale.fraction_bits == 0) => {
            Some("every scale is a power of two".to_owned())
        }
        Event::GroupCancelled => match &plan.group {
            None => Some("products are not summed in groups".to_owned()),
            Some(group) if group.products == 1 => Some("every group is one product".to_owned()),
            Some(_) => None,
        },
        Event::NanScale | Event::ZeroScale | Event::SubnormalScale | Event::LeastScale | Event::GreatestScale => None,
        event => fused::unreachable(&plan.fused, event),
    }
}
