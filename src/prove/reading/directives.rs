//! Comments and directives: those that change what a tool reads are objected to, macros without arguments are put in, the
//! rest is left out.

use std::collections::HashMap;

use super::tokens::{Kind, Token, tokens};
use super::{Objection, object};
use crate::engine::DIFFERENCES;

/// Words that a comment starts with if it is meant for a tool.
const VENDORS: [&str; 14] = [
    "synopsys",
    "synthesis",
    "pragma",
    "ambit",
    "cadence",
    "exemplar",
    "xilinx",
    "altera",
    "quartus",
    "vcs",
    "verilator",
    "verific",
    "yosys",
    "vivado",
];

/// What such comments say if they change what is read.
const COMMANDS: [&str; 8] = [
    "translate_off",
    "translate_on",
    "synthesis_off",
    "synthesis_on",
    "full_case",
    "parallel_case",
    "translate",
    "lint_off",
];

/// Attributes by which synthesis takes cases as given that simulators meet.
const CASES: [&str; 2] = ["full_case", "parallel_case"];

/// How deep macros may stand in each other, and how many tokens a text may have with them.
const DEPTH: usize = 16;
const TOKENS: usize = 2_000_000;

/// The tokens without comments, attributes and directives, macros put in.
pub fn expanded(tokens: &[Token]) -> Result<Vec<Token>, Objection> {
    let mut pass = Pass { macros: HashMap::new(), out: Vec::new() };
    pass.walk(tokens, 0)?;
    without_attributes(pass.out)
}

struct Pass {
    macros: HashMap<String, Vec<Token>>,
    out: Vec<Token>,
}

impl Pass {
    fn walk(&mut self, tokens: &[Token], depth: usize) -> Result<(), Objection> {
        let mut rest = tokens;
        while let Some((token, behind)) = rest.split_first() {
            rest = behind;
            match token.kind {
                Kind::Comment => comment(token)?,
                Kind::Definition => self.define(token)?,
                Kind::Directive => rest = self.directive(token, behind, depth)?,
                _ if self.out.len() == TOKENS => {
                    return object(token.line, format!("a text of many tokens; allowed: {TOKENS}, with macros"));
                }
                _ => self.out.push(token.clone()),
            }
        }
        Ok(())
    }

    fn define(&mut self, token: &Token) -> Result<(), Objection> {
        let text = token.text.trim_start();
        let length = text.find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_').unwrap_or(text.len());
        let (name, body) = text.split_at(length);
        if name.is_empty() || body.starts_with('(') || body.contains("``") || body.contains("`\"") {
            let what = "a macro with arguments, or one that joins words; allowed: `define with a name and plain text, localparam";
            return object(token.line, what);
        }
        let body = body.replace("\\\r\n", " ").replace("\\\n", " ");
        self.macros.insert(name.to_owned(), tokens(&body, token.line)?);
        Ok(())
    }

    /// Carries out a directive or puts in a macro; what is left behind it.
    fn directive<'t>(&mut self, token: &Token, behind: &'t [Token], depth: usize) -> Result<&'t [Token], Objection> {
        let (name, line) = (&token.text[1..], token.line);
        match name {
            "timescale" => Ok(&behind[behind.iter().take_while(|next| next.line == line).count()..]),
            "resetall" | "celldefine" | "endcelldefine" => Ok(behind),
            "default_nettype" => {
                // At the end of a file `wire` gives the next one what it expects.
                let is_end = behind.iter().skip(1).all(|token| token.kind == Kind::Comment);
                match behind.first() {
                    Some(next) if next.is("none") || next.is("wire") && is_end => Ok(&behind[1..]),
                    _ => object(line, "`default_nettype; allowed: none, and wire behind all modules"),
                }
            }
            "undef" => {
                let name = behind.first().map(|next| next.text.clone()).unwrap_or_default();
                self.macros.remove(&name);
                Ok(&behind[behind.len().min(1)..])
            }
            "ifdef" | "ifndef" | "elsif" | "else" | "endif" => object(
                line,
                format!(
                    "`{name}: each tool defines other macros, so that they read different texts; allowed: one text"
                ),
            ),
            "include" => object(line, "`include reads another file; allowed: texts that stand alone"),
            _ => self.put_in(name, line, depth).map(|()| behind),
        }
    }

    fn put_in(&mut self, name: &str, line: usize, depth: usize) -> Result<(), Objection> {
        let Some(body) = self.macros.get(name) else {
            let allowed = "macros that this file defines above, `timescale, `default_nettype none, `resetall";
            return object(line, format!("`{name}, which tools may know differently; allowed: {allowed}"));
        };
        if depth == DEPTH {
            return object(line, format!("`{name} stands in itself; allowed: macros of plain text"));
        }
        let body: Vec<Token> = body.iter().map(|token| Token { line, ..token.clone() }).collect();
        self.walk(&body, depth + 1)
    }
}

/// Objects to a comment that a tool obeys.
fn comment(token: &Token) -> Result<(), Objection> {
    let lower = token.text.to_ascii_lowercase();
    let split = |letter: char| !letter.is_ascii_alphanumeric() && letter != '_';
    let words: Vec<&str> = lower.split(split).filter(|word| !word.is_empty()).collect();
    let Some((first, others)) = words.split_first() else { return Ok(()) };
    // Yosys needs no blank between the two.
    let joined = |word: &&str| {
        VENDORS.iter().any(|vendor| word.strip_prefix(vendor).is_some_and(|rest| COMMANDS.contains(&rest)))
    };
    if let Some(word) = words.iter().find(|word| joined(word)) {
        return object(token.line, format!("the comment `{word}`: some tools obey it; allowed: text without it"));
    }
    // Warnings that are errors for these files stay so.
    let names_difference = || others.iter().any(|word| DIFFERENCES.contains(&word.to_ascii_uppercase().as_str()));
    match others.iter().take(6).find(|word| COMMANDS.contains(word)) {
        Some(&"lint_off") if !names_difference() => Ok(()),
        Some(command) if VENDORS.contains(first) => {
            let what = format!(
                "the comment `{first} {command}`: some tools obey it, and others do not; allowed: text without it"
            );
            object(token.line, what)
        }
        _ => Ok(()),
    }
}

/// Attributes change no value but through the kinds of cells, which are seen in the netlist.
fn without_attributes(tokens: Vec<Token>) -> Result<Vec<Token>, Objection> {
    let mut out = Vec::new();
    let mut open = None;
    for token in tokens {
        match (open, token.is("(*"), token.is("*)")) {
            (None, true, _) => open = Some(token.line),
            (Some(_), ..) if CASES.contains(&token.text.as_str()) => {
                let what =
                    format!("the attribute `{}`: some tools obey it, others do not; allowed: default", token.text);
                return object(token.line, what);
            }
            (Some(_), _, true) => open = None,
            (None, _, false) => out.push(token),
            (None, _, true) => return object(token.line, "`*)`, which ends no attribute; allowed: (* ... *)"),
            (Some(_), ..) => {}
        }
    }
    open.map_or(Ok(out), |line| object(line, "an attribute without end; allowed: one that ends in *)"))
}
