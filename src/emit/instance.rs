//! Which module of `rtl/lib` a unit is an instance of, with which parameters: what its file says, nothing derived.

use serde::Serialize;

use super::wording::{alignment, rounding};
use crate::describe::format::{Format, NonFinite, Overflow, Rounding};
use crate::describe::unit::{Alignment, Family, Flush, Scheme, Target, Unit};

/// The name of the instance, in which all stages lie.
pub const NAME: &str = "u_unit";

/// Below every exponent that a term can have.
pub(super) const NO_FLOOR: i32 = -1_000_000;
/// What the modules' numbers stand for, from 0 on. Only integers wrap, and say so otherwise.
pub(super) const NON_FINITE: [NonFinite; 4] =
    [NonFinite::None, NonFinite::Ieee, NonFinite::AllOnesNan, NonFinite::NegativeZeroNan];
pub(super) const ROUNDINGS: [Rounding; 6] = [
    Rounding::TowardZero,
    Rounding::NearestEven,
    Rounding::NearestAway,
    Rounding::TowardPositive,
    Rounding::TowardNegative,
    Rounding::ToOdd,
];
pub(super) const OVERFLOWS: [Overflow; 3] = [Overflow::Ieee, Overflow::Infinity, Overflow::Saturate];

/// The number that stands for a value.
pub(super) fn code<T: PartialEq>(of: &[T], value: T) -> usize {
    of.iter().position(|known| *known == value).unwrap_or(of.len() - 1)
}

/// Longest line of parameters, without indentation.
const LINE_WIDTH: usize = 112;

/// Parameters that belong together.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Group {
    pub comment: String,
    /// Name and value, as SystemVerilog has it.
    pub parameters: Vec<(String, String)>,
}

fn group(comment: impl ToString, parameters: impl IntoIterator<Item = (String, String)>) -> Group {
    Group { comment: comment.to_string(), parameters: parameters.into_iter().collect() }
}

fn parameter(name: &str, value: impl ToString) -> (String, String) {
    (name.to_owned(), value.to_string())
}

impl Group {
    /// The parameters as an instance gives them, in lines that end with a comma.
    pub(super) fn lines(&self) -> Vec<String> {
        let mut lines: Vec<String> = Vec::new();
        for (name, value) in &self.parameters {
            let given = format!(".{name}({value}),");
            match lines.last_mut() {
                Some(line) if line.len() + 1 + given.len() <= LINE_WIDTH => *line += &format!(" {given}"),
                _ => lines.push(given),
            }
        }
        lines
    }
}

/// The module of a scheme; a list of steps has none but its own.
pub fn top(scheme: Scheme) -> Option<&'static str> {
    module(scheme.family())
}

/// The module of a family.
pub(super) fn module(family: Family) -> Option<&'static str> {
    match family {
        Family::Fused => Some("tensorsmith_fused"),
        Family::Integer => Some("tensorsmith_integer"),
        Family::Steps => None,
    }
}

/// The parameters that make that module the unit, which is no list of steps.
pub fn parameters(unit: &Unit) -> Vec<Group> {
    let mut groups = vec![group("", [parameter("Products", unit.products)])];
    if !unit.build.cuts.is_empty() {
        groups.push(group("registers", [parameter("Cuts", unit.cut_mask())]));
    }
    if unit.build.target == Target::Asic {
        groups.push(group("carry-save rows and a prefix network", [parameter("Target", 1)]));
    }
    match unit.scheme.family() {
        Family::Integer => {
            groups.extend(integers(unit));
            return groups;
        }
        _ => {
            groups.extend(operands(unit));
            groups.push(match unit.has_addend() {
                true => format_group("c", "Addend", &unit.formats.c),
                false => group("c: none", [parameter("HasAddend", 0)]),
            });
            groups.push(format_group("d", "Result", &unit.formats.d));
            groups.push(sums(unit));
        }
    }
    groups.push(conversion(unit));
    groups
}

/// The same in one list: names and values.
pub fn overrides(unit: &Unit) -> Vec<(String, String)> {
    parameters(unit).into_iter().flat_map(|group| group.parameters).collect()
}

fn operands(unit: &Unit) -> [Group; 2] {
    [format_group("a", "OperandA", &unit.formats.a), format_group("b", "OperandB", &unit.formats.b)]
}

/// A format field by field. The result always has a sign.
fn format_group(operand: &str, prefix: &str, format: &Format) -> Group {
    let field = |name: &str, value: i64| parameter(&format!("{prefix}{name}"), value);
    let mut fields = Vec::new();
    if prefix != "Result" {
        fields.push(field("SignBits", i64::from(format.signed)));
    }
    fields.push(field("ExponentBits", format.exponent_bits.into()));
    fields.push(field("FractionBits", format.fraction_bits.into()));
    fields.push(field("PaddingBits", format.padding_bits.into()));
    fields.extend([field("Bias", format.bias.into()), field("NonFinite", code(&NON_FINITE, format.non_finite) as i64)]);
    group(format!("{operand}: {}", format.name), fields)
}

fn sums(unit: &Unit) -> Group {
    let Alignment { fraction_bits, rounding, exponent_floor, normalise_products } = *unit.alignment();
    let (comment, kept) = match unit.scheme {
        Scheme::Exact => ("sum: every bit of every term is kept".to_owned(), -1),
        _ => (format!("alignment and sum: {}", alignment(rounding)), fraction_bits as i32),
    };
    let carry_bits = unit.carry_bits.map_or(-1, |bits| bits as i32);
    let all = [
        parameter("FractionBits", kept),
        parameter("AlignmentRounding", code(&ROUNDINGS, rounding.into())),
        parameter("NormaliseProducts", u32::from(normalise_products)),
        parameter("ExponentFloor", exponent_floor.unwrap_or(NO_FLOOR)),
        parameter("CarryBits", carry_bits),
    ];
    group(comment, all)
}

fn conversion(unit: &Unit) -> Group {
    let Flush { operands, addend, result, tiny_result, to_plus_zero } = unit.flush;
    let inputs = |flushed: bool| u32::from(flushed) + u32::from(flushed && to_plus_zero);
    let mut all = vec![
        parameter("ResultRounding", code(&ROUNDINGS, unit.conversion.rounding)),
        parameter("Overflow", code(&OVERFLOWS, unit.conversion.overflow)),
        parameter("FlushOperands", inputs(operands)),
        parameter("FlushAddend", inputs(addend)),
        parameter("FlushResult", u32::from(result) + u32::from(tiny_result)),
    ];
    all.push(parameter("ZeroNegative", u32::from(unit.conversion.zero_negative)));
    all.push(parameter("RoundedZero", u32::from(unit.conversion.rounded_zero_positive)));
    all.push(parameter("HasFlags", u32::from(unit.conversion.flags)));
    all.push(parameter("NanWord", format!("{}'h{:x}", unit.formats.d.width(), unit.conversion.nan)));
    group(format!("conversion: {}", rounding(unit.conversion.rounding)), all)
}

fn integers(unit: &Unit) -> [Group; 2] {
    let formats = &unit.formats;
    let all = [("OperandA", &formats.a), ("OperandB", &formats.b), ("Addend", &formats.c), ("Result", &formats.d)];
    let fields = all.into_iter().flat_map(|(prefix, format)| {
        let signed = u32::from(format.signed);
        [parameter(&format!("{prefix}Width"), format.width()), parameter(&format!("{prefix}Signed"), signed)]
    });
    let names = [("a", &formats.a), ("b", &formats.b), ("c", &formats.c), ("d", &formats.d)];
    let names = names.map(|(operand, format)| format!("{operand} {}", format.name)).join(", ");
    let saturates = unit.conversion.overflow == Overflow::Saturate;
    let words = if saturates { "conversion: clamped" } else { "conversion: wrapped" };
    [group(names, fields), group(words, [parameter("Saturate", u32::from(saturates))])]
}
