//! The numbers of a fused unit as the kernel on binary32 takes them, or the reason why the unit is not for the kernel. Computes
//! no vector.
//!
//! Operands are placed as binary32 has them, the exponent field at bit 23; exponents are sums of two exponent fields less
//! `centre`, at bit 23 as well, so that they become scales without a shift.

use super::super::numbers::{Conversion, conversion, first, greatest_half, low_ones, refuse};
use crate::describe::format::NonFinite;
use crate::describe::plan::{FusedPlan, OperandPlan};

/// Fraction bits of binary32.
pub const FRACTION_BITS: u32 = 23;
/// How far below the anchor a term may lie before it is cut to nothing: more than its bits.
pub const REACH: i32 = 64;
/// Exponents of anchors reach so far from zero, so that differences do not leave 32 bits.
const EXPONENT_MAX: i32 = 254 - REACH;
/// Products of one unit.
const PRODUCTS_MAX: u32 = 64;

/// How an operand's encoding is taken apart, once it is placed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Operand {
    /// To the left, so that the exponent field starts at bit 23.
    pub place_left: u32,
    /// Exponent and fraction.
    pub magnitude_mask: u32,
    /// To the left from the encoding, so that the sign is the top bit.
    pub sign_left: u32,
    /// Magnitudes above it are infinite or NaN.
    pub finite_max: u32,
    /// The magnitude of infinity, where there is one; others above the finite ones are NaN.
    pub infinity: Option<u32>,
}

/// Everything that the kernel needs to know of a unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Numbers {
    pub products: usize,
    pub a: Operand,
    pub b: Operand,
    pub c: Operand,
    /// Taken from sums of two exponent fields.
    pub centre: i32,
    /// From the addend's exponent field to the exponents of products.
    pub addend_offset: i32,
    pub flush_addends: bool,
    /// Fraction bits of aligned terms.
    pub fraction_bits: u32,
    /// The least exponent of the anchor.
    pub floor: i32,
    pub d: Conversion,
}

impl Numbers {
    /// The numbers of a unit.
    ///
    /// # Errors
    /// Why the kernel does not compute the unit.
    pub fn of(plan: &FusedPlan) -> Result<Numbers, String> {
        refuse(plan)?;
        let (a, b, c) = (&plan.a, &plan.b, &plan.c);
        let centre = 1 << a.exponent_bits.max(b.exponent_bits);
        let bias = a.bias + b.bias - centre;
        let addend_offset = bias - c.bias;
        let floor = plan.exponent_floor + bias;
        let addend_max = addend_offset + low_ones(c.exponent_bits) as i32;
        let wide = |operand: &OperandPlan| operand.exponent_bits > 8 || stored(operand) > FRACTION_BITS;
        first(&[
            (!plan.products.is_multiple_of(4), "its products are no multiple of four"),
            (plan.products > PRODUCTS_MAX, "it has more than 64 products"),
            (wide(a) || wide(b) || wide(c), "an operand exceeds binary32"),
            (
                [a, b].iter().any(|operand| operand.non_finite == NonFinite::NegativeZeroNan),
                "NaN of operands stands in the place of minus zero",
            ),
            (a.precision() + b.precision() > 24, "products exceed 24 bits"),
            // They are added with a sign of 32 bits.
            (greatest_half(plan) >> 31 != 0, "sums of half of the terms exceed 31 bits"),
            (floor > EXPONENT_MAX || addend_max > EXPONENT_MAX, "the floor or addends lie too far above products"),
            (addend_offset < -EXPONENT_MAX, "addends lie too far below products"),
        ])?;
        Ok(Numbers {
            products: plan.products as usize,
            a: operand(a),
            b: operand(b),
            c: operand(c),
            centre,
            addend_offset,
            flush_addends: c.flush_subnormals,
            fraction_bits: plan.fraction_bits,
            // Below all terms it does not act.
            floor: floor.max(-EXPONENT_MAX - REACH),
            d: conversion(plan, a.bias + b.bias - 1)?,
        })
    }
}

/// Fraction bits as they are stored.
fn stored(operand: &OperandPlan) -> u32 {
    operand.fraction_bits + operand.padding_bits
}

fn operand(plan: &OperandPlan) -> Operand {
    let place_left = FRACTION_BITS - stored(plan);
    let placed = |magnitude: u64| (magnitude << plan.padding_bits << place_left) as u32;
    let magnitude_mask = placed(low_ones(plan.exponent_bits + plan.fraction_bits));
    let infinity = placed(low_ones(plan.exponent_bits) << plan.fraction_bits);
    let (finite_max, infinity) = match plan.non_finite {
        NonFinite::Ieee => (infinity - 1, Some(infinity)),
        NonFinite::AllOnesNan => (magnitude_mask - 1, None),
        NonFinite::None | NonFinite::NegativeZeroNan => (magnitude_mask, None),
    };
    Operand { place_left, magnitude_mask, sign_left: 32 - plan.width, finite_max, infinity }
}
