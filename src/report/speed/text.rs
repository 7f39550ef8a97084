//! Measurements as text: ratios of medians, and every contestant with its spread.

use serde::Serialize;
use tera::Context;

use super::{Skipped, Speed};
use crate::report::page;

/// What the templates show.
#[derive(Debug, Serialize)]
pub struct SpeedText {
    title: String,
    quantity: String,
    where_measured: String,
    ratio_columns: Vec<String>,
    ratio_rows: Vec<TextRow>,
    columns: Vec<String>,
    rows: Vec<TextRow>,
    tools: Vec<Tool>,
    skipped: Vec<Skipped>,
}

/// A program with its version, in an order that templates keep.
#[derive(Debug, Serialize)]
struct Tool {
    tool: String,
    version: String,
}

#[derive(Debug, Serialize)]
struct TextRow {
    subject: String,
    cells: Vec<String>,
}

impl SpeedText {
    /// Of measurements.
    pub fn of(speed: &Speed) -> SpeedText {
        let singular = speed.quantity.trim_end_matches('s');
        let mut columns = vec!["contestant".to_owned(), format!("nanoseconds a {singular}")];
        if speed.machine.counter_mhz.is_some() {
            columns.push(format!("cycles a {singular}"));
        }
        columns.push(format!("million {} a second", speed.quantity));
        SpeedText {
            title: speed.title.clone(),
            quantity: speed.quantity.clone(),
            where_measured: where_measured(speed),
            ratio_columns: speed.ratios.iter().map(|ratio| format!("{} / {}", ratio.fast, ratio.slow)).collect(),
            ratio_rows: speed.subjects().into_iter().map(|subject| ratios(speed, subject)).collect(),
            columns,
            rows: speed.rows.iter().map(|row| times(speed, row)).collect(),
            tools: speed
                .tools
                .iter()
                .map(|(tool, version)| Tool { tool: tool.clone(), version: version.clone() })
                .collect(),
            skipped: speed.skipped.clone(),
        }
    }
}

fn where_measured(speed: &Speed) -> String {
    let machine = &speed.machine;
    let load = machine.load.map_or(String::new(), |load| format!(", load {load:.1}"));
    let counter = machine.counter_mhz.map_or(String::new(), |mhz| format!(", time stamp counter of {mhz:.0} MHz"));
    format!(
        "{} ({}), {} cores{load}{counter}; tensorsmith {}, medians of {} turns, {}",
        machine.processor, machine.architecture, machine.cores, speed.tensorsmith, speed.turns, speed.finished
    )
}

/// How many times as fast.
fn ratios(speed: &Speed, subject: &str) -> TextRow {
    let cell = |fast: &str, slow: &str| match (speed.median(subject, fast), speed.median(subject, slow)) {
        (Some(fast), Some(slow)) => significant(slow / fast),
        _ => "-".to_owned(),
    };
    let cells = speed.ratios.iter().map(|ratio| cell(&ratio.fast, &ratio.slow)).collect();
    TextRow { subject: subject.to_owned(), cells }
}

fn times(speed: &Speed, row: &super::SpeedRow) -> TextRow {
    let spread = |scale: f64| {
        let [first, median, third] = row.nanoseconds.map(|value| significant(value * scale));
        format!("{median} ({first} to {third})")
    };
    let mut cells = vec![row.contestant.clone(), spread(1.0)];
    cells.extend(speed.machine.counter_mhz.map(|mhz| spread(mhz / 1e3)));
    cells.push(significant(1e3 / row.nanoseconds[1]));
    TextRow { subject: row.subject.clone(), cells }
}

/// A number with three digits that count.
fn significant(value: f64) -> String {
    let decimals = (2 - value.log10().floor() as i32).clamp(0, 6) as usize;
    format!("{value:.decimals$}")
}

/// All of it in Markdown.
///
/// # Errors
/// A template is broken.
pub fn markdown(speed: &Speed) -> Result<String, tera::Error> {
    render("speed.md", speed)
}

fn render(template: &str, speed: &Speed) -> Result<String, tera::Error> {
    let mut context = Context::new();
    context.insert("speed", &SpeedText::of(speed));
    page::render(template, context, page::escape_markdown)
}

/// A page whose section of that name, between two comments, shows the ratios; `None` if it has no such section.
///
/// ```text
///   <!-- speed: NAME -->
///   ...
///   <!-- end of speed: NAME -->
/// ```
///
/// # Errors
/// A template is broken.
pub fn with_ratios(page: &str, name: &str, speed: &Speed) -> Result<Option<String>, tera::Error> {
    let [start, end] = ["speed", "end of speed"].map(|mark| format!("<!-- {mark}: {name} -->"));
    let Some((before, rest)) = page.split_once(&start) else { return Ok(None) };
    let Some((_, after)) = rest.split_once(&end) else { return Ok(None) };
    let ratios = render("speed_ratios.md", speed)?;
    Ok(Some(format!("{before}{start}\n{}\n{end}{after}", ratios.trim())))
}
