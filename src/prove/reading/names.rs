//! What a declaration declares.

use super::reader::split;
use super::tokens::Token;
use super::words::is_name;
use super::{Objection, object};

/// A name that is declared.
pub struct Declared<'t> {
    pub name: &'t Token,
    /// Whether a value follows it.
    pub has_value: bool,
}

/// Keywords of variables and their types.
pub const VARIABLES: [&str; 15] = [
    "var",
    "static",
    "automatic",
    "const",
    "logic",
    "reg",
    "bit",
    "byte",
    "shortint",
    "int",
    "longint",
    "integer",
    "struct",
    "union",
    "enum",
];

/// The names of a declaration without its semicolon, or of a list of ports or parameters.
pub fn declared(tokens: &[Token]) -> Vec<Declared<'_>> {
    split(tokens, &[","]).into_iter().filter_map(one).collect()
}

/// The last name outside of all brackets before the value.
fn one(tokens: &[Token]) -> Option<Declared<'_>> {
    let parts = split(tokens, &["="]);
    let mut depth = 0usize;
    let mut name = None;
    for token in parts[0] {
        if token.is_one_of(&["(", "[", "{"]) {
            depth += 1;
        } else if token.is_one_of(&[")", "]", "}"]) {
            depth = depth.saturating_sub(1);
        } else if depth == 0 && is_name(token) {
            name = Some(token);
        }
    }
    Some(Declared { name: name?, has_value: parts.len() > 1 })
}

/// The names that an expression reads: those behind a dot or two colons are parts of what stands before, those before two colons
/// are packages, and those before a parenthesis functions.
pub fn read(tokens: &[Token]) -> impl Iterator<Item = &Token> {
    let is = |place: Option<usize>, texts: &[&str]| {
        place.and_then(|place| tokens.get(place)).is_some_and(|token| token.is_one_of(texts))
    };
    let names = tokens.iter().enumerate().filter(move |(place, token)| {
        is_name(token) && !is(place.checked_sub(1), &[".", "::"]) && !is(Some(place + 1), &["::", "("])
    });
    names.map(|(_, token)| token)
}

/// The names of the values of an enumeration in a declaration.
pub fn enumerators(tokens: &[Token]) -> Vec<&Token> {
    let Some(start) = tokens.iter().position(|token| token.is("enum")) else { return Vec::new() };
    let Some(open) = tokens[start..].iter().position(|token| token.is("{")) else { return Vec::new() };
    let inner = &tokens[start + open + 1..];
    let end = inner.iter().position(|token| token.is("}")).unwrap_or(inner.len());
    declared(&inner[..end]).into_iter().map(|declared| declared.name).collect()
}

/// Objects to a value in the declaration of a variable or a port.
pub fn without_values(declared: &[Declared], what: &str) -> Result<(), Objection> {
    match declared.iter().find(|declared| declared.has_value) {
        Some(Declared { name, .. }) => object(
            name.line,
            format!(
                "{what} `{}` is declared with a value, which a simulator gives it once and Yosys for all times; allowed: a \
                 declaration without a value and `assign {0} = ...;`",
                name.text
            ),
        ),
        None => Ok(()),
    }
}
