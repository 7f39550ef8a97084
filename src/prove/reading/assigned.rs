//! Whether a procedure reads a variable before it has assigned it: Yosys takes the value that it has in the end, a simulator
//! the one from before.

use std::collections::{BTreeMap, BTreeSet};

use super::statements::Statement;
use super::tokens::Token;
use super::words::is_name;
use super::{Objection, object};

/// A walk along the statements in the order of the text.
struct Walk<'t> {
    /// For each name the number of the last assignment to it.
    last: BTreeMap<&'t str, usize>,
    /// Assignments passed.
    passed: usize,
    /// What the loops around this place assign.
    loops: Vec<BTreeSet<&'t str>>,
}

/// Objects to a variable that is read before it is assigned; the names that are surely assigned in the end.
pub fn check<'t>(statement: &Statement<'t>) -> Result<BTreeSet<&'t str>, Objection> {
    let mut walk = Walk { last: numbered(statement), passed: 0, loops: Vec::new() };
    let mut sure = BTreeSet::new();
    walk.statement(statement, &mut sure)?;
    Ok(sure)
}

/// The number of the last assignment to each name.
fn numbered<'t>(statement: &Statement<'t>) -> BTreeMap<&'t str, usize> {
    let mut last = BTreeMap::new();
    let mut number = 0;
    assignments(statement, &mut |names| {
        last.extend(names.iter().map(|name| (*name, number)));
        number += 1;
    });
    last
}

/// Calls `visit` with the names that each assignment assigns, in the order of the walk.
fn assignments<'t>(statement: &Statement<'t>, visit: &mut dyn FnMut(&[&'t str])) {
    match statement {
        Statement::Block(statements) | Statement::Branch { arms: statements, .. } => {
            statements.iter().for_each(|one| assignments(one, visit));
        }
        Statement::Loop { start, step, body, .. } => {
            [start, body, step].into_iter().for_each(|one| assignments(one, visit));
        }
        Statement::Assign { targets, .. } => {
            visit(&targets.iter().map(|target| target.name.text.as_str()).collect::<Vec<_>>());
        }
        Statement::Nothing | Statement::Declare(_) | Statement::Return(_) => {}
    }
}

impl<'t> Walk<'t> {
    /// `sure` are the names that are assigned as a whole on every way here.
    fn statement(&mut self, statement: &Statement<'t>, sure: &mut BTreeSet<&'t str>) -> Result<(), Objection> {
        match statement {
            Statement::Nothing => {}
            Statement::Block(statements) => statements.iter().try_for_each(|one| self.statement(one, sure))?,
            // A variable of a block is a new one.
            Statement::Declare(names) => names.iter().for_each(|name| {
                sure.remove(name.text.as_str());
            }),
            Statement::Return(tokens) => {
                self.read(tokens, sure)?;
                sure.extend(self.last.keys());
            }
            Statement::Assign { targets, reads, .. } => {
                reads.iter().try_for_each(|tokens| self.read(tokens, sure))?;
                self.passed += 1;
                sure.extend(targets.iter().filter(|target| target.is_whole).map(|target| target.name.text.as_str()));
            }
            Statement::Branch { reads, arms, is_complete } => {
                reads.iter().try_for_each(|tokens| self.read(tokens, sure))?;
                let mut ends = Vec::new();
                for arm in arms {
                    let mut end = sure.clone();
                    self.statement(arm, &mut end)?;
                    ends.push(end);
                }
                if let Some((first, others)) = ends.split_first().filter(|_| *is_complete) {
                    let in_all = |name: &&&str| others.iter().all(|end| end.contains(**name));
                    *sure = first.iter().filter(in_all).copied().collect();
                }
            }
            Statement::Loop { start, condition, step, body, .. } => {
                self.statement(start, sure)?;
                let mut inner = BTreeSet::new();
                [body, step].into_iter().for_each(|one| assignments(one, &mut |names| inner.extend(names)));
                self.loops.push(inner);
                self.read(condition, sure)?;
                // It may run never.
                let mut end = sure.clone();
                self.statement(body, &mut end)?;
                self.statement(step, &mut end)?;
                self.loops.pop();
            }
        }
        Ok(())
    }

    /// Objects to a name that may have to wait for its value: it is assigned later, or in a loop around this place.
    fn read(&self, tokens: &[Token], sure: &BTreeSet<&'t str>) -> Result<(), Objection> {
        let is_stale = |token: &&Token| {
            let name = token.text.as_str();
            let later = self.last.get(name).is_some_and(|last| *last >= self.passed);
            is_name(token) && !sure.contains(name) && (later || self.loops.iter().any(|inner| inner.contains(name)))
        };
        match tokens.iter().find(is_stale) {
            Some(token) => object(
                token.line,
                format!(
                    "`{}` is read before the procedure has assigned it as a whole: a simulator takes its value from before; \
                     allowed: an assignment that stands above in every case",
                    token.text
                ),
            ),
            None => Ok(()),
        }
    }
}
