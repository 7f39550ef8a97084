//! Stage `aligned`: a term becomes a signed count of units of 2^(anchor - F).

use super::product::Term;
use crate::compute::word::{Flag, Word};
use crate::describe::plan::FusedPlan;
use crate::describe::unit::AlignmentRounding;

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
    let distance = (anchor - term.exponent).claim(0..=reach);
    let Cut { kept, inexact_to_odd, round_up } = cut(distance, term, place_left, plan);
    let magnitude = kept + W::from_flag(round_up | inexact_to_odd);
    magnitude.negate_if(term.negative).claim_signed(plan.aligned_width)
}

/// The bit that a module adds to the ones' complement of a negative term, or to another term.
pub fn up<W: Word>(distance: W, term: &Term<W>, place_left: u32, plan: &FusedPlan) -> W::Flag {
    term.negative ^ cut(distance, term, place_left, plan).round_up
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
fn cut<W: Word>(distance: W, term: &Term<W>, place_left: u32, plan: &FusedPlan) -> Cut<W> {
    let placed_width = plan.window_width + plan.guard_bits;
    let distance = distance + W::literal(i64::from(plan.guard_bits));
    let placed = term.significand.shift_left(place_left).claim_unsigned(placed_width);
    let kept = placed.shift_right_by(distance);
    let never = W::Flag::constant(false);
    if plan.alignment_rounding == AlignmentRounding::TowardZero {
        return Cut { kept, inexact_to_odd: never, round_up: never };
    }
    // Beyond one more than the placed width nothing changes: all bits are lost, and they are less than half.
    let bounded = distance.minimum(W::literal(i64::from(placed_width) + 1));
    let lost = placed - kept.shift_left_by(bounded);
    let inexact = !lost.is_zero();
    let odd = kept.bit(0);
    let (inexact_to_odd, round_up) = match plan.alignment_rounding {
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
