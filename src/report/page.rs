//! The summary as Markdown and as one HTML page with its pictures. Templates place things; every text is escaped.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::LazyLock;

use serde::Serialize;
use tera::{Context, EscapeFn, Value};

use super::speed::{self, SpeedText};
use super::steps::Datapath;
use super::summary::{Inferred, State, Summary, Total, UnitSummary, found_nothing, inferences_text};
use super::{datapath, look, thousands, window};
use crate::describe::plan::Plan;
use crate::describe::unit::Unit;
use crate::emit;
use crate::infer::{FieldDifference, short};

/// Templates: name and text.
const TEMPLATES: [(&str, &str); 11] = [
    ("report.md", include_str!("../../templates/report.md.tera")),
    ("report.html", include_str!("../../templates/report.html.tera")),
    ("report_device.html", include_str!("../../templates/report_device.html.tera")),
    ("report_unit.html", include_str!("../../templates/report_unit.html.tera")),
    ("report_cell.html", include_str!("../../templates/report_cell.html.tera")),
    ("report_cell.md", include_str!("../../templates/report_cell.md.tera")),
    ("report_speed.html", include_str!("../../templates/report_speed.html.tera")),
    ("study.html", include_str!("../../templates/study.html.tera")),
    ("speed.md", include_str!("../../templates/speed.md.tera")),
    ("speed_ratios.md", include_str!("../../templates/speed_ratios.md.tera")),
    ("report.css", include_str!("../../templates/report.css.tera")),
];

/// The part of a page's style sheet that is made of the colours.
static COLOURS: LazyLock<String> = LazyLock::new(look::page);

/// A total with its numbers as people read them.
#[derive(Serialize)]
struct TotalText {
    check: &'static str,
    state: &'static str,
    ran: String,
    skipped: String,
    vectors: String,
    mismatches: String,
}

impl TotalText {
    fn of(total: &Total) -> TotalText {
        let state = match (total.ran, total.mismatches) {
            (_, 1..) => "differed",
            (0, _) => "skipped",
            _ => "agreed",
        };
        TotalText {
            check: total.check,
            state,
            ran: thousands(total.ran as u64),
            skipped: thousands(total.skipped as u64),
            vectors: thousands(total.vectors),
            mismatches: thousands(total.mismatches),
        }
    }
}

/// An inference with its numbers as people read them.
#[derive(Serialize)]
struct InferredText<'a> {
    subject: &'a str,
    state: State,
    found: &'a str,
    differences: String,
    indistinguishable: String,
    asked: String,
    seconds: String,
}

impl InferredText<'_> {
    fn of(row: &Inferred) -> InferredText<'_> {
        InferredText {
            subject: &row.subject,
            state: row.state,
            found: &row.found,
            differences: row.differences.iter().map(difference).collect::<Vec<_>>().join("; "),
            indistinguishable: row.indistinguishable.join("; "),
            asked: thousands(row.asked),
            seconds: format!("{:.1}", row.seconds),
        }
    }
}

/// A field that is described differently than it was found, and why no vector shows it.
fn difference(difference: &FieldDifference) -> String {
    let FieldDifference { field, described, found, reason } = difference;
    let [found, described] = [found, described].map(|value| short(field, value));
    let reason = reason.as_deref().unwrap_or("no reason is known");
    format!("{field} {found} found, {described} described: {reason}")
}

/// The two pictures of a unit: datapath and window.
pub fn pictures(unit: &Unit) -> [String; 2] {
    [datapath::draw(&unit.name, &Datapath::of(unit)), window::draw(unit, &Plan::of(unit))]
}

/// The report in Markdown.
///
/// # Errors
/// A template is broken.
pub fn markdown(summary: &Summary) -> Result<String, tera::Error> {
    let mut context = context(summary)?;
    // A block of code shows its lines as they are.
    let window = |unit: &UnitSummary| (unit.unit.clone(), Value::safe_string(&unit.window.join("\n")));
    let windows: BTreeMap<String, Value> = summary.units.iter().map(window).collect();
    context.insert_value("windows", Value::from(windows));
    render("report.md", context, escape_markdown)
}

/// The report as one page that needs nothing else.
///
/// # Errors
/// A template is broken.
pub fn html(summary: &Summary, units: &[Unit]) -> Result<String, tera::Error> {
    let mut context = context(summary)?;
    let all: Vec<(String, [String; 2])> = units.iter().map(|unit| (unit.name.clone(), pictures(unit))).collect();
    // Pictures are escaped when they are drawn.
    for (place, name) in ["datapaths", "windows"].into_iter().enumerate() {
        let safe = all.iter().map(|(unit, pictures)| (unit.clone(), Value::safe_string(&pictures[place])));
        context.insert_value(name, Value::from(safe.collect::<BTreeMap<String, Value>>()));
    }
    let speeds: Vec<Value> = summary.speed.iter().map(|speed| Value::safe_string(&speed::picture(speed))).collect();
    context.insert_value("speed_pictures", Value::from(speeds));
    render("report.html", context, tera::escape_html)
}

/// A page from its template.
///
/// # Errors
/// The template is broken.
pub(super) fn render(template: &str, context: Context, escape: EscapeFn) -> Result<String, tera::Error> {
    let mut tera = emit::templates(&[&TEMPLATES[..], &[("colours.css", COLOURS.as_str())]].concat())?;
    tera.set_escape_fn(escape);
    tera.autoescape_on([".html", ".md"]);
    tera.render(template, &context)
}

fn context(summary: &Summary) -> Result<Context, tera::Error> {
    let mut context = Context::from_serialize(summary)?;
    context.insert("vectors_text", &thousands(summary.vectors));
    context.insert("seconds_text", &format!("{:.1}", summary.time.seconds));
    context.insert("totals_text", &summary.totals.iter().map(TotalText::of).collect::<Vec<_>>());
    let inferred = summary.inference.as_deref().unwrap_or_default();
    context.insert("inference_text", &inferred.iter().map(InferredText::of).collect::<Vec<_>>());
    context.insert("inferences_text", &inferences_text(inferred));
    context.insert("speeds", &summary.speed.iter().map(SpeedText::of).collect::<Vec<_>>());
    context.insert("mismatches_text", &mismatches(summary));
    Ok(context)
}

/// How many answers differ, and of how many units or instructions nothing was found.
fn mismatches(summary: &Summary) -> String {
    let differ = thousands(summary.totals.iter().map(|total| total.mismatches).sum());
    match found_nothing(summary.inference.as_deref().unwrap_or_default()) {
        0 => differ,
        count => format!("{differ}; nothing was found in {count} of the inferences"),
    }
}

/// Text in Markdown: what would begin a link, emphasis, a tag or the next cell of a table is plain, and lines are joined.
pub(super) fn escape_markdown(text: &str, out: &mut dyn Write) -> io::Result<()> {
    for letter in text.chars() {
        match letter {
            '\\' | '|' | '<' | '*' | '`' | '[' | '~' => write!(out, "\\{letter}")?,
            '\n' => write!(out, " ")?,
            '&' => write!(out, "&amp;")?,
            _ => write!(out, "{letter}")?,
        }
    }
    Ok(())
}
