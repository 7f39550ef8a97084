//! Stage `sum`: the aligned terms added as integers.

use crate::compute::word::Word;
use crate::describe::plan::FusedPlan;

/// The sum of all aligned terms, in units of 2^(anchor - F). With fewer carry bits than derived it wraps.
///
/// ```text
///   sum   s cccc ii.ffff...f     sign, carry bits, window
/// ```
#[inline(always)]
pub fn sum<W: Word>(aligned: &[W], plan: &FusedPlan) -> W {
    let mut total = W::literal(0);
    for &term in aligned {
        total = total + term;
    }
    if plan.carry_bits < plan.carry_bits_derived {
        total.wrap(plan.sum_width)
    } else {
        total.claim_signed(plan.sum_width)
    }
}
