//! What is claimed of numbers of the text and follows from how they are computed: the greater of two is below neither, and a
//! magnitude is not below zero.

use dashu_int::IBig;

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

/// The number that a node is the magnitude of.
fn magnitude_of(graph: &Graph, node: NodeId) -> Option<NodeId> {
    let Node::Select { flag, yes, no } = *graph.node(node) else { return None };
    let Node::LessThan(one, two) = *graph.node(flag) else { return None };
    let zero = graph.range(two).only().is_some_and(|only| *only == IBig::ZERO);
    (zero && one == no && *graph.node(yes) == Node::Negate(no)).then_some(no)
}

/// Whether a claim says no more than follows, all claims before it being true: of a difference, or of one and a constant, that
/// it is not below what the order of the two shows, nor above what the ranges show; or of a magnitude, what the range of its
/// number shows.
pub fn shows(graph: &Graph, claim: &Claim) -> bool {
    if let Some(number) = magnitude_of(graph, claim.of) {
        let range = graph.range(number);
        let within = |bound: &IBig| *bound <= claim.range.high;
        return claim.range.low <= IBig::ZERO && within(&range.high) && within(&-range.low.clone());
    }
    let Some((one, two, added)) = difference(graph, claim.of) else { return false };
    claim.range.low <= added && graph.range(claim.of).high <= claim.range.high && at_least(graph, one, two)
}
