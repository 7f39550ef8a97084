//! Whether all tools read a text alike: a proof is of what Yosys reads, and a simulator may run something else.
//!
//! A text is taken apart into tokens, directives, items and statements. What is known to be read differently is objected to,
//! and so is what is not understood: the part of SystemVerilog that is read here describes combinational units and registers.
//!
//! Architecture invariant: it never says that a text is right, and what it accepts is no reason to believe a proof.

mod assigned;
mod blocks;
mod constants;
mod directives;
mod functions;
mod items;
mod names;
mod reader;
mod statements;
mod tokens;
mod words;

use thiserror::Error;

/// Why a text is not read alike, and what is allowed.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{line}: {what}")]
pub struct Objection {
    /// From 1 on.
    pub line: usize,
    pub what: String,
}

/// An objection as a result.
fn object<T>(line: usize, what: impl Into<String>) -> Result<T, Objection> {
    Err(Objection { line, what: what.into() })
}

/// Objects to the first construct of a SystemVerilog text that tools read differently.
///
/// # Errors
/// There is one, or something that is not understood.
pub fn check(text: &str) -> Result<(), Objection> {
    let tokens = directives::expanded(&tokens::tokens(text, 1)?)?;
    words::check(&tokens)?;
    constants::check(&tokens)?;
    items::check(&tokens)
}
