//! The numbers of a fused unit as the matrix kernel takes them, or the reason why the unit is not for it. Computes nothing.
//!
//! The kernel holds values as binary32. Exponents stand 127 above their value, as in the exponent field of binary32.

use crate::describe::format::Rounding;
use crate::describe::plan::{FusedPlan, OperandPlan, ResultPlan};
use crate::engine::wide;

/// Exponent field of the value 1 in binary32.
pub const BIAS: i32 = 127;

/// Infinity in binary32; greater magnitudes are NaN.
pub const INFINITY: u32 = 0x7f80_0000;

/// NaN in binary32.
const ANY_NAN: u32 = 0x7fff_ffff;

/// What becomes of a sum.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// Truncated to binary32, its lowest fraction bits cleared where the mask is 0.
    Single { mask: u32 },
    /// Rounded to binary16, to nearest, ties to even.
    Half,
}

/// Everything that the kernel needs to know of a unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Numbers {
    /// Products of a block.
    pub products: usize,
    /// Fraction bits kept below the anchor.
    pub fraction_bits: i32,
    /// Least exponent field of the anchor.
    pub floor: i32,
    /// Least exponent field of an addend.
    pub addend_min: i32,
    /// From the next exponent field of the anchor on, a result may overflow.
    pub limit: i32,
    pub target: Target,
    /// Whether results that are rounded to zero are plus zero.
    pub rounded_zero_positive: bool,
    /// Magnitude of what takes the place of a greater result, as binary32.
    pub overflow: u32,
    /// NaN as a result, and what stands for it in binary32.
    pub nan: u32,
    pub nan_single: u32,
    /// Whether every sum on the grid has at most 30 bits and a sign. The kernel for AVX-512 does not read it.
    pub is_narrow: bool,
    /// Fraction bits of a product.
    pub product_fraction_bits: i32,
    /// Least and greatest exponents that operands can have.
    pub exponents_a: Exponents,
    pub exponents_b: Exponents,
}

/// Least and greatest exponents of some numbers, zeros left out. Subnormal numbers have their format's least one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Exponents {
    pub min: i32,
    pub max: i32,
}

impl Exponents {
    /// Of no number.
    pub const NONE: Exponents = Exponents { min: i32::MAX, max: i32::MIN };

    /// Of the numbers of both.
    pub fn and(self, other: Exponents) -> Exponents {
        Exponents { min: self.min.min(other.min), max: self.max.max(other.max) }
    }
}

/// The power of two that puts a product on the grid of its block, as far as it matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scale {
    /// Below it, every product is less than one unit of the grid.
    pub min: i32,
    /// Only a block without products asks for more.
    pub max: i32,
}

impl Numbers {
    /// The numbers of a unit.
    ///
    /// # Errors
    /// Why the kernel does not compute the unit.
    pub fn of(plan: &FusedPlan) -> Result<Numbers, String> {
        wide::singles::Numbers::of(plan)?;
        if plan.c.flush_subnormals {
            return Err("subnormal addends count as zero".to_owned());
        }
        let (target, nan) = (target(&plan.result)?, plan.result.nan as u32);
        // A sum is below 2^(anchor + greatest): each of its terms is below 2^(anchor + 2).
        let greatest = (plan.products + 1).next_power_of_two().ilog2() as i32 + 2;
        Ok(Numbers {
            products: plan.products as usize,
            fraction_bits: plan.fraction_bits as i32,
            floor: plan.exponent_floor + BIAS,
            addend_min: plan.c.exponent_min + BIAS,
            limit: BIAS + 128 - greatest,
            target,
            rounded_zero_positive: plan.result.rounded_zero_positive,
            overflow: match plan.result.overflow_to_infinity[0] {
                true => INFINITY,
                false => (plan.result.magnitude_max << plan.result.padding_bits) as u32,
            },
            nan,
            is_narrow: plan.fraction_bits as i32 + greatest <= 30,
            nan_single: if target == Target::Half { ANY_NAN } else { nan },
            product_fraction_bits: (plan.a.fraction_bits + plan.b.fraction_bits) as i32,
            exponents_a: exponents(&plan.a),
            exponents_b: exponents(&plan.b),
        })
    }

    /// The scales with which products of such operands are exact in binary32, if they are.
    pub fn scale(&self, a: Exponents, b: Exponents) -> Option<Scale> {
        if a == Exponents::NONE || b == Exponents::NONE {
            return Some(Scale { min: 0, max: 0 });
        }
        let (least, greatest) = (a.min + b.min, a.max + b.max + 2);
        let last = least - self.product_fraction_bits;
        let exact = greatest <= 127 && last >= -126 && last - greatest >= -126;
        let reaches = self.fraction_bits - least <= 127;
        (exact && reaches).then_some(Scale { min: (-greatest).min(127), max: 127 })
    }
}

fn target(result: &ResultPlan) -> Result<Target, String> {
    let single = result.exponent_bits == 8 && result.width == 32 && result.exponent_min == -126;
    let half =
        result.exponent_bits == 5 && result.width == 16 && result.padding_bits == 0 && result.exponent_min == -14;
    match result.rounding {
        Rounding::TowardZero if single => Ok(Target::Single { mask: u32::MAX << result.padding_bits }),
        Rounding::NearestEven if half && result.overflow_to_infinity[0] => Ok(Target::Half),
        _ => Err("results are neither truncated to binary32 nor rounded to binary16".to_owned()),
    }
}

fn exponents(operand: &OperandPlan) -> Exponents {
    Exponents { min: operand.exponent_min, max: operand.exponent_max }
}
