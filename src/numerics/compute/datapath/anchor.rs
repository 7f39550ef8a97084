//! Stage `anchor`: the exponent that all terms are aligned to.

use super::product::Term;
use crate::compute::word::Word;
use crate::describe::plan::FusedPlan;

/// The greatest exponent of a nonzero term, but not below the floor.
#[inline(always)]
pub fn anchor<W: Word>(terms: &[Term<W>], plan: &FusedPlan) -> W {
    let floor = i64::from(plan.exponent_floor);
    let mut greatest = W::literal(floor);
    for term in terms {
        greatest = greatest.maximum(term.exponent);
    }
    greatest.claim(floor..=i64::from(plan.term_exponent_max))
}
