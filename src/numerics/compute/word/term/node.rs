//! What a graph is made of: nodes, variables and claims. Nothing here computes.

use std::panic::Location;

use dashu_int::IBig;

use super::interval::Interval;

/// A node of a graph. Operands of a node have lesser numbers, so that the order of numbers is topological.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub(super) u32);

impl NodeId {
    /// Its place among the nodes of its graph.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// One operation on whole numbers without bound, or on truth values.
///
/// Amounts of shifts are 0 or more, and what is shifted right, cut into fields or counted is 0 or more: where ranges do
/// not show it, the graph claims it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Node {
    Constant(IBig),
    /// By its place among the graph's variables.
    Variable(u32),
    Add(NodeId, NodeId),
    /// The first less the second.
    Subtract(NodeId, NodeId),
    Multiply(NodeId, NodeId),
    Negate(NodeId),
    ShiftLeft(NodeId, u32),
    ShiftRight(NodeId, u32),
    /// The first times 2 to the power of the second.
    ShiftLeftBy(NodeId, NodeId),
    /// The first divided by 2 to the power of the second, rounded down.
    ShiftRightBy(NodeId, NodeId),
    /// Bits `low .. low + width` as a number of 0 or more.
    Field {
        of: NodeId,
        low: u32,
        width: u32,
    },
    /// `yes` where the flag holds, `no` elsewhere.
    Select {
        flag: NodeId,
        yes: NodeId,
        no: NodeId,
    },
    /// Zero bits above the leading one within the low `width` bits; `width` for 0.
    LeadingZeros {
        of: NodeId,
        width: u32,
    },
    /// The number that the low `width` bits mean in two's complement.
    Wrap {
        of: NodeId,
        width: u32,
    },
    /// The same number, which a claim says lies in that range.
    Claimed(NodeId, Interval),
    /// Flags.
    Truth(bool),
    Bit(NodeId, u32),
    Equals(NodeId, NodeId),
    /// Whether the first is the lesser one.
    LessThan(NodeId, NodeId),
    Not(NodeId),
    And(NodeId, NodeId),
    Or(NodeId, NodeId),
    Xor(NodeId, NodeId),
}

impl Node {
    /// Whether it is a truth value and no number.
    pub fn is_flag(&self) -> bool {
        matches!(
            self,
            Node::Truth(_)
                | Node::Bit(..)
                | Node::Equals(..)
                | Node::LessThan(..)
                | Node::Not(_)
                | Node::And(..)
                | Node::Or(..)
                | Node::Xor(..)
        )
    }

    /// The nodes that it is computed from, in the order in which they are named.
    pub fn operands(&self) -> impl Iterator<Item = NodeId> {
        let operands = match *self {
            Node::Constant(_) | Node::Variable(_) | Node::Truth(_) => [None; 3],
            Node::Negate(of)
            | Node::ShiftLeft(of, _)
            | Node::ShiftRight(of, _)
            | Node::Field { of, .. }
            | Node::LeadingZeros { of, .. }
            | Node::Wrap { of, .. }
            | Node::Claimed(of, _)
            | Node::Bit(of, _)
            | Node::Not(of) => [Some(of), None, None],
            Node::Add(one, two)
            | Node::Subtract(one, two)
            | Node::Multiply(one, two)
            | Node::ShiftLeftBy(one, two)
            | Node::ShiftRightBy(one, two)
            | Node::Equals(one, two)
            | Node::LessThan(one, two)
            | Node::And(one, two)
            | Node::Or(one, two)
            | Node::Xor(one, two) => [Some(one), Some(two), None],
            Node::Select { flag, yes, no } => [Some(flag), Some(yes), Some(no)],
        };
        operands.into_iter().flatten()
    }
}

/// A number that is given: an operand's encoding, or a signal where a graph was cut.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variable {
    pub name: String,
    pub range: Interval,
    pub node: NodeId,
}

/// A statement of the text: that number lies in that range. A claim may rest on those before it.
#[derive(Debug, Clone)]
pub struct Claim {
    pub of: NodeId,
    pub range: Interval,
    /// Where the text states it.
    pub place: &'static Location<'static>,
    /// Whether the ranges of the operands show it, so that nothing is left to prove.
    pub shown: bool,
}
