//! The derivation of every width from the terms on, top to bottom in datapath order.

use super::{Constant, FusedPlan, OperandPlan, ResultPlan, TermsPlan, carry_bits_of, signed_width};
use crate::describe::unit::Unit;

/// Collects constants while they are derived.
#[derive(Default)]
pub(super) struct Ledger(Vec<Constant>);

impl Ledger {
    /// Notes a constant that follows from others by a sum, and returns it.
    pub(super) fn sum(
        &mut self,
        name: &'static str,
        value: u32,
        expression: &'static str,
        derivation: impl Into<String>,
    ) -> u32 {
        let (value_noted, expression) = (i64::from(value), Some(expression));
        self.0.push(Constant { name, value: value_noted, expression, derivation: derivation.into() });
        value
    }

    /// Notes a constant that the derivation explains, and returns it.
    pub(super) fn chosen(&mut self, name: &'static str, value: u32, derivation: impl Into<String>) -> u32 {
        self.0.push(Constant { name, value: i64::from(value), expression: None, derivation: derivation.into() });
        value
    }
}

/// Exponents of all terms, before widths are known.
struct Exponents {
    floor: i32,
    floor_derivation: String,
    term_min: i32,
    term_max: i32,
}

fn exponents(unit: &Unit, terms: &TermsPlan, c: &OperandPlan) -> Exponents {
    let addend = unit.has_addend().then_some(c);
    let lowest = addend.map_or(terms.exponent_min, |c| terms.exponent_min.min(c.exponent_min));
    let (floor, floor_derivation) = match unit.alignment().exponent_floor {
        Some(floor) if floor > lowest => (floor, "least exponent of the anchor; zero terms carry it".to_owned()),
        _ => {
            let of_both =
                addend.map_or(String::new(), |c| format!(", of {} and {}", terms.exponent_min, c.exponent_min));
            (lowest, format!("lowest exponent of a term{of_both}; zero terms carry it"))
        }
    };
    let term_max = addend.map_or(terms.exponent_max, |c| terms.exponent_max.max(c.exponent_max)).max(floor);
    Exponents { floor, floor_derivation, term_min: lowest.min(floor), term_max }
}

/// Widths of placing and cutting the terms.
struct Alignment {
    guard_bits: u32,
    term_place_left: u32,
    addend_place_left: u32,
    window_width: u32,
    aligned_width: u32,
}

fn alignment(ledger: &mut Ledger, unit: &Unit, terms: &TermsPlan, c: &OperandPlan) -> Alignment {
    let fraction_bits = unit.alignment().fraction_bits;
    let longest = terms.fraction_bits.max(c.fraction_bits);
    let why = format!("fraction bits beyond F before the shift: longest fraction {longest}, F = {fraction_bits}");
    let guard_bits = ledger.chosen("GuardBits", longest.saturating_sub(fraction_bits), why);
    let term_place_left = ledger.sum(
        "ProductPlaceLeft",
        fraction_bits + guard_bits - terms.fraction_bits,
        "FractionBits + GuardBits - ProductFractionBits",
        "zeros below a product, before the shift",
    );
    let mut addend_place_left = 0;
    if unit.has_addend() {
        addend_place_left = ledger.sum(
            "AddendPlaceLeft",
            fraction_bits + guard_bits - c.fraction_bits,
            "FractionBits + GuardBits - AddendFractionBits",
            "zeros below the addend, before the shift",
        );
    }
    let window_width = ledger.sum(
        "WindowWidth",
        terms.integer_bits + fraction_bits,
        "IntegerBits + FractionBits",
        "what is kept of a term",
    );
    let aligned_width = match unit.alignment().rounding.rounds_up() {
        true => ledger.sum(
            "AlignedWidth",
            window_width + 2,
            "1 + 1 + WindowWidth",
            "sign, carry of a term rounded up, window",
        ),
        false => ledger.sum("AlignedWidth", window_width + 1, "1 + WindowWidth", "sign, window"),
    };
    Alignment { guard_bits, term_place_left, addend_place_left, window_width, aligned_width }
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
    let carry_bits_derived = carry_bits_of(unit);
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
    let top = magnitude_width as i32 - 1 - unit.alignment().fraction_bits as i32;
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

/// The widest value from alignment to normalisation.
fn widest_sum(aligned: &Alignment, sum: &Sum) -> u32 {
    // The unit that lost bits are compared with stands one place above the widest placed term.
    let placed_width = aligned.window_width + aligned.guard_bits + 1;
    // The terms are added before the sum is cut to its carry bits.
    let total_width = 1 + sum.carry_bits.max(sum.carry_bits_derived) + aligned.window_width;
    placed_width.max(total_width).max(sum.normalised_width)
}

/// The least range that holds all ranges.
fn enclosing(first: (i32, i32), others: &[(i32, i32)]) -> (i32, i32) {
    others.iter().fold(first, |all, range| (all.0.min(range.0), all.1.max(range.1)))
}

impl FusedPlan {
    /// Derives what follows the terms.
    pub(super) fn with_terms(unit: &Unit, mut ledger: Ledger, [a, b]: [OperandPlan; 2], terms: TermsPlan) -> FusedPlan {
        let c = OperandPlan::new(&unit.formats.c, unit.flush.addend).flushed_as(unit);
        let result = ResultPlan::new(unit);
        let aligned = alignment(&mut ledger, unit, &terms, &c);
        let reach = exponents(unit, &terms, &c);
        let sum = sum(&mut ledger, unit, aligned.window_width, reach.floor, &result);

        let highest = reach.term_max + sum.top_exponent_offset.max(0);
        let terms_and_result = (reach.term_min.min(result.exponent_min), highest);
        let operands = [&a, &b].map(|operand| (operand.exponent_min, operand.exponent_max));
        let (lowest, highest) = enclosing(terms_and_result, &operands);
        let exponent_width = ledger.chosen(
            "ExponentWidth",
            signed_width(lowest.into(), highest.into()),
            format!("two's complement of every exponent here, {lowest} to {highest}"),
        );

        let exponent_span = 32 - (highest - lowest).unsigned_abs().leading_zeros();
        let pack_width = exponent_span + 1 + result.fraction_bits;
        let encoding_width = a.width.max(b.width).max(c.width).max(unit.answer_width());
        let widest = pack_width.max(encoding_width).max(widest_sum(&aligned, &sum));
        FusedPlan {
            unit: unit.name.clone(),
            module: unit.module_name(),
            products: unit.products,
            product_width: a.precision() + b.precision(),
            a,
            b,
            c,
            has_addend: unit.has_addend(),
            flags: unit.conversion.flags,
            result,
            terms,
            exponent_width,
            exponent_floor: reach.floor,
            exponent_floor_derivation: reach.floor_derivation,
            term_exponent_min: reach.term_min,
            term_exponent_max: reach.term_max,
            normalise_products: unit.alignment().normalise_products,
            fraction_bits: unit.alignment().fraction_bits,
            alignment_rounding: unit.alignment().rounding,
            guard_bits: aligned.guard_bits,
            term_place_left: aligned.term_place_left,
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
        }
    }
}
