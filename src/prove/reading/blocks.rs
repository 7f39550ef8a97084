//! Procedures and generated blocks of a module.

use std::collections::{BTreeMap, BTreeSet};

use super::assigned;
use super::items::Module;
use super::reader::{Reader, split};
use super::statements::{Statement, plain, statement};
use super::tokens::Token;
use super::{Objection, object};

/// Takes a procedure. Its list of events holds edges or all that it reads; with edges it assigns by `<=`, else by `=`. Behind
/// `@*` also its line and the names that it reads and does not assign.
pub fn always<'t>(reader: &mut Reader<'t>) -> Result<Option<(usize, Vec<&'t str>)>, Objection> {
    let word = reader.next()?;
    let is_listed = !word.is_one_of(&["always_comb", "always_latch"]);
    let has_edges = is_listed && has_edges(reader)?;
    let body = statement(reader)?;
    assigns(&body, has_edges)?;
    if has_edges {
        return Ok(None);
    }
    assigned::check(&body)?;
    let (mut reads, mut targets) = (BTreeSet::new(), BTreeSet::new());
    names(&body, &mut reads, &mut targets);
    Ok(is_listed.then(|| (word.line, reads.difference(&targets).copied().collect())))
}

/// The names that a statement reads, functions and parts left out, and those that it assigns.
fn names<'t>(statement: &Statement<'t>, reads: &mut BTreeSet<&'t str>, targets: &mut BTreeSet<&'t str>) {
    let mut read = |tokens: &'t [Token]| reads.extend(super::names::read(tokens).map(|token| token.text.as_str()));
    match statement {
        Statement::Nothing | Statement::Declare(_) => {}
        Statement::Return(tokens) => read(tokens),
        Statement::Block(statements) => statements.iter().for_each(|one| names(one, reads, targets)),
        Statement::Branch { reads: of_branch, arms, .. } => {
            of_branch.iter().for_each(|tokens| read(tokens));
            arms.iter().for_each(|one| names(one, reads, targets));
        }
        Statement::Loop { start, condition, step, body, .. } => {
            read(condition);
            [start, step, body].into_iter().for_each(|one| names(one, reads, targets));
        }
        Statement::Assign { targets: assigned, reads: of_assignment, .. } => {
            of_assignment.iter().for_each(|tokens| read(tokens));
            targets.extend(assigned.iter().map(|target| target.name.text.as_str()));
        }
    }
}

/// Takes a list of events; whether it holds edges.
fn has_edges(reader: &mut Reader) -> Result<bool, Objection> {
    let line = reader.line();
    if !reader.take("@") {
        return object(line, "`always` without events; allowed: always_comb, always_ff @(posedge ...)");
    }
    if reader.take("*") {
        return Ok(false);
    }
    let events = reader.group()?;
    if let [star] = events
        && star.is("*")
    {
        return Ok(false);
    }
    let is_edge = |event: &&[Token]| {
        let starts = event.first().is_some_and(|first| first.is_one_of(&["posedge", "negedge"]));
        starts && !event.iter().any(|token| token.is("iff"))
    };
    if split(events, &[",", "or"]).iter().all(is_edge) {
        return Ok(true);
    }
    let what = "a list of signals behind `always @`: simulators obey it, and Yosys ignores it; allowed: always_comb, always @*, \
                posedge and negedge";
    object(line, what)
}

/// Objects to `=` in a procedure with edges, and to `<=` in one without.
fn assigns(statement: &Statement, has_edges: bool) -> Result<(), Objection> {
    match statement {
        Statement::Block(statements) | Statement::Branch { arms: statements, .. } => {
            statements.iter().try_for_each(|one| assigns(one, has_edges))
        }
        // The variable of a loop is assigned at once.
        Statement::Loop { body, .. } => assigns(body, has_edges),
        Statement::Assign { is_blocking: true, line, .. } if has_edges => {
            object(*line, "`=` at an edge: what others read there depends on the tool; allowed: `<=`")
        }
        Statement::Assign { is_blocking: false, line, .. } if !has_edges => {
            object(*line, "`<=` without an edge: what is read behind it depends on the tool; allowed: `=`")
        }
        _ => Ok(()),
    }
}

impl<'t> Module<'t> {
    /// Takes a block, a branch, a loop or another item in a scope of its own; the names of its blocks. Those of the ways of
    /// one branch may be alike.
    pub fn generate(&mut self, reader: &mut Reader<'t>) -> Result<BTreeMap<&'t str, &'t Token>, Objection> {
        reader.inner(|reader| self.generated(reader))
    }

    fn generated(&mut self, reader: &mut Reader<'t>) -> Result<BTreeMap<&'t str, &'t Token>, Objection> {
        let mut labels = BTreeMap::new();
        let Some(first) = reader.ahead(0) else { return reader.not_understood("an item") };
        match first.text.as_str() {
            "begin" => {
                reader.next()?;
                labels.extend(reader.label()?.map(|label| (label.text.as_str(), label)));
                self.scopes.push(BTreeMap::new());
                while !reader.take("end") {
                    self.item(reader)?;
                }
                self.scopes.pop();
                reader.label()?;
            }
            "if" => {
                reader.next()?;
                plain(reader.group()?)?;
                labels.extend(self.generate(reader)?);
                if reader.take("else") {
                    labels.extend(self.generate(reader)?);
                }
            }
            "for" => {
                reader.next()?;
                reader.group()?;
                labels.extend(self.generate(reader)?);
            }
            "case" => {
                reader.next()?;
                plain(reader.group()?)?;
                while !reader.take("endcase") {
                    if reader.take("default") {
                        reader.take(":");
                    } else {
                        reader.until(&[":"])?;
                        reader.expect(":")?;
                    }
                    labels.extend(self.generate(reader)?);
                }
            }
            _ => {
                self.scopes.push(BTreeMap::new());
                self.item(reader)?;
                self.scopes.pop();
            }
        }
        Ok(labels)
    }
}
