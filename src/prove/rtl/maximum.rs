//! The greatest of many numbers, whatever the order in which they are compared.
//!
//! Each comparison of the netlist is proved by itself: its result is the greater of its two operands. The greatest of all is
//! then that of the leaves on both sides, because a maximum does not depend on order or repetition.
//!
//! A netlist may add a constant to all of them first. And it may take the greatest of some in a form of their own, where 0 stands
//! for a number below the others ([`Biased`]), and put that number in its place afterwards.

use std::collections::{BTreeMap, BTreeSet};

use dashu_int::IBig;

use super::answer::Answer;
use super::discharge::{Means, discharge};
use super::miter::Miter;
use super::problem::{Biased, Cut, Problem};
use crate::compute::word::term::{Node, NodeId};
use crate::prove::aig::{self, Aig, Literal};
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
    let (root, bias) = match &cut.biased {
        Some(biased) if biased.zero.is_none() => (biased.number, biased.bias),
        _ => (cut.node, 0),
    };
    greater_of(&problem.graph, unclaimed(problem, root))?;
    let earlier: Vec<&Cut> = problem.inputs.iter().chain(&problem.cuts[..index]).collect();
    // Of two signals that say a number, the later one is only looked at.
    let known: BTreeMap<NodeId, &Cut> = earlier.iter().rev().map(|cut| (number_of(cut), *cut)).collect();
    let word = |cut: &&Cut| resolved(&problem.netlist, &cut.bits);
    let words =
        earlier.iter().filter(|cut| cut.signed && cut.biased.is_none()).map(|cut| (word(cut), cut.node)).collect();
    let biased = earlier.iter().filter_map(|cut| Some((word(cut), cut.biased.as_ref()?))).collect();
    let text = leaves_of_term(problem, root, &known)?;
    let rest = 2 * problem.netlist.cells.len();
    let (zero, replaced, cells) = (None, Vec::new(), BTreeSet::new());
    let mut walk = Walk { problem, means, words, biased, bias, zero, replaced, cells, rest };
    let netlist = walk.leaves(&cut.bits, Order::Signed)?;
    if relevant(problem, &text) != relevant(problem, &netlist)
        || !walk.replaced.iter().all(|zero| zero.is_below(&netlist))
    {
        return None;
    }
    let names = text.iter().chain(&netlist).filter_map(|leaf| match leaf {
        Leaf::Signal(node) => Some(known[node].name.clone()),
        Leaf::Number(_) => None,
    });
    Some(Maximum { uses: names.collect(), cells: walk.cells })
}

/// The number of the text that a cut says.
fn number_of(cut: &Cut) -> NodeId {
    cut.biased.as_ref().map_or(cut.node, |biased| biased.number)
}

/// A number that took the place of 0: what the greatest is where all are 0.
struct Replaced {
    number: i64,
    /// The least that anything else says.
    least: i64,
}

impl Replaced {
    /// Whether it does not matter where others are not 0: it is below them, or the greatest is taken of it too.
    fn is_below(&self, leaves: &BTreeSet<Leaf>) -> bool {
        let taken = |leaf: &Leaf| matches!(leaf, Leaf::Number(number) if *number >= IBig::from(self.number));
        self.number <= self.least || leaves.iter().any(taken)
    }
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
    biased: BTreeMap<Vec<Bit>, &'p Biased>,
    /// What is added to every number here.
    bias: i64,
    /// What 0 says, where numbers have a form of their own.
    zero: Option<i64>,
    replaced: Vec<Replaced>,
    cells: BTreeSet<usize>,
    /// Cells that may still be looked at: a ring of them has no end.
    rest: usize,
}

impl<'p> Walk<'p> {
    /// What the netlist's word is the greatest of, if it is one of the earlier signals, a number, a proved comparison, or one of
    /// these with its sign bit turned.
    fn leaves(&mut self, bits: &[Bit], order: Order) -> Option<BTreeSet<Leaf>> {
        let netlist = &self.problem.netlist;
        if let Some(leaf) = self.leaf(bits, order) {
            return Some(BTreeSet::from([leaf]));
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
            Kind::Select if self.greater(index, order).is_none() => self.replaced(index, order),
            Kind::Select => {
                let mut leaves = self.leaves(&cell.a, order)?;
                leaves.extend(self.leaves(&cell.b, order)?);
                Some(leaves)
            }
            _ => None,
        }
    }

    /// The one number that a word says, if it is a constant or an earlier signal.
    fn leaf(&self, bits: &[Bit], order: Order) -> Option<Leaf> {
        let netlist = &self.problem.netlist;
        let word = resolved(netlist, bits);
        if self.zero.is_some() {
            let own = word.iter().rposition(|bit| *bit != Bit::Zero).map_or(0, |last| last + 1);
            let biased = self.biased.get(&word[..own]).filter(|_| order == Order::Signed && own < word.len())?;
            return (biased.bias == self.bias && biased.zero == self.zero).then_some(Leaf::Signal(biased.number));
        }
        if let Some(number) = number(netlist, bits, order) {
            return Some(Leaf::Number(number - IBig::from(self.bias)));
        }
        if order == Order::Turned {
            return None;
        }
        match self.biased.get(&word) {
            Some(biased) => (biased.bias == self.bias && biased.zero.is_none()).then_some(Leaf::Signal(biased.number)),
            None => self.words.get(&word).filter(|_| self.bias == 0).map(|node| Leaf::Signal(*node)),
        }
    }

    /// What a word is the greatest of that is selected where it is not 0, and another number where it is.
    fn replaced(&mut self, index: usize, order: Order) -> Option<BTreeSet<Leaf>> {
        let netlist = &self.problem.netlist;
        let cell = &netlist.cells[index];
        if order == Order::Turned || self.zero.is_some() {
            return None;
        }
        let operands = [(&cell.a, &cell.b), (&cell.b, &cell.a)];
        let found = operands.into_iter().find_map(|(one, other)| Some((number(netlist, one, Order::Signed)?, other)));
        let (instead, word) = found?;
        let greatest = &netlist.cells[netlist.cell_of(word[0])?.0].result;
        let (own, above) = word.split_at_checked(greatest.len())?;
        let extended = above.iter().all(|&bit| netlist.resolve(bit) == Bit::Zero);
        if !extended || resolved(netlist, own) != resolved(netlist, greatest) {
            return None;
        }
        let mut aig = Aig::default();
        let mut blaster = Blaster::new(netlist);
        let values = aig.word_input(own.len());
        blaster.give(own, &values);
        let actual = blaster.bits(&mut aig, &cell.result).ok()?;
        let width = actual.len();
        let mut number = values.clone();
        number.resize(width, Literal::FALSE);
        let zero = aig.equal(&number, &vec![Literal::FALSE; width]);
        let expected = aig.select_word(zero, &aig::number(&instead, width), &number);
        let same = aig.equal(&actual, &expected);
        self.shown(&aig, same, blaster)?;
        let number = i64::try_from(instead).ok()? - self.bias;
        self.zero = Some(number);
        let leaves = self.leaves(own, order);
        self.zero = None;
        self.replaced.push(Replaced { number, least: 1 - self.bias });
        leaves
    }

    /// Whether a literal always holds; the cells that were looked at count then.
    fn shown(&mut self, aig: &Aig, always: Literal, blaster: Blaster) -> Option<()> {
        match discharge(&Miter::plain(aig, !always).0, self.means) {
            (Answer::Proved { .. }, _) => {
                self.cells.extend(blaster.visited);
                Some(())
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
        self.shown(&aig, same, blaster)
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
