//! The numbers of a fused unit as the kernel takes them, or the reason why the unit is not for the kernel. Computes no
//! vector.
//!
//! Operands stand in columns of 16 bits, the sign on top, both with the same number of fraction bits; exponents are the
//! sums of two exponent fields less one, which saves the kernel an instruction; 0 is left for products that are zero.

use super::super::numbers::{Conversion, conversion, first, low_ones, refuse};
use crate::describe::format::NonFinite;
use crate::describe::plan::{FusedPlan, OperandPlan};

/// The magnitude in a column of infinities of formats that do not fill it. NaN is one greater.
pub const NARROW_INFINITY: u16 = 0x7ffe;

/// How an operand's encoding becomes a column, and which magnitudes in it are no numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Operand {
    /// Where the 16 bits begin that hold sign and exponent: in the low or in the second word of the encoding.
    pub word: usize,
    /// To the left, so that the sign is the top bit.
    pub sign_left: u32,
    /// To the left, so that the operand has the column's fraction bits.
    pub magnitude_left: u32,
    pub magnitude_mask: u16,
    /// Whether the encoding is the column already.
    pub unchanged: bool,
    /// The least own magnitude that is infinite or NaN; 0x8000 where there is none.
    pub special_from: u16,
    /// The own magnitude of infinity, where there is one.
    pub infinity: Option<u16>,
}

/// How the addend is taken apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Addend {
    pub width: u32,
    pub fraction_bits: u32,
    pub magnitude_mask: u32,
    /// From its exponent field to the exponent of products.
    pub exponent_offset: i32,
    pub flush_subnormals: bool,
    pub special_from: u32,
    pub place_left: u32,
}

/// Everything that the kernel needs to know of a unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Numbers {
    pub products: usize,
    pub a: Operand,
    pub b: Operand,
    /// Fraction bits in the column.
    pub fraction_bits: u32,
    /// Fraction bits below the column, in the word below it.
    pub low_bits: u32,
    /// The magnitude of infinity in a column; greater ones are NaN.
    pub infinity: u16,
    /// How far the significands of a and b are placed to the left, to have the fraction bits of aligned terms together.
    pub a_left: u32,
    pub b_left: u32,
    pub guard_bits: u32,
    pub exponent_floor: i32,
    pub c: Addend,
    pub d: Conversion,
}

impl Numbers {
    /// The numbers of a unit.
    ///
    /// # Errors
    /// Why the kernel does not compute the unit.
    #[expect(clippy::missing_panics_doc, reason = "formats of 16 bits have small biases, and floors act")]
    pub fn of(plan: &FusedPlan) -> Result<Numbers, String> {
        refuse(plan)?;
        let (fraction_bits, low_bits) = column(&plan.a, &plan.b)?;
        let bias = plan.a.bias + plan.b.bias - 1;
        let (a, b) = (operand(&plan.a, fraction_bits), operand(&plan.b, fraction_bits));
        refuse_infinities([(&plan.a, &a), (&plan.b, &b)])?;
        let place_left = plan.term_place_left.checked_sub(a.magnitude_left + b.magnitude_left);
        let place_left = place_left.ok_or("products are placed to the right")?;
        // They are multiplied as signed numbers of 16 bits.
        let left_max = 15 - (1 + fraction_bits + low_bits);
        let a_left = place_left.min(left_max);
        let b_left = place_left - a_left;
        if b_left > left_max {
            return Err("a placed operand exceeds 15 bits".to_owned());
        }
        assert!(plan.exponent_floor + bias >= i32::from(i16::MIN) / 2, "biases are small, and floors act");
        Ok(Numbers {
            products: plan.products as usize,
            a,
            b,
            fraction_bits,
            low_bits,
            infinity: if a.unchanged { a.special_from } else { NARROW_INFINITY },
            a_left,
            b_left,
            guard_bits: plan.guard_bits,
            exponent_floor: plan.exponent_floor + bias,
            c: addend(plan, bias),
            d: conversion(plan, bias)?,
        })
    }
}

/// Columns in which infinity or NaN would not be told from numbers.
fn refuse_infinities(operands: [(&OperandPlan, &Operand); 2]) -> Result<(), String> {
    let [a, b] = operands.map(|(_, operand)| operand.unchanged);
    if a != b {
        return Err("one operand fills its column, and the other does not".to_owned());
    }
    for (plan, operand) in operands {
        let largest = u64::from(operand.magnitude_mask.min(operand.special_from - 1)) << operand.magnitude_left;
        first(&[
            (operand.unchanged && plan.non_finite != NonFinite::Ieee, "an operand of 16 bits is not as in IEEE 754"),
            (plan.non_finite == NonFinite::NegativeZeroNan, "NaN of operands stands in the place of minus zero"),
            (!operand.unchanged && largest >= u64::from(NARROW_INFINITY), "an operand's numbers fill the column"),
        ])?;
    }
    Ok(())
}

/// Fraction bits in the column of 16 bits and below it.
fn column(a: &OperandPlan, b: &OperandPlan) -> Result<(u32, u32), String> {
    let narrow = |operand: &OperandPlan| operand.width <= 16 && operand.padding_bits == 0;
    if narrow(a) && narrow(b) {
        let fraction_bits = a.fraction_bits.max(b.fraction_bits);
        let fits = |operand: &OperandPlan| operand.exponent_bits + fraction_bits <= 15;
        // The sum of two exponents stands above the fraction bits of a column.
        let sums = low_ones(a.exponent_bits) + low_ones(b.exponent_bits);
        if fits(a) && fits(b) && sums >> (16 - fraction_bits) == 0 {
            return Ok((fraction_bits, 0));
        }
    }
    let wide = |operand: &OperandPlan| operand.width == 32 && operand.exponent_bits == 8 && operand.padding_bits == 13;
    if a == b && wide(a) {
        return Ok((7, a.fraction_bits - 7));
    }
    Err("operands are no fp16, bf16, tf32 or fp8".to_owned())
}

fn operand(plan: &OperandPlan, fraction_bits: u32) -> Operand {
    let word = usize::from(plan.width > 16);
    let width = plan.width.min(16);
    let own_fraction_bits = plan.fraction_bits.min(fraction_bits);
    let magnitude_left = fraction_bits - own_fraction_bits;
    let exponent_mask = (low_ones(plan.exponent_bits) << own_fraction_bits) as u16;
    let (special_from, infinity) = match plan.non_finite {
        NonFinite::Ieee => (exponent_mask, Some(exponent_mask)),
        NonFinite::AllOnesNan => (low_ones(width - 1) as u16, None),
        NonFinite::None | NonFinite::NegativeZeroNan => (0x8000, None),
    };
    Operand {
        word,
        sign_left: 16 - width,
        magnitude_left,
        magnitude_mask: low_ones(width - 1) as u16,
        unchanged: width == 16,
        special_from,
        infinity,
    }
}

fn addend(plan: &FusedPlan, bias: i32) -> Addend {
    let c = &plan.c;
    Addend {
        width: c.width,
        fraction_bits: c.fraction_bits,
        magnitude_mask: low_ones(c.width - 1) as u32,
        exponent_offset: bias - c.bias,
        flush_subnormals: c.flush_subnormals,
        special_from: (low_ones(c.exponent_bits) << c.fraction_bits) as u32,
        place_left: plan.addend_place_left,
    }
}
