//! What is learnt from a conflict, and the steps of the proof that it follows by.

use super::solver::{NONE, Solver};
use crate::prove::aig::Literal;

/// What a derivation used: units that hold at level 0, and variables by their reasons.
#[derive(Default)]
struct Used {
    units: Vec<u64>,
    variables: Vec<usize>,
    /// Variables to be unmarked.
    marked: Vec<usize>,
}

/// A learnt clause, its asserting literal first, the one of the next level second.
pub(super) struct Learnt {
    pub clause: Vec<Literal>,
    pub hints: Vec<u64>,
    /// Level at which it is asserting.
    pub level: usize,
    /// Different levels among its literals.
    pub levels: u32,
}

impl Solver {
    /// Marks a false literal as part of a derivation; whether it was new and above level 0.
    fn mark(&mut self, literal: Literal, used: &mut Used) -> bool {
        let variable = literal.node();
        if std::mem::replace(&mut self.seen[variable], true) {
            return false;
        }
        used.marked.push(variable);
        if self.level[variable] == 0 {
            used.units.push(self.unit[variable]);
            return false;
        }
        true
    }

    fn hints(&self, mut used: Used, last: u64) -> Vec<u64> {
        used.variables.sort_unstable_by_key(|&variable| self.place[variable]);
        let reasons = used.variables.iter().map(|&variable| self.clauses[self.reason[variable] as usize].id);
        let mut hints = std::mem::take(&mut used.units);
        hints.extend(reasons);
        hints.push(last);
        hints
    }

    /// Learns from a false clause, at the first unique implication point of the current level.
    pub(super) fn analyse(&mut self, conflict: u32) -> Learnt {
        let current = self.limits.len() as u32;
        let mut used = Used::default();
        let mut clause = vec![Literal::FALSE];
        let (mut open, mut place, mut reason) = (0, self.trail.len(), conflict);
        loop {
            for index in 0..self.clause(reason).len() {
                let literal = self.clause(reason)[index];
                if self.value(literal) < 0 && self.mark(literal, &mut used) {
                    self.order.bump(literal.node());
                    if self.level[literal.node()] == current {
                        open += 1;
                    } else {
                        clause.push(literal);
                    }
                }
            }
            let literal = loop {
                place -= 1;
                if self.seen[self.trail[place].node()] {
                    break self.trail[place];
                }
            };
            open -= 1;
            if open == 0 {
                clause[0] = !literal;
                break;
            }
            used.variables.push(literal.node());
            reason = self.reason[literal.node()];
        }
        self.shorten(&mut clause, &mut used);
        used.marked.drain(..).for_each(|variable| self.seen[variable] = false);
        let level = self.bring_second(&mut clause);
        let mut levels: Vec<u32> = clause.iter().map(|literal| self.level[literal.node()]).collect();
        levels.sort_unstable();
        levels.dedup();
        let id = self.clauses[conflict as usize].id;
        Learnt { hints: self.hints(used, id), level, levels: levels.len() as u32, clause }
    }

    /// Leaves out literals that follow from the others.
    fn shorten(&mut self, clause: &mut Vec<Literal>, used: &mut Used) {
        let mut kept = vec![clause[0]];
        for &literal in &clause[1..] {
            if !self.implied(literal, used) {
                kept.push(literal);
            }
        }
        *clause = kept;
    }

    /// Whether a literal's falsehood follows from that of marked ones; if so, what it follows by is noted.
    fn implied(&mut self, literal: Literal, used: &mut Used) -> bool {
        let (variables, marked, units) = (used.variables.len(), used.marked.len(), used.units.len());
        let mut waiting = vec![literal];
        while let Some(literal) = waiting.pop() {
            let reason = self.reason[literal.node()];
            if reason == NONE {
                // Back to what was known before.
                used.variables.truncate(variables);
                used.units.truncate(units);
                used.marked.drain(marked..).for_each(|variable| self.seen[variable] = false);
                return false;
            }
            used.variables.push(literal.node());
            for index in 0..self.clause(reason).len() {
                let other = self.clause(reason)[index];
                if self.value(other) < 0 && self.mark(other, used) {
                    waiting.push(other);
                }
            }
        }
        true
    }

    /// Puts a literal of the highest level among the others second; that level.
    fn bring_second(&self, clause: &mut [Literal]) -> usize {
        let highest = (1..clause.len()).max_by_key(|&place| self.level[clause[place].node()]);
        highest.map_or(0, |place| {
            clause.swap(1, place);
            self.level[clause[1].node()] as usize
        })
    }

    /// The clause that says which assumptions exclude another one, which is false under them, and its hints.
    pub(super) fn analyse_assumption(&mut self, wrong: Literal) -> (Vec<Literal>, Vec<u64>) {
        let mut used = Used::default();
        let mut clause = vec![!wrong];
        self.mark(wrong, &mut used);
        let first = self.limits.first().copied().unwrap_or(self.trail.len());
        for place in (first..self.trail.len()).rev() {
            let literal = self.trail[place];
            if !self.seen[literal.node()] {
                continue;
            }
            let reason = self.reason[literal.node()];
            if reason == NONE {
                clause.push(!literal);
                continue;
            }
            used.variables.push(literal.node());
            for index in 0..self.clause(reason).len() {
                let other = self.clause(reason)[index];
                if other != literal {
                    self.mark(other, &mut used);
                }
            }
        }
        used.marked.drain(..).for_each(|variable| self.seen[variable] = false);
        used.variables.sort_unstable_by_key(|&variable| self.place[variable]);
        let mut hints = std::mem::take(&mut used.units);
        hints.extend(used.variables.iter().map(|&variable| self.clauses[self.reason[variable] as usize].id));
        (clause, hints)
    }
}
