//! The numbers of a graph's nodes for given variables, exact and without bound: what a graph means.

use dashu_int::IBig;
use dashu_int::ops::BitTest;

use super::graph::Graph;
use super::interval::{Interval, amount_of, length};
use super::node::{Claim, Node, NodeId};

/// The number of every node; flags are 0 or 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Values(Vec<IBig>);

impl Values {
    /// The number of a node.
    pub fn of(&self, id: NodeId) -> &IBig {
        &self.0[id.index()]
    }

    /// Whether a flag holds.
    pub fn holds(&self, id: NodeId) -> bool {
        *self.of(id) != IBig::ZERO
    }
}

/// Bit `index` of a number, in two's complement if it is negative.
pub(super) fn bit(number: &IBig, index: u32) -> bool {
    number.bit(index as usize)
}

/// The low bits of a number, in two's complement if it is negative.
fn low_bits(number: &IBig, width: u32) -> IBig {
    let modulus = IBig::ONE << width as usize;
    let rest = number % &modulus;
    if rest < IBig::ZERO { rest + modulus } else { rest }
}

impl Graph {
    /// Evaluates all nodes. `variables` has a number for each variable, in their order.
    ///
    /// # Panics
    /// The numbers are not as many as the variables.
    pub fn evaluate(&self, variables: &[IBig]) -> Values {
        assert_eq!(variables.len(), self.variables().len(), "a number for each variable");
        let mut values = Values(Vec::with_capacity(self.len()));
        for (_, node) in self.nodes() {
            let value = value(node, &values, variables);
            values.0.push(value);
        }
        values
    }

    /// The claims that these values break.
    pub fn broken<'a>(&'a self, values: &'a Values) -> impl Iterator<Item = &'a Claim> {
        self.claims().iter().filter(|claim| !claim.range.contains(values.of(claim.of)))
    }
}

fn value(node: &Node, values: &Values, variables: &[IBig]) -> IBig {
    let of = |id: &NodeId| values.of(*id);
    let truth = |value: bool| IBig::from(u8::from(value));
    match node {
        Node::Constant(number) => number.clone(),
        Node::Variable(index) => variables[*index as usize].clone(),
        Node::Add(one, two) => of(one) + of(two),
        Node::Subtract(one, two) => of(one) - of(two),
        Node::Multiply(one, two) => of(one) * of(two),
        Node::Negate(one) => -of(one),
        Node::ShiftLeft(one, amount) => of(one) << *amount as usize,
        Node::ShiftRight(one, amount) => of(one) >> *amount as usize,
        Node::ShiftLeftBy(one, amount) => of(one) << amount_of(of(amount)),
        Node::ShiftRightBy(one, amount) => of(one) >> amount_of(of(amount)),
        Node::Field { of: one, low, width } => low_bits(&(of(one) >> *low as usize), *width),
        Node::Select { flag, yes, no } => if values.holds(*flag) { of(yes) } else { of(no) }.clone(),
        Node::LeadingZeros { of: one, width } => IBig::from(width - length(&low_bits(of(one), *width))),
        Node::Wrap { of: one, width } => {
            let low = low_bits(of(one), *width);
            if Interval::signed(*width).contains(&low) { low } else { low - (IBig::ONE << *width as usize) }
        }
        Node::Claimed(one, _) => of(one).clone(),
        Node::Truth(value) => truth(*value),
        Node::Bit(one, index) => truth(bit(of(one), *index)),
        Node::Equals(one, two) => truth(of(one) == of(two)),
        Node::LessThan(one, two) => truth(of(one) < of(two)),
        Node::Not(one) => truth(!values.holds(*one)),
        Node::And(one, two) => truth(values.holds(*one) & values.holds(*two)),
        Node::Or(one, two) => truth(values.holds(*one) | values.holds(*two)),
        Node::Xor(one, two) => truth(values.holds(*one) ^ values.holds(*two)),
    }
}
