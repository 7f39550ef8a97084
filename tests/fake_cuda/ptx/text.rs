//! Reading PTX's characters: comments away, then words, statements and lists. No meaning here.

use super::{Parsed, PtxError};

/// Replaces comments by spaces; lines stay lines.
pub fn without_comments(text: &str) -> Parsed<String> {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find('/') {
        plain.push_str(&rest[..start]);
        rest = &rest[start..];
        if rest.starts_with("//") {
            rest = &rest[rest.find('\n').unwrap_or(rest.len())..];
        } else if rest.starts_with("/*") {
            let line = plain.matches('\n').count() as u32 + 1;
            let end = rest.find("*/").ok_or_else(|| PtxError::at(line, "comment without an end"))?;
            plain.push(' ');
            plain.extend(rest[..end].chars().filter(|letter| *letter == '\n'));
            rest = &rest[end + 2..];
        } else {
            plain.push('/');
            rest = &rest[1..];
        }
    }
    plain.push_str(rest);
    Ok(plain)
}

/// A place in the text.
#[derive(Debug, Clone)]
pub struct Cursor<'a> {
    rest: &'a str,
    pub line: u32,
}

impl<'a> Cursor<'a> {
    pub fn new(text: &'a str) -> Cursor<'a> {
        Cursor { rest: text, line: 1 }
    }

    fn advance(&mut self, bytes: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(bytes);
        self.line += taken.matches('\n').count() as u32;
        self.rest = rest;
        taken
    }

    fn skip_spaces(&mut self) {
        let spaces = self.rest.len() - self.rest.trim_start().len();
        self.advance(spaces);
    }

    /// The next character that is no space.
    pub fn peek(&mut self) -> Option<char> {
        self.skip_spaces();
        self.rest.chars().next()
    }

    /// Takes a character if it comes next.
    pub fn take(&mut self, letter: char) -> bool {
        let found = self.peek() == Some(letter);
        if found {
            self.advance(letter.len_utf8());
        }
        found
    }

    /// Takes a character that must come next.
    pub fn expect(&mut self, letter: char) -> Parsed<()> {
        match self.take(letter) {
            true => Ok(()),
            false => Err(self.error(&format!("syntax error: {letter:?} is missing before {:?}", self.sample()))),
        }
    }

    /// The next word: letters, digits, `_ $ % .` and `::`; empty if none comes.
    pub fn word(&mut self) -> &'a str {
        self.skip_spaces();
        let part = |letter: char| letter.is_ascii_alphanumeric() || "_$%.".contains(letter);
        let mut end = 0;
        loop {
            end += self.rest[end..].find(|letter| !part(letter)).unwrap_or(self.rest.len() - end);
            match self.rest[end..].starts_with("::") {
                true => end += 2,
                false => return self.advance(end),
            }
        }
    }

    /// Everything up to a character, which is taken too.
    pub fn until(&mut self, letter: char) -> Parsed<&'a str> {
        self.skip_spaces();
        let Some(end) = self.rest.find(letter) else {
            return Err(self.error(&format!("syntax error: no {letter:?} after {:?}", self.sample())));
        };
        let taken = self.advance(end);
        self.advance(letter.len_utf8());
        Ok(taken.trim())
    }

    /// The first words of the rest, for messages.
    pub fn sample(&self) -> &'a str {
        let line = self.rest.trim_start().lines().next().unwrap_or_default();
        &line[..line.char_indices().nth(60).map_or(line.len(), |(place, _)| place)]
    }

    /// An error of this line.
    pub fn error(&self, message: &str) -> PtxError {
        PtxError::at(self.line, message)
    }
}

/// The members of a list between commas; braces and brackets keep their commas.
pub fn members(list: &str) -> Vec<&str> {
    let (mut members, mut depth, mut start) = (Vec::new(), 0, 0);
    for (place, letter) in list.char_indices() {
        match letter {
            '{' | '[' | '(' => depth += 1,
            '}' | ']' | ')' => depth -= 1,
            ',' if depth == 0 => {
                members.push(list[start..place].trim());
                start = place + 1;
            }
            _ => {}
        }
    }
    if !list.trim().is_empty() {
        members.push(list[start..].trim());
    }
    members
}

/// An integer literal of PTX: decimal, 0x, 0b or octal, with an optional U; or the bits of a float, 0f or 0d.
pub fn literal(text: &str) -> Option<u64> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest.trim_start()),
        None => (false, text),
    };
    let float = |prefix: [&str; 2]| prefix.iter().find_map(|prefix| digits.strip_prefix(*prefix));
    for (prefix, length) in [(["0f", "0F"], 8), (["0d", "0D"], 16)] {
        if let Some(bits) = float(prefix) {
            return (bits.len() == length && !negative).then(|| u64::from_str_radix(bits, 16).ok())?;
        }
    }
    let digits = digits.strip_suffix('U').unwrap_or(digits);
    let value = if let Some(hexadecimal) = digits.strip_prefix("0x").or(digits.strip_prefix("0X")) {
        u64::from_str_radix(hexadecimal, 16).ok()?
    } else if let Some(binary) = digits.strip_prefix("0b").or(digits.strip_prefix("0B")) {
        u64::from_str_radix(binary, 2).ok()?
    } else if digits.len() > 1 && digits.starts_with('0') {
        u64::from_str_radix(&digits[1..], 8).ok()?
    } else {
        digits.parse().ok()?
    };
    Some(if negative { value.wrapping_neg() } else { value })
}
