//! A place in a list of tokens, and what parsers take from there.

use super::tokens::Token;
use super::words::{DEPTH, is_name};
use super::{Objection, object};

/// A place in a list of tokens.
pub struct Reader<'t> {
    tokens: &'t [Token],
    at: usize,
    /// How many statements or generated blocks stand around this place.
    depth: usize,
}

/// Keywords at which an expression has surely ended.
const ENDS: [&str; 9] =
    ["begin", "end", "endcase", "endfunction", "endgenerate", "endmodule", "endpackage", "module", "assign"];

impl<'t> Reader<'t> {
    pub fn new(tokens: &'t [Token]) -> Reader<'t> {
        Reader { tokens, at: 0, depth: 0 }
    }

    pub fn is_at_end(&self) -> bool {
        self.at == self.tokens.len()
    }

    /// The token so many places ahead.
    pub fn ahead(&self, places: usize) -> Option<&'t Token> {
        self.tokens.get(self.at + places)
    }

    /// Whether the next token is that keyword or symbol.
    pub fn is(&self, text: &str) -> bool {
        self.ahead(0).is_some_and(|token| token.is(text))
    }

    /// Whether the next token is one of those keywords or symbols.
    pub fn is_one_of(&self, texts: &[&str]) -> bool {
        self.ahead(0).is_some_and(|token| token.is_one_of(texts))
    }

    /// Whether the next token is a name.
    pub fn is_name(&self) -> bool {
        self.ahead(0).is_some_and(is_name)
    }

    /// The line of the next token, or of the last one.
    pub fn line(&self) -> usize {
        self.ahead(0).or(self.tokens.last()).map_or(1, |token| token.line)
    }

    /// Takes the next token.
    pub fn next(&mut self) -> Result<&'t Token, Objection> {
        let Some(token) = self.ahead(0) else { return object(self.line(), "the text ends too early") };
        self.at += 1;
        Ok(token)
    }

    /// Takes the next token if it is that keyword or symbol.
    pub fn take(&mut self, text: &str) -> bool {
        let taken = self.is(text);
        self.at += usize::from(taken);
        taken
    }

    /// Takes that keyword or symbol.
    pub fn expect(&mut self, text: &str) -> Result<(), Objection> {
        if self.take(text) { Ok(()) } else { self.not_understood(&format!("`{text}`")) }
    }

    /// Takes what stands in something else.
    pub fn inner<T>(&mut self, take: impl FnOnce(&mut Self) -> Result<T, Objection>) -> Result<T, Objection> {
        if self.depth == DEPTH {
            return object(self.line(), format!("more than {DEPTH} blocks or branches in each other; allowed: fewer"));
        }
        self.depth += 1;
        let taken = take(self);
        self.depth -= 1;
        taken
    }

    /// Takes a name.
    pub fn name(&mut self) -> Result<&'t Token, Objection> {
        if self.is_name() { self.next() } else { self.not_understood("a name") }
    }

    /// Takes `: name` if it stands here.
    pub fn label(&mut self) -> Result<Option<&'t Token>, Objection> {
        if self.take(":") { self.name().map(Some) } else { Ok(None) }
    }

    /// Objects to the next token.
    pub fn not_understood<T>(&self, allowed: &str) -> Result<T, Objection> {
        let found = self.ahead(0).map_or("the end of the text", |token| token.text.as_str());
        object(self.line(), format!("{found} is not understood here; allowed: {allowed}"))
    }

    /// Takes what stands before one of those symbols outside of all brackets.
    pub fn until(&mut self, stops: &[&str]) -> Result<&'t [Token], Objection> {
        let (start, mut depth) = (self.at, 0usize);
        while let Some(token) = self.ahead(0) {
            if depth == 0 && token.is_one_of(stops) {
                return Ok(&self.tokens[start..self.at]);
            }
            if token.is_one_of(&["(", "[", "{"]) {
                depth += 1;
            } else if token.is_one_of(&[")", "]", "}"]) && depth > 0 {
                depth -= 1;
            } else if token.is_one_of(&[")", "]", "}"]) || token.is_one_of(&ENDS) {
                break;
            }
            self.at += 1;
        }
        self.not_understood(&format!("`{}`", stops.join("` or `")))
    }

    /// Takes a pair of parentheses; what stands in it.
    pub fn group(&mut self) -> Result<&'t [Token], Objection> {
        self.expect("(")?;
        let inner = self.until(&[")"])?;
        self.next()?;
        Ok(inner)
    }

    /// Takes what stands before a semicolon, and the semicolon.
    pub fn line_of_text(&mut self) -> Result<&'t [Token], Objection> {
        let tokens = self.until(&[";"])?;
        self.next()?;
        Ok(tokens)
    }
}

/// The parts of some tokens between separators outside of all brackets.
pub fn split<'t>(tokens: &'t [Token], separators: &[&str]) -> Vec<&'t [Token]> {
    let (mut parts, mut start, mut depth) = (Vec::new(), 0, 0usize);
    for (place, token) in tokens.iter().enumerate() {
        if depth == 0 && token.is_one_of(separators) {
            parts.push(&tokens[start..place]);
            start = place + 1;
        } else if token.is_one_of(&["(", "[", "{"]) {
            depth += 1;
        } else if token.is_one_of(&[")", "]", "}"]) {
            depth = depth.saturating_sub(1);
        }
    }
    parts.push(&tokens[start..]);
    parts
}
