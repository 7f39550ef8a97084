//! Registers in the module of a list: delays that bring the numbers of a link together.

use super::link::expression;
use super::runs::linear;
use super::{ALL, Instance, Widths};
use crate::describe::plan::{Source, StepsPlan};
use crate::describe::unit::{Cut, Unit};

/// Enabled clock edges up to each place of a module.
#[derive(Debug, Clone)]
pub struct Registers {
    /// In front of everything.
    input: u32,
    /// Behind every link.
    step: u32,
    /// Links one behind the other up to each link, itself counted.
    depths: Vec<u32>,
}

impl Registers {
    pub fn of(unit: &Unit, plan: &StepsPlan) -> Registers {
        let has = |cut| u32::from(unit.build.cuts.contains(&cut));
        Registers { input: has(Cut::Input), step: has(Cut::Step), depths: plan.depths() }
    }

    /// Whether there is a register behind every link.
    pub fn are_behind_links(&self) -> bool {
        self.step > 0
    }

    /// Edges from operands to the sum of a link.
    pub fn sum(&self, link: usize) -> u32 {
        self.input + self.step * (self.depths[link] - 1)
    }

    /// Edges that an operand waits before it enters a link: of a product's factors, or of c.
    pub fn operand(&self, plan: &StepsPlan, source: Source) -> u32 {
        let takes = |link: &usize| plan.links[*link].terms.iter().any(|term| term.source == source);
        (0..plan.links.len()).find(takes).map_or(self.input, |link| self.sum(link))
    }

    /// Edges that a number waits in front of a link: of another link.
    pub fn term(&self, link: usize, source: Source) -> u32 {
        match source {
            Source::Link(from) => self.step * (self.depths[link] - 1 - self.depths[from as usize]),
            _ => 0,
        }
    }

    /// Edges to the result from where an operand or a number has waited so long.
    pub fn rest(&self, waited: u32) -> u32 {
        self.input + self.step * self.depths.last().copied().unwrap_or(0) - waited
    }
}

/// Edges in each turn of a loop: an expression of its variable, and a table that it reads, where they follow no rule.
pub fn edges(table: &str, all: &[u32]) -> (String, Option<String>) {
    let numbers: Vec<i64> = all.iter().map(|edges| i64::from(*edges)).collect();
    match linear(&numbers) {
        Some(edges) => (expression(edges), None),
        None => {
            let entries: Vec<String> = all.iter().rev().map(|edges| format!("16'd{edges}")).collect();
            let width = 16 * all.len();
            let text = format!("localparam logic [{width}-1:0] {table} = {{{}}};", entries.join(", "));
            (format!("int'({table}[i*16 +: 16])"), Some(text))
        }
    }
}

/// An instance that delays a value.
pub fn delayed(name: &str, width: &str, edges: &str, value: &str, out: &str) -> Instance {
    let parameters = vec![("Width", width.to_owned()), ("Latency", edges.to_owned())];
    let ports = [("clk_i", "clk_i"), ("ce_i", "ce_i"), ("value_i", value), ("value_o", out)];
    let ports = ports.map(|(port, signal)| (port.to_owned(), signal.to_owned())).into();
    Instance::new("tensorsmith_delay", name, parameters, ports)
}

/// An instance that delays a number.
pub fn number(
    name: &str,
    widths: Widths,
    edges: &str,
    value: &dyn Fn(&str) -> String,
    out: &dyn Fn(&str) -> String,
) -> Instance {
    let all = |part: &dyn Fn(&str) -> String| format!("{{{}}}", ALL.map(part).join(", "));
    let width = (widths.exponent + widths.significand + 4).to_string();
    delayed(name, &width, edges, &all(value), &all(out))
}
