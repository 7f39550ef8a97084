//! A graph as text in AIGER format, for other tools (Biere, The AIGER And-Inverter Graph Format, 2007).

use std::fmt::Write;

use super::{Aig, Literal, Node};

/// The graph in the ASCII variant, inputs and ands numbered in the order of the graph.
pub fn to_aiger(aig: &Aig, outputs: &[Literal]) -> String {
    let ands = aig.nodes().iter().filter(|node| matches!(node, Node::And(..))).count();
    let last = aig.nodes().len() - 1;
    let mut text = format!("aag {last} {} 0 {} {ands}\n", aig.inputs().len(), outputs.len());
    for &node in aig.inputs() {
        let _ = writeln!(text, "{}", 2 * node);
    }
    let number = |literal: Literal| 2 * literal.node() + usize::from(literal.inverted());
    for &output in outputs {
        let _ = writeln!(text, "{}", number(output));
    }
    for (node, what) in aig.nodes().iter().enumerate() {
        if let Node::And(a, b) = *what {
            let _ = writeln!(text, "{} {} {}", 2 * node, number(b), number(a));
        }
    }
    text
}
