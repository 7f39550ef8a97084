//! The greatest of many numbers, whatever the order in which they are compared.
//!
//! Each comparison of the netlist is proved by itself: its result is the greater of its two operands. The greatest of all is
//! then that of the leaves on both sides, because a maximum does not depend on order or repetition.

use std::collections::{BTreeMap, BTreeSet};

use dashu_int::IBig;

use super::discharge::{Answer, Means, discharge};
use super::miter::Miter;
use super::problem::{Cut, Problem};
use crate::compute::word::term::{Node, NodeId};
use crate::prove::aig::Aig;
use crate::prove::netlist::{Bit, Blaster, Kind, Netlist};
use crate::prove::order::greater_of;

/// What a maximum is taken of.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Leaf {
    Signal(NodeId),
    Number(IBig),
}

/// What bits mean, and which comparison puts them in the order of their numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Order {
    /// Two's complement.
    Signed,
    /// Two's complement with the sign bit turned, in the order of unsigned words.
    Turned,
}

impl Order {
    fn turned(self) -> Order {
        match self {
            Order::Signed => Order::Turned,
            Order::Turned => Order::Signed,
        }
    }
}

/// A proof that a cut is the maximum that its term is.
pub struct Maximum {
    /// Names of the signals that it is taken of.
    pub uses: BTreeSet<String>,
    pub cells: BTreeSet<usize>,
}

/// Proves a cut by its comparisons, if both sides consist of comparisons.
pub fn prove(problem: &Problem, index: usize, means: &Means) -> Option<Maximum> {
    let cut = &problem.cuts[index];
    greater_of(&problem.graph, unclaimed(problem, cut.node))?;
    let earlier: Vec<&Cut> = problem.inputs.iter().chain(&problem.cuts[..index]).collect();
    let known: BTreeMap<NodeId, &Cut> = earlier.iter().map(|cut| (cut.node, *cut)).collect();
    let words: BTreeMap<Vec<Bit>, NodeId> =
        earlier.iter().filter(|cut| cut.signed).map(|cut| (resolved(&problem.netlist, &cut.bits), cut.node)).collect();
    let text = leaves_of_term(problem, cut.node, &known)?;
    let mut walk = Walk { problem, means, words, cells: BTreeSet::new(), rest: 2 * problem.netlist.cells.len() };
    let netlist = walk.leaves(&cut.bits, Order::Signed)?;
    if relevant(problem, &text) != relevant(problem, &netlist) {
        return None;
    }
    let names = text.iter().chain(&netlist).filter_map(|leaf| match leaf {
        Leaf::Signal(node) => Some(known[node].name.clone()),
        Leaf::Number(_) => None,
    });
    Some(Maximum { uses: names.collect(), cells: walk.cells })
}

fn unclaimed(problem: &Problem, node: NodeId) -> NodeId {
    match *problem.graph.node(node) {
        Node::Claimed(of, _) => unclaimed(problem, of),
        _ => node,
    }
}

fn leaves_of_term(problem: &Problem, root: NodeId, known: &BTreeMap<NodeId, &Cut>) -> Option<BTreeSet<Leaf>> {
    let mut leaves = BTreeSet::new();
    let mut waiting = vec![root];
    while let Some(node) = waiting.pop() {
        if known.contains_key(&node) {
            leaves.insert(Leaf::Signal(node));
            continue;
        }
        match problem.graph.node(node) {
            Node::Constant(number) => drop(leaves.insert(Leaf::Number(number.clone()))),
            Node::Claimed(of, _) => waiting.push(*of),
            _ => {
                let (one, two) = greater_of(&problem.graph, node)?;
                waiting.extend([one, two]);
            }
        }
    }
    Some(leaves)
}

/// The leaves without numbers that no signal can be below.
fn relevant(problem: &Problem, leaves: &BTreeSet<Leaf>) -> BTreeSet<Leaf> {
    let lowest = leaves.iter().filter_map(|leaf| match leaf {
        Leaf::Signal(node) => Some(problem.range(*node).low),
        Leaf::Number(_) => None,
    });
    let floor = lowest.max();
    let kept = |leaf: &&Leaf| match (leaf, &floor) {
        (Leaf::Number(number), Some(floor)) => number > floor,
        _ => true,
    };
    leaves.iter().filter(kept).cloned().collect()
}

fn resolved(netlist: &Netlist, bits: &[Bit]) -> Vec<Bit> {
    bits.iter().map(|&bit| netlist.resolve(bit)).collect()
}

struct Walk<'p> {
    problem: &'p Problem,
    means: &'p Means,
    words: BTreeMap<Vec<Bit>, NodeId>,
    cells: BTreeSet<usize>,
    /// Cells that may still be looked at: a ring of them has no end.
    rest: usize,
}

impl Walk<'_> {
    /// What the netlist's word is the greatest of, if it is one of the earlier signals, a number, a proved comparison, or one of
    /// these with its sign bit turned.
    fn leaves(&mut self, bits: &[Bit], order: Order) -> Option<BTreeSet<Leaf>> {
        let netlist = &self.problem.netlist;
        if let Some(node) = self.words.get(&resolved(netlist, bits)).filter(|_| order == Order::Signed) {
            return Some(BTreeSet::from([Leaf::Signal(*node)]));
        }
        if let Some(number) = number(netlist, bits, order) {
            return Some(BTreeSet::from([Leaf::Number(number)]));
        }
        let (index, _) = netlist.cell_of(bits[0])?;
        let cell = &netlist.cells[index];
        if resolved(netlist, &cell.result) != resolved(netlist, bits) {
            return None;
        }
        self.rest = self.rest.checked_sub(1)?;
        match cell.kind {
            Kind::Xor => {
                let pairs = [(&cell.a, &cell.b), (&cell.b, &cell.a)];
                let (word, _) = pairs
                    .into_iter()
                    .find(|(word, mask)| [word.len(), mask.len()] == [bits.len(); 2] && is_sign_bit(netlist, mask))?;
                self.cells.insert(index);
                self.leaves(word, order.turned())
            }
            Kind::Select => {
                self.greater(index, order)?;
                let mut leaves = self.leaves(&cell.a, order)?;
                leaves.extend(self.leaves(&cell.b, order)?);
                Some(leaves)
            }
            _ => None,
        }
    }

    /// Proves that a selection gives the greater of its two operands, both being free.
    fn greater(&mut self, index: usize, order: Order) -> Option<()> {
        let netlist = &self.problem.netlist;
        let cell = &netlist.cells[index];
        let mut aig = Aig::default();
        let mut blaster = Blaster::new(netlist);
        for operand in [&cell.a, &cell.b] {
            let values = aig.word_input(operand.len());
            blaster.give(operand, &values);
        }
        let a = blaster.bits(&mut aig, &cell.a).ok()?;
        let b = blaster.bits(&mut aig, &cell.b).ok()?;
        let result = blaster.bits(&mut aig, &cell.result).ok()?;
        let less = match order {
            Order::Signed => aig.less_signed(&a, &b),
            Order::Turned => aig.less_unsigned(&a, &b),
        };
        let greater = aig.select_word(less, &b, &a);
        let same = aig.equal(&result, &greater);
        match discharge(&Miter::plain(&aig, !same).0, self.means) {
            (Answer::Proved { .. }, _) => {
                self.cells.extend(blaster.visited);
                Some(())
            }
            _ => None,
        }
    }
}

/// Whether a word is one in its highest place and zero elsewhere.
fn is_sign_bit(netlist: &Netlist, bits: &[Bit]) -> bool {
    number(netlist, bits, Order::Turned).is_some_and(|number| number == IBig::ZERO)
}

/// The number that constant bits mean.
fn number(netlist: &Netlist, bits: &[Bit], order: Order) -> Option<IBig> {
    let mut number = match order {
        Order::Signed => IBig::ZERO,
        Order::Turned => -(IBig::ONE << bits.len().checked_sub(1)?),
    };
    for (place, &bit) in bits.iter().enumerate() {
        let weight = IBig::ONE << place;
        match netlist.resolve(bit) {
            Bit::Zero => {}
            Bit::One if order == Order::Signed && place + 1 == bits.len() => number -= weight,
            Bit::One => number += weight,
            _ => return None,
        }
    }
    Some(number)
}
