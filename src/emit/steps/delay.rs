//! Registers in the module of a list: delays that bring the numbers of a link together.

use super::link::expression;
use super::runs::linear;
use super::{ALL, Instance, Widths};

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
