//! Copies of parts of a graph: only what some roots need, with nodes replaced by variables where the graph is cut.

use std::collections::HashMap;

use super::graph::Graph;
use super::node::{Node, NodeId};

/// A copy and where its nodes came from.
#[derive(Debug, Clone)]
pub struct Rebuilt {
    pub graph: Graph,
    copies: Vec<Option<NodeId>>,
}

impl Rebuilt {
    /// The copy of a node of the first graph, if the roots need it.
    pub fn copy_of(&self, id: NodeId) -> Option<NodeId> {
        self.copies[id.index()]
    }
}

impl Graph {
    /// Copies what `roots` need. A node in `cuts` becomes a variable of that name, in the range that the node has: what is
    /// true for all values of that variable is true of the whole graph, if all claims of this graph are. Nodes of one name
    /// become one variable, in the first one's range: then they must be known to be equal.
    ///
    /// The claims of the copy need no proof: each is one of this graph's, or was shown here by ranges.
    pub fn cut(&self, roots: &[NodeId], cuts: &HashMap<NodeId, String>) -> Rebuilt {
        let mut needed = vec![false; self.len()];
        roots.iter().for_each(|root| needed[root.index()] = true);
        for (id, node) in self.nodes().rev() {
            if needed[id.index()] && !cuts.contains_key(&id) {
                node.operands().for_each(|operand| needed[operand.index()] = true);
            }
        }
        let mut graph = Graph::default();
        let mut copies = vec![None; self.len()];
        let mut named: HashMap<&String, NodeId> = HashMap::new();
        for (id, node) in self.nodes().filter(|(id, _)| needed[id.index()]) {
            let copy = match (cuts.get(&id), node) {
                (Some(name), _) if named.contains_key(name) => named[name],
                (Some(name), _) if node.is_flag() => graph.flag_variable(name),
                (Some(name), _) => graph.variable(name, self.range(id).clone()),
                (None, Node::Variable(index)) => {
                    let variable = &self.variables()[*index as usize];
                    graph.variable(&variable.name, variable.range.clone())
                }
                (None, _) => graph.copy(node, &copies),
            };
            if let Some(name) = cuts.get(&id) {
                named.insert(name, copy);
            }
            copies[id.index()] = Some(copy);
        }
        Rebuilt { graph, copies }
    }

    /// A flag that is free.
    fn flag_variable(&mut self, name: &str) -> NodeId {
        let number = self.variable(name, super::Interval::unsigned(1));
        self.flag(Node::Bit(number, 0))
    }

    /// The same operation on the copies of its operands.
    fn copy(&mut self, node: &Node, copies: &[Option<NodeId>]) -> NodeId {
        let place = std::panic::Location::caller();
        let of = |id: &NodeId| copies[id.index()].expect("operands are copied first");
        match node {
            Node::Constant(number) => self.constant(number.clone()),
            Node::Variable(_) => unreachable!("variables are copied with their names"),
            Node::Add(one, two) => self.add(of(one), of(two)),
            Node::Subtract(one, two) => self.subtract(of(one), of(two)),
            Node::Multiply(one, two) => self.multiply(of(one), of(two)),
            Node::Negate(one) => self.negate(of(one)),
            Node::ShiftLeft(one, amount) => self.shift_left(of(one), *amount),
            Node::ShiftRight(one, amount) => self.shift_right(of(one), *amount, place),
            Node::ShiftLeftBy(one, two) => self.shift_left_by(of(one), of(two), place),
            Node::ShiftRightBy(one, two) => self.shift_right_by(of(one), of(two), place),
            Node::Field { of: one, low, width } => self.field(of(one), *low, *width, place),
            Node::Select { flag, yes, no } => self.select(of(flag), of(yes), of(no)),
            Node::LeadingZeros { of: one, width } => self.leading_zeros(of(one), *width, place),
            Node::Wrap { of: one, width } => self.wrap(of(one), *width),
            Node::Claimed(one, range) => self.claimed(of(one), range.clone(), place),
            Node::Truth(value) => self.truth(*value),
            Node::Bit(one, index) => self.bit(of(one), *index, place),
            Node::Equals(one, two) => self.equals(of(one), of(two)),
            Node::LessThan(one, two) => self.less_than(of(one), of(two)),
            Node::Not(one) => self.not(of(one)),
            Node::And(one, two) => self.and(of(one), of(two)),
            Node::Or(one, two) => self.or(of(one), of(two)),
            Node::Xor(one, two) => self.xor(of(one), of(two)),
        }
    }
}
