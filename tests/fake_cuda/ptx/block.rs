//! The body of an entry: scopes, labels, guards, and the names in them.

use std::collections::HashMap;

use tensorsmith::describe::device::Device;

use super::program::{Kernel, Operation, Register, Statement};
use super::text::Cursor;
use super::types::Type;
use super::{Parsed, PtxError, Target};

/// What a name stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Named {
    Register(Register),
    /// An address in shared memory.
    Shared(u64),
    /// A parameter's place in the list.
    Parameter(usize),
}

#[derive(Default)]
struct Scope {
    parent: Option<usize>,
    names: HashMap<String, Named>,
    labels: HashMap<String, usize>,
}

/// A branch whose label may come later.
struct OpenBranch {
    statement: usize,
    scope: usize,
    label: String,
    line: u32,
}

/// A kernel while it is read.
pub struct Builder<'a> {
    pub kernel: Kernel,
    pub target: Target,
    pub device: &'a Device,
    /// The line of the statement that is read.
    pub line: u32,
    /// The registers that it names.
    pub touched: Vec<Register>,
    scopes: Vec<Scope>,
    current: usize,
    branches: Vec<OpenBranch>,
}

impl<'a> Builder<'a> {
    pub fn new(kernel: Kernel, target: Target, device: &'a Device) -> Builder<'a> {
        let mut scope = Scope::default();
        for (place, parameter) in kernel.parameters.iter().enumerate() {
            scope.names.insert(parameter.name.clone(), Named::Parameter(place));
        }
        let scopes = vec![scope];
        Builder { kernel, target, device, line: 1, touched: Vec::new(), scopes, current: 0, branches: Vec::new() }
    }

    /// An error of the statement that is read.
    pub fn error(&self, message: impl AsRef<str>) -> PtxError {
        PtxError::at(self.line, message)
    }

    /// Reads up to the closing brace of the entry.
    pub fn body(&mut self, cursor: &mut Cursor) -> Parsed<()> {
        let mut depth = 1;
        while depth > 0 {
            self.line = cursor.line;
            match cursor.peek() {
                None => return Err(cursor.error("syntax error: '}' is missing at the end")),
                Some('{') => {
                    cursor.take('{');
                    depth += 1;
                    self.scopes.push(Scope { parent: Some(self.current), ..Scope::default() });
                    self.current = self.scopes.len() - 1;
                }
                Some('}') => {
                    cursor.take('}');
                    depth -= 1;
                    self.current = self.scopes[self.current].parent.unwrap_or(0);
                }
                Some(';') => {
                    cursor.take(';');
                }
                Some(_) => self.statement(cursor)?,
            }
        }
        Ok(())
    }

    fn statement(&mut self, cursor: &mut Cursor) -> Parsed<()> {
        cursor.peek();
        self.line = cursor.line;
        self.touched.clear();
        let guard = self.guard(cursor)?;
        let sample = cursor.sample();
        let word = cursor.word();
        match word {
            "" => Err(self.error(format!("syntax error near {sample:?}"))),
            ".reg" if guard.is_none() => self.declare_registers(cursor.until(';')?),
            ".shared" if guard.is_none() => self.declare_shared(cursor.until(';')?),
            _ if guard.is_none() && cursor.peek() == Some(':') => {
                cursor.take(':');
                let next = self.kernel.statements.len();
                match self.scopes[self.current].labels.insert(word.to_owned(), next) {
                    None => Ok(()),
                    Some(_) => Err(self.error(format!("Duplicate definition of label '{word}'"))),
                }
            }
            _ if word.starts_with('.') => Err(self.error(format!("directive {word} is not understood here"))),
            _ => {
                let operands = cursor.until(';')?;
                let text = format!("{word} {}", operands.split_whitespace().collect::<Vec<_>>().join(" "));
                let operation = self.instruction(word, operands)?;
                let (line, touched) = (self.line, self.touched.clone());
                self.kernel.statements.push(Statement { line, text, guard, operation, touched });
                Ok(())
            }
        }
    }

    /// `@%p` or `@!%p`.
    fn guard(&mut self, cursor: &mut Cursor) -> Parsed<Option<(Register, bool)>> {
        if !cursor.take('@') {
            return Ok(None);
        }
        let expected = !cursor.take('!');
        let name = cursor.word();
        Ok(Some((self.register(name, Type::PREDICATE)?, expected)))
    }

    /// Gives a name a meaning in the current scope.
    pub fn define(&mut self, name: &str, named: Named) -> Parsed<()> {
        match self.scopes[self.current].names.insert(name.to_owned(), named) {
            None => Ok(()),
            Some(_) => Err(self.error(format!("Duplicate definition of variable '{name}'"))),
        }
    }

    /// What a name means in the current scope.
    pub fn named(&self, name: &str) -> Option<Named> {
        self.chain(self.current).find_map(|scope| self.scopes[scope].names.get(name).copied())
    }

    /// A scope and those around it.
    fn chain(&self, innermost: usize) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(Some(innermost), |scope| self.scopes[*scope].parent)
    }

    /// A branch to a label; it is found when the whole body is read.
    pub fn branch(&mut self, label: &str) -> Operation {
        let (statement, scope, line) = (self.kernel.statements.len(), self.current, self.line);
        self.branches.push(OpenBranch { statement, scope, label: label.to_owned(), line });
        Operation::Branch { target: usize::MAX }
    }

    /// The kernel with its branches resolved.
    pub fn finish(mut self) -> Parsed<Kernel> {
        for branch in std::mem::take(&mut self.branches) {
            let found =
                self.chain(branch.scope).find_map(|scope| self.scopes[scope].labels.get(&branch.label).copied());
            let unknown = || PtxError::at(branch.line, format!("Unknown symbol '{}'", branch.label));
            self.kernel.statements[branch.statement].operation =
                Operation::Branch { target: found.ok_or_else(unknown)? };
        }
        let last = self.kernel.statements.last();
        let ends = last.is_some_and(|last| {
            last.guard.is_none() && matches!(last.operation, Operation::Exit | Operation::Branch { .. })
        });
        match ends {
            true => Ok(self.kernel),
            false => Err(self.error(format!("kernel {} does not end in ret, exit or bra", self.kernel.name))),
        }
    }
}
