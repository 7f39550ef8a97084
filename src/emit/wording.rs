//! Choices of a unit in words, for comments and tables.

use crate::describe::format::{Overflow, Rounding};
use crate::describe::unit::{AlignmentRounding, Unit};

pub(super) fn alignment(rounding: AlignmentRounding) -> &'static str {
    match rounding {
        AlignmentRounding::TowardZero => "lower bits cut off in sign and magnitude",
        AlignmentRounding::Downward => "rounded downward",
        AlignmentRounding::NearestEven => "rounded to nearest, ties to even",
        AlignmentRounding::ToOdd => "rounded to odd",
    }
}

pub(super) fn rounding(rounding: Rounding) -> &'static str {
    match rounding {
        Rounding::NearestEven => "to nearest, ties to even",
        Rounding::NearestAway => "to nearest, ties away from zero",
        Rounding::TowardZero => "truncation",
        Rounding::TowardPositive => "toward plus infinity",
        Rounding::TowardNegative => "toward minus infinity",
        Rounding::ToOdd => "to odd",
    }
}

fn overflow(overflow: Overflow) -> &'static str {
    match overflow {
        Overflow::Ieee => "what IEEE 754 says",
        Overflow::Infinity => "infinity",
        Overflow::Saturate => "the largest finite number",
        Overflow::Wrap => "the low bits",
    }
}

/// The latency of every unit's modules.
pub(super) fn latency(unit: &Unit) -> String {
    match unit.latency() {
        0 => "0 cycles; the module named _registered: 2".to_owned(),
        cycles => format!("{cycles} cycles"),
    }
}

pub(super) fn formats(unit: &Unit) -> String {
    let formats = &unit.formats;
    let addend = if unit.has_addend() { format!("c {}, ", formats.c.name) } else { String::new() };
    format!("a {}, b {}, {addend}d {}", formats.a.name, formats.b.name, formats.d.name)
}

pub(super) fn conversion(unit: &Unit) -> String {
    format!("{}, overflow to {}", rounding(unit.conversion.rounding), overflow(unit.conversion.overflow))
}

pub(super) fn subnormals(unit: &Unit) -> String {
    let flush = &unit.flush;
    let input = |flushed: bool| match (flushed, flush.to_plus_zero) {
        (false, _) => "kept",
        (true, false) => "flushed",
        (true, true) => "flushed to +0",
    };
    let result = match (flush.result, flush.tiny_result) {
        (false, _) => "kept",
        (true, false) => "flushed",
        (true, true) => "flushed if tiny",
    };
    let addend = if unit.has_addend() { format!("addend {}, ", input(flush.addend)) } else { String::new() };
    format!("operands {}, {addend}result {result}", input(flush.operands))
}
