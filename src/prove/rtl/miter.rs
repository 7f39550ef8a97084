//! One question as a graph: where do the two sides differ, given what was proved before?

use std::collections::{BTreeMap, BTreeSet, HashMap};

use dashu_int::IBig;

use super::problem::{Cut, Lemma, Problem};
use crate::compute::record::Stage;
use crate::compute::word::term::{Claim, Node, NodeId};
use crate::prove::aig::{Aig, Literal, Negation, TermBlaster, Word, within};
use crate::prove::netlist::{Bit, Blaster, Kind, NetlistError};

/// A question: whether `target` never holds where `constraint` does.
#[derive(Debug, Clone)]
pub struct Miter {
    pub aig: Aig,
    pub constraint: Literal,
    pub target: Literal,
    /// What each input of the graph is: a cut's name and a bit.
    pub inputs: Vec<(String, usize)>,
    /// Names of the signals that stand for themselves here.
    pub uses: BTreeSet<String>,
    /// Cells of the netlist that were looked at.
    pub cells: BTreeSet<usize>,
}

impl Miter {
    /// Whether a literal never holds, whatever the values of the inputs; and which inputs of the graph matter to that.
    pub fn plain(aig: &Aig, target: Literal) -> (Miter, Vec<u32>) {
        let extract = aig.extract(&[target]);
        let (uses, cells) = (BTreeSet::new(), BTreeSet::new());
        let (constraint, target) = (Literal::TRUE, extract.roots[0]);
        (Miter { aig: extract.aig, constraint, target, inputs: Vec::new(), uses, cells }, extract.inputs)
    }
}

/// The numbers that bits of named inputs make: `a[0] = 0x3c00, b[0] = 0x1`.
pub fn values(inputs: &[(String, usize)], values: &[bool]) -> String {
    let mut numbers: BTreeMap<&str, IBig> = BTreeMap::new();
    for ((name, place), &value) in inputs.iter().zip(values) {
        *numbers.entry(name).or_default() += IBig::from(u8::from(value)) << *place;
    }
    let shown: Vec<String> = numbers.iter().map(|(name, number)| format!("{name} = {number:#x}")).collect();
    shown.join(", ")
}

/// A graph under construction, with the signals before some point as variables.
struct Building<'p> {
    problem: &'p Problem,
    aig: Aig,
    terms: TermBlaster<'p>,
    netlist: Blaster<'p>,
    /// Of each variable that was made: its cut, its bits, and that it is in its range.
    made: Vec<(&'p Cut, Word, Literal)>,
    /// Values of nets that have two names, and the later one.
    equal: Vec<(Literal, Literal, &'p str)>,
    /// The signal that a net has its value from.
    owners: HashMap<u32, &'p str>,
}

impl<'p> Building<'p> {
    fn new(problem: &'p Problem) -> Building<'p> {
        Building {
            problem,
            aig: Aig::default(),
            terms: TermBlaster::new(&problem.graph),
            netlist: Blaster::new(&problem.netlist),
            made: Vec::new(),
            equal: Vec::new(),
            owners: HashMap::new(),
        }
    }

    /// Makes a cut a variable on both sides, at the width of its range. Where its node is one already, constant or derived
    /// from variables, both sides take that.
    fn give(&mut self, cut: &'p Cut) {
        self.give_or_derive(cut, !is_derived(&cut.name));
    }

    /// Makes a cut a variable on both sides, or the text's function of those before it. The number that it says with a bias is the
    /// function of it then; where that has a word already, the cut is the function.
    fn give_or_derive(&mut self, cut: &'p Cut, free: bool) {
        let problem = self.problem;
        let free = free && cut.biased.as_ref().is_none_or(|biased| !self.terms.is_given(biased.number));
        let constant = matches!(problem.graph.node(cut.node), Node::Constant(_));
        if free && !self.terms.is_given(cut.node) && !constant {
            let range = problem.range(cut.node);
            let word = Word { bits: self.aig.word_input(range.width() as usize), signed: range.is_signed() };
            let holds = within(&mut self.aig, &word, &range);
            self.give_number(cut.node, &word);
            self.made.push((cut, word, holds));
        }
        if let Some(biased) = cut.biased.as_ref().filter(|_| free) {
            let word = self.terms.word(&mut self.aig, biased.decoded);
            self.give_number(biased.number, &word);
        }
        let word = self.terms.word(&mut self.aig, cut.node);
        let equal = self.netlist.give(&cut.bits, &word.extended(cut.bits.len()));
        self.equal.extend(equal.into_iter().map(|(old, new)| (old, new, cut.name.as_str())));
        for bit in &cut.bits {
            if let Bit::Net(net) = bit {
                self.owners.insert(*net, &cut.name);
            }
        }
    }

    /// Gives a node of the text its word, and every other node that has the same number.
    fn give_number(&mut self, node: NodeId, word: &Word) {
        let full = self.problem.graph.range(node);
        let own = Word { bits: word.extended(full.width() as usize), signed: full.is_signed() };
        for (node, inverted) in self.problem.same(node) {
            let mut own = own.clone();
            if self.problem.graph.node(node).is_flag() {
                own = Word { bits: vec![word.bits[0].invert_if(inverted)], signed: false };
            }
            self.terms.give(node, own);
        }
    }

    /// The question, with nothing that does not matter to it.
    fn finish(self, target: Literal, extra: &[Literal]) -> Miter {
        let mut aig = self.aig;
        let mut constraints: Vec<Literal> = self.terms.relied.iter().map(|(_, _, holds)| *holds).collect();
        constraints.extend(extra);
        let roots: Vec<Literal> = constraints.iter().copied().chain([target]).collect();
        let support: BTreeSet<usize> = aig.cone(&roots).into_iter().collect();
        let owned = self.netlist.asked.iter().filter_map(|net| self.owners.get(net));
        let mut uses: BTreeSet<String> = owned.map(|name| (*name).to_owned()).collect();
        for (old, new, name) in self.equal {
            let matters = |literal: Literal| literal.is_constant() || support.contains(&literal.node());
            if matters(old) && matters(new) {
                uses.insert(name.to_owned());
                constraints.push(!aig.xor(old, new));
            }
        }
        let mut names = HashMap::new();
        for (cut, word, holds) in &self.made {
            if !word.bits.iter().any(|bit| support.contains(&bit.node())) {
                continue;
            }
            uses.insert(cut.name.clone());
            constraints.push(*holds);
            for (place, bit) in word.bits.iter().enumerate() {
                if let crate::prove::aig::Node::Input(index) = aig.nodes()[bit.node()] {
                    names.insert(index, (cut.name.clone(), place));
                }
            }
        }
        let constraint = aig.all(&constraints);
        let extract = aig.extract(&[target, constraint]);
        let inputs = extract.inputs.iter().map(|index| names[index].clone()).collect();
        let [target, constraint] = [extract.roots[0], extract.roots[1]];
        Miter { aig: extract.aig, constraint, target, inputs, uses, cells: self.netlist.visited }
    }
}

/// Whether a signal is so little more than those before it that its function is clearer than a variable.
fn is_derived(name: &str) -> bool {
    let signal = name.rsplit('.').next().unwrap_or(name);
    let signal = signal.split('[').next().unwrap_or(signal);
    let little = ["product_negative", "normalised_negative", "scaled_negative", "sum_less"];
    signal.ends_with("_zero") || little.contains(&signal)
}

/// Whether a cut's bits can differ from its term, all signals before it being what the text says. Those of stages from `from` on
/// are no variables but functions of those before, which may lead to fewer values.
///
/// # Errors
/// The netlist has no function there.
pub fn difference(problem: &Problem, index: usize, from: Option<Stage>) -> Result<Miter, NetlistError> {
    let cut = &problem.cuts[index];
    let mut building = Building::new(problem);
    for earlier in problem.inputs.iter().chain(&problem.cuts[..index]) {
        let free = from.is_none_or(|from| earlier.stage < Some(from));
        building.give_or_derive(earlier, free && !is_derived(&earlier.name));
    }
    let mut lemmas = Vec::new();
    for lemma in problem.lemmas.iter().filter(|lemma| lemma.serves == cut.name) {
        lemmas.push(building.terms.word(&mut building.aig, lemma.holds).bits[0]);
    }
    // A signal may be given already, as another name of an earlier one's nets.
    let bits = building.netlist.bits(&mut building.aig, &cut.bits)?;
    // As the netlist does it.
    let negates = |cell: &usize| problem.netlist.cells[*cell].kind == Kind::Negate;
    building.terms.negation = match building.netlist.visited.iter().any(negates) {
        true => Negation::Selected,
        false => Negation::Inverted,
    };
    let word = building.terms.word(&mut building.aig, cut.node).extended(cut.bits.len());
    let same = building.aig.equal(&bits, &word);
    Ok(building.finish(!same, &lemmas))
}

/// Whether a claim of the text can be false, those of earlier nodes being true. Signals before it are variables, in the
/// ranges that claims of earlier nodes leave; of them those of stages before `before`, because a claim may need to know what
/// a signal is computed from.
pub fn claim(problem: &Problem, claim: &Claim, before: Option<Stage>) -> Miter {
    let mut building = Building::new(problem);
    let near = problem.cuts.iter().filter(|cut| before.is_none_or(|before| cut.stage < Some(before)));
    for earlier in problem.inputs.iter().chain(near) {
        let inner = problem.same(earlier.node).last().map_or(earlier.node, |(node, _)| *node);
        let flag = problem.graph.node(inner).is_flag() && inner < claim.of;
        if earlier.node < claim.of || flag {
            building.give(earlier);
        }
    }
    let word = building.terms.word(&mut building.aig, claim.of);
    let holds = within(&mut building.aig, &word, &claim.range);
    building.finish(!holds, &[])
}

/// Whether a lemma can be false, all claims being true. The node that it is about is no variable.
pub fn lemma(problem: &Problem, lemma: &Lemma) -> Miter {
    let mut building = Building::new(problem);
    let above: Vec<NodeId> = problem.same(lemma.about).into_iter().map(|(node, _)| node).collect();
    let lowest = above.iter().min().copied().unwrap_or(lemma.about);
    for earlier in problem.inputs.iter().chain(&problem.cuts).filter(|cut| cut.node < lowest) {
        building.give(earlier);
    }
    let holds = building.terms.word(&mut building.aig, lemma.holds).bits[0];
    building.finish(!holds, &[])
}
