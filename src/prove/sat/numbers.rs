//! Numbers that both sides of a question compute by adders, in whatever order: proved to be the same by their weights, which search
//! would need very long for, and then taken for equal bit by bit.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::equal::Known;
use super::sweep::Sweep;
use crate::prove::aig::{Aig, Cnf, Literal, same_number};

/// Nodes that have the same values on all patterns, by what the other side computes.
struct Pair {
    one: Vec<Literal>,
    other: Vec<Literal>,
    of: Vec<Literal>,
    /// The last node of the two.
    last: usize,
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
            let nodes: BTreeSet<usize> = other.iter().map(|bit| bit.node()).filter(|node| !own.contains(node)).collect();
            eprintln!("NUMBER {} bits, {} found, nodes {nodes:?}, one {:?} other {:?}", number.bits.len(), other.len(), one.iter().map(|b| b.node()).collect::<Vec<_>>(), other.iter().map(|b| b.node()).collect::<Vec<_>>());
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
            if self.is_same(&pair, sweep) {
                self.same += 1;
                for (&one, &other) in pair.one.iter().zip(&pair.other).filter(|(one, other)| one != other) {
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

    fn is_same(&self, pair: &Pair, sweep: &Sweep) -> bool {
        let atoms: HashSet<usize> = pair.of.iter().map(|&bit| sweep.found(bit).node()).collect();
        let atom = |node: usize| {
            let literal = sweep.found(Literal::of(node));
            (literal.is_constant() || atoms.contains(&literal.node())).then_some(literal)
        };
        for k in 1..=pair.one.len() { eprintln!("width {k}"); if !same_number(self.aig, &pair.one[..k], &pair.other[..k], &atom) { break; } }
        same_number(self.aig, &pair.one, &pair.other, &atom)
    }
}
