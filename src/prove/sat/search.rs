//! The search: decisions, restarts, and which learnt clauses are kept.

use super::solver::{Answer, Clause, NONE, Solver, Watch, code};
use crate::prove::aig::Literal;

/// Conflicts between restarts, times the Luby sequence.
const RESTART: u64 = 100;

impl Solver {
    /// Solves under assumptions; decides upon the variables of `scope` only, which have to fix all others that matter. What
    /// refutes the assumptions becomes a clause. Gives up after `conflicts` conflicts.
    pub fn solve(&mut self, assumptions: &[Literal], scope: &[usize], conflicts: u64) -> Answer {
        self.begin(scope);
        let limit = self.conflicts.saturating_add(conflicts);
        let mut round = 0;
        loop {
            round += 1;
            let rest = RESTART * luby(round);
            let answer = self.search(assumptions, limit, rest);
            if let Some(answer) = answer {
                self.back(0);
                scope.iter().for_each(|&variable| self.scope[variable] = false);
                return answer;
            }
            self.back(0);
        }
    }

    fn begin(&mut self, scope: &[usize]) {
        self.order.clear();
        for &variable in scope {
            self.scope[variable] = true;
            self.order.insert(variable);
        }
        if self.learnt.len() > self.learnt_limit {
            self.forget();
        }
    }

    /// Until an answer, or `None` after `rest` conflicts.
    fn search(&mut self, assumptions: &[Literal], limit: u64, rest: u64) -> Option<Answer> {
        let end = self.conflicts + rest;
        loop {
            if self.contradiction {
                return Some(Answer::Unsatisfiable);
            }
            if let Some(conflict) = self.propagate() {
                self.conflicts += 1;
                if self.limits.is_empty() {
                    self.contradict(conflict);
                    continue;
                }
                let learnt = self.analyse(conflict);
                self.back(learnt.level);
                let id = self.derive(&learnt.clause, learnt.hints);
                self.learn(&learnt.clause, id, learnt.levels);
                self.order.decay();
                continue;
            }
            if self.conflicts >= limit {
                return Some(Answer::Unknown);
            }
            if self.conflicts >= end {
                return None;
            }
            if let Some(&assumption) = assumptions.get(self.limits.len()) {
                if self.value(assumption) < 0 {
                    self.refute(assumption);
                    return Some(Answer::Unsatisfiable);
                }
                self.limits.push(self.trail.len());
                if self.value(assumption) == 0 {
                    self.assign(assumption, NONE);
                }
                continue;
            }
            let Some(variable) = self.next_variable() else {
                return Some(Answer::Satisfiable(self.values.iter().map(|&value| value > 0).collect()));
            };
            self.limits.push(self.trail.len());
            self.assign(Literal::of(variable).invert_if(!self.phase[variable]), NONE);
        }
    }

    fn next_variable(&mut self) -> Option<usize> {
        while let Some(variable) = self.order.pop() {
            if self.values[variable] == 0 {
                return Some(variable);
            }
        }
        None
    }

    /// Adds what excludes an assumption as a clause.
    fn refute(&mut self, assumption: Literal) {
        let (clause, hints) = self.analyse_assumption(assumption);
        self.back(0);
        // A single unit hint says that the clause is there already.
        if clause.len() == 1 && self.value(clause[0]) > 0 {
            return;
        }
        let id = self.derive(&clause, hints);
        self.add(&clause, id, 0);
    }

    /// Adds a learnt clause whose first literal it makes hold.
    fn learn(&mut self, clause: &[Literal], id: u64, levels: u32) {
        let index = self.clauses.len() as u32;
        let (start, length) = (self.literals.len() as u32, clause.len() as u32);
        // Those of two levels are worth keeping.
        let levels = if levels <= 2 { 0 } else { levels };
        self.clauses.push(Clause { start, length, id, levels });
        self.literals.extend_from_slice(clause);
        if levels > 0 {
            self.learnt.push(index);
        }
        if clause.len() >= 2 {
            self.watches[code(!clause[0])].push(Watch { clause: index, blocker: clause[1] });
            self.watches[code(!clause[1])].push(Watch { clause: index, blocker: clause[0] });
        }
        self.assign(clause[0], index);
    }

    /// Undoes every decision above a level.
    pub(super) fn back(&mut self, level: usize) {
        let Some(&limit) = self.limits.get(level) else { return };
        for literal in self.trail.drain(limit..) {
            let variable = literal.node();
            self.values[variable] = 0;
            self.reason[variable] = NONE;
            self.phase[variable] = !literal.inverted();
            if self.scope[variable] {
                self.order.insert(variable);
            }
        }
        self.limits.truncate(level);
        self.head = limit;
    }

    /// At level 0: forgets the half of the learnt clauses that join the most levels.
    fn forget(&mut self) {
        let is_reason = |index: u32, solver: &Solver| {
            let first = solver.clause(index)[0];
            solver.value(first) > 0 && solver.reason[first.node()] == index
        };
        let mut learnt = std::mem::take(&mut self.learnt);
        learnt.sort_by_key(|&index| (self.clauses[index as usize].levels, std::cmp::Reverse(index)));
        let kept = learnt.len() / 2;
        let mut gone = vec![false; self.clauses.len()];
        let late = learnt.split_off(kept);
        for index in late {
            if is_reason(index, self) {
                learnt.push(index);
            } else {
                gone[index as usize] = true;
            }
        }
        self.watches.iter_mut().for_each(|watches| watches.retain(|watch| !gone[watch.clause as usize]));
        self.learnt = learnt;
        self.learnt_limit += self.learnt_limit / 10;
    }
}

/// 1, 1, 2, 1, 1, 2, 4, ... (Luby et al., Optimal Speedup of Las Vegas Algorithms, 1993).
fn luby(place: u64) -> u64 {
    let mut place = place;
    loop {
        let bits = u64::BITS - place.leading_zeros();
        if place == (1 << bits) - 1 {
            return 1 << (bits - 1);
        }
        place -= (1 << (bits - 1)) - 1;
    }
}
