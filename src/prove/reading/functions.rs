//! Functions: they read and assign nothing but their arguments, their own variables and constants.

use std::collections::BTreeSet;

use super::assigned;
use super::names::{declared, read, without_values};
use super::reader::Reader;
use super::statements::{Statement, is_declaration, statement};
use super::tokens::Token;
use super::words::is_name;
use super::{Objection, object};

/// A function that has been read.
pub struct Function<'t> {
    name: &'t Token,
    /// Its arguments and variables.
    own: BTreeSet<&'t str>,
    body: Statement<'t>,
}

/// Takes a function from its keyword to its end.
pub fn function<'t>(reader: &mut Reader<'t>) -> Result<Function<'t>, Objection> {
    reader.expect("function")?;
    let head = reader.until(&["(", ";"])?;
    let Some(name) = head.last().filter(|name| is_name(name)) else {
        return reader.not_understood("a function's name");
    };
    let mut own = BTreeSet::from([name.text.as_str()]);
    if reader.is("(") {
        let arguments = reader.group()?;
        if let Some(token) = arguments.iter().find(|token| token.is_one_of(&["output", "inout", "ref"])) {
            return object(token.line, format!("`{}` of a function; allowed: input, and one result", token.text));
        }
        own.extend(names(arguments)?);
    }
    reader.expect(";")?;
    let mut statements = Vec::new();
    while !reader.take("endfunction") {
        if reader.take("input") {
            own.extend(names(reader.line_of_text()?)?);
        } else if is_declaration(reader) {
            let line = reader.line_of_text()?;
            own.extend(names(line)?);
        } else if reader.is_one_of(&["parameter", "localparam"]) {
            own.extend(declared(reader.line_of_text()?).iter().map(|declared| declared.name.text.as_str()));
        } else {
            statements.push(statement(reader)?);
        }
    }
    reader.label()?;
    Ok(Function { name, own, body: Statement::Block(statements) })
}

fn names(tokens: &[Token]) -> Result<Vec<&str>, Objection> {
    let declared = declared(tokens);
    without_values(&declared, "in a function")?;
    Ok(declared.into_iter().map(|declared| declared.name.text.as_str()).collect())
}

impl Function<'_> {
    /// Objects to what it reads or assigns of the module, and to a result that is not assigned in every case.
    pub fn check(&self, constants: &BTreeSet<&str>) -> Result<(), Objection> {
        let mut own: BTreeSet<&str> = self.own.clone();
        own.extend(constants);
        self.statement(&self.body, &mut own)?;
        if !assigned::check(&self.body)?.contains(self.name.text.as_str()) {
            let what = format!(
                "function `{}` has not in every case a result; allowed: one that is assigned first",
                self.name.text
            );
            return object(self.name.line, what);
        }
        Ok(())
    }

    fn statement<'b>(&self, body: &Statement<'b>, own: &mut BTreeSet<&'b str>) -> Result<(), Objection>
    where
        Self: 'b,
    {
        match body {
            Statement::Nothing => Ok(()),
            Statement::Declare(names) => {
                own.extend(names.iter().map(|name| name.text.as_str()));
                Ok(())
            }
            Statement::Block(statements) => statements.iter().try_for_each(|one| self.statement(one, own)),
            Statement::Branch { reads, arms, .. } => {
                reads.iter().try_for_each(|tokens| self.tokens(tokens, own))?;
                arms.iter().try_for_each(|one| self.statement(one, own))
            }
            Statement::Loop { is_own, start, condition, step, body } => {
                if let Statement::Assign { targets, .. } = &**start
                    && *is_own
                {
                    own.extend(targets.iter().map(|target| target.name.text.as_str()));
                }
                self.tokens(condition, own)?;
                [start, step, body].into_iter().try_for_each(|one| self.statement(one, own))
            }
            Statement::Assign { targets, reads, is_blocking, line, .. } => {
                if !is_blocking {
                    return object(*line, "`<=` in a function; allowed: `=`");
                }
                targets.iter().try_for_each(|target| self.tokens(std::slice::from_ref(target.name), own))?;
                reads.iter().try_for_each(|tokens| self.tokens(tokens, own))
            }
            Statement::Return(tokens) => self.tokens(tokens, own),
        }
    }

    fn tokens(&self, tokens: &[Token], own: &BTreeSet<&str>) -> Result<(), Objection> {
        match read(tokens).find(|token| !own.contains(token.text.as_str())) {
            Some(token) => object(
                token.line,
                format!(
                    "function `{}` uses `{}` of the module, whose changes not every simulator sees; allowed: arguments, own \
                     variables, parameters",
                    self.name.text, token.text
                ),
            ),
            None => Ok(()),
        }
    }
}
