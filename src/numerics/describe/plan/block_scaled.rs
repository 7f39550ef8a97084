//! The plan of a block-scaled unit: scales, groups and scaled terms; from there on it is a fused plan.

use super::terms::{PRODUCT_INTEGER_BITS, TermNames, product_width};
use super::widths::Ledger;
use super::{FusedPlan, OperandPlan, TermsPlan};
use crate::describe::unit::{Scales, Unit};

/// Groups of products that are summed exactly.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GroupPlan {
    /// Products of one group.
    pub products: u32,
    /// Greatest exponent of a product above the lowest.
    pub span: u32,
    /// Exact sum of a group in units of the lowest product's last place, sign included.
    pub sum_width: u32,
}

/// Everything that follows from the description of a block-scaled unit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BlockScaledPlan {
    /// Operands, alignment, sum and conversion; its terms are the scaled ones.
    pub fused: FusedPlan,
    pub scale_a: OperandPlan,
    pub scale_b: OperandPlan,
    /// Scales of a, and as many of b.
    pub scales: u32,
    /// Products that share a scale of a and a scale of b.
    pub block: u32,
    /// `None` where each product is a term by itself.
    pub group: Option<GroupPlan>,
    /// Least exponent of a product of two elements; zero products carry it.
    pub product_exponent_min: i32,
    pub product_exponent_max: i32,
}

/// Scaled terms are called so.
const SCALED_NAMES: TermNames = TermNames {
    place_left: "ScaledPlaceLeft",
    place_left_sum: "FractionBits + GuardBits - ScaledFractionBits",
    placed: "zeros below a scaled term, before the shift",
};

/// What the elements give to the terms, before scales.
struct Elements {
    /// Significand of a product, or magnitude of a group's sum.
    width: u32,
    width_name: &'static str,
    integer_bits: u32,
    significand_max: Option<u128>,
    /// Range of exponents that take part in the alignment, and the greatest of a finite product.
    exponents: (i32, i32),
    finite_exponent_max: i32,
}

impl OperandPlan {
    /// Bits that multiplying by a scale of this format adds to a significand.
    fn scale_bits(&self) -> u32 {
        if self.fraction_bits == 0 { 0 } else { self.precision() }
    }

    /// Integer bits that it adds: a significand with a fraction lies in [1, 2), and two of them in [1, 4).
    fn scale_integer_bits(&self) -> u32 {
        u32::from(self.fraction_bits > 0)
    }
}

fn group(ledger: &mut Ledger, products: u32, product_width: u32, exponents: (i32, i32)) -> GroupPlan {
    let span = ledger.chosen(
        "ProductExponentSpan",
        (exponents.1 - exponents.0).unsigned_abs(),
        format!("exponents of products: {} to {}", exponents.0, exponents.1),
    );
    let carry_bits = ledger.chosen(
        "GroupCarryBits",
        products.next_power_of_two().ilog2(),
        format!("log2 of the group's {products} products, rounded up"),
    );
    let sum_width = ledger.sum(
        "GroupSumWidth",
        1 + carry_bits + product_width + span,
        "1 + GroupCarryBits + ProductWidth + ProductExponentSpan",
        "sign, carry bits, product at its greatest exponent",
    );
    GroupPlan { products, span, sum_width }
}

fn elements(ledger: &mut Ledger, product_width: u32, group: Option<&GroupPlan>, [a, b]: [&OperandPlan; 2]) -> Elements {
    let exponents = (a.exponent_min + b.exponent_min, a.exponent_max + b.exponent_max);
    let finite_exponent_max = a.finite_exponent_max() + b.finite_exponent_max();
    let product_max = a.significand_max().checked_mul(b.significand_max());
    let Some(group) = group else {
        return Elements {
            width: product_width,
            width_name: "ProductWidth",
            integer_bits: PRODUCT_INTEGER_BITS,
            significand_max: product_max,
            exponents,
            finite_exponent_max,
        };
    };
    let width = ledger.sum(
        "GroupMagnitudeWidth",
        group.sum_width - 1,
        "GroupSumWidth - 1",
        "without the sign; its fraction bits are those of the lowest product",
    );
    let span = (finite_exponent_max - exponents.0).max(0).unsigned_abs();
    let largest = product_max.and_then(|largest| largest.checked_mul(1u128.checked_shl(span)?));
    let fraction_bits = (a.fraction_bits + b.fraction_bits) as i32 - exponents.0;
    Elements {
        width,
        width_name: "GroupMagnitudeWidth",
        integer_bits: (width as i32 - fraction_bits).max(0).unsigned_abs(),
        significand_max: largest.and_then(|largest| largest.checked_mul(u128::from(group.products))),
        exponents: (0, 0),
        finite_exponent_max: 0,
    }
}

fn scaled_terms(ledger: &mut Ledger, unit: &Unit, elements: &Elements, [a, b]: [&OperandPlan; 2]) -> TermsPlan {
    for (name, scale) in [("ScaleABits", a), ("ScaleBBits", b)] {
        let why = match scale.scale_bits() {
            0 => "bits that the scale adds to a significand: none, it is a power of two",
            _ => "bits that the scale adds to a significand: its own significand",
        };
        ledger.chosen(name, scale.scale_bits(), why);
    }
    let sum = match elements.width_name {
        "ProductWidth" => "ProductWidth + ScaleABits + ScaleBBits",
        _ => "GroupMagnitudeWidth + ScaleABits + ScaleBBits",
    };
    let width = elements.width + a.scale_bits() + b.scale_bits();
    ledger.sum("ScaledWidth", width, sum, "significand of a scaled term, exact");
    let integer_bits = elements.integer_bits + a.scale_integer_bits() + b.scale_integer_bits();
    ledger.chosen(
        "IntegerBits",
        integer_bits,
        format!(
            "of the window: {} of a term before scaling, one for each scale with a fraction",
            elements.integer_bits
        ),
    );
    let fraction_bits =
        ledger.sum("ScaledFractionBits", width - integer_bits, "ScaledWidth - IntegerBits", "not normalised");
    let exponent_min = elements.exponents.0 + a.exponent_min + b.exponent_min;
    let scales_max = a.significand_max().checked_mul(b.significand_max());
    TermsPlan {
        count: unit.terms(),
        width,
        integer_bits,
        fraction_bits,
        exponent_min,
        exponent_max: elements.exponents.1 + a.exponent_max + b.exponent_max,
        significand_max: scales_max.and_then(|scales| scales.checked_mul(elements.significand_max?)),
        unit: exponent_min - fraction_bits as i32,
        end: elements.finite_exponent_max + a.finite_exponent_max() + b.finite_exponent_max() + integer_bits as i32,
    }
}

/// Notes how products are divided, and returns the groups' plan.
fn division(ledger: &mut Ledger, unit: &Unit, scales: &Scales, a: &OperandPlan, b: &OperandPlan) -> Option<GroupPlan> {
    ledger.chosen("BlockSize", scales.block, "products that share a scale of a and a scale of b");
    if let Some(products) = scales.group {
        ledger.chosen("GroupSize", products, "products summed exactly before alignment");
        ledger.chosen("Groups", unit.terms(), format!("{} products, {products} a group", unit.products));
    }
    let width = product_width(ledger, a, b);
    let lowest = a.exponent_min + b.exponent_min;
    ledger.exponent("ProductExponentMin", lowest, "lowest exponent of a product; zero products carry it");
    scales.group.map(|products| group(ledger, products, width, (lowest, a.exponent_max + b.exponent_max)))
}

impl BlockScaledPlan {
    /// Derives the plan of a unit. Every checked block-scaled unit has one.
    ///
    /// # Panics
    /// The unit has no scales.
    pub fn of(unit: &Unit) -> BlockScaledPlan {
        let scales = unit.scales.as_ref().expect("a block-scaled unit has scales");
        let mut ledger = Ledger::default();
        let a = OperandPlan::new(&unit.formats.a, unit.flush.operands);
        let b = OperandPlan::new(&unit.formats.b, unit.flush.operands);
        let [scale_a, scale_b] = [&scales.a, &scales.b].map(|format| OperandPlan::new(format, false));
        let group = division(&mut ledger, unit, scales, &a, &b);
        let product_width = a.precision() + b.precision();
        let elements = elements(&mut ledger, product_width, group.as_ref(), [&a, &b]);
        let terms = scaled_terms(&mut ledger, unit, &elements, [&scale_a, &scale_b]);
        let product = (a.exponent_min + b.exponent_min, a.exponent_max + b.exponent_max);
        let scale_exponents = [&scale_a, &scale_b].map(|scale| (scale.exponent_min, scale.exponent_max));
        let others = [product, scale_exponents[0], scale_exponents[1]];
        BlockScaledPlan {
            fused: FusedPlan::with_terms(unit, ledger, [a, b], &SCALED_NAMES, terms, &others),
            scale_a,
            scale_b,
            scales: unit.scale_count(),
            block: scales.block,
            group,
            product_exponent_min: product.0,
            product_exponent_max: product.1,
        }
    }
}
