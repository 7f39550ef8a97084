//! The schemes of unit files as steps.

use super::{
    AddendPlace, AddendWindow, Arithmetic, BlockScales, Exponent, Flushing, InputSubnormals, Operand, Order, Round,
    RoundTo, Start, Step, StepRound, Window, ZeroSign,
};
use crate::describe::format::{Format, Overflow, Rounding};
use crate::describe::unit::{
    Addition, Alignment, AlignmentRounding, Formats, Groups, ProductOrder, ProductOverflow, Scales, Scheme, Unit,
};

/// Integer bits of a product's significand: [1, 4).
pub(super) const PRODUCT_INTEGER_BITS: u32 = 2;

impl From<AlignmentRounding> for Rounding {
    fn from(rounding: AlignmentRounding) -> Rounding {
        match rounding {
            AlignmentRounding::TowardZero => Rounding::TowardZero,
            AlignmentRounding::Downward => Rounding::TowardNegative,
            AlignmentRounding::NearestEven => Rounding::NearestEven,
            AlignmentRounding::ToOdd => Rounding::ToOdd,
        }
    }
}

impl Unit {
    /// The arithmetic of the unit, as steps.
    pub fn arithmetic(&self) -> Arithmetic {
        let (formats, flush) = (&self.formats, self.flush);
        let operand = |format: &Format, flushed: bool| Operand {
            format: format.clone(),
            widened: None,
            subnormals: match (flushed, flush.to_plus_zero) {
                (false, _) => InputSubnormals::Kept,
                (true, false) => InputSubnormals::Flushed,
                (true, true) => InputSubnormals::FlushedToPlusZero,
            },
        };
        let descending = self.order == ProductOrder::Descending;
        let mut arithmetic = Arithmetic {
            products: self.products,
            a: operand(&formats.a, flush.operands),
            b: operand(&formats.b, flush.operands),
            c: self.has_addend().then(|| operand(&formats.c, flush.addend)),
            d: formats.d.clone(),
            scales: self.scales.as_ref().map(|scales| BlockScales {
                a: scales.a.clone(),
                b: scales.b.clone(),
                block: scales.block,
            }),
            permutation: if descending { (0..self.products).rev().collect() } else { Vec::new() },
            steps: steps(self).unwrap_or_default(),
            conversion: conversion(self),
            nan: self.conversion.nan,
            flags: self.conversion.flags,
        };
        if let Some(list) = &self.list {
            arithmetic.permutation = list.permutation.indices(self.products);
            [arithmetic.a.widened, arithmetic.b.widened] = [list.widened[0].clone(), list.widened[1].clone()];
            if let Some(c) = &mut arithmetic.c {
                (c.widened, c.subnormals) = (list.widened[2].clone(), list.addend);
            }
            return arithmetic;
        }
        let zero = match (self.scheme.rounds_each_operation(), self.conversion.zero_negative) {
            (true, _) => ZeroSign::Ieee,
            (false, false) => ZeroSign::Positive,
            (false, true) => ZeroSign::Negative,
        };
        let inputs = arithmetic.c.as_ref().map_or(InputSubnormals::Kept, |c| c.subnormals);
        for step in &mut arithmetic.steps {
            (step.zero, step.inputs) = (zero, inputs);
        }
        arithmetic
    }
}

/// The rounding to d.
fn conversion(unit: &Unit) -> Round {
    Round {
        to: RoundTo::Format(unit.formats.d.clone()),
        rounding: unit.conversion.rounding,
        overflow: unit.conversion.overflow,
        subnormals: match (unit.flush.result, unit.flush.tiny_result) {
            (false, _) => Flushing::Kept,
            (true, false) => Flushing::Flushed,
            (true, true) => Flushing::FlushedIfTiny,
        },
        rounded_zero_positive: unit.conversion.rounded_zero_positive,
    }
}

/// The steps; `None` where the scheme needs a table that the unit does not have.
fn steps(unit: &Unit) -> Option<Vec<Step>> {
    Some(match unit.scheme {
        Scheme::Exact | Scheme::Integer => vec![with_addend(unit.has_addend())],
        Scheme::Fused => {
            let alignment = unit.alignment.as_ref()?;
            [products(unit, alignment), vec![aligned(unit, alignment, PRODUCT_INTEGER_BITS)]].concat()
        }
        Scheme::BlockScaled => block_scaled(unit, unit.scales.as_ref()?, unit.alignment.as_ref()?),
        Scheme::FusedThenAdd => {
            let alignment = unit.alignment.as_ref()?;
            [products(unit, alignment), fused_then_add(unit, alignment, unit.addition.as_ref()?)].concat()
        }
        Scheme::Steps => unit.list.as_ref()?.steps.clone(),
        Scheme::FmaChain => vec![chain()],
        Scheme::PairChain => vec![Step { group: Some(2), ..rounded() }, chain()],
        Scheme::EvenOddChain => even_odd_chain(unit.has_addend()),
        Scheme::Pairwise => pairwise(unit.has_addend()),
    })
}

/// The exact sum of all numbers, rounded to d.
fn rounded() -> Step {
    Step { round: vec![StepRound::Result], ..Step::EXACT }
}

/// The same with c behind them, if there is one.
pub(super) fn with_addend(has_addend: bool) -> Step {
    Step { c: has_addend.then_some(AddendPlace::Last), ..rounded() }
}

/// Two chains from zero, their sum, and c.
pub(super) fn even_odd_chain(has_addend: bool) -> Vec<Step> {
    let lanes = Step { lanes: 2, order: Order::Chain { by: 1, start: Start::Zero }, ..rounded() };
    vec![lanes, rounded(), with_addend(has_addend)]
}

/// Rounded products, a tree of their sums, and c.
pub(super) fn pairwise(has_addend: bool) -> Vec<Step> {
    let tree = Step { order: Order::Tree { by: 2 }, ..rounded() };
    vec![Step { group: Some(1), exponent: Exponent::Own, ..rounded() }, tree, with_addend(has_addend)]
}

/// One number after the other, from c.
pub(super) fn chain() -> Step {
    Step { order: Order::Chain { by: 1, start: Start::First }, c: Some(AddendPlace::First), ..rounded() }
}

/// The steps between products and their alignment: their bound, where one can exceed it, and their normalisation.
fn products(unit: &Unit, alignment: &Alignment) -> Vec<Step> {
    let one = Step { group: Some(1), ..Step::EXACT };
    let mut steps = Vec::new();
    let Formats { a, b, d, .. } = &unit.formats;
    let greatest = a.exponent_max() + b.exponent_max() + PRODUCT_INTEGER_BITS as i32 - 1;
    if let Some(Addition { product_overflow: ProductOverflow::Infinity, .. }) = unit.addition
        && greatest > d.exponent_max()
    {
        let to = RoundTo::Range { precision: None, exponent_min: None, exponent_max: Some(d.exponent_max()) };
        steps.push(Step { exponent: Exponent::Own, round: vec![range(to, Rounding::TowardZero)], ..one.clone() });
    }
    if alignment.normalise_products {
        steps.push(one);
    }
    steps
}

fn range(to: RoundTo, rounding: Rounding) -> StepRound {
    let (overflow, subnormals) = (Overflow::Infinity, Flushing::Kept);
    StepRound::To(Round { to, rounding, overflow, subnormals, rounded_zero_positive: false })
}

/// The window of the table `alignment`.
fn window(alignment: &Alignment) -> Window {
    Window {
        fraction_bits: alignment.fraction_bits,
        rounding: alignment.rounding.into(),
        floor: alignment.exponent_floor,
        width: None,
        addend: None,
    }
}

/// All terms and c in that window, whose terms have so many integer bits, rounded to d.
fn aligned(unit: &Unit, alignment: &Alignment, integer_bits: u32) -> Step {
    let width = unit.carry_bits.map(|carry_bits| 1 + carry_bits + integer_bits + alignment.fraction_bits);
    Step {
        window: Some(Window { width, ..window(alignment) }),
        exponent: Exponent::Anchor,
        ..with_addend(unit.has_addend())
    }
}

/// Products, or exact sums of groups in fixed point, times their scales; then all in a window.
///
/// The window has one integer bit more for each scale with a fraction; for groups those of the greatest exponents of both elements,
/// and of the number of products.
fn block_scaled(unit: &Unit, scales: &Scales, alignment: &Alignment) -> Vec<Step> {
    let fractions = [&scales.a, &scales.b].into_iter().filter(|format| format.fraction_bits > 0).count() as u32;
    let exponents = unit.formats.a.exponent_field_max() + unit.formats.b.exponent_field_max();
    let (scaled, group_bits) = match scales.group {
        None => (Step { group: Some(1), exponent: Exponent::Own, ..Step::EXACT }, 0),
        Some(group) => (
            Step { group: Some(group), exponent: Exponent::Fixed(0), ..Step::EXACT },
            exponents.max(0).unsigned_abs() + group.next_power_of_two().ilog2(),
        ),
    };
    vec![Step { scaled: true, ..scaled }, aligned(unit, alignment, PRODUCT_INTEGER_BITS + fractions + group_bits)]
}

/// Products in a window, in two lanes or none; the lanes in a window; that sum and c in a window with a cut of c's own.
fn fused_then_add(unit: &Unit, alignment: &Alignment, addition: &Addition) -> Vec<Step> {
    let in_window = |window| Step { window: Some(window), exponent: Exponent::Anchor, ..Step::EXACT };
    let both = Window { rounding: addition.rounding.into(), floor: None, ..window(alignment) };
    let mut steps = vec![Step { lanes: addition.groups.count(), ..in_window(window(alignment)) }];
    if addition.groups == Groups::EvenOdd {
        steps.push(in_window(both.clone()));
    }
    let addend = AddendWindow { fraction_bits: addition.addend_fraction_bits, reach: addition.addend_reach };
    let total = Window {
        fraction_bits: addition.sum_fraction_bits,
        floor: addition.exponent_floor,
        addend: Some(addend),
        ..both
    };
    let last = Step { c: Some(AddendPlace::Last), ..in_window(total) };
    let Some(kept) = addition.total_fraction_bits else {
        steps.push(Step { round: vec![StepRound::Result], ..last });
        return steps;
    };
    let exponent_min = Some(unit.formats.d.exponent_min());
    let to = RoundTo::Range { precision: Some(kept + 1), exponent_min, exponent_max: None };
    // A step of its own, for what is cut to zero has the sign of an exact zero.
    let stored = Step { exponent: Exponent::Own, ..rounded() };
    steps.extend([Step { round: vec![range(to, Rounding::TowardNegative)], ..last }, stored]);
    steps
}
