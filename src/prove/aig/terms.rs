//! Graphs of terms as and-inverter graphs: every number at the width of its range.
//!
//! Ranges hold if all claims of the text do; a claim in the cone of what is asked becomes a constraint, which whoever uses it
//! has to have proved.

use std::collections::HashMap;

use dashu_int::IBig;
use dashu_int::ops::BitTest;

use super::{Aig, Bits, Literal, Word};
use crate::compute::word::term::{Graph, Interval, Node, NodeId};

/// Translates nodes of one graph. Nodes with given words are not looked behind.
pub struct TermBlaster<'g> {
    graph: &'g Graph,
    known: HashMap<NodeId, Word>,
    /// The claims that were relied on: what was claimed, in which range, and the literal that says so.
    pub relied: Vec<(NodeId, Interval, Literal)>,
    /// Which circuit a number becomes that is negated where a flag holds; they compute the same.
    pub negation: Negation,
}

/// A circuit of `flag ? -x : x`. Two sides that are written alike are compared bit by bit; else every bit is a search of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Negation {
    /// The negated number beside the number, and a selection.
    #[default]
    Selected,
    /// `(x ^ flag ... flag) + flag`.
    Inverted,
}

/// The bits of a known number.
pub fn number(value: &IBig, width: usize) -> Bits {
    (0..width).map(|place| Literal::constant(value.bit(place))).collect()
}

/// Whether a word lies in a range.
pub fn within(aig: &mut Aig, word: &Word, range: &Interval) -> Literal {
    let width = word.bits.len().max(range.width() as usize) + 2;
    let bits = word.extended(width);
    let below = aig.less_signed(&bits, &number(&range.low, width));
    let above = aig.less_signed(&number(&range.high, width), &bits);
    let outside = aig.or(below, above);
    !outside
}

impl<'g> TermBlaster<'g> {
    pub fn new(graph: &'g Graph) -> TermBlaster<'g> {
        TermBlaster { graph, known: HashMap::new(), relied: Vec::new(), negation: Negation::default() }
    }

    /// Gives a node a word, if it has none yet: what it is computed from no longer counts.
    pub fn give(&mut self, node: NodeId, word: Word) {
        self.known.entry(node).or_insert(word);
    }

    pub fn is_given(&self, node: NodeId) -> bool {
        self.known.contains_key(&node)
    }

    /// The nodes that one is computed from and that have no word yet, itself included, in order.
    fn open(&self, root: NodeId) -> Vec<NodeId> {
        let mut seen = std::collections::BTreeSet::new();
        let mut waiting = vec![root];
        while let Some(node) = waiting.pop() {
            if !self.known.contains_key(&node) && seen.insert(node) {
                waiting.extend(self.graph.node(node).operands());
            }
        }
        seen.into_iter().collect()
    }

    /// The word of a node.
    ///
    /// # Panics
    /// It depends on a variable that was given no word.
    pub fn word(&mut self, aig: &mut Aig, root: NodeId) -> Word {
        for node in self.open(root) {
            let word = self.compute(aig, node);
            self.known.insert(node, word);
        }
        self.known[&root].clone()
    }

    fn compute(&mut self, aig: &mut Aig, id: NodeId) -> Word {
        let range = self.graph.range(id);
        let (width, signed) = (range.width() as usize, range.is_signed());
        let known = |id: &NodeId| &self.known[id];
        let at = |id: &NodeId| known(id).extended(width);
        let bits = match self.graph.node(id) {
            Node::Constant(value) => number(value, width),
            Node::Variable(_) => panic!("a variable of the graph was given no word"),
            Node::Add(one, two) => aig.add(&at(one), &at(two), Literal::FALSE),
            Node::Subtract(one, two) => aig.subtract(&at(one), &at(two)),
            Node::Multiply(one, two) => match known(one).signed || known(two).signed {
                true => aig.multiply(&at(one), &at(two), width),
                false => aig.multiply(&known(one).bits, &known(two).bits, width),
            },
            Node::Negate(one) => aig.negate(&at(one)),
            Node::ShiftLeft(one, amount) => {
                let mut bits = vec![Literal::FALSE; *amount as usize];
                bits.extend(at(one));
                bits.truncate(width);
                bits
            }
            Node::ShiftRight(one, amount) => cut(known(one), *amount, width),
            Node::ShiftLeftBy(one, amount) => aig.shift_left(&at(one), &known(amount).bits),
            Node::ShiftRightBy(one, amount) => {
                let mut bits = aig.shift_right(&known(one).bits, &known(amount).bits, Literal::FALSE);
                bits.resize(width, Literal::FALSE);
                bits
            }
            Node::Field { of, low, width } => cut(known(of), *low, *width as usize),
            Node::Select { flag, yes, no } if self.is_negation(*yes, *no) => {
                let flag = known(flag).bits[0];
                let inverted: Bits = at(no).into_iter().map(|bit| aig.xor(bit, flag)).collect();
                let mut one = vec![Literal::FALSE; width];
                one[..width.min(1)].fill(flag);
                aig.add(&inverted, &one, Literal::FALSE)
            }
            Node::Select { flag, yes, no } => aig.select_word(known(flag).bits[0], &at(yes), &at(no)),
            Node::LeadingZeros { of, width: window } => {
                let count = aig.leading_zeros(&known(of).extended(*window as usize));
                Word { bits: count, signed: false }.extended(width)
            }
            Node::Wrap { of, .. } => at(of),
            Node::Claimed(of, claimed) => {
                let holds = within(aig, known(of), claimed);
                let bits = at(of);
                self.relied.push((*of, claimed.clone(), holds));
                bits
            }
            flag => vec![self.flag(aig, flag)],
        };
        Word { bits, signed }
    }

    /// Whether one number is the other one negated, and is to be so by inversion.
    fn is_negation(&self, yes: NodeId, no: NodeId) -> bool {
        self.negation == Negation::Inverted && *self.graph.node(yes) == Node::Negate(no)
    }

    fn flag(&self, aig: &mut Aig, node: &Node) -> Literal {
        let bit = |id: &NodeId| self.known[id].bits[0];
        match node {
            Node::Truth(value) => Literal::constant(*value),
            Node::Bit(of, index) => cut(&self.known[of], *index, 1)[0],
            Node::Equals(one, two) => {
                let (one, two, _) = self.common(one, two);
                aig.equal(&one, &two)
            }
            Node::LessThan(one, two) => match self.common(one, two) {
                (one, two, true) => aig.less_signed(&one, &two),
                (one, two, false) => aig.less_unsigned(&one, &two),
            },
            Node::Not(of) => !bit(of),
            Node::And(one, two) => aig.and(bit(one), bit(two)),
            Node::Or(one, two) => aig.or(bit(one), bit(two)),
            Node::Xor(one, two) => aig.xor(bit(one), bit(two)),
            other => unreachable!("{other:?} is a number"),
        }
    }

    /// Two words at a width that holds both, and whether a sign is among them.
    fn common(&self, one: &NodeId, two: &NodeId) -> (Bits, Bits, bool) {
        let (one, two) = (&self.known[one], &self.known[two]);
        let signed = one.signed || two.signed;
        let own = |word: &Word| word.bits.len() + usize::from(signed && !word.signed);
        let width = own(one).max(own(two));
        (one.extended(width), two.extended(width), signed)
    }
}

/// Bits `low .. low + width` of a word.
fn cut(word: &Word, low: u32, width: usize) -> Bits {
    word.extended(low as usize + width)[low as usize..].to_vec()
}
