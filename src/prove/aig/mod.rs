//! And-inverter graphs: every function as two-input ands and inversions, each and held once.
//!
//! It never proves anything: it is what solvers, simulation and proofs speak about.

mod aiger;
mod cnf;
mod simulate;
mod sums;
mod terms;
mod word;

pub use aiger::to_aiger;
pub use cnf::Cnf;
pub use simulate::{Patterns, Values, first_difference, simulate};
pub use sums::{Taken, same_number};
pub use terms::{Negation, TermBlaster, number, within};
pub use word::{Bits, Word};

use std::collections::HashMap;
use std::ops::Not;

/// A node of the graph, or its inverse.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Literal(u32);

impl Literal {
    pub const FALSE: Literal = Literal(0);
    pub const TRUE: Literal = Literal(1);

    /// The literal of a node that is not inverted.
    pub fn of(node: usize) -> Literal {
        Literal(2 * node as u32)
    }

    pub fn constant(value: bool) -> Literal {
        if value { Literal::TRUE } else { Literal::FALSE }
    }

    pub fn node(self) -> usize {
        (self.0 >> 1) as usize
    }

    pub fn inverted(self) -> bool {
        self.0 & 1 == 1
    }

    /// Inverted where the flag holds.
    pub fn invert_if(self, flag: bool) -> Literal {
        Literal(self.0 ^ u32::from(flag))
    }

    pub fn is_constant(self) -> bool {
        self.0 < 2
    }
}

impl Not for Literal {
    type Output = Literal;

    fn not(self) -> Literal {
        Literal(self.0 ^ 1)
    }
}

/// What a node is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Node {
    /// Node 0: false.
    Constant,
    /// A free variable, by its place among the inputs.
    Input(u32),
    /// Both literals hold; they belong to earlier nodes.
    And(Literal, Literal),
}

/// The graph. Nodes are in topological order.
#[derive(Debug, Clone)]
pub struct Aig {
    nodes: Vec<Node>,
    inputs: Vec<u32>,
    known: HashMap<(Literal, Literal), u32>,
}

impl Default for Aig {
    fn default() -> Aig {
        Aig { nodes: vec![Node::Constant], inputs: Vec::new(), known: HashMap::new() }
    }
}

impl Aig {
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// Nodes of the inputs, in the order in which they were made.
    pub fn inputs(&self) -> &[u32] {
        &self.inputs
    }

    /// A new free variable.
    pub fn input(&mut self) -> Literal {
        self.inputs.push(self.nodes.len() as u32);
        self.nodes.push(Node::Input(self.inputs.len() as u32 - 1));
        Literal::of(self.nodes.len() - 1)
    }

    /// Both hold.
    pub fn and(&mut self, a: Literal, b: Literal) -> Literal {
        let (a, b) = if a < b { (a, b) } else { (b, a) };
        if a == Literal::FALSE || a == !b {
            return Literal::FALSE;
        }
        if a == Literal::TRUE || a == b {
            return b;
        }
        if let Some(simple) = self.absorbed(a, b).or_else(|| self.absorbed(b, a)) {
            return simple;
        }
        let next = self.nodes.len() as u32;
        let node = *self.known.entry((a, b)).or_insert(next);
        if node == next {
            self.nodes.push(Node::And(a, b));
        }
        Literal::of(node as usize)
    }

    /// a & b where b is an and, or the inverse of one, that has a or its inverse as an operand.
    fn absorbed(&self, a: Literal, b: Literal) -> Option<Literal> {
        let Node::And(x, y) = self.nodes[b.node()] else { return None };
        match b.inverted() {
            // a & (a & y) = a & y; a & (!a & y) = 0.
            false if a == x || a == y => Some(b),
            false if a == !x || a == !y => Some(Literal::FALSE),
            // a & !(!a & y) = a.
            true if a == !x || a == !y => Some(a),
            _ => None,
        }
    }

    pub fn or(&mut self, a: Literal, b: Literal) -> Literal {
        !self.and(!a, !b)
    }

    pub fn xor(&mut self, a: Literal, b: Literal) -> Literal {
        let only_a = self.and(a, !b);
        let only_b = self.and(!a, b);
        self.or(only_a, only_b)
    }

    /// `yes` where the flag holds, `no` elsewhere.
    pub fn select(&mut self, flag: Literal, yes: Literal, no: Literal) -> Literal {
        if yes == no {
            return yes;
        }
        let chosen = self.and(flag, yes);
        let other = self.and(!flag, no);
        self.or(chosen, other)
    }

    /// All hold.
    pub fn all(&mut self, literals: &[Literal]) -> Literal {
        self.balanced(literals)
    }

    /// At least one holds.
    pub fn any(&mut self, literals: &[Literal]) -> Literal {
        let inverted: Vec<Literal> = literals.iter().map(|&literal| !literal).collect();
        !self.balanced(&inverted)
    }

    fn balanced(&mut self, literals: &[Literal]) -> Literal {
        match literals {
            [] => Literal::TRUE,
            [only] => *only,
            _ => {
                let (low, high) = literals.split_at(literals.len() / 2);
                let (low, high) = (self.balanced(low), self.balanced(high));
                self.and(low, high)
            }
        }
    }

    /// The nodes that some literals depend on, themselves included, in topological order.
    pub fn cone(&self, roots: &[Literal]) -> Vec<usize> {
        let mut seen = vec![false; self.nodes.len()];
        let mut waiting: Vec<usize> = roots.iter().map(|root| root.node()).collect();
        while let Some(node) = waiting.pop() {
            if std::mem::replace(&mut seen[node], true) {
                continue;
            }
            if let Node::And(a, b) = self.nodes[node] {
                waiting.extend([a.node(), b.node()]);
            }
        }
        (0..seen.len()).filter(|&node| seen[node]).collect()
    }

    /// A graph of its own that computes some literals, and their places there. Inputs are numbered as the walk meets them, so
    /// that equal functions of other variables give the same graph.
    pub fn extract(&self, roots: &[Literal]) -> Extract {
        let mut aig = Aig::default();
        let mut places: HashMap<usize, Literal> = HashMap::from([(0, Literal::FALSE)]);
        let mut inputs = Vec::new();
        let mut waiting: Vec<usize> = roots.iter().rev().map(|root| root.node()).collect();
        while let Some(&node) = waiting.last() {
            if places.contains_key(&node) {
                waiting.pop();
                continue;
            }
            match self.nodes[node] {
                Node::Constant => {}
                Node::Input(index) => {
                    inputs.push(index);
                    places.insert(node, aig.input());
                }
                Node::And(a, b) => match (places.get(&a.node()), places.get(&b.node())) {
                    (Some(&left), Some(&right)) => {
                        let both = aig.and(left.invert_if(a.inverted()), right.invert_if(b.inverted()));
                        places.insert(node, both);
                    }
                    (left, _) => waiting.push(if left.is_none() { a.node() } else { b.node() }),
                },
            }
        }
        let roots = roots.iter().map(|root| places[&root.node()].invert_if(root.inverted())).collect();
        Extract { aig, roots, inputs }
    }
}

/// A part of a graph as a graph of its own.
pub struct Extract {
    pub aig: Aig,
    pub roots: Vec<Literal>,
    /// Input of the whole graph that each input of the part is.
    pub inputs: Vec<u32>,
}
