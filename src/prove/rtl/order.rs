//! Which numbers of the text are never below others, by what a maximum is: the greater of two is below neither.

use dashu_int::IBig;

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

/// The two numbers that a node is the difference of, and what is added to it.
fn difference(graph: &Graph, node: NodeId) -> Option<(NodeId, NodeId, IBig)> {
    match *graph.node(node) {
        Node::Subtract(one, two) => Some((one, two, IBig::ZERO)),
        Node::Claimed(of, _) => difference(graph, of),
        Node::Add(one, two) => {
            let sum = |number: NodeId, rest: NodeId| {
                let added = graph.range(number).only()?.clone();
                difference(graph, rest).map(|(one, two, more)| (one, two, added + more))
            };
            sum(one, two).or_else(|| sum(two, one))
        }
        _ => None,
    }
}

/// Whether a claim says of a difference, or of one and a constant, only that it is not below what the order of the two
/// shows, nor above what the ranges show.
pub fn shows(problem: &Problem, claim: &Claim) -> bool {
    let graph = &problem.graph;
    let Some((one, two, added)) = difference(graph, claim.of) else { return false };
    claim.range.low <= added && graph.range(claim.of).high <= claim.range.high && at_least(graph, one, two)
}
