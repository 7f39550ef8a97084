//! Stage `product` of a block-scaled unit: products of elements, exact sums of groups, terms with their scales.

use super::product::{Term, floor_if_zero};
use super::unpack::{Unpacked, unpack};
use crate::compute::word::{Flag, Word};
use crate::describe::format::NonFinite;
use crate::describe::plan::{BlockScaledPlan, GroupPlan, OperandPlan};

/// Takes a scale apart. Without a fraction every number is a power of two, the lowest exponent field included.
///
/// ```text
///   encoding   exponent field | fraction
/// ```
#[inline(always)]
pub fn unpack_scale<W: Word>(encoding: W, plan: &OperandPlan) -> Unpacked<W> {
    if plan.fraction_bits > 0 {
        return unpack(encoding, plan);
    }
    let field = encoding.field(0, plan.exponent_bits);
    let exponent =
        (field - W::literal(i64::from(plan.bias))).claim(i64::from(plan.exponent_min)..=i64::from(plan.exponent_max));
    let never = W::Flag::constant(false);
    let nan = match plan.non_finite {
        NonFinite::AllOnesNan => field.equals(W::literal((1 << plan.exponent_bits) - 1)),
        _ => never,
    };
    Unpacked { negative: never, exponent, significand: W::literal(1), zero: never, infinite: never, nan }
}

/// The exact product of two elements. A zero product has the lowest exponent of all.
#[inline(always)]
pub fn element_product<W: Word>(a: &Unpacked<W>, b: &Unpacked<W>, plan: &BlockScaledPlan) -> Term<W> {
    let significand = (a.significand * b.significand).claim_unsigned(plan.fused.product_width);
    let lowest = W::literal(i64::from(plan.product_exponent_min));
    let exponent = W::select(significand.is_zero(), lowest, a.exponent + b.exponent)
        .claim(i64::from(plan.product_exponent_min)..=i64::from(plan.product_exponent_max));
    Term { negative: a.negative ^ b.negative, exponent, significand }
}

/// A product in units of the lowest product's last place.
///
/// ```text
///   product        ii.ff          weighs 2^exponent
///   fixed     iiiiiii.ff0000      left by exponent - ProductExponentMin
/// ```
#[inline(always)]
pub fn fixed<W: Word>(product: &Term<W>, plan: &BlockScaledPlan, group: &GroupPlan) -> W {
    let lowest = W::literal(i64::from(plan.product_exponent_min));
    let distance = (product.exponent - lowest).claim(0..=i64::from(group.span));
    product.significand.shift_left_by(distance).negate_if(product.negative)
}

/// The exact sum of a group of them.
///
/// ```text
///   fixed     iiiiiii.ff0000
///   total     s cccc iiiiiiiff0000
/// ```
#[inline(always)]
pub fn total<W: Word>(products: &[Term<W>], plan: &BlockScaledPlan, group: &GroupPlan) -> W {
    let mut sum = W::literal(0);
    for product in products {
        sum = sum + fixed(product, plan, group);
    }
    sum.claim_signed(group.sum_width)
}

/// The same as sign and magnitude; its exponent is left to the scales.
#[inline(always)]
pub fn group_sum<W: Word>(products: &[Term<W>], plan: &BlockScaledPlan, group: &GroupPlan) -> Term<W> {
    let sum = total(products, plan, group);
    let negative = sum.less_than(W::literal(0));
    Term { negative, exponent: W::literal(0), significand: sum.negate_if(negative) }
}

/// A product or a group's sum with the scales of its blocks: exponents added, significands multiplied.
#[inline(always)]
pub fn scaled<W: Word>(term: &Term<W>, a: &Unpacked<W>, b: &Unpacked<W>, plan: &BlockScaledPlan) -> Term<W> {
    let significand = (term.significand * a.significand * b.significand).claim_unsigned(plan.fused.terms.width);
    let exponent = term.exponent + a.exponent + b.exponent;
    Term { negative: term.negative, exponent: floor_if_zero(significand, exponent, &plan.fused), significand }
}

/// The class of an element with its scale: what infinities and NaN are decided from.
#[inline(always)]
pub fn with_scale<W: Word>(element: &Unpacked<W>, scale: &Unpacked<W>) -> Unpacked<W> {
    let invalid = element.infinite & scale.zero;
    Unpacked { zero: element.zero | scale.zero, nan: element.nan | scale.nan | invalid, ..*element }
}
