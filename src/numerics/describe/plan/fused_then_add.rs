//! The plan of a unit that adds the addend to the sum of its products: groups of products, their sums, the groups' sum,
//! called dot; from there on it is a fused plan of two terms, dot and addend.
//!
//! ```text
//!   product         ii.ffffff            cut at its group's anchor: DotFractionBits
//!   group      s ccc ii.ffffff           sum of the products of a group
//!   dot       s cccc ii.ffffff           sum of the groups, at the greater anchor
//!   E          ii.ffffffffffff           dot and addend in the window of the greatest exponent: FractionBits
//!   total       1.fffffffffff            their sum, normalised: TotalFractionBits
//! ```

use super::terms::{IntegerBits, TermNames, products};
use super::widths::Ledger;
use super::{Constant, FusedPlan, OperandPlan, TermsPlan, carry_bits_of, derived_carry_bits};
use crate::describe::unit::{Addition, Alignment, AlignmentRounding, ProductOverflow, Unit};

/// How one kind of term is placed, shifted to an anchor and cut there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CutPlan {
    /// Zeros below the significand, before the shift.
    pub place_left: u32,
    /// Bits below the last kept one at distance 0.
    pub guard_bits: u32,
    /// Integer and fraction bits that are kept.
    pub window_width: u32,
    /// With sign, and carry of a term rounded up.
    pub aligned_width: u32,
    pub rounding: AlignmentRounding,
}

/// Everything that follows from the description of such a unit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FusedThenAddPlan {
    /// Operands, the addition of dot and addend, and everything behind it. Its terms are dot alone.
    pub fused: FusedPlan,
    /// The products before they are cut.
    pub products: TermsPlan,
    pub groups: u32,
    /// Products of a group.
    pub group_size: u32,
    /// Least exponent of a group's anchor; zero products carry it.
    pub product_floor: i32,
    pub product_cut: CutPlan,
    pub group_sum_width: u32,
    /// The sum of a group at the greater anchor.
    pub group_cut: CutPlan,
    /// The sum of all products, sign included.
    pub dot_sum_width: u32,
    /// The addend in units of 2^(anchor - its fraction bits).
    pub addend_cut: CutPlan,
    /// Places of the window that lie below the addend's last kept one.
    pub addend_cut_bits: u32,
    /// Greatest distance from the anchor at which the addend takes part; `None` where it always does.
    pub addend_reach: Option<u32>,
    /// Last places of the normalised total that are cut, rounded downward; `None` where no total can lose anything.
    pub total_cut_bits: Option<u32>,
    /// Products of 2^this and above are infinite; `None` where no product is.
    pub overflow_exponent: Option<i32>,
}

/// The sum of products is called so.
const DOT_NAMES: TermNames = TermNames {
    place_left: "DotPlaceLeft",
    place_left_sum: "FractionBits + GuardBits - DotFractionBits",
    placed: "zeros below the sum of products, before the shift",
};

/// Widths of the products' sums.
struct Dot {
    product_cut: CutPlan,
    group_sum_width: u32,
    sum_width: u32,
}

fn product_cut(ledger: &mut Ledger, alignment: &Alignment, products: &TermsPlan) -> CutPlan {
    let kept =
        ledger.chosen("DotFractionBits", alignment.fraction_bits, "bits of a product kept below its group's anchor");
    let why = format!("fraction bits beyond those before the shift: a product has {}", products.fraction_bits);
    let guard_bits = ledger.chosen("DotGuardBits", products.fraction_bits.saturating_sub(kept), why);
    let place_left = ledger.sum(
        "ProductPlaceLeft",
        kept + guard_bits - products.fraction_bits,
        "DotFractionBits + DotGuardBits - ProductFractionBits",
        "zeros below a product, before the shift",
    );
    let window_width = ledger.sum(
        "DotWindowWidth",
        products.integer_bits + kept,
        "ProductIntegerBits + DotFractionBits",
        "what is kept of a product",
    );
    let aligned_width = match alignment.rounding.rounds_up() {
        true => ledger.sum(
            "DotAlignedWidth",
            window_width + 2,
            "1 + 1 + DotWindowWidth",
            "sign, carry of a product rounded up, window",
        ),
        false => ledger.sum("DotAlignedWidth", window_width + 1, "1 + DotWindowWidth", "sign, window"),
    };
    CutPlan { place_left, guard_bits, window_width, aligned_width, rounding: alignment.rounding }
}

fn dot(ledger: &mut Ledger, unit: &Unit, products: &TermsPlan, groups: u32) -> Dot {
    let product_cut = product_cut(ledger, unit.alignment(), products);
    ledger.chosen("Groups", groups, "product i belongs to group i modulo this number");
    let size = ledger.chosen("GroupSize", unit.products / groups, "products of a group");
    let carry_bits = ledger.chosen(
        "GroupCarryBits",
        derived_carry_bits(size - 1, unit.alignment().rounding),
        format!("suffice for {size} products"),
    );
    let group_sum_width = ledger.sum(
        "GroupSumWidth",
        1 + carry_bits + product_cut.window_width,
        "1 + GroupCarryBits + DotWindowWidth",
        "sign, carry bits, window",
    );
    let sum_width = match groups {
        1 => ledger.sum("DotSumWidth", group_sum_width, "GroupSumWidth", "sum of all products, sign included"),
        _ => ledger.sum("DotSumWidth", group_sum_width + 1, "GroupSumWidth + 1", "sum of both groups, sign included"),
    };
    Dot { product_cut, group_sum_width, sum_width }
}

/// The sum of products as a term.
fn dot_term(ledger: &mut Ledger, unit: &Unit, products: &TermsPlan, dot: &Dot, floor: i32) -> TermsPlan {
    let fraction_bits = unit.alignment().fraction_bits;
    let width = ledger.sum("DotWidth", dot.sum_width - 1, "DotSumWidth - 1", "its magnitude");
    let integer_bits = ledger.sum(
        "IntegerBits",
        width - fraction_bits,
        "DotWidth - DotFractionBits",
        "of the window: those of the sum",
    );
    TermsPlan {
        count: 1,
        width,
        integer_bits,
        fraction_bits,
        exponent_min: products.exponent_min.min(floor),
        exponent_max: products.exponent_max.max(floor),
        significand_max: largest_dot(unit, products),
        unit: products.unit,
        end: products.end.max(floor) + unit.products.next_power_of_two().ilog2() as i32,
    }
}

/// The significand with that many fraction bits, cut to others; nothing rounds it further up.
pub(super) fn cut(significand: u128, fraction_bits: u32, kept: u32) -> Option<u128> {
    match kept.checked_sub(fraction_bits) {
        Some(left) => significand.checked_mul(1u128.checked_shl(left)?),
        None => Some((significand >> (fraction_bits - kept)) + 1),
    }
}

/// The largest sum of products, in units of 2^-F of its anchor.
fn largest_dot(unit: &Unit, products: &TermsPlan) -> Option<u128> {
    let exact = unit.alignment().rounding == AlignmentRounding::TowardZero;
    let kept = unit.alignment().fraction_bits;
    let largest = products.significand_max?;
    let product = match products.fraction_bits.checked_sub(kept) {
        Some(lost) if exact => largest >> lost,
        _ => cut(largest, products.fraction_bits, kept)?,
    };
    product.checked_mul(u128::from(unit.products))
}

/// The unit of the addition alone: dot is its one term.
fn addition_alone(unit: &Unit, addition: &Addition) -> Unit {
    Unit {
        products: 1,
        alignment: Some(Alignment {
            fraction_bits: addition.sum_fraction_bits,
            rounding: addition.rounding,
            exponent_floor: addition.exponent_floor,
            normalise_products: unit.alignment().normalise_products,
        }),
        ..unit.clone()
    }
}

/// The highest exponent of a total: a cut that rounds it up can lift it above the top of the window.
fn highest_total(alone: &Unit, term: &TermsPlan) -> i32 {
    let c = OperandPlan::new(&alone.formats.c, alone.flush.addend);
    let anchor =
        term.exponent_max.max(c.exponent_max).max(alone.alignment().exponent_floor.unwrap_or(term.exponent_max));
    anchor + (term.integer_bits + carry_bits_of(alone)) as i32
}

/// Notes how much of a normalised total is cut, if that can be more than the zeros below every sum.
fn total_cut(fused: &mut FusedPlan, fraction_bits: u32) -> Option<u32> {
    let cut_bits = (fused.normalised_width - 1).checked_sub(fraction_bits).filter(|&bits| bits > fused.pad_bits)?;
    let constant = |name, value: u32, expression, derivation: &str| Constant {
        name,
        value: i64::from(value),
        expression,
        derivation: derivation.to_owned(),
    };
    let kept = "fraction bits kept of the total, below its leading one or d's least exponent";
    let cut = "last places of the normalised total, which is rounded downward to those above";
    fused.constants.push(constant("TotalFractionBits", fraction_bits, None, kept));
    fused.constants.push(constant("TotalCutBits", cut_bits, Some("NormalisedWidth - 1 - TotalFractionBits"), cut));
    Some(cut_bits)
}

impl FusedThenAddPlan {
    /// Derives the plan of a unit. Every checked unit of the scheme has one.
    ///
    /// # Panics
    /// The unit does not describe how c is added.
    pub fn of(unit: &Unit) -> FusedThenAddPlan {
        let addition = unit.addition.as_ref().expect("a unit of this scheme says how c is added");
        let mut ledger = Ledger::default();
        let [a, b] = [&unit.formats.a, &unit.formats.b].map(|format| OperandPlan::new(format, unit.flush.operands));
        let integer_bits = IntegerBits { name: "ProductIntegerBits", fraction: "ProductWidth - ProductIntegerBits" };
        let products = products(&mut ledger, unit, &integer_bits, &a, &b);
        let groups = addition.groups.count();
        let dot = dot(&mut ledger, unit, &products, groups);

        let lowest = products.exponent_min.min(unit.formats.c.exponent_min());
        let product_floor = unit.alignment().exponent_floor.map_or(lowest, |floor| floor.max(lowest));
        ledger.exponent("ProductFloor", product_floor, "least anchor of a group; zero products carry it");
        let limit = unit.formats.d.exponent_max() + 1;
        let infinite = addition.product_overflow == ProductOverflow::Infinity && products.end > limit;
        let overflow_exponent = infinite.then_some(limit);
        if infinite {
            ledger.exponent("OverflowExponent", limit, "products of two to this power and above are infinite");
        }
        let term = dot_term(&mut ledger, unit, &products, &dot, product_floor);
        let cut_bits = addition.sum_fraction_bits - addition.addend_fraction_bits;
        let why = format!(
            "last places of the window that the addend does not reach: {} fraction bits of it are kept",
            addition.addend_fraction_bits
        );
        ledger.chosen("AddendCutBits", cut_bits, why);
        let alone = addition_alone(unit, addition);
        let mut others = vec![(products.exponent_min, products.exponent_max), (product_floor, product_floor)];
        others.extend(addition.total_fraction_bits.map(|_| (product_floor, highest_total(&alone, &term))));
        let fused = FusedPlan::with_terms(&alone, ledger, [a, b], &DOT_NAMES, term, &others);
        let mut plan = FusedThenAddPlan {
            groups,
            group_size: unit.products / groups,
            product_floor,
            product_cut: dot.product_cut,
            group_sum_width: dot.group_sum_width,
            group_cut: CutPlan {
                place_left: 0,
                guard_bits: 0,
                window_width: dot.group_sum_width - 1,
                aligned_width: dot.group_sum_width,
                rounding: addition.rounding,
            },
            dot_sum_width: dot.sum_width,
            addend_cut: CutPlan {
                place_left: fused.addend_place_left,
                guard_bits: fused.guard_bits + cut_bits,
                window_width: fused.window_width - cut_bits,
                aligned_width: fused.aligned_width,
                rounding: addition.rounding,
            },
            addend_cut_bits: cut_bits,
            addend_reach: None,
            total_cut_bits: None,
            overflow_exponent,
            products,
            fused,
        };
        plan.complete(unit, addition);
        plan
    }

    /// What the plan of the addition alone does not know.
    fn complete(&mut self, unit: &Unit, addition: &Addition) {
        let fused = &mut self.fused;
        let farthest = (fused.term_exponent_max - fused.term_exponent_min).unsigned_abs();
        self.addend_reach = addition.addend_reach.filter(|&reach| reach < farthest);
        if let Some(reach) = self.addend_reach {
            fused.constants.push(Constant {
                name: "AddendReach",
                value: i64::from(reach),
                expression: None,
                derivation: "an addend whose exponent lies further below the anchor counts as zero".to_owned(),
            });
        }
        self.total_cut_bits = addition.total_fraction_bits.and_then(|bits| total_cut(fused, bits));
        fused.products = unit.products;
        let placed_width = self.product_cut.window_width + self.product_cut.guard_bits + 1;
        fused.word_bits = fused.word_bits.max(2 + placed_width).max(2 + self.dot_sum_width);
    }
}
