//! SystemVerilog as tokens with their lines. It knows comments, strings and escaped names, and no grammar.

use super::Objection;

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A name or a keyword.
    Word,
    /// A name behind a backslash.
    Escaped,
    /// A name behind a grave accent.
    Directive,
    /// What follows `` `define `` to the end of its line.
    Definition,
    /// A name behind a dollar sign.
    System,
    Number,
    /// A string.
    Text,
    Symbol,
    Comment,
}

/// A token and the line on which it starts, from 1 on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    pub kind: Kind,
    pub text: String,
    pub line: usize,
}

impl Token {
    /// Whether it is that keyword or symbol.
    pub fn is(&self, text: &str) -> bool {
        matches!(self.kind, Kind::Word | Kind::Symbol) && self.text == text
    }

    /// Whether it is one of those keywords or symbols.
    pub fn is_one_of(&self, texts: &[&str]) -> bool {
        texts.iter().any(|text| self.is(text))
    }
}

/// Symbols of more than one character, longer ones first. `(*` is told from a parenthesis by what follows it.
const SYMBOLS: [&str; 37] = [
    "<<<=", ">>>=", "<<<", ">>>", "===", "!==", "==?", "!=?", "<<=", ">>=", "&&&", "<=", ">=", "==", "!=", "+=", "-=",
    "*=", "/=", "%=", "&=", "|=", "^=", "++", "--", "&&", "||", "<<", ">>", "**", "->", "=>", "::", "##", "+:", "-:",
    "*)",
];

struct Lexer<'t> {
    text: &'t str,
    at: usize,
    line: usize,
    tokens: Vec<Token>,
}

/// The tokens of a text whose first line has that number, comments among them.
///
/// # Errors
/// A character that tools take differently, or a comment or string without end.
pub fn tokens(text: &str, line: usize) -> Result<Vec<Token>, Objection> {
    let mut lexer = Lexer { text, at: 0, line, tokens: Vec::new() };
    while lexer.step()? {}
    Ok(lexer.tokens)
}

fn is_word(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_' || letter == '$'
}

/// The length of what starts a text and satisfies a condition.
fn run(text: &str, holds: impl Fn(char) -> bool) -> usize {
    text.find(|letter| !holds(letter)).unwrap_or(text.len())
}

impl<'t> Lexer<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn object(&self, what: &str) -> Objection {
        Objection { line: self.line, what: what.to_owned() }
    }

    /// Takes so many bytes as a token.
    fn take(&mut self, kind: Kind, length: usize) -> Result<(), Objection> {
        let text = &self.rest()[..length];
        controls(text, self.line)?;
        self.tokens.push(Token { kind, text: text.to_owned(), line: self.line });
        self.line += text.matches('\n').count();
        self.at += length;
        Ok(())
    }

    /// Takes one token, or blanks; false at the end.
    fn step(&mut self) -> Result<bool, Objection> {
        let rest = self.rest();
        let Some(first) = rest.chars().next() else { return Ok(false) };
        match first {
            ' ' | '\t' => self.at += 1,
            '\n' => {
                self.at += 1;
                self.line += 1;
            }
            '\r' if rest.starts_with("\r\n") => self.at += 1,
            '/' if rest.starts_with("//") => {
                let line = rest.split('\n').next().unwrap_or(rest);
                // A carriage return before the line feed belongs to the end of the line.
                let is_whole = line.len() < rest.len();
                let line = line.strip_suffix('\r').filter(|_| is_whole).unwrap_or(line);
                self.take(Kind::Comment, line.len())?;
            }
            '/' if rest.starts_with("/*") => match rest[2..].find("*/") {
                Some(end) => self.take(Kind::Comment, end + 4)?,
                None => return Err(self.object("a comment without end; allowed: one that ends in */")),
            },
            '"' => self.string()?,
            '\\' if !rest[1..].starts_with(|letter: char| letter.is_ascii_graphic()) => {
                return Err(self.object("a backslash that starts no name; allowed: at the end of a line of a macro"));
            }
            '\\' => self.take(Kind::Escaped, 1 + run(&rest[1..], |letter| letter.is_ascii_graphic()))?,
            '`' => self.directive()?,
            '$' => self.take(Kind::System, 1 + run(&rest[1..], is_word))?,
            '\'' => self.based()?,
            _ if first.is_ascii_digit() => {
                let whole = run(rest, is_word);
                let fraction = rest[whole..].strip_prefix('.').map_or(0, |digits| run(digits, is_word));
                self.take(Kind::Number, whole + if fraction > 0 { fraction + 1 } else { 0 })?;
            }
            _ if is_word(first) => self.take(Kind::Word, run(rest, is_word))?,
            _ if first.is_ascii_graphic() => self.symbol()?,
            _ => {
                controls(&rest[..first.len_utf8()], self.line)?;
                return Err(self.object("a character outside ASCII; allowed: such characters in comments and strings"));
            }
        }
        Ok(true)
    }

    fn symbol(&mut self) -> Result<(), Objection> {
        let rest = self.rest();
        // In `@(*)` the star stands alone, else it and a parenthesis start or end an attribute.
        if rest.starts_with("(*") && !rest[2..].trim_start().starts_with(')') {
            return self.take(Kind::Symbol, 2);
        }
        let is_star = self.tokens.last().is_some_and(|last| last.is("("));
        let fits = |symbol: &&&str| rest.starts_with(**symbol) && !(**symbol == "*)" && is_star);
        self.take(Kind::Symbol, SYMBOLS.iter().find(fits).map_or(1, |symbol| symbol.len()))
    }

    fn string(&mut self) -> Result<(), Objection> {
        if self.rest().starts_with("\"\"\"") {
            return Err(
                self.object("three quotes, which start one string for some tools only; allowed: strings in one pair")
            );
        }
        let mut escaped = false;
        for (place, letter) in self.rest().char_indices().skip(1) {
            match letter {
                '\n' => break,
                '"' if !escaped => return self.take(Kind::Text, place + 1),
                _ => escaped = letter == '\\' && !escaped,
            }
        }
        Err(self.object("a string without end; allowed: one that ends on its line"))
    }

    /// A directive or a macro, and the whole line of a definition, which a backslash continues.
    fn directive(&mut self) -> Result<(), Objection> {
        let length = 1 + run(&self.rest()[1..], is_word);
        if &self.rest()[..length] != "`define" {
            return self.take(Kind::Directive, length);
        }
        self.at += length;
        let rest = self.rest();
        let mut end = 0;
        loop {
            end += run(&rest[end..], |letter| letter != '\n');
            if end == rest.len() || !rest[..end].trim_end_matches('\r').ends_with('\\') {
                break;
            }
            end += 1;
        }
        self.take(Kind::Definition, rest[..end].trim_end_matches('\r').len())
    }

    /// The base and digits of a number, or the apostrophe of a cast or a pattern.
    fn based(&mut self) -> Result<(), Objection> {
        let behind = &self.rest()[1..];
        let letters = &behind[..run(behind, is_word)];
        let is_based = letters.trim_start_matches(['s', 'S']).starts_with(['b', 'o', 'd', 'h', 'B', 'O', 'D', 'H']);
        let is_fill = ["0", "1", "x", "z", "X", "Z"].contains(&letters);
        match (is_fill, is_based) {
            (true, _) => self.take(Kind::Number, 1 + letters.len()),
            // A question mark is a digit.
            (_, true) => self.take(Kind::Number, 1 + run(behind, |letter| is_word(letter) || letter == '?')),
            _ => self.take(Kind::Symbol, 1),
        }
    }
}

/// Objects to control characters: tools end lines, comments and texts at different ones of them.
fn controls(text: &str, line: usize) -> Result<(), Objection> {
    let plain = text.replace("\r\n", "\n");
    let is_control = |letter: &char| letter.is_control() && *letter != '\t' || "\u{2028}\u{2029}".contains(*letter);
    let mut lines = plain.split('\n').enumerate();
    let Some((down, found)) = lines.find_map(|(down, one)| Some((down, one.chars().find(is_control)?))) else {
        return Ok(());
    };
    let name = match found {
        '\r' => "a carriage return without a line feed, which ends a line for some tools only".to_owned(),
        other => format!("the control character {}", other.escape_unicode()),
    };
    Err(Objection { line: line + down, what: format!("{name}; allowed: tabs and ends of lines") })
}
