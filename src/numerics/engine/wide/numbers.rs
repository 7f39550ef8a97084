//! What both kernels need to know of a fused unit, or the reason why it is not for a kernel. Computes no vector.

use crate::describe::format::{NonFinite, Rounding};
use crate::describe::plan::{FusedPlan, OperandPlan};
use crate::describe::unit::AlignmentRounding;

/// Vectors of a block.
pub const BLOCK: usize = 32;

/// How the sum becomes an encoding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Conversion {
    pub fraction_bits: u32,
    pub padding_bits: u32,
    pub exponent_min: i32,
    pub nearest_even: bool,
    pub rounded_zero_positive: bool,
    /// The greatest magnitude of a result.
    pub overflow: u32,
    pub infinity: u32,
    pub nan: u32,
    pub sign: u32,
    /// Weight of the sum's bit 31, from the anchor.
    pub top_offset: i32,
}

/// How a unit's sums become encodings, where the anchor is a sum of two exponent fields less one, which differs from an exponent
/// by `bias`.
///
/// # Errors
/// Why no kernel computes that.
pub(super) fn conversion(plan: &FusedPlan, bias: i32) -> Result<Conversion, String> {
    let result = &plan.result;
    let infinity = result.infinity_magnitude.ok_or("results have no infinity")? as u32;
    let overflow = match result.overflow_to_infinity {
        [true, true] => infinity,
        [false, false] => result.magnitude_max as u32,
        _ => return Err("overflow depends on the sign".to_owned()),
    };
    Ok(Conversion {
        fraction_bits: result.fraction_bits,
        padding_bits: result.padding_bits,
        exponent_min: result.exponent_min,
        nearest_even: result.rounding == Rounding::NearestEven,
        rounded_zero_positive: result.rounded_zero_positive,
        overflow,
        infinity,
        nan: result.nan as u32,
        sign: 1 << (result.width - 1),
        top_offset: 31 - plan.fraction_bits as i32 - bias,
    })
}

/// What no unit of a kernel has.
///
/// # Errors
/// It.
pub(super) fn refuse(plan: &FusedPlan) -> Result<(), String> {
    if plan.word_bits > 64 {
        return Err(format!("the unit needs words of {} bits", plan.word_bits));
    }
    let (a, b, c, result) = (&plan.a, &plan.b, &plan.c, &plan.result);
    let greatest_product = (low_ones(a.precision()) * low_ones(b.precision())) << plan.term_place_left;
    let greatest_addend = low_ones(c.precision()) << plan.addend_place_left;
    let greatest_sum =
        u64::from(plan.products) * (greatest_product >> plan.guard_bits) + (greatest_addend >> plan.guard_bits);
    let binades = greatest_exponent(plan, greatest_sum) - i64::from(result.exponent_min) + 2;
    let reasons = [
        (!plan.has_addend, "there is no addend"),
        (plan.flags, "there are exception flags"),
        (plan.normalise_products, "products are normalised"),
        (plan.alignment_rounding != AlignmentRounding::TowardZero, "aligned terms are not truncated"),
        (plan.carry_bits != plan.carry_bits_derived, "the sum wraps"),
        (greatest_product.max(greatest_addend) >> 32 != 0, "a placed term exceeds 32 bits"),
        (greatest_sum >> 32 != 0, "the sum of magnitudes exceeds 32 bits"),
        (a.flush_subnormals || b.flush_subnormals, "subnormal operands count as zero"),
        (c.flush_to_plus_zero, "subnormal addends count as plus zero"),
        (a.sign_bits + b.sign_bits + c.sign_bits < 3, "operands have no sign"),
        (c.width > 32 || c.padding_bits > 0 || c.non_finite != NonFinite::Ieee, "the addend is no fp32, fp16 or bf16"),
        (result.infinity_magnitude != Some(result.magnitude_max + 1), "infinity is not above the greatest result"),
        (binades << result.fraction_bits >> 32 != 0, "the greatest sum lies too far above the least result"),
        (result.width > 32, "results exceed 32 bits"),
        (!matches!(result.rounding, Rounding::TowardZero | Rounding::NearestEven), "the rounding is another"),
        (result.flush_subnormals || result.flush_tiny, "subnormal results become zero"),
        (result.zero_negative || !result.has_negative_zero, "zero results have another sign"),
    ];
    first(&reasons)
}

/// The first reason that applies.
pub(super) fn first(reasons: &[(bool, &str)]) -> Result<(), String> {
    reasons.iter().find(|(applies, _)| *applies).map_or(Ok(()), |(_, reason)| Err((*reason).to_owned()))
}

/// Exponent of the leading bit of the greatest sum; no product, addend or floor leads to a greater anchor.
fn greatest_exponent(plan: &FusedPlan, greatest_sum: u64) -> i64 {
    let value = |operand: &OperandPlan| low_ones(operand.exponent_bits) as i64 - i64::from(operand.bias);
    let anchor = (value(&plan.a) + value(&plan.b)).max(value(&plan.c)).max(i64::from(plan.exponent_floor));
    anchor - i64::from(plan.fraction_bits) + i64::from(greatest_sum.ilog2())
}

/// The greatest magnitude of half of the products, rounded up, and the addend, on the grid of the anchor.
pub(super) fn greatest_half(plan: &FusedPlan) -> u64 {
    let ones = |operand: &OperandPlan| low_ones(operand.precision());
    let product = (ones(&plan.a) * ones(&plan.b)) << plan.term_place_left >> plan.guard_bits;
    let addend = ones(&plan.c) << plan.addend_place_left >> plan.guard_bits;
    u64::from(plan.products.div_ceil(2)) * product + addend
}

/// So many ones.
pub(super) fn low_ones(width: u32) -> u64 {
    (1 << width) - 1
}
