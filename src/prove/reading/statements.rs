//! Statements of procedures: blocks, branches, loops and assignments. Expressions stay tokens.

use super::names::{self, VARIABLES, declared};
use super::reader::{Reader, split};
use super::tokens::{Kind, Token};
use super::words::is_name;
use super::{Objection, object};

/// What is assigned to.
pub struct Target<'t> {
    pub name: &'t Token,
    /// Whether it is the whole variable.
    pub is_whole: bool,
}

/// A statement with the tokens that it reads.
pub enum Statement<'t> {
    Nothing,
    Block(Vec<Statement<'t>>),
    /// One of several, or perhaps none where they are not complete.
    Branch {
        reads: Vec<&'t [Token]>,
        arms: Vec<Statement<'t>>,
        is_complete: bool,
    },
    /// `for`: the start and the step are assignments.
    Loop {
        /// Whether its variable is declared in it.
        is_own: bool,
        start: Box<Statement<'t>>,
        condition: &'t [Token],
        step: Box<Statement<'t>>,
        body: Box<Statement<'t>>,
    },
    Assign {
        targets: Vec<Target<'t>>,
        reads: Vec<&'t [Token]>,
        is_blocking: bool,
        line: usize,
    },
    Declare(Vec<&'t Token>),
    Return(&'t [Token]),
}

/// Operators of assignments, but `=` and `<=`.
const UPDATES: [&str; 14] = ["++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", "<<<=", ">>>="];

/// Takes one statement.
pub fn statement<'t>(reader: &mut Reader<'t>) -> Result<Statement<'t>, Objection> {
    reader.inner(any_statement)
}

fn any_statement<'t>(reader: &mut Reader<'t>) -> Result<Statement<'t>, Objection> {
    let Some(first) = reader.ahead(0) else { return reader.not_understood("a statement") };
    match first.text.as_str() {
        ";" => reader.next().map(|_| Statement::Nothing),
        "begin" => block(reader),
        "unique" | "unique0" | "priority" => {
            let what = format!(
                "`{}`: Yosys leaves other cases undefined, simulators do not; allowed: if, case, default",
                first.text
            );
            object(first.line, what)
        }
        "if" => branch(reader),
        "case" | "casez" | "casex" => case(reader),
        "for" => repetition(reader),
        "return" => {
            reader.next()?;
            reader.line_of_text().and_then(plain).map(Statement::Return)
        }
        "assert" | "assume" | "cover" => reader.line_of_text().map(|_| Statement::Nothing),
        _ if first.kind == Kind::System => reader.line_of_text().map(|_| Statement::Nothing),
        _ if is_declaration(reader) => {
            let line = reader.line_of_text()?;
            let declared = declared(line);
            names::without_values(&declared, "the variable")?;
            Ok(Statement::Declare(declared.into_iter().map(|declared| declared.name).collect()))
        }
        _ if first.is("{") || is_name(first) => {
            let assignment = assignment(reader, &[";"])?;
            reader.expect(";")?;
            Ok(assignment)
        }
        _ => reader.not_understood("if, case, for, begin, an assignment"),
    }
}

/// Whether a declaration of variables starts here.
pub fn is_declaration(reader: &Reader) -> bool {
    let is = |places: usize, text: &str| reader.ahead(places).is_some_and(|token| token.is(text));
    let scoped = if reader.is_name() && is(1, "::") { 2 } else { 0 };
    reader.is_one_of(&VARIABLES) || reader.is_name() && reader.ahead(scoped + 1).is_some_and(is_name)
}

fn block<'t>(reader: &mut Reader<'t>) -> Result<Statement<'t>, Objection> {
    reader.expect("begin")?;
    reader.label()?;
    let mut statements = Vec::new();
    while !reader.take("end") {
        statements.push(statement(reader)?);
    }
    reader.label()?;
    Ok(Statement::Block(statements))
}

fn branch<'t>(reader: &mut Reader<'t>) -> Result<Statement<'t>, Objection> {
    reader.expect("if")?;
    let reads = vec![plain(reader.group()?)?];
    let mut arms = vec![statement(reader)?];
    let is_complete = reader.take("else");
    if is_complete {
        arms.push(statement(reader)?);
    }
    Ok(Statement::Branch { reads, arms, is_complete })
}

fn case<'t>(reader: &mut Reader<'t>) -> Result<Statement<'t>, Objection> {
    reader.next()?;
    let mut reads = vec![plain(reader.group()?)?];
    reader.take("inside");
    let (mut arms, mut is_complete) = (Vec::new(), false);
    while !reader.take("endcase") {
        if reader.take("default") {
            is_complete = true;
            reader.take(":");
        } else {
            reads.push(plain(reader.until(&[":"])?)?);
            reader.expect(":")?;
        }
        arms.push(statement(reader)?);
    }
    Ok(Statement::Branch { reads, arms, is_complete })
}

fn repetition<'t>(reader: &mut Reader<'t>) -> Result<Statement<'t>, Objection> {
    reader.expect("for")?;
    reader.expect("(")?;
    let is_own = !reader.is_name();
    while reader.is_one_of(&VARIABLES) || reader.is_one_of(&["unsigned", "signed", "genvar"]) {
        reader.next()?;
    }
    let start = assignment(reader, &[";"])?;
    reader.expect(";")?;
    let condition = plain(reader.line_of_text()?)?;
    let step = assignment(reader, &[")"])?;
    reader.expect(")")?;
    let body = statement(reader)?;
    Ok(Statement::Loop { is_own, start: Box::new(start), condition, step: Box::new(step), body: Box::new(body) })
}

/// Takes an assignment up to one of those symbols.
fn assignment<'t>(reader: &mut Reader<'t>, ends: &[&str]) -> Result<Statement<'t>, Objection> {
    let line = reader.line();
    // `++i` is `i++`.
    let is_prefixed = reader.take("++") || reader.take("--");
    let stops: Vec<&str> = [&["=", "<="], &UPDATES[..], ends].concat();
    let left = reader.until(&stops)?;
    let mut reads = indices(left);
    let mut is_blocking = true;
    if is_prefixed || reader.is_one_of(&UPDATES) {
        reads.push(left);
    }
    if reader.is_one_of(&["=", "<="]) {
        is_blocking = reader.next()?.is("=");
        reads.push(plain(reader.until(ends)?)?);
    } else if reader.is_one_of(&UPDATES) {
        let is_step = reader.next()?.is_one_of(&["++", "--"]);
        let right = plain(reader.until(ends)?)?;
        if is_step != right.is_empty() {
            return object(line, "an operator without operand, or with one too many; allowed: `+= number`, `++`");
        }
        reads.push(right);
    } else if !is_prefixed {
        return object(line, "a statement that assigns nothing; allowed: assignments");
    }
    Ok(Statement::Assign { targets: targets(left)?, reads, is_blocking, line })
}

/// What an expression on the left assigns to.
pub fn targets(left: &[Token]) -> Result<Vec<Target<'_>>, Objection> {
    let mut all = Vec::new();
    match left {
        [open, inner @ .., close] if open.is("{") && close.is("}") => {
            for part in split(inner, &[","]) {
                all.extend(targets(part)?);
            }
        }
        [name, behind @ ..] if is_name(name) && behind.first().is_none_or(|next| next.is_one_of(&["[", "."])) => {
            all.push(Target { name, is_whole: behind.is_empty() });
        }
        _ => {
            let line = left.first().map_or(1, |token| token.line);
            return object(line, "an expression that cannot be assigned to; allowed: names, parts of them, { and }");
        }
    }
    Ok(all)
}

/// What the brackets behind names on the left read.
fn indices(left: &[Token]) -> Vec<&[Token]> {
    let mut depth = 0usize;
    let inside = |token: &Token| {
        let was_inside = depth > 0;
        if token.is("[") {
            depth += 1;
        } else if token.is("]") {
            depth = depth.saturating_sub(1);
        }
        was_inside
    };
    let inside: Vec<bool> = left.iter().map(inside).collect();
    let mut parts = Vec::new();
    let mut rest = 0;
    for (place, pair) in inside.iter().enumerate() {
        if !pair {
            if place > rest {
                parts.push(&left[rest..place]);
            }
            rest = place + 1;
        }
    }
    parts
}

/// An expression: it assigns nothing and waits for nothing.
pub fn plain(tokens: &[Token]) -> Result<&[Token], Objection> {
    match tokens.iter().find(|token| token.is_one_of(&["=", "@", "->"]) || token.is_one_of(&UPDATES)) {
        Some(token) => {
            object(token.line, format!("`{}` within an expression; allowed: assignments as statements", token.text))
        }
        None => Ok(tokens),
    }
}
