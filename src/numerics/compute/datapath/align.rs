//! Stage `aligned`: a term becomes a signed count of units of 2^(anchor - F).

use super::product::Term;
use crate::compute::word::{Flag, Word};
use crate::describe::plan::FusedPlan;
use crate::describe::unit::AlignmentRounding;

/// How a term is placed, shifted to an anchor and cut there.
#[derive(Debug, Clone, Copy)]
pub struct CutPlan {
    place_left: u32,
    /// Bits below the last kept one at distance 0.
    guard_bits: u32,
    /// Integer and fraction bits that are kept.
    window_width: u32,
    aligned_width: u32,
    rounding: AlignmentRounding,
}

/// Aligns one term and cuts what lies below the window, in sign and magnitude. `place_left` brings the term's fraction to
/// F + G bits.
///
/// ```text
///   placed     ii.ffffffff|gggg          F fraction bits, G guard bits
///   shifted    --.----iiff|ffff fffgggg  right by distance; the right part is lost
///   kept       window      lost
/// ```
#[inline(always)]
pub fn align<W: Word>(term: &Term<W>, place_left: u32, anchor: W, plan: &FusedPlan) -> W {
    let reach = i64::from(plan.term_exponent_max) - i64::from(plan.term_exponent_min);
    let plan = cut_plan(place_left, plan);
    let Cut { kept, inexact_to_odd, round_up } = cut((anchor - term.exponent).claim(0..=reach), term, &plan);
    let magnitude = kept + W::from_flag(round_up | inexact_to_odd);
    magnitude.negate_if(term.negative).claim_signed(plan.aligned_width)
}

/// How terms that so many zeros are placed below are cut.
#[inline(always)]
pub fn cut_plan(place_left: u32, plan: &FusedPlan) -> CutPlan {
    CutPlan {
        place_left,
        guard_bits: plan.guard_bits,
        window_width: plan.window_width,
        aligned_width: plan.aligned_width,
        rounding: plan.alignment_rounding,
    }
}

/// What a module adds to the ones' complement of a negative term, or to another term: 0 or 1.
pub fn up<W: Word>(distance: W, term: &Term<W>, plan: &CutPlan) -> W::Flag {
    term.negative ^ cut(distance, term, plan).round_up
}

/// A term's magnitude at the window's end.
struct Cut<W: Word> {
    kept: W,
    /// One more makes it odd, without a carry.
    inexact_to_odd: W::Flag,
    /// One more rounds it.
    round_up: W::Flag,
}

#[inline(always)]
fn cut<W: Word>(distance: W, term: &Term<W>, plan: &CutPlan) -> Cut<W> {
    let placed_width = plan.window_width + plan.guard_bits;
    let distance = distance + W::literal(i64::from(plan.guard_bits));
    let placed = term.significand.shift_left(plan.place_left).claim_unsigned(placed_width);
    let kept = placed.shift_right_by(distance);
    let never = W::Flag::constant(false);
    if plan.rounding == AlignmentRounding::TowardZero {
        return Cut { kept, inexact_to_odd: never, round_up: never };
    }
    // Beyond one more than the placed width nothing changes: all bits are lost, and they are less than half.
    let bounded = distance.minimum(W::literal(i64::from(placed_width) + 1));
    let lost = placed - kept.shift_left_by(bounded);
    let inexact = !lost.is_zero();
    let odd = kept.bit(0);
    let (inexact_to_odd, round_up) = match plan.rounding {
        AlignmentRounding::TowardZero => (never, never),
        AlignmentRounding::Downward => (never, term.negative & inexact),
        AlignmentRounding::ToOdd => (inexact & !odd, never),
        AlignmentRounding::NearestEven => {
            let twice = lost.shift_left(1);
            let unit = W::literal(1).shift_left_by(bounded);
            (never, unit.less_than(twice) | (unit.equals(twice) & odd & inexact))
        }
    };
    Cut { kept, inexact_to_odd, round_up }
}
