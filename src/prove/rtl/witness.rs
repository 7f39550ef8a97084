//! A vector on which netlist and text differ: found by simulation of both graphs, then run again.
//!
//! It proves nothing by finding none.

use std::collections::HashSet;
use std::ops::Range;

use dashu_int::IBig;

use super::answer::Answer;
use super::discharge::{Means, discharge};
use super::miter::Miter;
use super::problem::{Cut, Problem};
use crate::check::stimulus::{CHUNK, Stimulus};
use crate::describe::unit::Unit;
use crate::engine::{Batch, Emulator, Vector};
use crate::prove::aig::{Aig, Bits, Literal, Patterns, TermBlaster, Values, Word, simulate};
use crate::prove::netlist::{Blaster, NetlistError};

/// Chunks in which an output is looked for after a signal inside differed.
const CHUNKS_BEYOND: u64 = 8;

/// Where netlist and text part on a vector.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Witness {
    pub vector: Vector,
    /// The first named signal that differs, in datapath order, or else the output.
    pub signal: String,
    /// Its value in the netlist and in the emulator.
    pub netlist: String,
    pub emulator: String,
    /// Both results.
    pub netlist_result: u64,
    pub emulator_result: u64,
}

impl Witness {
    /// Whether the results differ, and not only a signal inside.
    pub fn output_differs(&self) -> bool {
        self.netlist_result != self.emulator_result
    }
}

/// What is known of a signal from the operands on.
#[derive(Debug)]
pub enum Settled {
    Differs(Box<Witness>),
    /// The two sides are the same for all operands; the proof was checked.
    Never,
    Unknown,
}

/// A named signal or an output on both sides.
struct Compared {
    name: String,
    signed: bool,
    netlist: Bits,
    text: Bits,
}

/// Both sides of a unit as functions of its operands.
pub struct Whole {
    aig: Aig,
    /// Number of the problem's cuts.
    cuts: usize,
    /// The problem's cuts, in their order, then the outputs.
    signals: Vec<Compared>,
    /// The netlist's answer: the result, with the flags above it.
    result: Bits,
}

impl Whole {
    /// # Errors
    /// A signal of the netlist has no function.
    pub fn of(problem: &Problem) -> Result<Whole, NetlistError> {
        let mut aig = Aig::default();
        let mut terms = TermBlaster::new(&problem.graph);
        let mut blaster = Blaster::new(&problem.netlist);
        for cut in &problem.inputs {
            let bits = aig.word_input(cut.bits.len());
            blaster.give(&cut.bits, &bits);
            terms.give(cut.node, Word { bits, signed: false });
        }
        let mut signals = Vec::new();
        for cut in &problem.cuts {
            let netlist = blaster.bits(&mut aig, &cut.bits)?;
            let text = terms.word(&mut aig, cut.node).extended(cut.bits.len());
            signals.push(Compared { name: cut.name.clone(), signed: cut.signed, netlist, text });
        }
        let flags = problem.cuts.iter().find(|cut| cut.name == "flags").map(|cut| cut.node);
        let mut result = Bits::new();
        for (port, node) in [("d_o", Some(problem.answer)), ("flags_o", flags)] {
            let Some(node) = node else { continue };
            for (_, bits) in problem.netlist.outputs.iter().filter(|(name, _)| name == port) {
                let netlist = blaster.bits(&mut aig, bits)?;
                result.extend(&netlist);
                let text = terms.word(&mut aig, node).extended(bits.len());
                signals.push(Compared { name: port.to_owned(), signed: false, netlist, text });
            }
        }
        Ok(Whole { aig, cuts: problem.cuts.len(), signals, result })
    }

    /// Places of the outputs among the signals.
    pub fn outputs(&self) -> Range<usize> {
        self.cuts..self.signals.len()
    }

    /// Of `vectors` shaped vectors the first on which an output differs; else the first on which a named signal does, after which
    /// fewer are looked at.
    pub fn search(&self, unit: &Unit, problem: &Problem, vectors: u64) -> Option<Witness> {
        let stimulus = Stimulus::shaped(unit, 1);
        let mut batch = stimulus.empty_batch();
        let (mut inside, mut chunk, mut end) = (None, 0, vectors.div_ceil(CHUNK as u64));
        while chunk < end {
            stimulus.fill(chunk, CHUNK, &mut batch);
            let values = simulate(&self.aig, &patterns(problem, &batch));
            if let Some(index) = self.differing(&values, batch.len(), self.outputs()) {
                return self.at(unit, problem, &batch.vector(index));
            }
            chunk += 1;
            if inside.is_none()
                && let Some(index) = self.differing(&values, batch.len(), 0..self.cuts)
            {
                inside = Some(batch.vector(index));
                end = end.min(chunk + CHUNKS_BEYOND);
            }
        }
        self.at(unit, problem, &inside?)
    }

    /// Whether a signal, the one of a cut or an output, differs for any operands, settled by search from the operands on.
    pub fn settle(&self, unit: &Unit, problem: &Problem, signal: usize, means: &Means) -> Settled {
        let mut aig = self.aig.clone();
        let same = aig.equal(&self.signals[signal].netlist, &self.signals[signal].text);
        let (question, inputs) = Miter::plain(&aig, !same);
        match discharge(&question, means).0 {
            Answer::Proved { .. } => Settled::Never,
            Answer::Unknown(_) => Settled::Unknown,
            Answer::Fails(found) => {
                let witness = self.of_inputs(unit, problem, &inputs, &found);
                witness.map_or(Settled::Unknown, |witness| Settled::Differs(Box::new(witness)))
            }
        }
    }

    /// The witness that has these values of some inputs, the others being 0.
    fn of_inputs(&self, unit: &Unit, problem: &Problem, inputs: &[u32], found: &[bool]) -> Option<Witness> {
        let mut values = vec![false; self.aig.inputs().len()];
        for (&input, &value) in inputs.iter().zip(found) {
            values[input as usize] = value;
        }
        let mut bits = values.into_iter();
        let operands: Vec<u64> = problem
            .inputs
            .iter()
            .map(|cut| {
                bits.by_ref()
                    .take(cut.bits.len())
                    .enumerate()
                    .fold(0, |all, (place, bit)| all | u64::from(bit) << place)
            })
            .collect();
        self.at(unit, problem, &vector(problem, &operands))
    }

    /// What differs first on a vector, in datapath order.
    fn at(&self, unit: &Unit, problem: &Problem, vector: &Vector) -> Option<Witness> {
        let values = simulate(&self.aig, &patterns(problem, &Batch::of(vector)));
        let differs = |signal: &&Compared| {
            let mut pairs = signal.netlist.iter().zip(&signal.text);
            pairs.any(|(netlist, text)| values.bit(*netlist, 0) != values.bit(*text, 0))
        };
        let first = self.signals.iter().find(differs)?;
        self.confirmed(unit, problem, vector, first)
    }

    /// The first of so many simulated vectors on which one of these signals differs: the first signal that does decides.
    fn differing(&self, values: &Values, vectors: usize, signals: Range<usize>) -> Option<usize> {
        let mut compared = HashSet::new();
        for Compared { netlist, text, .. } in &self.signals[signals] {
            for pair in netlist.iter().zip(text).filter(|(left, right)| left != right) {
                if !compared.insert(pair) {
                    continue;
                }
                let mut words = values.of(*pair.0).zip(values.of(*pair.1)).enumerate();
                if let Some((word, (left, right))) = words.find(|(_, (left, right))| left != right) {
                    let vector = 64 * word + (left ^ right).trailing_zeros() as usize;
                    if vector < vectors {
                        return Some(vector);
                    }
                }
            }
        }
        None
    }

    /// The witness, if the emulator says the same as the text's graph.
    fn confirmed(&self, unit: &Unit, problem: &Problem, vector: &Vector, signal: &Compared) -> Option<Witness> {
        let values = simulate(&self.aig, &patterns(problem, &Batch::of(vector)));
        let read = |bits: &[Literal], signed: bool| {
            let mut number = IBig::ZERO;
            for (place, &bit) in bits.iter().enumerate() {
                let weight = IBig::from(u8::from(values.bit(bit, 0))) << place;
                number += if signed && place + 1 == bits.len() { -weight } else { weight };
            }
            number
        };
        let mut emulator = Emulator::new(unit);
        let trace = emulator.trace_of(vector).ok()?;
        let text = read(&signal.text, signal.signed);
        if emulated(&trace, &signal.name).is_some_and(|value| value != text) {
            return None;
        }
        let result = self
            .result
            .iter()
            .enumerate()
            .fold(0, |result, (place, &bit)| result | u64::from(values.bit(bit, 0)) << place);
        Some(Witness {
            vector: vector.clone(),
            signal: signal.name.clone(),
            netlist: read(&signal.netlist, signal.signed).to_string(),
            emulator: text.to_string(),
            netlist_result: result,
            emulator_result: emulator.evaluate(vector.inputs()).ok()?,
        })
    }
}

/// The emulator's value of a signal's element, if the plan has that signal.
fn emulated(trace: &crate::engine::Trace, name: &str) -> Option<IBig> {
    let (name, element) = match name.split_once('[') {
        Some((name, rest)) => (name, rest.trim_end_matches(']').parse().ok()?),
        None => (name, 0usize),
    };
    let (_, values) = trace.values.iter().find(|(signal, _)| signal.name == name)?;
    values.get(element).cloned()
}

/// The operands of a batch as patterns, a row a bit.
pub fn patterns(problem: &Problem, batch: &Batch) -> Patterns {
    let words = batch.len().div_ceil(64);
    let mut rows = Vec::new();
    let operands: Vec<Vec<u64>> = (0..batch.len()).map(|index| ordered(problem, &batch.vector(index))).collect();
    for (place, cut) in problem.inputs.iter().enumerate() {
        for bit in 0..cut.bits.len() {
            let word = |word: usize| {
                let vectors = operands[64 * word..].iter().take(64).enumerate();
                vectors.fold(0, |bits, (index, operands)| bits | (operands[place] >> bit & 1) << index)
            };
            rows.push((0..words).map(word).collect());
        }
    }
    Patterns { words, rows }
}

/// The vector that has these operands, given in the order of the problem's inputs.
pub fn vector(problem: &Problem, operands: &[u64]) -> Vector {
    problem.terms.vector(|term| {
        let place = problem.inputs.iter().position(|cut| cut.node == term.node());
        place.map_or(0, |place| operands[place])
    })
}

/// The operands of a vector in the order of the problem's inputs.
fn ordered(problem: &Problem, vector: &Vector) -> Vec<u64> {
    let lists = [
        (&problem.terms.a, &vector.a),
        (&problem.terms.b, &vector.b),
        (&problem.terms.scale_a, &vector.scale_a),
        (&problem.terms.scale_b, &vector.scale_b),
    ];
    let value = |cut: &Cut| {
        let found = lists.iter().find_map(|(terms, values)| {
            terms.iter().position(|term| term.node() == cut.node).map(|place| values[place])
        });
        found.unwrap_or(vector.c)
    };
    problem.inputs.iter().map(value).collect()
}
