//! Sums as weights of bits: the adders of the netlist and the additions of the text, in whatever order they are made.
//!
//! An adder of W bits gives the sum of its operands modulo 2^W; so both sides become a weight for every bit of the signals
//! before them, and sums with the same weights modulo 2^W are the same. It never looks at what a bit can be.
//!
//! A signal that is defined as another one less a third stands for the other: that is the sum of both. Compressors are known by
//! their cells; prefix networks by their instances' names, and each is proved to add.

use std::collections::{BTreeMap, BTreeSet};

use dashu_int::IBig;
use dashu_int::ops::DivRemEuclid;

use super::answer::Answer;
use super::discharge::{Means, discharge};
use super::miter::Miter;
use super::problem::{Cut, Problem};
use crate::compute::word::term::{Node, NodeId};
use crate::prove::aig::{Aig, Literal};
use crate::prove::netlist::{Bit, Blaster, Cell, Kind, Netlist};

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

/// Proves a cut by its adders, if both sides are sums of earlier signals, or of signals of earlier stages.
pub fn prove(problem: &Problem, index: usize, means: &Means) -> Option<Linear> {
    let stage = problem.cuts[index].stage;
    proved(problem, index, means, |_| true).or_else(|| proved(problem, index, means, |earlier| earlier.stage < stage))
}

fn proved(problem: &Problem, index: usize, means: &Means, is_used: impl Fn(&Cut) -> bool) -> Option<Linear> {
    let cut = &problem.cuts[index];
    let width = cut.bits.len();
    let earlier: Vec<&Cut> = problem.inputs.iter().chain(&problem.cuts[..index]).filter(|cut| is_used(cut)).collect();
    let mut sum = Sum::new(problem, &earlier, means);
    sum.term(cut.node, IBig::ONE, width)?;
    let text = std::mem::take(&mut sum.weights).reduced(width);
    sum.word(&cut.bits, &IBig::ONE, width)?;
    let netlist = std::mem::take(&mut sum.weights).reduced(width);
    if sum.cells.is_empty() || !sum.halves.is_empty() || text != netlist {
        return None;
    }
    let names: BTreeMap<NodeId, &str> = earlier.iter().map(|cut| (cut.node, cut.name.as_str())).collect();
    let uses = netlist.bits.keys().map(|(node, _)| names[node].to_owned()).collect();
    Some(Linear { uses, cells: sum.cells })
}

/// The three words that a compressor takes.
type Compressed = [Vec<Bit>; 3];

/// A prefix network's two operands, and what its output is more than their sum.
#[derive(Clone)]
struct PrefixSum<'p> {
    operands: [&'p [Bit]; 2],
    more: u8,
}

struct Sum<'p> {
    problem: &'p Problem,
    nodes: BTreeSet<NodeId>,
    /// Nodes that are the sum of an earlier signal and another node.
    sums: BTreeMap<NodeId, (NodeId, NodeId)>,
    /// The bit of an earlier signal that a net is, the first one; `None`: one that is always 0.
    nets: BTreeMap<u32, Option<(NodeId, usize)>>,
    /// Bits of earlier signals that are nets of earlier ones.
    same: BTreeMap<(NodeId, usize), Bit>,
    weights: Weights,
    cells: BTreeSet<usize>,
    /// Compressors of which one output was met, with the weight of the carry: whether that output is it.
    halves: BTreeMap<(Compressed, IBig), bool>,
    /// By its output.
    prefix_sums: BTreeMap<Vec<Bit>, PrefixSum<'p>>,
    means: &'p Means,
    /// Adders that may still be looked at: a ring of them has no end.
    rest: usize,
}

/// Outputs of the prefix networks' instances: `a_i + b_i`, and that and one.
fn prefix_sums(netlist: &Netlist) -> BTreeMap<Vec<Bit>, PrefixSum<'_>> {
    let mut all = BTreeMap::new();
    for (name, bits) in &netlist.signals {
        let Some(instance) = name.strip_suffix("u_compound_add.sum_o") else { continue };
        let port = |port: &str| netlist.signals.get(&format!("{instance}u_compound_add.{port}"));
        let (Some(a), Some(b), Some(next)) = (port("a_i"), port("b_i"), port("next_o")) else { continue };
        for (output, more) in [(bits, 0), (next, 1)] {
            let output = output.iter().map(|&bit| netlist.resolve(bit)).collect();
            all.insert(output, PrefixSum { operands: [a, b], more });
        }
    }
    all
}

impl<'p> Sum<'p> {
    fn new(problem: &'p Problem, earlier: &[&Cut], means: &'p Means) -> Sum<'p> {
        let difference = |cut: &&Cut| match *problem.graph.node(cut.node) {
            Node::Subtract(whole, part) => Some((whole, (cut.node, part))),
            _ => None,
        };

        let (mut nets, mut same) = (BTreeMap::new(), BTreeMap::new());
        for cut in earlier {
            let range = problem.range(cut.node);
            let (own, signed) = (range.width() as usize, range.is_signed());
            // Above the number's own width stands its sign, or zero. What stands there is looked at first: it may be the sign of
            // an earlier signal.
            let places = (own..cut.bits.len()).chain(0..own.min(cut.bits.len()));
            let above = cut.bits.get(own).filter(|_| signed).map(|&bit| problem.netlist.resolve(bit));
            for place in places {
                let bit = problem.netlist.resolve(cut.bits[place]);
                let last = place + 1 == own;
                let stands_for = match above {
                    Some(Bit::Net(above)) if last => nets.get(&above).copied().flatten(),
                    _ if place < own => Some((cut.node, place)),
                    _ => signed.then(|| (cut.node, own - 1)),
                };
                if place < own {
                    same.insert((cut.node, place), above.filter(|_| last).unwrap_or(bit));
                }
                if let Bit::Net(net) = bit {
                    nets.entry(net).or_insert(stands_for);
                }
            }
        }
        let nodes = earlier.iter().map(|cut| cut.node).collect();
        Sum {
            problem,
            nodes,
            sums: earlier.iter().filter_map(difference).collect(),
            nets,
            same,
            weights: Weights::default(),
            cells: BTreeSet::new(),
            halves: BTreeMap::new(),
            prefix_sums: prefix_sums(&problem.netlist),
            means,
            rest: 2 * problem.netlist.cells.len(),
        }
    }

    /// Adds `weight` times a node of the text, modulo 2^width.
    fn term(&mut self, node: NodeId, weight: IBig, width: usize) -> Option<()> {
        let graph = &self.problem.graph;
        if let Some(&(one, two)) = self.sums.get(&node) {
            self.term(one, weight.clone(), width)?;
            return self.term(two, weight, width);
        }
        if self.nodes.contains(&node) {
            let range = self.problem.range(node);
            let own = range.width() as usize;
            for place in 0..own {
                let sign = range.is_signed() && place + 1 == own;
                let value = &weight << place;
                self.of_signal((node, place), if sign { -value } else { value });
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
                    self.of_signal((*of, place), if sign { -value } else { value });
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
        if let Some(sum) = self.prefix_sums.get(&bits).cloned() {
            return self.prefix_sum(&bits, sum, weight);
        }
        // Known bits below another word: that one is shifted.
        let low = bits.iter().take_while(|bit| self.is_known(**bit)).count();
        if low > 0 && self.whole(&bits).is_none() {
            for (place, bit) in bits[..low].iter().enumerate() {
                self.bit(*bit, weight << place);
            }
            return self.word(&bits[low..], &(weight << low), width - low);
        }
        let (index, cell) = self.whole(&bits)?;
        if let Some((compressed, cells, carry)) = self.compressed(&bits) {
            return self.compressor(compressed, cells, carry, weight);
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

    /// The cell whose result a word is.
    fn whole(&self, bits: &[Bit]) -> Option<(usize, &'p Cell)> {
        let netlist = &self.problem.netlist;
        let (index, _) = netlist.cell_of(*bits.first()?)?;
        let cell = &netlist.cells[index];
        let result: Vec<Bit> = cell.result.iter().map(|&bit| netlist.resolve(bit)).collect();
        (result.len() >= bits.len() && result[..bits.len()] == *bits).then_some((index, cell))
    }

    /// Both operands of the cell of a kind whose result a word is, or the lower part of, each as wide as the result.
    fn operands(&self, bits: &[Bit], kind: Kind) -> Option<(usize, [Vec<Bit>; 2])> {
        let (index, cell) = self.whole(bits)?;
        let netlist = &self.problem.netlist;
        let resolved = |bits: &[Bit]| -> Vec<Bit> { bits.iter().map(|&bit| netlist.resolve(bit)).collect() };
        let width = cell.result.len();
        let same = cell.kind == kind && cell.a.len() == width && cell.b.len() == width;
        same.then(|| (index, [resolved(&cell.a), resolved(&cell.b)]))
    }

    /// The words that a compressor makes a word of, its cells, and whether the word is the carry, which counts twice and has one
    /// place less.
    ///
    /// ```text
    ///   sum      (x ^ y) ^ z
    ///   carry    (x & y) | ((x ^ y) & z)
    /// ```
    fn compressed(&self, bits: &[Bit]) -> Option<(Compressed, Vec<usize>, bool)> {
        if let Some((outer, [odd, z])) = self.operands(bits, Kind::Xor) {
            let (inner, [x, y]) = self.operands(&odd, Kind::Xor)?;
            return (z.len() == bits.len()).then(|| ([x, y, z], vec![outer, inner], false));
        }
        let (or, [both, one]) = self.operands(bits, Kind::Or)?;
        let (and, [x, y]) = self.operands(&both, Kind::And)?;
        let (third, [odd, z]) = self.operands(&one, Kind::And)?;
        let (xor, operands) = self.operands(&odd, Kind::Xor)?;
        let same = operands[0] == x && operands[1] == y && z.len() == bits.len() + 1;
        same.then(|| ([x, y, z], vec![or, and, third, xor], true))
    }

    /// Both outputs of a compressor, the carry with twice the weight, are its operands.
    fn compressor(&mut self, compressed: Compressed, cells: Vec<usize>, carry: bool, weight: &IBig) -> Option<()> {
        self.rest = self.rest.checked_sub(1)?;
        self.cells.extend(cells);
        let key = (compressed, if carry { weight.clone() } else { weight << 1 });
        match self.halves.remove(&key) {
            Some(other) if other != carry => {
                let (words, weight) = (key.0, key.1 >> 1);
                words.iter().try_for_each(|word| self.word(word, &weight, word.len()))
            }
            Some(_) => None,
            None => {
                self.halves.insert(key, carry);
                Some(())
            }
        }
    }

    /// Proves that a prefix network adds, its operands being free.
    fn prefix_sum(&mut self, bits: &[Bit], sum: PrefixSum<'p>, weight: &IBig) -> Option<()> {
        self.rest = self.rest.checked_sub(1)?;
        let PrefixSum { operands, more } = sum;
        let mut aig = Aig::default();
        let mut blaster = Blaster::new(&self.problem.netlist);
        for operand in operands {
            let values = aig.word_input(operand.len());
            blaster.give(operand, &values);
        }
        let a = blaster.bits(&mut aig, operands[0]).ok()?;
        let b = blaster.bits(&mut aig, operands[1]).ok()?;
        let result = blaster.bits(&mut aig, bits).ok()?;
        let added = aig.add(&a, &b, Literal::constant(more == 1));
        let same = aig.equal(&result, &added);
        match discharge(&Miter::plain(&aig, !same).0, self.means) {
            (Answer::Proved { .. }, _) => self.cells.extend(blaster.visited),
            _ => return None,
        }
        self.weights.constant += weight * IBig::from(more);
        operands.iter().try_for_each(|operand| self.word(operand, weight, operand.len()))
    }

    /// Adds a bit of an earlier signal.
    fn of_signal(&mut self, bit: (NodeId, usize), weight: IBig) {
        match self.same.get(&bit) {
            Some(&same) => self.bit(same, weight),
            None => self.weights.add(bit, weight),
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
