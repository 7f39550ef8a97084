//! A graph of terms: each node once, with the range of its numbers.

use std::collections::HashMap;
use std::panic::Location;

use dashu_int::IBig;

use super::interval::Interval;
use super::node::{Claim, Node, NodeId, Variable};

/// Nodes in topological order, the variables among them, and the claims that were made of them.
#[derive(Debug, Clone, Default)]
pub struct Graph {
    nodes: Vec<Node>,
    ranges: Vec<Interval>,
    known: HashMap<Node, NodeId>,
    variables: Vec<Variable>,
    claims: Vec<Claim>,
}

impl Graph {
    /// Number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is no node.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// All nodes; operands stand before the nodes that use them.
    pub fn nodes(&self) -> impl DoubleEndedIterator<Item = (NodeId, &Node)> {
        self.nodes.iter().enumerate().map(|(index, node)| (NodeId(index as u32), node))
    }

    /// A node.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    /// What its number can be, if all claims hold. Of flags, 0 to 1.
    pub fn range(&self, id: NodeId) -> &Interval {
        &self.ranges[id.index()]
    }

    /// The variables, in the order in which they were made.
    pub fn variables(&self) -> &[Variable] {
        &self.variables
    }

    /// The claims, in the order in which they were made.
    pub fn claims(&self) -> &[Claim] {
        &self.claims
    }

    /// Which nodes these roots are computed from, themselves included: by node.
    pub fn cone(&self, roots: impl IntoIterator<Item = NodeId>) -> Vec<bool> {
        let mut needed = vec![false; self.len()];
        for root in roots {
            needed[root.index()] = true;
        }
        for (id, node) in self.nodes().rev() {
            if needed[id.index()] {
                node.operands().for_each(|operand| needed[operand.index()] = true);
            }
        }
        needed
    }

    /// The node, which is new or known.
    pub(super) fn intern(&mut self, node: Node, range: Interval) -> NodeId {
        if let Some(known) = self.known.get(&node) {
            return *known;
        }
        let id = NodeId(self.nodes.len() as u32);
        self.known.insert(node.clone(), id);
        self.nodes.push(node);
        self.ranges.push(range);
        id
    }

    /// A flag.
    pub(super) fn flag(&mut self, node: Node) -> NodeId {
        self.intern(node, Interval::unsigned(1))
    }

    pub(super) fn truth(&mut self, value: bool) -> NodeId {
        self.intern(Node::Truth(value), Interval::point(IBig::from(u8::from(value))))
    }

    pub(super) fn constant(&mut self, number: IBig) -> NodeId {
        self.intern(Node::Constant(number.clone()), Interval::point(number))
    }

    /// A new variable, even where one has that name.
    pub(super) fn variable(&mut self, name: &str, range: Interval) -> NodeId {
        let index = self.variables.len() as u32;
        let node = self.intern(Node::Variable(index), range.clone());
        self.variables.push(Variable { name: name.to_owned(), range, node });
        node
    }

    /// The number with what a claim says of it. What ranges show needs no node.
    pub(super) fn claimed(&mut self, of: NodeId, range: Interval, place: &'static Location<'static>) -> NodeId {
        let own = self.range(of).clone();
        let shown = own.lies_within(&range);
        if !self.claims.iter().any(|claim| claim.of == of && claim.range == range) {
            self.claims.push(Claim { of, range: range.clone(), place, shown });
        }
        match shown {
            true => of,
            // A claim that is never true is refuted elsewhere; its range stands here.
            false => {
                let narrowed = own.intersection(&range).unwrap_or_else(|| range.clone());
                self.intern(Node::Claimed(of, range), narrowed)
            }
        }
    }
}
