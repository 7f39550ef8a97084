//! How far a unit's sum can lie from the exact one, before it becomes a result.

use serde::Serialize;

use super::{FusedPlan, Plan, StepsPlan, SumKind};
use crate::describe::format::{Overflow, Rounding};
use crate::describe::unit::{Addition, AlignmentRounding, Scheme, Unit};

/// A bound of |sum - exact sum|, for operands that are numbers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ErrorBound {
    /// Terms that alignment can cut, the addend too; none where nothing is aligned.
    pub terms: Option<u32>,
    /// Roundings to the format of d on the way to the result.
    pub roundings: u32,
    /// The bound in words.
    pub text: String,
}

impl ErrorBound {
    /// The bound of a unit: n terms, each cut by less than 2^(anchor - F), lie within n * 2^(anchor - F) of the exact sum, on
    /// either side, because terms are cut in magnitude or downward (Fasi et al. 2021, section 3).
    pub fn of(unit: &Unit, plan: &Plan) -> ErrorBound {
        match plan {
            Plan::Fused(_) if unit.scheme == Scheme::Exact => {
                ErrorBound { terms: None, roundings: 1, text: "exact before the one rounding".to_owned() }
            }
            Plan::Fused(fused) => aligned(fused),
            Plan::Steps(plan) => {
                unit.addition.as_ref().map_or_else(|| of_steps(plan), |addition| added_afterwards(unit, addition))
            }
            Plan::Integer(plan) => ErrorBound {
                terms: None,
                roundings: 0,
                text: match unit.conversion.overflow {
                    Overflow::Saturate => "exact, then clamped".to_owned(),
                    _ => format!("exact modulo 2^{}", plan.d.width),
                },
            },
        }
    }
}

/// That of the only window, the last step; or the roundings of a list, if nothing else loses bits.
fn of_steps(plan: &StepsPlan) -> ErrorBound {
    if let Some((last, before)) = plan.links.split_last()
        && let SumKind::Window { fraction_bits, rounding, wraps, .. } = last.sum.kind
        && last.is_cut
        && last.rounds.len() == 1
        && before.iter().all(|link| !link.is_cut && link.rounds.is_empty())
    {
        return in_window(last.terms.len() as u32, fraction_bits, wraps, rounding == Rounding::NearestEven);
    }
    let roundings = plan.links.iter().map(|link| link.rounds.len() as u32).sum();
    let text = match (plan.links.iter().any(|link| link.is_cut), roundings) {
        (true, _) => "of each step by itself".to_owned(),
        (false, 1) => "exact before the one rounding".to_owned(),
        (false, _) => format!("{roundings} roundings of exact sums"),
    };
    ErrorBound { terms: None, roundings, text }
}

/// Products and groups are cut at anchors that do not exceed the last one, to the same number of bits; then their sum and
/// the addend are, each once. An addend out of reach is dropped. The exponent of the total is that of its leading one, or the
/// least one of d.
fn added_afterwards(unit: &Unit, addition: &Addition) -> ErrorBound {
    let groups = addition.groups.count();
    let groups = if groups > 1 { groups } else { 0 };
    let Addition { sum_fraction_bits, addend_fraction_bits, addend_reach, total_fraction_bits, .. } = *addition;
    let addend = addend_reach.map_or(addend_fraction_bits, |reach| reach.min(addend_fraction_bits));
    let total = total_fraction_bits.map_or(String::new(), |bits| format!(" + 2^(exponent of the total - {bits})"));
    let text = format!(
        "below {} * 2^(anchor - {}) + 2^(anchor - {sum_fraction_bits}) + 2^(anchor - {addend}){total}, then one rounding",
        unit.products + groups,
        unit.alignment().fraction_bits
    );
    ErrorBound { terms: Some(unit.products + 1), roundings: 1, text }
}

fn aligned(plan: &FusedPlan) -> ErrorBound {
    let terms = plan.terms.count + u32::from(plan.has_addend);
    let wraps = plan.carry_bits < plan.carry_bits_derived;
    in_window(terms, plan.fraction_bits, wraps, plan.alignment_rounding == AlignmentRounding::NearestEven)
}

fn in_window(terms: u32, fraction_bits: u32, wraps: bool, nearest: bool) -> ErrorBound {
    let last_place = format!("2^(anchor - {fraction_bits})");
    let text = match nearest {
        _ if wraps => "none: the sum can wrap".to_owned(),
        true => format!("at most {terms}/2 * {last_place}, then one rounding"),
        false => format!("below {terms} * {last_place}, then one rounding"),
    };
    ErrorBound { terms: Some(terms), roundings: 1, text }
}
