//! The unit file of what was found. Writes what the finding holds, and nothing else.

use std::fmt::Write;

use super::evidence::{Finding, ParameterEvidence};
use super::setting::{Setting, subnormals};
use crate::describe::format::Format;
use crate::describe::unit::{Scheme, Unit};

/// A format as unit files spell it: its name, or its layout.
fn format_entry(format: &Format) -> String {
    if Format::named(&format.name).as_ref() == Some(format) {
        return format!("{:?}", format.name);
    }
    format!(
        "{{ exponent_bits = {}, fraction_bits = {}, padding_bits = {}, bias = {}, non_finite = {} }}",
        format.exponent_bits,
        format.fraction_bits,
        format.padding_bits,
        format.bias,
        serde_json::to_string(&format.non_finite).unwrap_or_default()
    )
}

/// The text of a unit file of that name, with the evidence of each field.
pub fn unit_file(finding: &Finding, name: &str, engine: &str) -> String {
    let unit = &finding.hypothesis.unit;
    let mut out = String::new();
    let mut line = |text: String| {
        out.push_str(&text);
        out.push('\n');
    };
    line(format!("name     = {name:?}"));
    line(format!("summary  = {:?}", format!("inferred from {} answers of the engine {engine}", finding.asked)));
    line(format!("scheme   = {:?}", unit.scheme.name()));
    line(format!("products = {}\n\n[formats]", unit.products));
    for (field, format) in [("a", &unit.formats.a), ("b", &unit.formats.b), ("c", &unit.formats.c)] {
        if !format.is_absent() {
            line(format!("{field} = {}", format_entry(format)));
        }
    }
    line(format!("d = {}\n", format_entry(&unit.formats.d)));
    sum(unit).into_iter().for_each(&mut line);
    conversion(unit).into_iter().for_each(&mut line);
    line(format!("\n[subnormals]\n{}", subnormals(&unit.flush).replace(", ", "\n")));
    line("\n[evidence]".to_owned());
    line(format!("\"scheme\" = {{ grade = \"inferred\", source = {:?} }}", scheme_source(finding)));
    for parameter in &finding.parameters {
        let source = source(parameter);
        line(format!("{:?} = {{ grade = \"inferred\", source = {source:?} }}", parameter.field));
    }
    out
}

fn sum(unit: &Unit) -> Vec<String> {
    let entry = |setting: Setting, field: &str| format!("{field} = {}", setting.text());
    match unit.scheme {
        Scheme::Fused => {
            let alignment = &unit.alignment;
            let mut lines = vec![
                "[alignment]".to_owned(),
                entry(Setting::FractionBits(alignment.fraction_bits), "fraction_bits"),
                entry(Setting::AlignmentRounding(alignment.rounding), "rounding"),
                entry(Setting::ExponentFloor(alignment.exponent_floor), "exponent_floor"),
                entry(Setting::NormaliseProducts(alignment.normalise_products), "normalise_products"),
                String::new(),
            ];
            if let Some(bits) = unit.carry_bits {
                lines.push(format!("[sum]\ncarry_bits = {bits}\n"));
            }
            lines
        }
        Scheme::FmaChain => vec![format!("[sum]\n{}\n", entry(Setting::Order(unit.order), "order"))],
        _ => Vec::new(),
    }
}

fn conversion(unit: &Unit) -> Vec<String> {
    let conversion = &unit.conversion;
    let mut lines = vec![
        "[conversion]".to_owned(),
        format!("rounding = {}", Setting::Rounding(conversion.rounding).text()),
        format!("overflow = {}", Setting::Overflow(conversion.overflow).text()),
        // TOML integers have 64 bits and a sign.
        format!("nan = {}", nan(conversion.nan)),
    ];
    if !unit.scheme.rounds_each_operation() {
        lines.push(format!("exact_zero = {}", Setting::ZeroNegative(conversion.zero_negative).text()));
    }
    if conversion.flags {
        lines.push("flags = true".to_owned());
    }
    lines
}

fn nan(bits: u64) -> String {
    i64::try_from(bits).map_or_else(|_| (bits as i64).to_string(), |bits| format!("{bits:#x}"))
}

fn scheme_source(finding: &Finding) -> String {
    let mut text = format!("all {} answers fit", finding.asked);
    for refuted in &finding.refuted {
        let _ = write!(
            text,
            "; {} fails on {} of those it was tried on",
            refuted.hypothesis.unit.scheme.name(),
            refuted.by.len()
        );
    }
    for unit in &finding.equivalent {
        let _ = write!(text, "; no difference from {} was found", unit.unit.scheme.name());
    }
    text
}

/// What excluded the other values, in a line: the first two vectors, and what remains.
fn source(parameter: &ParameterEvidence) -> String {
    let mut text = String::new();
    for exclusion in parameter.exclusions.iter().take(2) {
        let vector = &exclusion.vector;
        let _ = write!(
            text,
            "a = {}, b = {}, c = {:#x} gives {:#x}: not {}; ",
            encodings(&vector.a),
            encodings(&vector.b),
            vector.c,
            exclusion.answer,
            few(&exclusion.excluded, 6)
        );
    }
    let excluded: usize = parameter.exclusions.iter().map(|exclusion| exclusion.excluded.len()).sum();
    let _ = write!(text, "{excluded} other values excluded");
    if let Some(first) = parameter.indifferent.first() {
        let values: Vec<String> = parameter.indifferent.iter().map(|other| other.value.clone()).collect();
        let _ = write!(text, "; not told apart from {} ({})", few(&values, 6), first.reason);
    }
    text
}

/// Encodings up to the last one that is not zero.
pub(super) fn encodings(operands: &[u64]) -> String {
    let end = operands.iter().rposition(|&bits| bits != 0).map_or(1, |last| last + 1);
    let hex: Vec<String> = operands[..end.min(operands.len())].iter().map(|bits| format!("{bits:#x}")).collect();
    hex.join(",")
}

/// So many values at most, and how many more there are.
pub fn few(values: &[String], most: usize) -> String {
    if values.len() <= most {
        return values.join(", ");
    }
    let (shown, more) = values.split_at(most - 1);
    format!("{} and {} more", shown.join(", "), more.len())
}
