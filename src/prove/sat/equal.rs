//! Proves that several literals of one graph never hold, with one search for equal nodes for all of them.
//!
//! It believes neither simulation nor the solver: all that is proved of the literals follows from one proof, which is checked
//! before it counts; a model is simulated.

use std::time::{Duration, Instant};

use super::lrat::{self, Step};
use super::numbers::{Known, Numbers};
use super::solver::Answer;
use super::sweep::{Refutation, Sweep};
use crate::prove::aig::{Aig, Cnf, Literal, Node, Patterns, simulate};

/// What the search may use.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Conflicts after which a pair of inner nodes is left alone.
    pub pair_conflicts: u64,
    /// Time for one literal after the inner nodes.
    pub literal: Duration,
    pub deadline: Instant,
}

/// What is known of one literal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Found {
    /// It never holds.
    Never,
    /// It holds for these values of the inputs.
    Holds(Vec<bool>),
    /// Why nothing is known.
    Unknown(String),
}

/// How far the search is: nodes and literals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    pub done: usize,
    pub all: usize,
}

/// What was found.
#[derive(Debug, Clone)]
pub struct Swept {
    /// In the order of the literals.
    pub found: Vec<Found>,
    /// That none of those holds that never do; `None` where there is none.
    pub refutation: Option<Refutation>,
    /// Numbers that were found to be the same on both sides: the proof takes their bits for equal.
    pub numbers: usize,
    /// Nodes that were looked at, and those of them that are another one's equal.
    pub nodes: usize,
    pub equal: usize,
    pub conflicts: u64,
}

/// Whether some literals ever hold. `patterns` has a row an input and shows which nodes may be equal. The first literal that is found
/// to hold ends the search.
pub fn none_hold(
    aig: &Aig,
    literals: &[Literal],
    known: &Known,
    patterns: &Patterns,
    limits: Limits,
    progress: &dyn Fn(Progress),
) -> Swept {
    let mut cnf = Cnf::of(aig);
    let cone = aig.cone(literals);
    let all = cone.len() + literals.len();
    let mut sweep = Sweep::new(aig, Literal::TRUE, &cnf);
    sweep.pair_conflicts = limits.pair_conflicts;
    // Clauses that follow the graph's own say that bits of numbers are equal, and that one of the literals holds.
    let room = known.numbers.iter().map(|number| 2 * number.bits.len() as u64).sum::<u64>();
    sweep.solver.next_id += room + 1;
    sweep.see(patterns);
    sweep.place(0);
    let mut numbers = Numbers::new(aig, known, &sweep);
    let first = cnf.clauses.len() as u64 + 1;
    let mut late = false;
    for (done, &node) in cone.iter().enumerate() {
        if done % 64 == 0 {
            progress(Progress { done, all });
        }
        late = late || Instant::now() > limits.deadline;
        if late {
            break;
        }
        // Bits of a number wait for the last one of them.
        if !numbers.waiting.contains(&node) {
            sweep.place(node);
        }
        numbers.settle(node, &mut sweep, first);
    }
    cnf.clauses.append(&mut numbers.clauses);
    cnf.clauses.resize((first - 1 + room) as usize, vec![Cnf::literal(Literal::TRUE)]);
    let mut found = settled(&mut sweep, literals, limits, &|done| progress(Progress { done: cone.len() + done, all }));
    let equal = cone
        .iter()
        .filter(|&&node| sweep.representative[node] != Literal::of(node) && matches!(aig.nodes()[node], Node::And(..)));
    let (nodes, equal, conflicts) = (cone.len(), equal.count(), sweep.solver.conflicts);
    let never = literals.iter().zip(&found).filter(|(_, found)| **found == Found::Never).map(|(&literal, _)| literal);
    let refutation = match refuted(&mut cnf, &never.collect::<Vec<_>>(), sweep) {
        Ok(refutation) => refutation,
        Err(why) => {
            for found in found.iter_mut().filter(|found| **found == Found::Never) {
                *found = Found::Unknown(why.clone());
            }
            None
        }
    };
    Swept { found, refutation, numbers: numbers.same, nodes, equal, conflicts }
}

/// What is known of each literal, once inner nodes were looked at.
fn settled(sweep: &mut Sweep, literals: &[Literal], limits: Limits, progress: &dyn Fn(usize)) -> Vec<Found> {
    let aig = sweep.aig;
    let mut found = Vec::new();
    for (done, &literal) in literals.iter().enumerate() {
        progress(done);
        if found.iter().any(|found| matches!(found, Found::Holds(_))) {
            found.push(Found::Unknown("another bit was refuted before it was looked at".to_owned()));
            continue;
        }
        if Instant::now() > limits.deadline && sweep.representative[literal.node()] == Literal::of(literal.node()) {
            found.push(Found::Unknown("the time limit was reached".to_owned()));
            continue;
        }
        let deadline = limits.deadline.min(Instant::now().checked_add(limits.literal).unwrap_or(limits.deadline));
        found.push(match sweep.settle(literal, deadline) {
            Answer::Unsatisfiable => Found::Never,
            Answer::Satisfiable(values) => {
                confirmed(aig, literal, aig.inputs().iter().map(|&node| values[node as usize]).collect())
            }
            Answer::Unknown => Found::Unknown("the time limit was reached".to_owned()),
        });
    }
    found
}

/// A model, after simulation.
fn confirmed(aig: &Aig, literal: Literal, inputs: Vec<bool>) -> Found {
    let rows = inputs.iter().map(|&bit| vec![u64::from(bit)]).collect();
    match simulate(aig, &Patterns { words: 1, rows }).bit(literal, 0) {
        true => Found::Holds(inputs),
        false => Found::Unknown("the solver's model does not satisfy the graph".to_owned()),
    }
}

/// The checked proof that none of some literals holds.
fn refuted(cnf: &mut Cnf, never: &[Literal], sweep: Sweep) -> Result<Option<Refutation>, String> {
    let open: Vec<i32> = never.iter().filter(|&&one| one != Literal::FALSE).map(|&one| Cnf::literal(one)).collect();
    if open.is_empty() {
        return Ok(None);
    }
    let some = cnf.clauses.len() as u64 + 1;
    let mut hints = Vec::new();
    let mut proof = sweep.solver.into_proof();
    if proof.steps.last().is_none_or(|step| !step.clause.is_empty()) {
        for literal in &open {
            let derived = || proof.steps.iter().find(|step| step.clause == [-literal]).map(|step| step.id);
            let known = cnf.clauses.iter().position(|clause| *clause == [-literal]).map(|place| place as u64 + 1);
            let id = known.or_else(derived).ok_or("the solver's proof does not reach every bit")?;
            if !hints.contains(&id) {
                hints.push(id);
            }
        }
        hints.push(some);
        let id = proof.steps.last().map_or(some, |step| step.id) + 1;
        proof.steps.push(Step { id, clause: Vec::new(), hints });
    }
    cnf.clauses.push(open);
    let proof = proof.trimmed();
    lrat::check(cnf, &proof).map_err(|why| format!("the solver's proof was not accepted: {why}"))?;
    Ok(Some(Refutation { cnf: std::mem::take(cnf), proof }))
}
