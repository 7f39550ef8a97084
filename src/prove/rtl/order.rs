//! Which numbers of the text are never below others, by what a maximum is: the greater of two is below neither.

use super::problem::Problem;
use crate::compute::word::term::{Claim, Graph, Node, NodeId};

/// The two that a node is the greater of.
pub fn greater_of(graph: &Graph, node: NodeId) -> Option<(NodeId, NodeId)> {
    let Node::Select { flag, yes, no } = *graph.node(node) else { return None };
    match *graph.node(flag) {
        Node::LessThan(one, two) if (yes, no) == (two, one) => Some((one, two)),
        _ => None,
    }
}

/// Whether one node is never below another.
fn at_least(graph: &Graph, node: NodeId, other: NodeId) -> bool {
    let mut waiting = vec![node];
    while let Some(node) = waiting.pop() {
        if node == other {
            return true;
        }
        match *graph.node(node) {
            Node::Claimed(of, _) => waiting.push(of),
            _ => waiting.extend(greater_of(graph, node).into_iter().flat_map(|(one, two)| [one, two])),
        }
    }
    false
}

/// Whether a claim says of a difference only that it is 0 or more and what the ranges show.
pub fn shows(problem: &Problem, claim: &Claim) -> bool {
    let graph = &problem.graph;
    let Node::Subtract(one, two) = *graph.node(claim.of) else { return false };
    claim.range.low <= 0.into() && graph.range(claim.of).high <= claim.range.high && at_least(graph, one, two)
}
