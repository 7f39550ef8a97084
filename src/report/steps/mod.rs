//! The stages of a unit in words, with its real numbers: what the picture of the datapath writes into its boxes.

mod aligned;
mod integer;

use serde::Serialize;

use crate::compute::record::{self, Signal};
use crate::describe::format::Format;
use crate::describe::plan::{Plan, Source, StepsPlan};
use crate::describe::unit::Unit;
use crate::emit;

/// What a stage works on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Lane {
    /// The products, before they meet the addend.
    Products,
    /// c alone.
    Addend,
    /// All terms together.
    All,
}

/// A stage.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Step {
    pub name: String,
    pub lane: Lane,
    pub text: Vec<String>,
    /// What leaves it, such as `17 x 28 bits`; empty where the next stage says it.
    pub out: String,
}

/// A unit as a flow of stages.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Datapath {
    /// One line for people.
    pub caption: String,
    /// Operands of the products, then scales.
    pub operands: Vec<String>,
    /// Empty for a unit without an addend.
    pub addend: String,
    pub steps: Vec<Step>,
    pub result: String,
}

fn step(name: &str, lane: Lane, text: &[String], out: String) -> Step {
    Step { name: name.to_owned(), lane, text: text.to_vec(), out }
}

impl Datapath {
    /// The stages of a unit.
    pub fn of(unit: &Unit) -> Datapath {
        let plan = Plan::of(unit);
        let signals = &record::signals(unit);
        let (caption, steps) = match &plan {
            Plan::Fused(fused) => (aligned::fused_caption(unit, fused), aligned::fused_steps(unit, fused, signals)),
            Plan::Integer(integer) => (integer::caption(unit, integer), integer::steps(unit, integer)),
            Plan::Steps(plan) => listed(unit, plan),
        };
        let operand = |name: &str, format: &Format| format!("{name}: {} \u{d7} {}", unit.products, format.name);
        let mut operands = vec![operand("a", &unit.formats.a), operand("b", &unit.formats.b)];
        if let Some(scales) = &unit.scales {
            let scale =
                |name: &str, format: &Format| format!("scale {name}: {} \u{d7} {}", unit.scale_count(), format.name);
            operands.extend([scale("a", &scales.a), scale("b", &scales.b)]);
        }
        let (c, d) = (&unit.formats.c, &unit.formats.d);
        Datapath {
            caption,
            operands,
            addend: if unit.has_addend() { format!("c: {}", c.name) } else { String::new() },
            steps,
            result: format!("d: {}, {} bits", d.name, d.width()),
        }
    }
}

/// A box for each step of a list.
fn listed(unit: &Unit, plan: &StepsPlan) -> (String, Vec<Step>) {
    let texts = unit.step_texts();
    let steps = texts.iter().enumerate().map(|(index, text)| {
        let links = plan.links.iter().filter(|link| link.step == index);
        let sums = match links.count() {
            1 => "1 sum".to_owned(),
            many => format!("{many} sums"),
        };
        let takes_c = plan
            .links
            .iter()
            .filter(|link| link.step <= index)
            .any(|link| link.terms.iter().any(|term| term.source == Source::Addend));
        let lane = if takes_c { Lane::All } else { Lane::Products };
        let lines: Vec<String> = std::iter::once(sums).chain(text.lines().map(str::to_owned)).collect();
        step(&format!("step {}", index + 1), lane, &lines, String::new())
    });
    let choices = ["conversion", "subnormals", "NaN and zero"].map(|row| parameter(unit, row));
    let steps = steps.chain([step("every rounding \"d\"", Lane::All, &choices, String::new())]).collect();
    (format!("{} products, summed in {} steps.", unit.products, texts.len()), steps)
}

/// The value of a row of the unit's parameter table.
pub(super) fn parameter(unit: &Unit, name: &str) -> String {
    let mut rows = emit::parameter_table(unit).into_iter();
    rows.find(|row| row.0 == name).map(|row| row.1).unwrap_or_default()
}

/// Number and width of a signal's elements.
fn width_of(signals: &[Signal], name: &str) -> String {
    let signal = signals.iter().find(|signal| signal.name == name);
    signal.map_or(String::new(), elements)
}

fn elements(signal: &Signal) -> String {
    match signal.elements {
        1 => bits(signal.width),
        many => format!("{many} \u{d7} {}", bits(signal.width)),
    }
}

pub(super) fn bits(count: u32) -> String {
    if count == 1 { "1 bit".to_owned() } else { format!("{count} bits") }
}

fn products(count: u32) -> String {
    if count == 1 { "the product".to_owned() } else { format!("{count} products") }
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}
