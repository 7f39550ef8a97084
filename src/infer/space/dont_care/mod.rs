//! Why a value of a field is a don't care, where that follows from formats, window and composition alone. Each reason is a
//! proof for every vector, not a search; where none applies nothing is said.

mod addition;
mod exact;
mod subnormals;

pub(in crate::infer) use exact::rounded_once;

use std::slice;

use super::{Setting, floors, with};
use crate::describe::format::{Format, Overflow};
use crate::describe::instruction::{Instruction, Order, Start};
use crate::describe::plan::{FusedPlan, Plan, StepsPlan};
use crate::describe::unit::{ProductOrder, Scheme, Unit};

/// Why a hypothesis with that value answers every vector as it does without, if that is known.
pub fn dont_care(setting: &Setting, one: &Instruction) -> Option<String> {
    let other = &with(one, slice::from_ref(setting));
    if !other.is_valid() {
        return None;
    }
    match setting {
        Setting::OfFinalAddition(own) => {
            let adder = Instruction::alone(one.final_addition.clone()?);
            // What follows from the change elsewhere is not considered.
            let alone = other.final_addition.as_ref() == Some(&with(&adder, slice::from_ref(own)).unit);
            alone.then(|| dont_care(own, &adder)).flatten()
        }
        Setting::CarryBits(Some(bits)) => carry_spare(*bits, one).or_else(|| never_wraps(one, other)),
        Setting::Overflow(_) => same_overflow(one, other).or_else(|| never_overflows(one)),
        Setting::BlockWidth(_) => {
            same_blocks(one, other).or_else(|| sums_wrap(one, other)).or_else(|| one_chain(one, other))
        }
        Setting::BlockOrder(_) => second_block_empty(one, other),
        Setting::Subnormals(_) => subnormals::never_matter(one, other),
        Setting::ExponentFloor(_) => nothing_cut(one, other)
            .or_else(|| floor_cuts_nothing(one, other))
            .or_else(|| floors_below_terms(one, other))
            .or_else(|| addition::reason(setting, one, other)),
        Setting::RoundedZeroPositive(_) => never_underflows(one),
        Setting::Order(_) => one_product(one),
        // In another format a signalling NaN is quiet, and that shows in the flag of invalid operations.
        Setting::Operands(_) | Setting::Addend(_) if one.unit.conversion.flags => None,
        Setting::Operands(_) if one.unit.flush.operands => subnormals::same_factors(one, other),
        // In a wider format subnormal numbers are normal ones, which no rule flushes.
        Setting::Addend(_) if one.unit.flush.addend => None,
        Setting::Operands(_) => same_products(one)
            .or_else(|| nothing_cut(one, other))
            .or_else(|| subnormals::operands_never_lead(one, other))
            .or_else(|| subnormals::same_factors(one, other)),
        Setting::Addend(_) => nothing_cut(one, other).or_else(|| subnormals::addend_never_leads(one, other)),
        Setting::NormaliseProducts(_) | Setting::ScaleGroup(_) => nothing_cut(one, other),
        Setting::FractionBits(_) | Setting::AlignmentRounding(_) => nothing_cut(one, other)
            .or_else(|| rounded_once(one, other))
            .or_else(|| addition::reason(setting, one, other)),
        Setting::Rounding(_) | Setting::Result(_) => exact::reason(setting, one, other),
        _ => addition::reason(setting, one, other),
    }
}

/// No sum needs the carry bits above these: in a wider format a factor's significand is no greater than in its own.
fn carry_spare(bits: u32, one: &Instruction) -> Option<String> {
    let mut unit = one.unit.clone();
    if unit.scheme == Scheme::Fused && !one.exchanged() {
        [unit.formats.a, unit.formats.b] = [one.a.clone(), one.b.clone()];
    }
    let plan = Plan::of(&unit);
    let plan = plan.fused()?;
    let least = plan.carry_bits_sufficient();
    let own = one.unit.carry_bits.is_none_or(|own| own >= least);
    if own && bits >= least { plan.last_carry_spare() } else { None }
}

/// The window of scaled terms holds every sum either way.
fn never_wraps(one: &Instruction, other: &Instruction) -> Option<String> {
    let holds = |instruction: &Instruction| match (Plan::of(&instruction.unit), instruction.unit.scheme) {
        (Plan::Steps(plan), Scheme::BlockScaled) => plan.links.last().map(|link| (!link.sum.wraps(), link.sum.width)),
        _ => None,
    };
    let ((one, width), (other, _)) = (holds(one)?, holds(other)?);
    (one && other).then(|| format!("every sum has at most {width} bits"))
}

/// Both rules give infinity, or neither does.
fn same_overflow(one: &Instruction, other: &Instruction) -> Option<String> {
    let rules = |instruction: &Instruction| -> Option<Vec<[bool; 2]>> {
        instruction.units().map(|unit| Some(Plan::of(unit).result()?.overflow_to_infinity)).collect()
    };
    let rule = rules(one)?;
    (rule == rules(other)?).then(|| {
        let [positive, negative] = rule[0].map(|infinite| if infinite { "infinity" } else { "the largest number" });
        let what = if positive == negative { positive.to_owned() } else { format!("{positive} or minus {negative}") };
        format!("overflow gives {what} by either rule, as results are rounded")
    })
}

/// No result overflows.
fn never_overflows(one: &Instruction) -> Option<String> {
    let reason = |unit: &Unit| match Plan::of(unit) {
        Plan::Fused(plan) => plan.never_overflows(),
        Plan::Steps(plan) => plan.never_overflows(),
        Plan::Integer(plan) => {
            let held = plan.sum_least >= i128::from(plan.d.least) && plan.sum_greatest <= i128::from(plan.d.greatest);
            held.then(|| format!("every sum is a result: {} to {}", plan.sum_least, plan.sum_greatest))
        }
    };
    let reasons: Option<Vec<String>> = one.units().map(reason).collect();
    reasons?.into_iter().next()
}

/// No sum other than zero becomes zero.
fn never_underflows(one: &Instruction) -> Option<String> {
    let unit = &one.unit;
    let plan = Plan::of(unit);
    let reason = match &plan {
        Plan::Steps(plan) => plan.never_underflows(),
        plan => plan.fused()?.never_underflows(),
    };
    reason.filter(|_| !unit.flush.result)
}

/// Blocks of the same products; what else a block could hold is zero, and a zero is no term.
fn same_blocks(one: &Instruction, other: &Instruction) -> Option<String> {
    let aligned = !one.unit.scheme.rounds_each_operation() && one.unit.scheme != Scheme::Integer;
    let blocks = one.blocks();
    (aligned && blocks == other.blocks()).then(|| {
        let longest = blocks.iter().map(Vec::len).max().unwrap_or_default();
        format!("no block has more than {longest} products, and a product of zeros is no term")
    })
}

/// Integers that wrap are added modulo a power of two, and so are the results of any blocks.
fn sums_wrap(one: &Instruction, other: &Instruction) -> Option<String> {
    let wraps = |instruction: &Instruction| {
        let unit = &instruction.unit;
        unit.scheme == Scheme::Integer && unit.conversion.overflow == Overflow::Wrap && unit.formats.c == unit.formats.d
    };
    (wraps(one) && wraps(other)).then(|| "sums wrap, and the sum of wrapped sums is the wrapped sum".to_owned())
}

/// Blocks of a chain, each in ascending order, are that chain: what one passes on, its next operation would have taken.
fn one_chain(one: &Instruction, other: &Instruction) -> Option<String> {
    let ascending = |instruction: &Instruction| {
        let unit = &instruction.unit;
        unit.scheme.is_a_chain() && unit.order == ProductOrder::Ascending && instruction.order == Order::Contiguous
    };
    (one.unit.scheme == other.unit.scheme && ascending(one) && ascending(other))
        .then(|| "blocks of a chain in ascending order are one chain".to_owned())
}

/// There is nothing to put in another order.
fn one_product(one: &Instruction) -> Option<String> {
    (one.unit.products == 1).then(|| "a block has one product".to_owned())
}

/// Of one block, the second in another order is empty: it passes on what the first gives it.
///
/// That is a multiple of the last place of any window, for so is every sum; its fraction fits above the last place of a
/// window at its own exponent; and its zero has the sign that an empty sum has.
fn second_block_empty(one: &Instruction, other: &Instruction) -> Option<String> {
    let unit = &one.unit;
    let (d, alignment) = (&unit.formats.d, unit.alignment.as_ref()?);
    let fraction_bits = alignment.fraction_bits;
    let empty = one.blocks().len() == 1 && other.blocks().get(1).is_some_and(Vec::is_empty);
    let last_place = |floor: i32| floor - fraction_bits as i32;
    let greatest = d.exponent_max() - d.fraction_bits as i32;
    let held = alignment.exponent_floor.is_none_or(|floor| last_place(floor) <= greatest);
    let fits = fraction_bits >= d.fraction_bits && unit.formats.c == *d && held;
    let kept = !unit.flush.addend && !unit.flush.result;
    let no_minus_zero = Window::of(unit)?.never_underflows()?;
    (empty && fits && kept).then(|| format!("the second block would be empty and pass on the first; {no_minus_zero}"))
}

/// The plan of a unit that aligns its terms to one anchor, and whose sums never wrap.
enum Window {
    Products(Box<FusedPlan>),
    Scaled(Box<StepsPlan>),
}

impl Window {
    fn of(unit: &Unit) -> Option<Window> {
        match (Plan::of(unit), unit.scheme) {
            _ if unit.carry_bits.is_some() => None,
            (Plan::Fused(plan), Scheme::Fused) => Some(Window::Products(plan)),
            (Plan::Steps(plan), Scheme::BlockScaled) => Some(Window::Scaled(plan)),
            _ => None,
        }
    }

    fn loses_no_bit(&self) -> Option<String> {
        match self {
            Window::Products(plan) => plan.loses_no_bit(),
            Window::Scaled(plan) => plan.loses_no_bit(|_| true),
        }
    }

    fn never_underflows(&self) -> Option<String> {
        match self {
            Window::Products(plan) => plan.never_underflows(),
            Window::Scaled(plan) => plan.never_underflows(),
        }
    }

    /// Exponent of a power of two that divides every term beside the addend.
    fn unit(&self) -> Option<i32> {
        match self {
            Window::Products(plan) => Some(plan.terms.unit),
            Window::Scaled(plan) => plan.unit_of_last_numbers(),
        }
    }
}

/// Either window holds all bits of all terms, so that both sums are exact.
fn nothing_cut(one: &Instruction, other: &Instruction) -> Option<String> {
    let reason = Window::of(&one.unit)?.loses_no_bit()?;
    Window::of(&other.unit)?.loses_no_bit().map(|_| reason)
}

/// The sum is exact, or every operation is rounded from exact values, whatever the formats of a and b.
fn same_products(one: &Instruction) -> Option<String> {
    let unit = &one.unit;
    let exact = unit.scheme == Scheme::Exact || unit.scheme.rounds_each_operation();
    (exact && !unit.flush.operands).then(|| "products are exact in either format, and nothing is aligned".to_owned())
}

/// The floors of those that have one.
fn own_floors(instructions: [&Instruction; 2]) -> impl Iterator<Item = i32> {
    instructions.into_iter().filter_map(|instruction| instruction.unit.alignment.as_ref()?.exponent_floor)
}

/// As long as a floor is the anchor, nothing is cut.
fn floor_cuts_nothing(one: &Instruction, other: &Instruction) -> Option<String> {
    let (_, last) = (Window::of(&one.unit)?, last_multiple(one)?);
    let floor = own_floors([one, other]).max()?;
    let highest = last + one.unit.alignment().fraction_bits as i32;
    (floor <= highest).then(|| {
        format!("every term is a multiple of 2^{last}, and windows at floors up to {highest} end there or below")
    })
}

/// A floor that is no higher than the exponent of every term is never the anchor.
fn floors_below_terms(one: &Instruction, other: &Instruction) -> Option<String> {
    let aligned = matches!(one.unit.scheme, Scheme::Fused | Scheme::BlockScaled);
    let least = *floors(one).start() - 1;
    let below = own_floors([one, other]).all(|floor| floor <= least);
    (aligned && below)
        .then(|| format!("no term has an exponent below {least}, and floors from there down are no anchor"))
}

/// Exponent of a power of two that divides every product and every addend that blocks are given.
///
/// A sum of multiples of 2^v is one, and so it stays when it is rounded or cut, as long as the last place of the greatest
/// result is one: what a chain passes on.
fn last_multiple(one: &Instruction) -> Option<i32> {
    let last_place = |format: &Format| format.exponent_min() - format.fraction_bits as i32;
    let products = match &one.unit.scales {
        None => last_place(&one.a) + last_place(&one.b),
        Some(_) => Window::of(&one.unit)?.unit()?,
    };
    let addend = (one.start == Start::Addend).then(|| last_place(&one.c));
    let last = addend.map_or(products, |addend| addend.min(products));
    let d = &one.unit.formats.d;
    let greatest = d.exponent_max() - d.fraction_bits as i32;
    (one.blocks().len() == 1 || greatest >= last).then_some(last)
}
