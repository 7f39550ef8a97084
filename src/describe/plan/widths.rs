//! The derivation of every width, top to bottom in datapath order.

use super::{Constant, OperandPlan, Plan, ResultPlan, derived_carry_bits, signals, signed_width};
use crate::describe::unit::{AlignmentRounding, Unit};

/// Collects constants while they are derived.
struct Ledger(Vec<Constant>);

impl Ledger {
    /// Notes a constant and returns it as a width.
    fn width(&mut self, name: &'static str, value: u32, derivation: impl Into<String>) -> u32 {
        self.0.push(Constant { name, value: i64::from(value), derivation: derivation.into() });
        value
    }

    /// Notes a constant and returns it as an exponent.
    fn exponent(&mut self, name: &'static str, value: i32, derivation: impl Into<String>) -> i32 {
        self.0.push(Constant { name, value: i64::from(value), derivation: derivation.into() });
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
        Some(floor) if floor > lowest => {
            (floor, "ExponentFloor; zero terms carry it, so that they never raise the anchor".to_owned())
        }
        _ => (
            lowest,
            format!("lowest exponent of a term, lesser of {product_min} and {}; zero terms carry it", c.exponent_min),
        ),
    };
    Exponents {
        floor,
        floor_derivation,
        term_min: lowest.min(floor),
        term_max: product_max.max(c.exponent_max).max(floor),
    }
}

impl Plan {
    /// Derives the plan of a unit. Every checked unit has one.
    pub fn of(unit: &Unit) -> Plan {
        let mut ledger = Ledger(Vec::new());
        let a = OperandPlan::new(&unit.formats.a, unit.flush.operands);
        let b = OperandPlan::new(&unit.formats.b, unit.flush.operands);
        let c = OperandPlan::new(&unit.formats.c, unit.flush.addend);
        let result = ResultPlan::new(unit);

        let product_width = ledger.width(
            "ProductWidth",
            a.precision() + b.precision(),
            format!("{} + {}: significand of a times significand of b, exact", a.precision(), b.precision()),
        );
        let (product_fraction_bits, why) = match unit.alignment.normalise_products {
            true => (product_width - 1, "normalised to [1, 2): one integer bit"),
            false => (product_width - 2, "not normalised, in [1, 4): two integer bits"),
        };
        let product_fraction_bits = ledger.width("ProductFractionBits", product_fraction_bits, why);

        let fraction_bits = unit.alignment.fraction_bits;
        let longest = product_fraction_bits.max(c.fraction_bits);
        let guard_bits = ledger.width(
            "GuardBits",
            longest.saturating_sub(fraction_bits),
            format!("fraction bits beyond F before the shift: longest fraction {longest}, F = {fraction_bits}"),
        );
        let product_place_left = ledger.width(
            "ProductPlaceLeft",
            fraction_bits + guard_bits - product_fraction_bits,
            "F + GuardBits - ProductFractionBits",
        );
        let addend_place_left = ledger.width(
            "AddendPlaceLeft",
            fraction_bits + guard_bits - c.fraction_bits,
            format!("F + GuardBits - {}, the addend's fraction bits", c.fraction_bits),
        );
        let window_width =
            ledger.width("WindowWidth", 2 + fraction_bits, "2 integer bits, products lie in [1, 4), and F");
        let rounds_up = derived_carry_bits(1, unit.alignment.rounding) > 1;
        let aligned_width = ledger.width(
            "AlignedWidth",
            window_width + 1 + u32::from(rounds_up),
            if rounds_up {
                "WindowWidth, a bit for terms rounded up, and the sign"
            } else {
                "WindowWidth and the sign"
            },
        );

        let carry_bits_derived = derived_carry_bits(unit.products, unit.alignment.rounding);
        let carry_bits = unit.carry_bits.unwrap_or(carry_bits_derived);
        let sum_width = ledger.width("SumWidth", 1 + carry_bits + window_width, "sign, CarryBits and WindowWidth");
        let wraps = carry_bits < carry_bits_derived;
        let magnitude_width = ledger.width(
            "MagnitudeWidth",
            sum_width - u32::from(!wraps),
            if wraps {
                "SumWidth: too few carry bits, the sum can wrap to its minimum"
            } else {
                "SumWidth without the sign"
            },
        );

        let reach = exponents(unit, &a, &b, &c, product_width);
        let exponent_floor = ledger.exponent("AnchorFloor", reach.floor, reach.floor_derivation);
        let top_without_headroom = magnitude_width as i32 - 1 - fraction_bits as i32;
        let headroom_bits = ledger.width(
            "HeadroomBits",
            (result.exponent_min - (exponent_floor + top_without_headroom)).max(0) as u32,
            format!(
                "lifts the lowest top weight {} to the result's minimum {}",
                exponent_floor + top_without_headroom,
                result.exponent_min
            ),
        );
        let kept_and_discarded = result.fraction_bits + 3;
        let pad_bits = ledger.width(
            "PadBits",
            kept_and_discarded.saturating_sub(headroom_bits + magnitude_width),
            format!("at least {kept_and_discarded} bits: the result's significand and two to discard"),
        );
        let normalised_width = ledger.width(
            "NormalisedWidth",
            headroom_bits + magnitude_width + pad_bits,
            "HeadroomBits + MagnitudeWidth + PadBits",
        );
        let top_exponent_offset = ledger.exponent(
            "TopExponentOffset",
            top_without_headroom + headroom_bits as i32,
            "MagnitudeWidth - 1 - F + HeadroomBits: weight of the window's top bit, from the anchor",
        );

        let lowest = reach.term_min.min(result.exponent_min).min(a.exponent_min).min(b.exponent_min);
        let highest = (reach.term_max + top_exponent_offset.max(0)).max(a.exponent_max).max(b.exponent_max);
        let exponent_width = ledger.width(
            "ExponentWidth",
            signed_width(i64::from(lowest), i64::from(highest)),
            format!("two's complement of every exponent here, {lowest} to {highest}"),
        );

        let exponent_span = 32 - (highest - lowest).unsigned_abs().leading_zeros();
        let pack_width = exponent_span + 1 + result.fraction_bits;
        let placed_width = 2 + fraction_bits + guard_bits;
        let operand_width = a.width.max(b.width).max(c.width);
        let word_bits =
            2 + pack_width.max(placed_width).max(sum_width).max(normalised_width).max(operand_width).max(aligned_width);
        let mut plan = Plan {
            unit: unit.name.clone(),
            module: unit.module_name(),
            products: unit.products,
            a,
            b,
            c,
            result,
            exponent_width,
            exponent_floor,
            term_exponent_min: reach.term_min,
            term_exponent_max: reach.term_max,
            normalise_products: unit.alignment.normalise_products,
            product_width,
            product_fraction_bits,
            fraction_bits,
            alignment_rounding: unit.alignment.rounding,
            guard_bits,
            product_place_left,
            addend_place_left,
            window_width,
            aligned_width,
            carry_bits,
            carry_bits_derived,
            sum_width,
            magnitude_width,
            headroom_bits,
            pad_bits,
            normalised_width,
            top_exponent_offset,
            word_bits,
            constants: ledger.0,
            signals: Vec::new(),
        };
        plan.signals = signals::of(&plan);
        plan
    }

    /// Whether alignment can move a term up by one unit of the window's last place.
    pub fn alignment_rounds_up(&self) -> bool {
        matches!(self.alignment_rounding, AlignmentRounding::Downward | AlignmentRounding::NearestEven)
    }
}
