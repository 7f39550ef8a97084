//! Everything the templates print, as text in columns.

use serde::Serialize;
use tera::Context;

use super::wording::{alignment, overflow, rounding};
use super::{constants, picture};
use crate::describe::catalogue;
use crate::describe::format::Format;
use crate::describe::plan::Plan;
use crate::describe::unit::Unit;

/// Longest comment line, without indentation and slashes.
const COMMENT_WIDTH: usize = 112;

/// A row of the parameter table.
#[derive(Serialize)]
struct Row {
    name: String,
    value: String,
}

/// The context of every template.
pub(super) fn of(unit: &Unit) -> Context {
    let plan = Plan::of(unit);
    let mut context = Context::new();
    context.insert("unit", &unit.name);
    context.insert("module", &plan.module);
    context.insert("summary", &unit.summary);
    context.insert("command", &command(unit));
    context.insert("equation", &equation(unit));
    context.insert("table", &pad_rows(table(unit, &plan)));
    context.insert("picture", &picture::window(&plan));
    context.insert("sources", &sources(unit));
    context.insert("parameters", &constants::pad(constants::parameters(unit, &plan)));
    context.insert("formats", &constants::pad(constants::formats(&plan)));
    context.insert("constants", &constants::pad(constants::constants(&plan)));
    context.insert("words", &constants::pad(constants::words(&plan)));
    context.insert("floor_acts", &(plan.exponent_floor > plan.term_exponent_min));
    context
}

/// The command that writes the files again.
fn command(unit: &Unit) -> String {
    match catalogue::unit(&unit.name).as_ref() == Some(unit) {
        true => format!("tensorsmith emit {} --out DIR", unit.name),
        false => "tensorsmith emit UNIT-FILE --out DIR".to_owned(),
    }
}

fn equation(unit: &Unit) -> String {
    format!("d = convert(c + a[0]*b[0] + ... + a[{0}]*b[{0}])", unit.products - 1)
}

pub(super) fn table(unit: &Unit, plan: &Plan) -> Vec<(String, String)> {
    let formats = &unit.formats;
    let kept = |flush: bool| if flush { "flushed" } else { "kept" };
    let floor = unit.alignment.exponent_floor.map_or("none".to_owned(), |floor| floor.to_string());
    let carry = match plan.carry_bits == plan.carry_bits_derived {
        true => format!("{}, as many as any sum can need", plan.carry_bits),
        false => format!("{}, fixed; {} always suffice", plan.carry_bits, plan.carry_bits_derived),
    };
    let zero = if unit.conversion.zero_negative { "-0" } else { "+0" };
    let products =
        if unit.alignment.normalise_products { "normalised to [1, 2)" } else { "exact, in [1, 4), not normalised" };
    let rows = [
        ("products", plan.products.to_string()),
        (
            "formats",
            format!(
                "a {}, b {}, c {}, d {}",
                describe(&formats.a),
                describe(&formats.b),
                describe(&formats.c),
                describe(&formats.d)
            ),
        ),
        ("product", products.to_owned()),
        ("alignment", format!("{} fraction bits, {}", plan.fraction_bits, alignment(plan.alignment_rounding))),
        ("exponent floor", floor),
        ("carry bits", carry),
        (
            "conversion",
            format!("{}, overflow to {}", rounding(plan.result.rounding), overflow(unit.conversion.overflow)),
        ),
        (
            "subnormals",
            format!(
                "operands {}, addend {}, result {}",
                kept(unit.flush.operands),
                kept(unit.flush.addend),
                kept(unit.flush.result)
            ),
        ),
        ("NaN and zero", format!("every NaN is {:#x}, an exact zero sum is {zero}", plan.result.nan)),
        ("latency", "0 cycles; the module named _registered: 2".to_owned()),
    ];
    rows.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

fn describe(format: &Format) -> &str {
    &format.name
}

fn sources(unit: &Unit) -> Vec<String> {
    let mut lines = Vec::new();
    for (field, evidence) in &unit.evidence {
        let text = format!("{field}: [{}] {}", evidence.grade.name(), evidence.source);
        let options = textwrap::Options::new(COMMENT_WIDTH)
            .subsequent_indent("  ")
            .word_separator(textwrap::WordSeparator::AsciiSpace)
            .word_splitter(textwrap::WordSplitter::NoHyphenation);
        lines.extend(textwrap::wrap(&text, options).into_iter().map(|line| line.into_owned()));
    }
    lines
}

fn pad_rows(rows: Vec<(String, String)>) -> Vec<Row> {
    let width = rows.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    rows.into_iter().map(|(name, value)| Row { name: format!("{name:width$}"), value }).collect()
}
