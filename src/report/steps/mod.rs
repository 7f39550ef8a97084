//! The stages of a unit in words, with its real numbers: what the picture of the datapath writes into its boxes.

mod aligned;
mod integer;
mod late_addend;
mod operations;

use serde::Serialize;

use crate::compute::record::{self, Signal};
use crate::describe::format::Format;
use crate::describe::plan::Plan;
use crate::describe::unit::{Scheme, Unit};
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
    /// How often the stages run one after the other, d of one as c of the next.
    pub repeated: u32,
}

fn step(name: &str, lane: Lane, text: &[String], out: String) -> Step {
    Step { name: name.to_owned(), lane, text: text.to_vec(), out }
}

impl Datapath {
    /// The stages of a unit.
    pub fn of(unit: &Unit) -> Datapath {
        let plan = Plan::of(unit);
        let signals = &record::signals(unit);
        let (caption, steps, repeated) = match &plan {
            Plan::Operations(chain) if chain.scheme == Scheme::FmaChain => {
                let single = Unit { products: 1, ..unit.clone() };
                let steps = aligned::fused_steps(&single, &chain.step, &record::operation_signals(unit)[0]);
                (aligned::chain_caption(unit), steps, unit.products)
            }
            Plan::Operations(_) => (operations::caption(unit), operations::steps(unit), 1),
            Plan::FusedThenAdd(late) => (late_addend::caption(unit, late), late_addend::steps(unit, late, signals), 1),
            Plan::Fused(fused) => (aligned::fused_caption(unit, fused), aligned::fused_steps(unit, fused, signals), 1),
            Plan::BlockScaled(scaled) => {
                (aligned::scaled_caption(unit, scaled), aligned::scaled_steps(unit, scaled, signals), 1)
            }
            Plan::Integer(integer) => (integer::caption(unit, integer), integer::steps(unit, integer), 1),
            Plan::Steps(_) => (String::new(), Vec::new(), 1),
        };
        let per_run = unit.products / repeated;
        let operand = |name: &str, format: &Format| format!("{name}: {per_run} \u{d7} {}", format.name);
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
            repeated,
        }
    }
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
