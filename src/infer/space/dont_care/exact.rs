//! Where sums are exact: each is a result as it is, since nothing is rounded and d needs no more bits; or the result is the exact
//! sum, rounded once, whatever the scheme.

use super::{Window, addition, never_overflows};
use crate::describe::format::Format;
use crate::describe::instruction::Instruction;
use crate::describe::plan::{Plan, ResultPlan};
use crate::describe::unit::{AlignmentRounding, Formats, Scheme, Unit};
use crate::infer::space::Setting;

/// Why the change of one rounding, or of one format of d, to another does not show.
pub(super) fn reason(setting: &Setting, one: &Instruction, other: &Instruction) -> Option<String> {
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
    // What flags say beside the result is not considered.
    if one.unit.conversion.flags {
        return None;
    }
    match Plan::of(&one.unit) {
        Plan::Fused(plan) => Some((plan.never_rounds()?, plan.result)),
        Plan::Steps(plan) if one.unit.scheme.has_window() => Some((plan.never_rounds()?, plan.result)),
        Plan::Integer(_) | Plan::Steps(_) => None,
    }
}

/// Why two instructions round the same exact sum once.
pub(in crate::infer) fn rounded_once(one: &Instruction, other: &Instruction) -> Option<String> {
    let same = one.blocks() == other.blocks() && one.unit.formats == other.unit.formats;
    let [first, second] = [one, other].map(|instruction| rounds_exact_sums(&instruction.unit));
    let (first, second) = (first?, second?);
    same.then(|| {
        let reasons: Vec<String> = [first, second].into_iter().filter(|reason| !reason.is_empty()).collect();
        format!("both round the exact sum once: {}", reasons.join("; "))
    })
}

/// Why a unit rounds exact sums, if it does; in no words where that is its scheme.
fn rounds_exact_sums(unit: &Unit) -> Option<String> {
    if unit.scheme == Scheme::Exact {
        return Some(String::new());
    }
    let aligned = Window::of(unit).and_then(|plan| plan.loses_no_bit());
    aligned.or_else(|| sticky(unit)).or_else(|| addition::loses_no_bit(unit))
}

/// A product and an addend in a window that rounds to odd: what lies below is the last bit, too low for any rounding to miss
/// (Boldo and Melquiond, 2008).
///
/// ```text
///   larger     x.xxxxxx|00000    ends above the last bit of the window
///   smaller    0.000xxx|xxxx#    cut only where it lies far below, so that the sum keeps its leading bit
/// ```
fn sticky(unit: &Unit) -> Option<String> {
    let Formats { a, b, c, d } = &unit.formats;
    let alignment = unit.alignment.as_ref()?;
    let one_product = unit.scheme == Scheme::Fused && unit.products == 1;
    // A sum that wraps is another one.
    let plain = one_product && unit.scales.is_none() && unit.carry_bits.is_none() && !unit.conversion.flags;
    let odd = alignment.rounding == AlignmentRounding::ToOdd && alignment.exponent_floor.is_none();
    if !plain || !odd || alignment.normalise_products {
        return None;
    }
    let kept = alignment.fraction_bits as i32;
    let [product, addend] = [a.fraction_bits + b.fraction_bits, c.fraction_bits].map(|bits| bits as i32);
    let product_exponent_min = a.exponent_min() + b.exponent_min();
    // The least exponent of one term beside which the other is cut.
    let beside = |cut_exponent_min: i32, cut_bits: i32| cut_exponent_min + kept - cut_bits + 1;
    let large_product = beside(c.exponent_min(), addend);
    let large_addend = beside(product_exponent_min, product);
    // A number with one factor subnormal has an exponent of at most that one's least and the other's greatest.
    let least_factor =
        |own: &Format, other: &Format| match large_product > own.exponent_min() + other.hidden_exponent_max() {
            true => 0,
            false => -(own.fraction_bits as i32),
        };
    let least_product = least_factor(a, b) + least_factor(b, a);
    let least_addend = if large_addend > c.exponent_min() { 0 } else { -addend };
    // Two places below the last one of a result with that leading bit.
    let needed = exp2(d.precision() as i32 + 1 - kept);
    let product_leads = exp2(least_product) - exp2(addend - kept) >= needed;
    let addend_leads = exp2(least_addend) - exp2(1 + product - kept) >= needed;
    (kept > product.max(addend) && product_leads && addend_leads).then(|| {
        format!("a sticky bit stands {kept} places below the larger term, where no rounding to {} misses it", d.name)
    })
}

fn exp2(exponent: i32) -> f64 {
    f64::from(exponent).exp2()
}
