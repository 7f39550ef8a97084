//! Text and design as one graph over the operands.

use super::clocks::{Timed, Unsupported, timed};
use crate::check::stimulus::{CHUNK, Stimulus};
use crate::compute::record::Stage;
use crate::compute::word::term::Node;
use crate::describe::unit::Unit;
use crate::design::Design;
use crate::engine::Vector;
use crate::prove::aig::{Aig, Bits, Literal, Patterns, TermBlaster, Word};
use crate::prove::netlist::Netlist;
use crate::prove::rtl::{Problem, patterns, vector};
use crate::prove::sat::{Known, Number};

/// Both functions, and where they may differ.
pub struct Both {
    pub aig: Aig,
    /// Of each bit of the result, that it differs.
    pub differs: Vec<Literal>,
    /// The two sides' bits of the result, and numbers of the text.
    pub known: Known,
    pub timed: Timed,
    /// Bits of the operands: the first inputs of the graph that were made.
    operand_bits: usize,
    /// Which input of the two functions each input of the graph is.
    inputs: Vec<u32>,
}

impl Both {
    /// # Errors
    /// The design is not supported, because of what is said.
    pub fn of(unit: &Unit, problem: &Problem, netlist: &Netlist, design: &Design) -> Result<Both, Unsupported> {
        let mut aig = Aig::default();
        let mut terms = TermBlaster::new(&problem.graph);
        let mut operands: Vec<(&str, Bits)> = Vec::new();
        for cut in &problem.inputs {
            let bits = aig.word_input(cut.bits.len());
            let port = port(&cut.name);
            match operands.iter_mut().find(|(name, _)| *name == port) {
                Some((_, all)) => all.extend(&bits),
                None => operands.push((port, bits.clone())),
            }
            terms.give(cut.node, Word { bits, signed: false });
        }
        let operand_bits = aig.inputs().len();
        let interface = unit.interface();
        let mut timed = timed(&mut aig, netlist, design, &interface, &operands)?;
        let mut text = terms.word(&mut aig, problem.answer).extended(unit.formats.d.width() as usize);
        if let Some(flags) = problem.cuts.iter().find(|cut| cut.name == "flags").filter(|_| interface.flags) {
            text.extend(terms.word(&mut aig, flags.node).extended(flags.bits.len()));
        }
        // Ports that say when a result is there have to say so.
        text.extend(timed.control.iter().map(|control| control.expected));
        timed.result.extend(timed.control.iter().map(|control| control.found));
        let differs: Bits = text.iter().zip(&timed.result).map(|(&text, &design)| aig.xor(text, design)).collect();
        let numbers = numbers(problem, &mut terms, &mut aig);
        let sizes: Vec<[usize; 2]> = numbers.iter().map(|number| [number.bits.len(), number.of.len()]).collect();
        let inner = numbers.into_iter().flat_map(|number| [number.bits, number.of]).flatten();
        let roots: Bits = text.iter().chain(&timed.result).chain(&differs).copied().chain(inner).collect();
        let extract = aig.extract(&roots);
        let mut roots = extract.roots.into_iter();
        let mut take = |count: usize| roots.by_ref().take(count).collect::<Bits>();
        // The text comes first, so that it is what the design is compared with.
        let (sides, differs) = ([take(text.len()), take(text.len())], take(text.len()));
        let numbers = sizes.into_iter().map(|[bits, of]| Number { bits: take(bits), of: take(of) }).collect();
        let known = Known { sides, numbers };
        Ok(Both { aig: extract.aig, differs, known, timed, operand_bits, inputs: extract.inputs })
    }

    /// Shaped vectors as patterns of the graph; what is no operand gets arbitrary values.
    pub fn patterns(&self, unit: &Unit, problem: &Problem, chunk: u64) -> Patterns {
        let stimulus = Stimulus::shaped(unit, 1);
        let mut batch = stimulus.empty_batch();
        stimulus.fill(chunk, CHUNK, &mut batch);
        let Patterns { words, rows } = patterns(problem, &batch);
        let mut state = 0x9e37_79b9_7f4a_7c15_u64 ^ chunk;
        let mut arbitrary = || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state
        };
        let row = |input: &u32| match rows.get(*input as usize) {
            Some(row) => row.clone(),
            None => (0..words).map(|_| arbitrary()).collect(),
        };
        Patterns { words, rows: self.inputs.iter().map(row).collect() }
    }

    /// The vector whose operands have these values of the graph's inputs; others are 0.
    pub fn vector(&self, problem: &Problem, values: &[bool]) -> Vector {
        let mut bits = vec![false; self.operand_bits];
        for (&input, &value) in self.inputs.iter().zip(values) {
            if let Some(bit) = bits.get_mut(input as usize) {
                *bit = value;
            }
        }
        let mut bits = bits.into_iter();
        let number = |width: usize| {
            let own = bits.by_ref().take(width).enumerate();
            own.fold(0, |all, (place, bit)| all | u64::from(bit) << place)
        };
        let operands: Vec<u64> = problem.inputs.iter().map(|cut| cut.bits.len()).map(number).collect();
        vector(problem, &operands)
    }
}

/// The text's sums, and what they are made of: terms and the signs that they are negated by.
fn numbers(problem: &Problem, terms: &mut TermBlaster, aig: &mut Aig) -> Vec<Number> {
    let mut numbers = Vec::new();
    for cut in problem.cuts.iter().filter(|cut| cut.stage == Some(Stage::Sum)) {
        let bits = terms.word(aig, cut.node).bits;
        let mut of = Bits::new();
        // An aligned term is signed; what it is made of a design may have in another form.
        for earlier in problem.cuts.iter().filter(|earlier| earlier.stage < Some(Stage::Aligned)) {
            of.extend(terms.word(aig, earlier.node).bits);
        }
        for (_, node) in problem.graph.nodes().take_while(|(node, _)| *node < cut.node) {
            if let Node::Select { flag, yes, no } = *node
                && *problem.graph.node(yes) == Node::Negate(no)
            {
                of.extend(terms.word(aig, flag).bits);
                of.extend(terms.word(aig, no).bits);
            }
        }
        of.retain(|bit| !bit.is_constant());
        numbers.push(Number { bits, of });
    }
    numbers
}

/// The port of the module around the design that an operand is a part of.
fn port(operand: &str) -> &'static str {
    match operand.split('[').next() {
        Some("a") => "a_i",
        Some("b") => "b_i",
        Some("scale_a") => "scale_a_i",
        Some("scale_b") => "scale_b_i",
        _ => "c_i",
    }
}
