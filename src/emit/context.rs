//! Everything the templates print, as text in columns.

use serde::Serialize;
use tera::Context;

use super::instance::{self, Group};
use super::shape::shape;
use super::{fused, integer, steps};
use crate::describe::catalogue;
use crate::describe::interface::Interface;
use crate::describe::plan::Plan;
use crate::describe::unit::{Build, Family, Unit};

/// Longest comment line, without indentation and slashes.
const COMMENT_WIDTH: usize = 112;

/// A row of the parameter table.
#[derive(Serialize)]
struct Row {
    name: String,
    value: String,
}

/// The context of a unit's templates: what all schemes share, then the scheme's own.
pub(super) fn of(unit: &Unit) -> Context {
    let plan = Plan::of(unit);
    let mut context = Context::new();
    context.insert("unit", &unit.name);
    context.insert("module", &unit.module_name());
    context.insert("summary", &unit.summary);
    context.insert("command", &command(unit));
    context.insert("table", &pad_rows(table(unit, &plan)));
    context.insert("picture_heading", picture_heading(&plan));
    context.insert("picture", &picture(unit, &plan));
    context.insert("sources", &sources(unit));
    let operands = match (unit.scales.is_some(), unit.has_addend()) {
        (true, _) => "a_i, b_i, scale_a_i, scale_b_i and c_i",
        (false, true) => "a_i, b_i and c_i",
        (false, false) => "a_i and b_i",
    };
    context.insert("operands", operands);
    context.insert("pipelined", &!unit.build.cuts.is_empty());
    context.insert("latency", &unit.latency());
    stream(&unit.interface(), &mut context);
    context.insert("equation", &equation(unit, &plan));
    context.insert("shape", &shape(unit));
    context.insert("top", &instance::top(unit.scheme));
    context.insert("instance", instance::NAME);
    context.insert("is_list", &matches!(plan, Plan::Steps(_)));
    match &plan {
        Plan::Steps(plan) => steps::context(unit, plan, &mut context),
        _ => context.insert("groups", &groups(unit)),
    }
    context.insert("has_flags_port", &(unit.scheme.family() == Family::Fused));
    context
}

/// Which operands there are, and how they lie in words that hold all of them.
pub(super) fn stream(interface: &Interface, context: &mut Context) {
    context.insert("scaled", &interface.scales.is_some());
    context.insert("addend", &interface.has_addend());
    context.insert("flags", &interface.flags);
    let mut list = vec!["b", "a"];
    let mut widths = vec!["Products*(OperandAWidth + OperandBWidth)"];
    if interface.scales.is_some() {
        list.splice(0..0, ["scale_b", "scale_a"]);
        widths.push("Scales*(ScaleAWidth + ScaleBWidth)");
    }
    if interface.has_addend() {
        list.insert(0, "c");
        widths.push("AddendWidth");
    }
    context.insert("operands_list", &list.join(", "));
    let ports: Vec<String> = list.iter().map(|name| format!("{name}_i")).collect();
    context.insert("operands_ports", &ports.join(", "));
    context.insert("operands_order", &list.join(", ").replace('_', " of "));
    context.insert("operands_width", &widths.join(" + "));
    let (order, width) = match interface.flags {
        true => ("invalid, overflow, d", "FlagsWidth + ResultWidth"),
        false => ("d", "ResultWidth"),
    };
    context.insert("answer_order", order);
    context.insert("answer_width", width);
}

fn equation(unit: &Unit, plan: &Plan) -> String {
    match plan {
        Plan::Fused(_) => fused::equation(unit),
        Plan::Integer(plan) => integer::equation(unit, plan),
        Plan::Steps(_) => "d = what the last step leaves".to_owned(),
    }
}

/// A group of parameters as an instance gives them.
#[derive(Serialize)]
struct Given {
    comment: String,
    lines: Vec<String>,
}

/// The parameters of the unit's instance. The last one has no comma.
fn groups(unit: &Unit) -> Vec<Given> {
    let given = |group: Group| Given { lines: group.lines(), comment: group.comment };
    let mut all: Vec<Given> = instance::parameters(unit).into_iter().map(given).collect();
    if let Some(last) = all.last_mut().and_then(|group| group.lines.last_mut()) {
        last.pop();
    }
    all
}

/// The rows of the parameter table: name and value.
pub(super) fn table(unit: &Unit, plan: &Plan) -> Vec<(String, String)> {
    match plan {
        Plan::Fused(plan) => fused::table(unit, plan),
        Plan::Integer(plan) => integer::table(unit, plan),
        Plan::Steps(_) => steps::table(unit),
    }
}

/// What the bits of the sum weigh.
pub(super) fn picture(unit: &Unit, plan: &Plan) -> Vec<String> {
    match plan {
        Plan::Fused(plan) => fused::window(plan),
        Plan::Integer(plan) => integer::picture(plan),
        Plan::Steps(plan) => steps::picture(unit, plan),
    }
}

/// What that picture shows.
pub(super) fn picture_heading(plan: &Plan) -> &'static str {
    match plan {
        Plan::Fused(_) => "The sum, in units of 2^(anchor - F)",
        Plan::Integer(_) => "The sum",
        Plan::Steps(_) => "The sums",
    }
}

/// The command that writes the files again.
fn command(unit: &Unit) -> String {
    let own = Unit { build: Build::default(), ..unit.clone() };
    if catalogue::unit(&unit.name).as_ref() != Some(&own) {
        return "tensorsmith emit UNIT-FILE --out DIR".to_owned();
    }
    format!("tensorsmith emit {}{} --out DIR", unit.name, unit.build.options(&own.build.cuts))
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
