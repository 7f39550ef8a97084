//! The derivation of every width, top to bottom in datapath order.

use super::{Constant, FusedPlan, OperandPlan, ResultPlan, derived_carry_bits, signals, signed_width};
use crate::describe::unit::Unit;

/// Integer bits of the window: products lie in [1, 4).
const INTEGER_BITS: u32 = 2;

/// Collects constants while they are derived.
struct Ledger(Vec<Constant>);

impl Ledger {
    /// Notes a constant that follows from others by a sum, and returns it.
    fn sum(&mut self, name: &'static str, value: u32, expression: &'static str, derivation: impl Into<String>) -> u32 {
        let (value_noted, expression) = (i64::from(value), Some(expression));
        self.0.push(Constant { name, value: value_noted, expression, derivation: derivation.into() });
        value
    }

    /// Notes a constant that the derivation explains, and returns it.
    fn chosen(&mut self, name: &'static str, value: u32, derivation: impl Into<String>) -> u32 {
        self.0.push(Constant { name, value: i64::from(value), expression: None, derivation: derivation.into() });
        value
    }
}

/// Exponents of the terms, before widths are known.
struct Exponents {
    floor: i32,
    floor_derivation: String,
    term_min: i32,
    term_max: i32,
}

fn exponents(unit: &Unit, a: &OperandPlan, b: &OperandPlan, c: &OperandPlan, product_width: u32) -> Exponents {
    let normalised = unit.alignment.normalise_products;
    let product_min = a.exponent_min + b.exponent_min - if normalised { product_width as i32 - 2 } else { 0 };
    let product_max = a.exponent_max + b.exponent_max + i32::from(normalised);
    let lowest = product_min.min(c.exponent_min);
    let (floor, floor_derivation) = match unit.alignment.exponent_floor {
        Some(floor) if floor > lowest => (floor, "least exponent of the anchor; zero terms carry it".to_owned()),
        _ => {
            (lowest, format!("lowest exponent of a term, of {product_min} and {}; zero terms carry it", c.exponent_min))
        }
    };
    let term_max = product_max.max(c.exponent_max).max(floor);
    Exponents { floor, floor_derivation, term_min: lowest.min(floor), term_max }
}

/// Widths up to the aligned terms.
struct Alignment {
    product_width: u32,
    product_fraction_bits: u32,
    guard_bits: u32,
    product_place_left: u32,
    addend_place_left: u32,
    window_width: u32,
    aligned_width: u32,
}

fn alignment(ledger: &mut Ledger, unit: &Unit, a: &OperandPlan, b: &OperandPlan, c: &OperandPlan) -> Alignment {
    let fraction_bits = unit.alignment.fraction_bits;
    let product_width = ledger.sum(
        "ProductWidth",
        a.precision() + b.precision(),
        "OperandAPrecision + OperandBPrecision",
        "significand of a times significand of b, exact",
    );
    ledger.chosen("IntegerBits", INTEGER_BITS, "of the window: exact products lie in [1, 4)");
    let product_fraction_bits = match unit.alignment.normalise_products {
        true => ledger.sum("ProductFractionBits", product_width - 1, "ProductWidth - 1", "normalised to [1, 2)"),
        false => ledger.sum(
            "ProductFractionBits",
            product_width - INTEGER_BITS,
            "ProductWidth - IntegerBits",
            "not normalised, in [1, 4)",
        ),
    };
    let longest = product_fraction_bits.max(c.fraction_bits);
    let why = format!("fraction bits beyond F before the shift: longest fraction {longest}, F = {fraction_bits}");
    let guard_bits = ledger.chosen("GuardBits", longest.saturating_sub(fraction_bits), why);
    let product_place_left = ledger.sum(
        "ProductPlaceLeft",
        fraction_bits + guard_bits - product_fraction_bits,
        "FractionBits + GuardBits - ProductFractionBits",
        "zeros below a product, before the shift",
    );
    let addend_place_left = ledger.sum(
        "AddendPlaceLeft",
        fraction_bits + guard_bits - c.fraction_bits,
        "FractionBits + GuardBits - AddendFractionBits",
        "zeros below the addend, before the shift",
    );
    let window_width =
        ledger.sum("WindowWidth", INTEGER_BITS + fraction_bits, "IntegerBits + FractionBits", "what is kept of a term");
    let aligned_width = match unit.alignment.rounding.rounds_up() {
        true => ledger.sum(
            "AlignedWidth",
            window_width + 2,
            "1 + 1 + WindowWidth",
            "sign, carry of a term rounded up, window",
        ),
        false => ledger.sum("AlignedWidth", window_width + 1, "1 + WindowWidth", "sign, window"),
    };
    Alignment {
        product_width,
        product_fraction_bits,
        guard_bits,
        product_place_left,
        addend_place_left,
        window_width,
        aligned_width,
    }
}

/// Widths of the sum and of its normalisation.
struct Sum {
    carry_bits: u32,
    carry_bits_derived: u32,
    sum_width: u32,
    magnitude_width: u32,
    headroom_bits: u32,
    pad_bits: u32,
    normalised_width: u32,
    top_exponent_offset: i32,
}

fn sum(ledger: &mut Ledger, unit: &Unit, window_width: u32, floor: i32, result: &ResultPlan) -> Sum {
    let carry_bits_derived = derived_carry_bits(unit.products, unit.alignment.rounding);
    let carry_bits = unit.carry_bits.unwrap_or(carry_bits_derived);
    let sum_width = ledger.sum(
        "SumWidth",
        1 + carry_bits + window_width,
        "1 + CarryBits + WindowWidth",
        "sign, carry bits, window",
    );
    let magnitude_width = match carry_bits < carry_bits_derived {
        true => {
            ledger.sum("MagnitudeWidth", sum_width, "SumWidth", "too few carry bits: the sum can wrap to its minimum")
        }
        false => ledger.sum("MagnitudeWidth", sum_width - 1, "SumWidth - 1", "without the sign"),
    };
    let top = magnitude_width as i32 - 1 - unit.alignment.fraction_bits as i32;
    let headroom_bits = ledger.chosen(
        "HeadroomBits",
        (result.exponent_min - (floor + top)).max(0) as u32,
        format!("zeros above the magnitude: lift the lowest top weight, {}, to {}", floor + top, result.exponent_min),
    );
    let kept_and_discarded = result.fraction_bits + 3;
    let pad_bits = ledger.chosen(
        "PadBits",
        kept_and_discarded.saturating_sub(headroom_bits + magnitude_width),
        format!("zeros below the magnitude, for {kept_and_discarded} bits: d's significand and two to discard"),
    );
    let normalised_width = ledger.sum(
        "NormalisedWidth",
        headroom_bits + magnitude_width + pad_bits,
        "HeadroomBits + MagnitudeWidth + PadBits",
        "the window that the leading one moves in",
    );
    let top_exponent_offset = top + headroom_bits as i32;
    ledger.0.push(Constant {
        name: "TopExponentOffset",
        value: i64::from(top_exponent_offset),
        expression: Some("HeadroomBits + MagnitudeWidth - 1 - FractionBits"),
        derivation: "weight of that window's top bit, from the anchor".to_owned(),
    });
    Sum {
        carry_bits,
        carry_bits_derived,
        sum_width,
        magnitude_width,
        headroom_bits,
        pad_bits,
        normalised_width,
        top_exponent_offset,
    }
}

impl FusedPlan {
    /// Derives the plan of a unit. Every checked unit has one.
    pub fn of(unit: &Unit) -> FusedPlan {
        let mut ledger = Ledger(Vec::new());
        let a = OperandPlan::new(&unit.formats.a, unit.flush.operands);
        let b = OperandPlan::new(&unit.formats.b, unit.flush.operands);
        let c = OperandPlan::new(&unit.formats.c, unit.flush.addend);
        let result = ResultPlan::new(unit);
        let aligned = alignment(&mut ledger, unit, &a, &b, &c);
        let reach = exponents(unit, &a, &b, &c, aligned.product_width);
        let sum = sum(&mut ledger, unit, aligned.window_width, reach.floor, &result);

        let lowest = reach.term_min.min(result.exponent_min).min(a.exponent_min).min(b.exponent_min);
        let highest = (reach.term_max + sum.top_exponent_offset.max(0)).max(a.exponent_max).max(b.exponent_max);
        let exponent_width = ledger.chosen(
            "ExponentWidth",
            signed_width(i64::from(lowest), i64::from(highest)),
            format!("two's complement of every exponent here, {lowest} to {highest}"),
        );

        let exponent_span = 32 - (highest - lowest).unsigned_abs().leading_zeros();
        let pack_width = exponent_span + 1 + result.fraction_bits;
        // The unit that lost bits are compared with stands one place above the widest placed term.
        let placed_width = aligned.window_width + aligned.guard_bits + 1;
        // The terms are added before the sum is cut to its carry bits.
        let total_width = 1 + sum.carry_bits.max(sum.carry_bits_derived) + aligned.window_width;
        let operand_width = a.width.max(b.width).max(c.width).max(result.width);
        let widest = pack_width.max(placed_width).max(total_width).max(sum.normalised_width).max(operand_width);
        let mut plan = FusedPlan {
            unit: unit.name.clone(),
            module: unit.module_name(),
            products: unit.products,
            a,
            b,
            c,
            result,
            exponent_width,
            exponent_floor: reach.floor,
            exponent_floor_derivation: reach.floor_derivation,
            term_exponent_min: reach.term_min,
            term_exponent_max: reach.term_max,
            normalise_products: unit.alignment.normalise_products,
            product_width: aligned.product_width,
            product_fraction_bits: aligned.product_fraction_bits,
            fraction_bits: unit.alignment.fraction_bits,
            alignment_rounding: unit.alignment.rounding,
            guard_bits: aligned.guard_bits,
            product_place_left: aligned.product_place_left,
            addend_place_left: aligned.addend_place_left,
            window_width: aligned.window_width,
            aligned_width: aligned.aligned_width,
            carry_bits: sum.carry_bits,
            carry_bits_derived: sum.carry_bits_derived,
            sum_width: sum.sum_width,
            magnitude_width: sum.magnitude_width,
            headroom_bits: sum.headroom_bits,
            pad_bits: sum.pad_bits,
            normalised_width: sum.normalised_width,
            top_exponent_offset: sum.top_exponent_offset,
            // Room for a sign and for one doubling beyond the widest value.
            word_bits: 2 + widest,
            constants: ledger.0,
            signals: Vec::new(),
        };
        plan.signals = signals::of(&plan);
        plan
    }
}
