//! Wording of units that align their terms to one anchor.

use super::{Lane, Step, bits, capital, parameter, products, step, width_of};
use crate::compute::record::Signal;
use crate::describe::plan::FusedPlan;
use crate::describe::unit::{AlignmentRounding, Scheme, Unit};

pub(super) fn fused_caption(unit: &Unit, plan: &FusedPlan) -> String {
    let addend = if unit.has_addend() { " and c" } else { "" };
    if unit.scheme == Scheme::Exact {
        let d = &unit.formats.d.name;
        return format!("{}{addend} are added exactly and rounded once to {d}.", capital(&products(unit.products)));
    }
    format!(
        "{}{addend} are shifted to the largest exponent among them, {}, added once as integers, and brought to {} once.",
        capital(&products(unit.products)),
        cut(plan),
        unit.formats.d.name
    )
}

pub(super) fn fused_steps(unit: &Unit, plan: &FusedPlan, signals: &[Signal]) -> Vec<Step> {
    let width = bits(plan.product_width);
    let place = if plan.normalise_products { "brought to [1, 2)" } else { "in [1, 4), not normalised" };
    let product = match unit.products {
        1 => format!("exact product of {width}"),
        many => format!("{many} exact products of {width}"),
    };
    let mut steps = vec![
        step("unpack", Lane::Products, &[unpack_operands(unit)], String::new()),
        step("multiply", Lane::Products, &[product, place.to_owned(), "exponents added".to_owned()], String::new()),
    ];
    if unit.has_addend() {
        steps.insert(1, unpack_addend(unit));
    }
    steps.extend(from_anchor_on(unit, plan, signals));
    steps
}

/// What becomes of bits below the window, of all terms together.
fn cut(plan: &FusedPlan) -> String {
    let bits = plan.fraction_bits;
    match plan.alignment_rounding {
        AlignmentRounding::TowardZero => format!("cut to {bits} fraction bits"),
        AlignmentRounding::Downward => format!("rounded down to {bits} fraction bits"),
        AlignmentRounding::NearestEven => format!("rounded to {bits} fraction bits"),
        AlignmentRounding::ToOdd => format!("brought to {bits} fraction bits, the last one sticky"),
    }
}

pub(super) fn unpack_operands(unit: &Unit) -> String {
    let [a, b] = [unit.formats.a.precision(), unit.formats.b.precision()];
    let widths = if a == b { format!("{a}-bit") } else { format!("{a}- and {b}-bit") };
    format!("sign, exponent, {widths} significand")
}

pub(super) fn unpack_addend(unit: &Unit) -> Step {
    step("unpack", Lane::Addend, &[format!("{}-bit significand", unit.formats.c.precision())], String::new())
}

/// What becomes of bits below the window, of one term.
pub(super) fn fate(rounding: AlignmentRounding) -> &'static str {
    match rounding {
        AlignmentRounding::TowardZero => "lower bits are cut off",
        AlignmentRounding::Downward => "lower bits are rounded downward",
        AlignmentRounding::NearestEven => "lower bits are rounded to nearest even",
        AlignmentRounding::ToOdd => "lower bits are ORed into the last one kept",
    }
}

/// The stages that all aligned schemes share.
fn from_anchor_on(unit: &Unit, plan: &FusedPlan, signals: &[Signal]) -> Vec<Step> {
    let out = |name: &str| width_of(signals, name);
    let count = plan.terms.count + u32::from(unit.has_addend());
    let floor = match plan.exponent_floor > plan.term_exponent_min {
        true => format!("the largest exponent of all {count} terms, but at least {}", plan.exponent_floor),
        false => format!("the largest exponent of all {count} terms"),
    };
    let cut = fate(plan.alignment_rounding);
    let kept = format!(
        "kept: sign, {} integer and F = {} fraction bits; {cut}",
        plan.aligned_width - 1 - plan.fraction_bits,
        plan.fraction_bits
    );
    let sum =
        format!("sign, {} carry and {} window bits: {}", plan.carry_bits, plan.window_width, bits(plan.sum_width));
    let mut steps = vec![
        step("anchor", Lane::All, &[floor], String::new()),
        step("align", Lane::All, &["every term is shifted right to the anchor".to_owned(), kept], out("aligned")),
        step("add", Lane::All, &[format!("{count} integers, one exact sum"), sum], out("sum")),
    ];
    steps.extend(from_normalise_on(unit, plan, signals));
    steps
}

/// The stages from the sum to the result.
pub(super) fn from_normalise_on(unit: &Unit, plan: &FusedPlan, signals: &[Signal]) -> Vec<Step> {
    let out = |name: &str| width_of(signals, name);
    let rounding = parameter(unit, "conversion");
    vec![
        step(
            "normalise",
            Lane::All,
            &[format!("the leading one moves to the top of {}", bits(plan.normalised_width))],
            out("normalised_significand"),
        ),
        step(
            "round",
            Lane::All,
            &[format!("to a significand of {}: {}", bits(unit.formats.d.precision()), first_part(&rounding))],
            out("rounded"),
        ),
        step("pack", Lane::All, &[last_part(&rounding), parameter(unit, "NaN and zero")], String::new()),
    ]
}

/// What stands before the last comma.
fn first_part(text: &str) -> String {
    text.rsplit_once(", ").map_or(text, |parts| parts.0).to_owned()
}

/// What stands behind the last comma.
fn last_part(text: &str) -> String {
    text.rsplit_once(", ").map_or(text, |parts| parts.1).to_owned()
}
