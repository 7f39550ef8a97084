//! Numbers that both sides of a question compute by adders, in whatever order: proved to be the same by their weights, which search
//! would need very long for, and then taken for equal bit by bit.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::sweep::Sweep;
use crate::prove::aig::{Aig, Bits, Cnf, Literal, Taken, same_number};

/// Bits that a number may lose at the top where it is no sum of what it is made of.
const SHORTER: usize = 2;

/// Nodes that have the same values on all patterns, by what the other side computes.
struct Pair {
    one: Vec<Literal>,
    other: Vec<Literal>,
    of: Vec<Literal>,
    /// The last node of the two.
    last: usize,
}

/// A number of the one side, and the bits that the other side computes it from too: where both are sums of these, the bits are
/// compared as numbers, not one by one.
#[derive(Debug, Clone)]
pub struct Number {
    pub bits: Bits,
    pub of: Bits,
}

/// What is known of the two sides that are compared.
#[derive(Debug, Clone, Default)]
pub struct Known {
    /// Their bits of the result.
    pub sides: [Bits; 2],
    /// Numbers of the first one.
    pub numbers: Vec<Number>,
}

pub(super) struct Numbers<'a> {
    aig: &'a Aig,
    pairs: Vec<Pair>,
    /// Nodes that are bits of a number, until it is settled.
    pub waiting: HashSet<usize>,
    /// Clauses that say that bits of numbers are equal.
    pub clauses: Vec<Vec<i32>>,
    /// Numbers that are the same.
    pub same: usize,
}

impl<'a> Numbers<'a> {
    /// Looks for the numbers of the one side on the other, by the values on patterns. Of a number of which only the lowest bits are
    /// there, these count.
    pub fn new(aig: &'a Aig, known: &Known, sweep: &Sweep) -> Numbers<'a> {
        let [one, other] = &known.sides;
        let own: HashSet<usize> = aig.cone(one).into_iter().collect();
        let mut first = HashMap::new();
        for node in aig.cone(other) {
            first.entry(sweep.print(node)).or_insert(node);
        }
        let mut numbers = Numbers { aig, pairs: Vec::new(), waiting: HashSet::new(), clauses: Vec::new(), same: 0 };
        for number in &known.numbers {
            let found = number.bits.iter().map_while(|&bit| match first.get(&sweep.print(bit.node())) {
                _ if bit.is_constant() => Some(bit),
                Some(&node) => Some(sweep.as_equal(node, bit.node()).invert_if(bit.inverted())),
                None => None,
            });
            let other: Vec<Literal> = found.collect();
            let one = number.bits[..other.len()].to_vec();
            let nodes: BTreeSet<usize> =
                other.iter().map(|bit| bit.node()).filter(|node| !own.contains(node)).collect();
            if nodes.is_empty() {
                continue;
            }
            let last = other.iter().chain(&one).map(|bit| bit.node()).max().unwrap_or(0);
            numbers.waiting.extend(nodes);
            numbers.pairs.push(Pair { one, other, of: number.of.clone(), last });
        }
        numbers
    }

    /// Settles the numbers whose last node this is; clauses are numbered from `first` on.
    pub fn settle(&mut self, node: usize, sweep: &mut Sweep, first: u64) {
        for pair in self.pairs.extract_if(.., |pair| pair.last == node).collect::<Vec<_>>() {
            let width = self.same(&pair, sweep);
            if width > 0 {
                self.same += 1;
                let bits = pair.one.iter().zip(&pair.other).take(width);
                for (&one, &other) in bits.filter(|(one, other)| one != other) {
                    for clause in [[!one, other], [one, !other]] {
                        sweep.solver.add(&clause, first + self.clauses.len() as u64, 0);
                        self.clauses.push(clause.map(Cnf::literal).to_vec());
                    }
                    sweep.merge(other, one);
                }
            }
            let nodes: BTreeSet<usize> = pair.other.iter().map(|bit| bit.node()).collect();
            for node in nodes {
                if self.waiting.remove(&node) && sweep.representative[node] == Literal::of(node) {
                    sweep.place(node);
                }
            }
        }
    }

    /// How many of the lowest bits are the same number on both sides.
    fn same(&self, pair: &Pair, sweep: &Sweep) -> usize {
        let atoms: HashSet<usize> = pair.of.iter().map(|&bit| sweep.found(bit).node()).collect();
        let taken = |node: usize, [equal, constant]: [bool; 2]| {
            let literal = sweep.found(Literal::of(node));
            let is_atom = atoms.contains(&literal.node());
            match if literal.is_constant() { constant } else { is_atom || equal } {
                true => Taken { literal, is_atom },
                false => Taken::itself(node),
            }
        };
        let whole = pair.one.len();
        // Whether bits of adders cancel hangs on what they are taken for: a carry that is always 0 may be part of a sum.
        const HOW: [[bool; 2]; 4] = [[false, false], [false, true], [true, false], [true, true]];
        let tries = (whole.saturating_sub(SHORTER)..=whole).rev().flat_map(|width| HOW.map(|how| (width, how)));
        let is_same = |(width, how): &(usize, [bool; 2])| {
            let (one, other) = (&pair.one[..*width], &pair.other[..*width]);
            same_number(self.aig, one, other, &|node| taken(node, *how))
        };
        tries.into_iter().find(is_same).map_or(0, |(width, _)| width)
    }
}
