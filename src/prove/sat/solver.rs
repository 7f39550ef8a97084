//! A small solver for clauses: conflict-driven learning with two watched literals, and an LRAT step for everything learnt.
//!
//! Its verdicts need no trust: models are simulated, refutations checked by `lrat`. It never forgets a formula's clause.

use super::lrat::{Proof, Step};
use super::order::Order;
use crate::prove::aig::{Cnf, Literal};

pub(super) const NONE: u32 = u32::MAX;

/// A clause: its literals in the arena, and its number in the proof.
#[derive(Clone, Copy)]
pub(super) struct Clause {
    pub start: u32,
    pub length: u32,
    pub id: u64,
    /// Decision levels among its literals when it was learnt; 0: never deleted.
    pub levels: u32,
}

#[derive(Clone, Copy)]
pub(super) struct Watch {
    pub clause: u32,
    /// Another literal of the clause: where it holds, the clause need not be looked at.
    pub blocker: Literal,
}

/// What solving came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// A value of every variable that was decided upon.
    Satisfiable(Vec<bool>),
    /// Not under these assumptions.
    Unsatisfiable,
    /// Too many conflicts.
    Unknown,
}

pub struct Solver {
    pub(super) clauses: Vec<Clause>,
    pub(super) literals: Vec<Literal>,
    pub(super) watches: Vec<Vec<Watch>>,
    /// Of each variable: 1 true, -1 false, 0 open.
    pub(super) values: Vec<i8>,
    pub(super) level: Vec<u32>,
    pub(super) reason: Vec<u32>,
    pub(super) place: Vec<u32>,
    pub(super) trail: Vec<Literal>,
    pub(super) limits: Vec<usize>,
    pub(super) head: usize,
    pub(super) order: Order,
    pub(super) phase: Vec<bool>,
    pub(super) scope: Vec<bool>,
    pub(super) seen: Vec<bool>,
    /// Proof numbers of the units that hold without assumptions.
    pub(super) unit: Vec<u64>,
    pub(super) proof: Proof,
    pub(super) next_id: u64,
    pub(super) contradiction: bool,
    pub(super) conflicts: u64,
    pub(super) learnt: Vec<u32>,
    pub(super) learnt_limit: usize,
}

pub(super) fn code(literal: Literal) -> usize {
    2 * literal.node() + usize::from(literal.inverted())
}

impl Solver {
    /// A solver for the clauses of a formula.
    pub fn new(cnf: &Cnf) -> Solver {
        let variables = cnf.variables;
        let mut solver = Solver {
            clauses: Vec::new(),
            literals: Vec::new(),
            watches: vec![Vec::new(); 2 * variables],
            values: vec![0; variables],
            level: vec![0; variables],
            reason: vec![NONE; variables],
            place: vec![0; variables],
            trail: Vec::new(),
            limits: Vec::new(),
            head: 0,
            order: Order::new(variables),
            phase: vec![false; variables],
            scope: vec![false; variables],
            seen: vec![false; variables],
            unit: vec![0; variables],
            proof: Proof::default(),
            next_id: cnf.clauses.len() as u64 + 1,
            contradiction: false,
            conflicts: 0,
            learnt: Vec::new(),
            learnt_limit: 4000,
        };
        for (index, clause) in cnf.clauses.iter().enumerate() {
            let literals: Vec<Literal> = clause.iter().map(|&number| from_number(number)).collect();
            solver.add(&literals, index as u64 + 1, 0);
        }
        solver
    }

    /// What was derived so far.
    pub fn into_proof(self) -> Proof {
        self.proof
    }

    pub(super) fn value(&self, literal: Literal) -> i8 {
        let value = self.values[literal.node()];
        if literal.inverted() { -value } else { value }
    }

    pub(super) fn clause(&self, index: u32) -> &[Literal] {
        let clause = &self.clauses[index as usize];
        &self.literals[clause.start as usize..(clause.start + clause.length) as usize]
    }

    /// Notes a derived clause in the proof.
    pub(super) fn derive(&mut self, clause: &[Literal], hints: Vec<u64>) -> u64 {
        let id = self.next_id;
        self.next_id += 1;
        let clause = clause.iter().map(|&literal| Cnf::literal(literal)).collect();
        self.proof.steps.push(Step { id, clause, hints });
        id
    }

    /// Adds a clause at level 0; the literals that should be watched stand first.
    pub(super) fn add(&mut self, literals: &[Literal], id: u64, levels: u32) {
        let index = self.clauses.len() as u32;
        self.clauses.push(Clause { start: self.literals.len() as u32, length: literals.len() as u32, id, levels });
        self.literals.extend_from_slice(literals);
        if levels > 0 {
            self.learnt.push(index);
        }
        // Literals that do not yet hold the inverse are watched, so that the clause is looked at when they do.
        let open = (0..literals.len()).filter(|&place| self.value(literals[place]) >= 0).take(2).collect::<Vec<_>>();
        let start = self.clauses[index as usize].start as usize;
        if let [first, second] = open[..] {
            self.literals.swap(start, start + first);
            self.literals.swap(start + 1, start + second);
            self.watch(index);
            return;
        }
        if literals.len() >= 2 {
            if let [only] = open[..] {
                self.literals.swap(start, start + only);
            }
            self.watch(index);
        }
        match open[..] {
            [only] if self.value(literals[only]) == 0 => self.assign(literals[only], index),
            [] => self.contradict(index),
            _ => {}
        }
    }

    fn watch(&mut self, index: u32) {
        let [first, second] = [self.clause(index)[0], self.clause(index)[1]];
        self.watches[code(!first)].push(Watch { clause: index, blocker: second });
        self.watches[code(!second)].push(Watch { clause: index, blocker: first });
    }

    /// Derives the empty clause from one that is false at level 0.
    pub(super) fn contradict(&mut self, index: u32) {
        if self.contradiction {
            return;
        }
        self.contradiction = true;
        let mut hints: Vec<u64> = self.clause(index).iter().map(|literal| self.unit[literal.node()]).collect();
        hints.push(self.clauses[index as usize].id);
        self.derive(&[], hints);
    }

    /// Makes a literal hold. At level 0 the proof gets it as a unit.
    pub(super) fn assign(&mut self, literal: Literal, reason: u32) {
        let variable = literal.node();
        self.values[variable] = if literal.inverted() { -1 } else { 1 };
        self.level[variable] = self.limits.len() as u32;
        self.reason[variable] = reason;
        self.place[variable] = self.trail.len() as u32;
        self.trail.push(literal);
        if self.limits.is_empty() && reason != NONE {
            let own = self.clauses[reason as usize].id;
            self.unit[variable] = match self.clause(reason).len() {
                1 => own,
                _ => {
                    let others = self.clause(reason).iter().filter(|&&other| other != literal);
                    let mut hints: Vec<u64> = others.map(|other| self.unit[other.node()]).collect();
                    hints.push(own);
                    self.derive(&[literal], hints)
                }
            };
        }
    }

    /// Draws all conclusions; a clause that became false.
    pub(super) fn propagate(&mut self) -> Option<u32> {
        while self.head < self.trail.len() {
            let literal = self.trail[self.head];
            self.head += 1;
            let mut watches = std::mem::take(&mut self.watches[code(literal)]);
            let mut kept = 0;
            let mut conflict = None;
            let mut index = 0;
            while index < watches.len() {
                let watch = watches[index];
                index += 1;
                if self.value(watch.blocker) > 0 {
                    watches[kept] = watch;
                    kept += 1;
                    continue;
                }
                let Some(first) = self.rewatch(watch.clause, !literal) else { continue };
                watches[kept] = Watch { clause: watch.clause, blocker: first };
                kept += 1;
                if self.value(first) < 0 {
                    conflict = Some(watch.clause);
                    break;
                }
                if self.value(first) == 0 {
                    self.assign(first, watch.clause);
                }
            }
            watches.copy_within(index.., kept);
            watches.truncate(kept + watches.len() - index);
            self.watches[code(literal)] = watches;
            if conflict.is_some() {
                return conflict;
            }
        }
        None
    }

    /// Finds another literal to watch in place of a false one. Where there is none: the other watched literal, which then
    /// has to hold.
    fn rewatch(&mut self, index: u32, wrong: Literal) -> Option<Literal> {
        let Clause { start, length, .. } = self.clauses[index as usize];
        let (start, end) = (start as usize, (start + length) as usize);
        if self.literals[start] == wrong {
            self.literals.swap(start, start + 1);
        }
        let first = self.literals[start];
        if self.value(first) > 0 {
            return Some(first);
        }
        for place in start + 2..end {
            let other = self.literals[place];
            if self.value(other) >= 0 {
                self.literals.swap(start + 1, place);
                self.watches[code(!other)].push(Watch { clause: index, blocker: first });
                return None;
            }
        }
        Some(first)
    }
}

fn from_number(number: i32) -> Literal {
    Literal::of(number.unsigned_abs() as usize - 1).invert_if(number < 0)
}
