//! The terms beside the addend: products.

use super::widths::Ledger;
use super::{FusedPlan, OperandPlan};
use crate::describe::unit::Unit;

/// Integer bits of a product: it lies in [1, 4), or in [0, 4) with a subnormal factor.
const PRODUCT_INTEGER_BITS: u32 = 2;

/// What alignment, sum and conversion need to know of the terms beside the addend. A term is
/// significand * 2^(exponent - fraction_bits).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TermsPlan {
    pub count: u32,
    /// Significand width: integer and fraction bits.
    pub width: u32,
    pub integer_bits: u32,
    pub fraction_bits: u32,
    /// Least and greatest exponent of a nonzero term, infinity's included.
    pub exponent_min: i32,
    pub exponent_max: i32,
    /// Largest significand, where 128 bits hold it.
    pub significand_max: Option<u128>,
    /// Every term is a multiple of 2^unit, and every finite term lies below 2^end.
    pub unit: i32,
    pub end: i32,
}

/// The products of a unit.
fn products(ledger: &mut Ledger, unit: &Unit, a: &OperandPlan, b: &OperandPlan) -> TermsPlan {
    let width = ledger.sum(
        "ProductWidth",
        a.precision() + b.precision(),
        "OperandAPrecision + OperandBPrecision",
        "significand of a times significand of b, exact",
    );
    ledger.chosen("IntegerBits", PRODUCT_INTEGER_BITS, "of the window: exact products lie in [1, 4)");
    let normalised = unit.alignment().normalise_products;
    let fraction_bits = match normalised {
        true => ledger.sum("ProductFractionBits", width - 1, "ProductWidth - 1", "normalised to [1, 2)"),
        false => {
            let (bits, sum) = (width - PRODUCT_INTEGER_BITS, "ProductWidth - IntegerBits");
            ledger.sum("ProductFractionBits", bits, sum, "not normalised, in [1, 4)")
        }
    };
    let exponent_min = a.exponent_min + b.exponent_min;
    TermsPlan {
        count: unit.products,
        width,
        integer_bits: PRODUCT_INTEGER_BITS,
        fraction_bits,
        exponent_min: exponent_min - if normalised { width as i32 - 2 } else { 0 },
        exponent_max: a.exponent_max + b.exponent_max + i32::from(normalised),
        significand_max: a.significand_max().checked_mul(b.significand_max()),
        unit: exponent_min - (a.fraction_bits + b.fraction_bits) as i32,
        end: a.finite_exponent_max() + b.finite_exponent_max() + 2,
    }
}

impl FusedPlan {
    /// Derives the plan of a unit whose terms are its products. Every checked unit of that kind has one.
    pub fn of(unit: &Unit) -> FusedPlan {
        let mut ledger = Ledger::default();
        let a = OperandPlan::new(&unit.formats.a, unit.flush.operands).flushed_as(unit);
        let b = OperandPlan::new(&unit.formats.b, unit.flush.operands).flushed_as(unit);
        let terms = products(&mut ledger, unit, &a, &b);
        FusedPlan::with_terms(unit, ledger, [a, b], terms)
    }
}
