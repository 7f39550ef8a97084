//! Sums as weights of bits: the adders of the netlist and the additions of the text, in whatever order they are made.
//!
//! An adder of W bits gives the sum of its operands modulo 2^W; so both sides become a weight for every bit of the signals
//! before them, and sums with the same weights modulo 2^W are the same. It never looks at what a bit can be.

use std::collections::{BTreeMap, BTreeSet};

use dashu_int::IBig;
use dashu_int::ops::DivRemEuclid;

use super::problem::{Cut, Problem};
use crate::compute::word::term::{Node, NodeId};
use crate::prove::netlist::{Bit, Kind};

/// A proof that a cut is the sum that its term is.
pub struct Linear {
    pub uses: BTreeSet<String>,
    pub cells: BTreeSet<usize>,
}

/// Weights of the bits of earlier signals, by node and place, and a constant.
#[derive(Debug, Default, PartialEq, Eq)]
struct Weights {
    bits: BTreeMap<(NodeId, usize), IBig>,
    constant: IBig,
}

impl Weights {
    fn add(&mut self, bit: (NodeId, usize), weight: IBig) {
        *self.bits.entry(bit).or_default() += weight;
    }

    /// Modulo 2^width, without bits that do not count.
    fn reduced(mut self, width: usize) -> Weights {
        let modulus = IBig::ONE << width;
        let reduce = |number: &IBig| IBig::from(number.clone().div_rem_euclid(modulus.clone()).1);
        self.bits.values_mut().for_each(|weight| *weight = reduce(weight));
        self.bits.retain(|_, weight| *weight != IBig::ZERO);
        self.constant = reduce(&self.constant);
        self
    }
}

/// Proves a cut by its adders, if both sides are sums of earlier signals.
pub fn prove(problem: &Problem, index: usize) -> Option<Linear> {
    let cut = &problem.cuts[index];
    let width = cut.bits.len();
    let earlier: Vec<&Cut> = problem.inputs.iter().chain(&problem.cuts[..index]).collect();
    let mut sum = Sum::new(problem, &earlier);
    sum.term(cut.node, IBig::ONE, width)?;
    let text = std::mem::take(&mut sum.weights).reduced(width);
    sum.word(&cut.bits, &IBig::ONE, width)?;
    let netlist = std::mem::take(&mut sum.weights).reduced(width);
    if sum.cells.is_empty() || text != netlist {
        return None;
    }
    let names: BTreeMap<NodeId, &str> = earlier.iter().map(|cut| (cut.node, cut.name.as_str())).collect();
    let uses = netlist.bits.keys().map(|(node, _)| names[node].to_owned()).collect();
    Some(Linear { uses, cells: sum.cells })
}

struct Sum<'p> {
    problem: &'p Problem,
    nodes: BTreeSet<NodeId>,
    /// The bit of an earlier signal that a net is; `None`: one that is always 0.
    nets: BTreeMap<u32, Option<(NodeId, usize)>>,
    weights: Weights,
    cells: BTreeSet<usize>,
    /// Adders that may still be looked at: a ring of them has no end.
    rest: usize,
}

impl<'p> Sum<'p> {
    fn new(problem: &'p Problem, earlier: &[&Cut]) -> Sum<'p> {
        let mut nets = BTreeMap::new();
        for cut in earlier {
            let range = problem.range(cut.node);
            let (own, signed) = (range.width() as usize, range.is_signed());
            for (place, &bit) in cut.bits.iter().enumerate() {
                let Bit::Net(net) = problem.netlist.resolve(bit) else { continue };
                // Above the number's own width stands its sign, or zero.
                let place = if place < own { Some(place) } else { signed.then_some(own - 1) };
                nets.insert(net, place.map(|place| (cut.node, place)));
            }
        }
        let nodes = earlier.iter().map(|cut| cut.node).collect();
        Sum {
            problem,
            nodes,
            nets,
            weights: Weights::default(),
            cells: BTreeSet::new(),
            rest: 2 * problem.netlist.cells.len(),
        }
    }

    /// Adds `weight` times a node of the text, modulo 2^width.
    fn term(&mut self, node: NodeId, weight: IBig, width: usize) -> Option<()> {
        let graph = &self.problem.graph;
        if self.nodes.contains(&node) {
            let range = self.problem.range(node);
            let own = range.width() as usize;
            for place in 0..own {
                let sign = range.is_signed() && place + 1 == own;
                let value = &weight << place;
                self.weights.add((node, place), if sign { -value } else { value });
            }
            return Some(());
        }
        match graph.node(node) {
            Node::Constant(number) => self.weights.constant += weight * number,
            Node::Add(one, two) => {
                self.term(*one, weight.clone(), width)?;
                self.term(*two, weight, width)?;
            }
            Node::Subtract(one, two) => {
                self.term(*one, weight.clone(), width)?;
                self.term(*two, -weight, width)?;
            }
            Node::Negate(one) => self.term(*one, -weight, width)?,
            Node::ShiftLeft(one, amount) => self.term(*one, weight << *amount as usize, width)?,
            Node::Claimed(one, _) => self.term(*one, weight, width)?,
            // The top bit of what is taken as two's complement counts as minus its weight.
            Node::Wrap { of, width: wrapped } if self.nodes.contains(of) && !self.problem.range(*of).is_signed() => {
                for place in 0..(*wrapped).min(self.problem.range(*of).width()) as usize {
                    let sign = place + 1 == *wrapped as usize;
                    let value = &weight << place;
                    self.weights.add((*of, place), if sign { -value } else { value });
                }
            }
            // What wrapping drops is a multiple of 2^width.
            Node::Wrap { of, width: wrapped } if *wrapped as usize >= width => self.term(*of, weight, width)?,
            _ => return None,
        }
        Some(())
    }

    /// Adds `weight` times a word of the netlist, modulo 2^width.
    fn word(&mut self, bits: &[Bit], weight: &IBig, width: usize) -> Option<()> {
        let netlist = &self.problem.netlist;
        let bits: Vec<Bit> = bits.iter().take(width).map(|&bit| netlist.resolve(bit)).collect();
        if bits.iter().all(|bit| self.is_known(*bit)) {
            for (place, bit) in bits.iter().enumerate() {
                self.bit(*bit, weight << place);
            }
            return Some(());
        }
        let (index, _) = netlist.cell_of(*bits.first()?)?;
        let cell = &netlist.cells[index];
        let whole = cell.result.len() >= width && bits.len() == width && cell.result[..width] == bits[..];
        if !whole {
            return None;
        }
        let extended = |bits: &[Bit]| {
            let fill = if cell.signed { bits.last().copied().unwrap_or(Bit::Zero) } else { Bit::Zero };
            let mut bits = bits.to_vec();
            bits.resize(width.max(bits.len()), fill);
            bits
        };
        self.rest = self.rest.checked_sub(1)?;
        self.cells.insert(index);
        match cell.kind {
            Kind::Add => {
                self.word(&extended(&cell.a), weight, width)?;
                self.word(&extended(&cell.b), weight, width)
            }
            Kind::Subtract => {
                self.word(&extended(&cell.a), weight, width)?;
                self.word(&extended(&cell.b), &-weight.clone(), width)
            }
            Kind::Negate => self.word(&extended(&cell.a), &-weight.clone(), width),
            Kind::Extend => self.word(&extended(&cell.a), weight, width),
            _ => None,
        }
    }

    fn is_known(&self, bit: Bit) -> bool {
        match bit {
            Bit::Zero | Bit::One => true,
            Bit::Undefined => false,
            Bit::Net(net) => self.nets.contains_key(&net),
        }
    }

    fn bit(&mut self, bit: Bit, weight: IBig) {
        match bit {
            Bit::One => self.weights.constant += weight,
            Bit::Net(net) => {
                if let Some(Some(bit)) = self.nets.get(&net).copied() {
                    self.weights.add(bit, weight);
                }
            }
            Bit::Zero | Bit::Undefined => {}
        }
    }
}
