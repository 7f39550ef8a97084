//! Proves that a literal never holds, by finding equal nodes from the inputs on (Kuehlmann et al., Robust Boolean
//! Reasoning for Equivalence Checking, 2002; Mishchenko et al., FRAIGs, 2005).
//!
//! Simulation says which nodes may be equal, the solver proves it or gives a pattern that tells them apart. It never
//! believes the solver: the clauses and the proof are checked before they count.

use std::collections::HashMap;
use std::time::Instant;

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use super::lrat::{self, Proof, Step};
use super::solver::{Answer, Solver};
use crate::prove::aig::{Aig, Cnf, Literal, Node, Patterns, simulate};

/// Conflicts after which a pair of inner nodes is left alone.
const PAIR_CONFLICTS: u64 = 2000;
/// Conflicts between two looks at the clock.
const ROUND_CONFLICTS: u64 = 5000;
/// Words of random patterns at the beginning.
const FIRST_WORDS: usize = 16;
const TRIES: usize = 64;

/// What is known of a literal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// It never holds; the proof was checked.
    Never(Refutation),
    /// It holds for these values of the inputs.
    Holds(Vec<bool>),
    /// The time was up, or the proof was not accepted.
    Unknown(String),
}

/// Clauses and the proof that they contradict each other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refutation {
    pub cnf: Cnf,
    pub proof: Proof,
}

/// The verdict and what it took.
#[derive(Debug, Clone)]
pub struct Outcome {
    pub verdict: Verdict,
    pub conflicts: u64,
}

pub(super) struct Sweep<'a> {
    pub(super) aig: &'a Aig,
    constraint: Literal,
    pub(super) solver: Solver,
    /// The literal that every node is known to equal.
    pub(super) representative: Vec<Literal>,
    /// Fingerprints of the nodes' values on all patterns, inverted where the first one holds.
    prints: Vec<[u64; 2]>,
    /// Whether a node holds on the first pattern; then its values are kept inverted, so that a function and its inverse meet.
    flipped: Vec<bool>,
    /// Whether there was a pattern yet.
    simulated: bool,
    /// Conflicts after which a pair of inner nodes is left alone.
    pub(super) pair_conflicts: u64,
    /// Nodes that stand for their values.
    classes: HashMap<[u64; 2], usize>,
    constraint_cone: Vec<usize>,
    random: Xoshiro256PlusPlus,
}

/// The clauses that have a model exactly where a target can hold under a constraint.
pub fn clauses(aig: &Aig, constraint: Literal, target: Literal) -> Cnf {
    let mut cnf = Cnf::of(aig);
    cnf.clauses.push(vec![Cnf::literal(constraint)]);
    cnf.clauses.push(vec![Cnf::literal(target)]);
    cnf
}

/// Whether `target` never holds where `constraint` does.
pub fn prove_never(aig: &Aig, constraint: Literal, target: Literal, deadline: Instant) -> Outcome {
    // The target's own clause is the last one; no step before the last one of the proof uses it.
    let mut cnf = clauses(aig, constraint, target);
    cnf.clauses.pop();
    let mut sweep = Sweep::new(aig, constraint, &cnf);
    sweep.solver.next_id += 1;
    let verdict = sweep.run(target, deadline);
    let conflicts = sweep.solver.conflicts;
    let verdict = match verdict {
        Answer::Satisfiable(values) => {
            let inputs: Vec<bool> = aig.inputs().iter().map(|&node| values[node as usize]).collect();
            confirmed(aig, constraint, target, inputs)
        }
        Answer::Unsatisfiable => refuted(cnf, target, sweep.solver),
        Answer::Unknown => Verdict::Unknown("the time limit was reached".to_owned()),
    };
    Outcome { verdict, conflicts }
}

/// A model, after simulation.
fn confirmed(aig: &Aig, constraint: Literal, target: Literal, inputs: Vec<bool>) -> Verdict {
    let rows = inputs.iter().map(|&bit| vec![u64::from(bit)]).collect();
    let values = simulate(aig, &Patterns { words: 1, rows });
    match values.bit(constraint, 0) && values.bit(target, 0) {
        true => Verdict::Holds(inputs),
        false => Verdict::Unknown("the solver's model does not satisfy the graph".to_owned()),
    }
}

/// The formula with the target, and the checked proof that it has no model.
fn refuted(mut cnf: Cnf, target: Literal, solver: Solver) -> Verdict {
    cnf.clauses.push(vec![Cnf::literal(target)]);
    let target_id = cnf.clauses.len() as u64;
    let mut proof = solver.into_proof();
    let wrong = vec![-Cnf::literal(target)];
    if proof.steps.last().is_none_or(|step| !step.clause.is_empty()) {
        let known = cnf.clauses.iter().position(|clause| *clause == wrong).map(|place| place as u64 + 1);
        let derived = || proof.steps.iter().rev().find(|step| step.clause == wrong).map(|step| step.id);
        let Some(excluded) = known.or_else(derived) else {
            return Verdict::Unknown("the solver's proof does not reach the target".to_owned());
        };
        let id = proof.steps.last().map_or(target_id, |step| step.id) + 1;
        proof.steps.push(Step { id, clause: Vec::new(), hints: vec![excluded, target_id] });
    }
    let proof = proof.trimmed();
    match lrat::check(&cnf, &proof) {
        Ok(()) => Verdict::Never(Refutation { cnf, proof }),
        Err(why) => Verdict::Unknown(format!("the solver's proof was not accepted: {why}")),
    }
}

impl<'a> Sweep<'a> {
    pub(super) fn new(aig: &'a Aig, constraint: Literal, cnf: &Cnf) -> Sweep<'a> {
        let nodes = aig.nodes().len();
        Sweep {
            aig,
            constraint,
            solver: Solver::new(cnf),
            representative: (0..nodes).map(Literal::of).collect(),
            prints: vec![[0; 2]; nodes],
            flipped: vec![false; nodes],
            simulated: false,
            pair_conflicts: PAIR_CONFLICTS,
            classes: HashMap::new(),
            constraint_cone: aig.cone(&[constraint]),
            random: Xoshiro256PlusPlus::seed_from_u64(0x7e45),
        }
    }

    fn run(&mut self, target: Literal, deadline: Instant) -> Answer {
        self.first_patterns();
        self.place(0);
        for node in self.aig.cone(&[target, self.constraint]) {
            if Instant::now() > deadline {
                return Answer::Unknown;
            }
            self.place(node);
        }
        self.settle(target, deadline)
    }

    /// Whether a literal can hold, by what was found so far.
    pub(super) fn settle(&mut self, target: Literal, deadline: Instant) -> Answer {
        loop {
            let scope = self.scope(&[target.node()]);
            match self.solver.solve(&[target], &scope, ROUND_CONFLICTS) {
                Answer::Unknown if Instant::now() < deadline => {}
                answer => return answer,
            }
        }
    }

    /// Finds the node that this one equals, or makes it one of its own.
    pub(super) fn place(&mut self, node: usize) {
        loop {
            let key = self.prints[node];
            let Some(&other) = self.classes.get(&key) else {
                self.classes.insert(key, node);
                return;
            };
            if !matches!(self.aig.nodes()[node], Node::And(..)) {
                return;
            }
            let equal = Literal::of(other).invert_if(self.flipped[node] != self.flipped[other]);
            match self.compare(Literal::of(node), equal) {
                Answer::Unsatisfiable => {
                    self.representative[node] = equal;
                    return;
                }
                Answer::Unknown => return,
                Answer::Satisfiable(values) => {
                    self.learn_pattern(&values);
                    if self.prints[node] == self.prints[other] {
                        return;
                    }
                }
            }
        }
    }

    /// The values of a node on all patterns, a function and its inverse alike.
    pub(super) fn print(&self, node: usize) -> [u64; 2] {
        self.prints[node]
    }

    /// The literal of a node that has the values of another one on all patterns.
    pub(super) fn as_equal(&self, node: usize, other: usize) -> Literal {
        Literal::of(node).invert_if(self.flipped[node] != self.flipped[other])
    }

    /// The literal that one is known to equal.
    pub(super) fn found(&self, literal: Literal) -> Literal {
        let mut literal = literal;
        loop {
            let next = self.representative[literal.node()].invert_if(literal.inverted());
            if next == literal {
                return literal;
            }
            literal = next;
        }
    }

    /// Notes that two literals are equal, which the solver has clauses for.
    pub(super) fn merge(&mut self, one: Literal, other: Literal) {
        let (one, other) = (self.found(one), self.found(other));
        let (later, earlier) = if one.node() > other.node() { (one, other) } else { (other, one) };
        if later.node() != earlier.node() {
            self.representative[later.node()] = earlier.invert_if(later.inverted());
        }
    }

    /// Whether two literals can differ.
    fn compare(&mut self, a: Literal, b: Literal) -> Answer {
        let scope = self.scope(&[a.node(), b.node()]);
        for pair in [[a, !b], [!a, b]] {
            match self.solver.solve(&pair, &scope, self.pair_conflicts) {
                Answer::Unsatisfiable => {}
                answer => return answer,
            }
        }
        Answer::Unsatisfiable
    }

    /// The variables that fix some nodes, through what they are known to equal, and the constraint.
    fn scope(&self, roots: &[usize]) -> Vec<usize> {
        let mut seen = vec![false; self.aig.nodes().len()];
        let mut scope = Vec::new();
        let mut waiting = roots.to_vec();
        waiting.extend(&self.constraint_cone);
        while let Some(node) = waiting.pop() {
            if std::mem::replace(&mut seen[node], true) {
                continue;
            }
            scope.push(node);
            let other = self.representative[node].node();
            match self.aig.nodes()[node] {
                _ if other != node => waiting.push(other),
                Node::And(a, b) => waiting.extend([a.node(), b.node()]),
                _ => {}
            }
        }
        scope
    }

    /// Random patterns that satisfy the constraint, or one from the solver.
    fn first_patterns(&mut self) {
        let mut columns: Vec<Vec<bool>> = Vec::new();
        for round in 0..TRIES {
            let rows = self.random_rows(round);
            columns.extend(self.satisfying(rows));
            if columns.len() >= 64 * FIRST_WORDS {
                break;
            }
        }
        if columns.is_empty() {
            let scope = self.constraint_cone.clone();
            if let Answer::Satisfiable(values) = self.solver.solve(&[], &scope, u64::MAX) {
                self.learn_pattern(&values);
            }
            return;
        }
        let words = columns.len().div_ceil(64).min(FIRST_WORDS);
        self.append(&columns, words);
    }

    /// Dense, sparse and runs of equal bits.
    fn random_rows(&mut self, round: usize) -> Vec<u64> {
        let mut rows = Vec::with_capacity(self.aig.inputs().len());
        let mut last = 0;
        for _ in self.aig.inputs() {
            let [a, b, c] = [0; 3].map(|_: u64| self.random.next_u64());
            last = match round % 4 {
                0 => a,
                1 => a & b,
                2 => a | b,
                _ => (last & (b | c)) | (a & !(b | c)),
            };
            rows.push(last);
        }
        rows
    }

    /// The patterns of a word that satisfy the constraint.
    fn satisfying(&self, rows: Vec<u64>) -> Vec<Vec<bool>> {
        let column = |pattern: usize| rows.iter().map(|row| row >> pattern & 1 == 1).collect();
        let values = simulate(self.aig, &Patterns { words: 1, rows: rows.iter().map(|&row| vec![row]).collect() });
        (0..64).filter(|&pattern| values.bit(self.constraint, pattern)).map(column).collect()
    }

    /// Adds a pattern of the solver's, and its neighbours that satisfy the constraint.
    fn learn_pattern(&mut self, values: &[bool]) {
        let own: Vec<bool> = self.aig.inputs().iter().map(|&node| values[node as usize]).collect();
        let flips: Vec<u64> =
            own.iter().map(|_| self.random.next_u64() & self.random.next_u64() & self.random.next_u64()).collect();
        let rows = own.iter().zip(&flips).map(|(&bit, flip)| (if bit { u64::MAX } else { 0 }) ^ (flip & !1)).collect();
        let columns = self.satisfying(rows);
        debug_assert!(!columns.is_empty(), "the model satisfies the constraint");
        self.append(if columns.is_empty() { std::slice::from_ref(&own) } else { &columns }, 1);
    }

    /// Adds patterns, repeated to fill the words, and sorts the nodes that stand for others anew.
    fn append(&mut self, columns: &[Vec<bool>], words: usize) {
        let rows = (0..self.aig.inputs().len()).map(|input| {
            let word = |word: usize| {
                (0..64).fold(0, |bits, place| {
                    bits | u64::from(columns[(64 * word + place) % columns.len()][input]) << place
                })
            };
            (0..words).map(word).collect()
        });
        self.see(&Patterns { words, rows: rows.collect() });
    }

    /// Takes the values of all nodes on some patterns, and sorts the nodes that stand for others anew.
    pub(super) fn see(&mut self, patterns: &Patterns) {
        let values = simulate(self.aig, patterns);
        for node in 0..self.prints.len() {
            let row = values.row(node);
            if !self.simulated {
                self.flipped[node] = row[0] & 1 == 1;
            }
            let flip = if self.flipped[node] { u64::MAX } else { 0 };
            let print = &mut self.prints[node];
            *print = row.iter().fold(*print, |print, word| mixed(print, word ^ flip));
        }
        self.simulated = true;
        let mut nodes: Vec<usize> = self.classes.drain().map(|(_, node)| node).collect();
        nodes.sort_unstable();
        for node in nodes {
            self.classes.entry(self.prints[node]).or_insert(node);
        }
    }
}

/// A fingerprint with one more word. Where two that differ meet, the solver tells their nodes apart.
fn mixed([one, two]: [u64; 2], word: u64) -> [u64; 2] {
    let one = (one.rotate_left(23) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let two = (two ^ word.rotate_left(17)).wrapping_mul(0xc2b2_ae3d_27d4_eb4f).rotate_left(31);
    [one ^ one >> 29, two ^ two >> 31]
}
