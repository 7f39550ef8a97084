//! What happened on one vector inside a unit that adds the addend to the sum of its products, and what never can.

use super::block_scaled::ScaleClasses;
use super::fused::{conversion_events, operand_events, sum_events};
use super::{Event, EventSet, fused};
use crate::compute::datapath::schemes::fused_then_add::signed;
use crate::compute::datapath::{FusedThenAddStages, Term};
use crate::compute::word::MachineWord;
use crate::describe::plan::{CutPlan, FusedThenAddPlan};
use crate::describe::unit::AlignmentRounding;

/// Whether the event is one of units that add the addend to the sum of their products, and not of every unit.
pub fn concerns(event: Event) -> bool {
    use Event::*;
    matches!(event, ProductOverflow | GroupBitsLost | GroupCancelled | SumBitsLost | AddendDropped | TotalBitsLost)
}

/// The events of the evaluation that left `stages`.
#[inline]
pub fn events<W: MachineWord>(plan: &FusedThenAddPlan, stages: &FusedThenAddStages<W>) -> EventSet {
    let mut set = EventSet::default();
    let special = operand_events(&plan.fused, &stages.fused, ScaleClasses::default(), &mut set);
    overflow_events(stages, &mut set);
    if special {
        return set;
    }
    let lossless = product_events(plan, stages, &mut set) & addition_events(plan, stages, &mut set);
    let addend = &stages.fused.terms[1];
    let any_term = stages.products.iter().chain([addend]).any(|term| !term.significand.is_zero());
    let total_lost = plan.total_cut_bits.is_some_and(|bits| !stages.total.significand.field(0, bits).is_zero());
    set.add(Event::TotalBitsLost, total_lost);
    sum_events(&plan.fused, &stages.fused, any_term & lossless & !total_lost, &mut set);
    conversion_events(&plan.fused, &stages.fused, &mut set);
    set
}

/// Products of finite factors that are infinite. Infinities opposed to them are no invalid operation of the operands.
#[inline]
fn overflow_events<W: MachineWord>(stages: &FusedThenAddStages<W>, set: &mut EventSet) {
    let operands = stages.fused.unpacked_a.iter().zip(&stages.fused.unpacked_b);
    let mut overflow = false;
    for ((a, b), &too_large) in operands.zip(&stages.product_overflow) {
        overflow |= too_large & !a.infinite & !b.infinite & !a.nan & !b.nan;
    }
    set.add(Event::ProductOverflow, overflow);
}

/// Events of the products and their groups; returns whether nothing was lost.
#[inline]
fn product_events<W: MachineWord>(plan: &FusedThenAddPlan, stages: &FusedThenAddStages<W>, set: &mut EventSet) -> bool {
    let (groups, size) = (plan.groups as usize, plan.group_size as usize);
    let (mut bits_lost, mut term_lost, mut cancelled, mut group_bits_lost) = (false, false, false, false);
    for group in 0..groups {
        let anchor = stages.group_anchor[group];
        let mut any = false;
        let aligned = &stages.aligned_product[group * size..][..size];
        for (term, &aligned) in stages.products.iter().skip(group).step_by(groups).zip(aligned) {
            let nonzero = !term.significand.is_zero();
            any |= nonzero;
            bits_lost |= loses_bits(term, aligned, anchor, &plan.product_cut);
            term_lost |= nonzero & aligned.is_zero();
        }
        let sum = stages.group_sum[group];
        cancelled |= any & !term_lost & sum.is_zero();
        if let Some(&aligned) = stages.aligned_group.get(group) {
            let term = signed(sum, anchor);
            group_bits_lost |= loses_bits(&term, aligned, stages.fused.terms[0].exponent, &plan.group_cut);
        }
    }
    set.add(Event::BitsLost, bits_lost);
    set.add(Event::TermLost, term_lost);
    set.add(Event::GroupCancelled, cancelled);
    set.add(Event::GroupBitsLost, group_bits_lost);
    !bits_lost & !group_bits_lost
}

/// Events where sum and addend meet; returns whether nothing was lost.
#[inline]
fn addition_events<W: MachineWord>(
    plan: &FusedThenAddPlan,
    stages: &FusedThenAddStages<W>,
    set: &mut EventSet,
) -> bool {
    let fused = &plan.fused;
    let (dot, addend, anchor) = (&stages.fused.terms[0], &stages.fused.terms[1], stages.fused.anchor);
    let cut = CutPlan {
        place_left: fused.term_place_left,
        guard_bits: fused.guard_bits,
        window_width: fused.window_width,
        ..plan.addend_cut
    };
    let sum_bits_lost = loses_bits(dot, stages.fused.aligned[0], anchor, &cut);
    let kept = stages.fused.aligned[1];
    let magnitude = kept.negate_if(kept.less_than(W::literal(0))).shift_right(plan.addend_cut_bits);
    let aligned = magnitude.negate_if(kept.less_than(W::literal(0)));
    let nonzero = !addend.significand.is_zero();
    let addend_bits_lost = nonzero & loses_bits(addend, aligned, anchor, &plan.addend_cut);
    set.add(Event::SumBitsLost, sum_bits_lost);
    set.add(Event::AddendDropped, nonzero & stages.addend_dropped);
    set.add(Event::BitsLost, addend_bits_lost);
    set.add(Event::TermLost, nonzero & kept.is_zero());

    let mut greatest = None;
    for term in stages.products.iter().chain([addend]) {
        if !term.significand.is_zero() {
            greatest = Some(greatest.map_or(term.exponent, |greatest: W| greatest.maximum(term.exponent)));
        }
    }
    set.add(Event::FloorActive, greatest.is_some_and(|greatest| greatest.less_than(anchor)));
    !sum_bits_lost & !addend_bits_lost
}

/// Whether the aligned term differs from the exact one.
#[inline]
fn loses_bits<W: MachineWord>(term: &Term<W>, aligned: W, anchor: W, cut: &CutPlan) -> bool {
    if term.significand.is_zero() {
        return false;
    }
    let distance = anchor - term.exponent + W::literal(i64::from(cut.guard_bits));
    let reach = W::literal(i64::from(cut.window_width + cut.guard_bits));
    if reach.less_than(distance) {
        return true;
    }
    let placed = term.significand.shift_left(cut.place_left);
    let above = placed.shift_right_by(distance);
    !aligned.negate_if(term.negative).equals(above) | !above.shift_left_by(distance).equals(placed)
}

/// Why the unit can never show the event; `None` for an event that a good stimulus must reach.
pub fn unreachable(plan: &FusedThenAddPlan, event: Event) -> Option<String> {
    let fused = &plan.fused;
    let products_infinite = fused.a.has_infinity() || fused.b.has_infinity() || plan.overflow_exponent.is_some();
    match event {
        Event::ProductOverflow if plan.overflow_exponent.is_none() => {
            Some(format!("finite products stay below 2^{}, or are never infinite", plan.products.end))
        }
        Event::GroupBitsLost if plan.groups == 1 => Some("all products share one anchor".to_owned()),
        Event::GroupCancelled if plan.group_size == 1 => Some("every group is one product".to_owned()),
        Event::AddendDropped if plan.addend_reach.is_none() => Some("the addend reaches every anchor".to_owned()),
        Event::ProductOverflow | Event::GroupBitsLost | Event::GroupCancelled | Event::AddendDropped => None,
        Event::OpposingInfinities | Event::InfiniteTerm if products_infinite => None,
        Event::SumBitsLost => plan.sum_keeps_bits(),
        Event::TotalBitsLost => plan.total_keeps_bits(),
        Event::BitsLost => None,
        Event::TermLost => never_vanishes(plan),
        // Zero products carry it, so that an addend alone can lie below it too.
        Event::FloorActive if plan.product_floor > plan.products.exponent_min.min(fused.c.exponent_min) => None,
        Event::SubnormalResult => plan.never_subnormal(),
        Event::Underflow => plan.never_underflows(),
        Event::Overflow => plan.never_overflows(),
        Event::CarryUsed => plan.never_carries(),
        Event::LastCarryUsed => plan.last_carry_spare(),
        Event::Inexact | Event::Tie | Event::RoundedUp | Event::RoundingCarry if plan.never_rounds().is_some() => {
            plan.never_rounds()
        }
        Event::Inexact | Event::Tie | Event::RoundedUp | Event::RoundingCarry => {
            fused::of_rounding(fused.result.rounding, event)
        }
        event => fused::unreachable(fused, event),
    }
}

/// Why no product and no addend is lost as a whole, if none is.
fn never_vanishes(plan: &FusedThenAddPlan) -> Option<String> {
    let sticky = [plan.product_cut.rounding, plan.addend_cut.rounding] == [AlignmentRounding::ToOdd; 2];
    (sticky && plan.addend_reach.is_none()).then(|| "rounding to odd leaves a sticky bit of every term".to_owned())
}
