//! JSON lines: the header, then an object a vector.

use std::io::Write;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::lines::Lines;
use super::{ExchangeError, OPERANDS, Row, check_width, counts, digits, header_of};
use crate::recording::header::{Header, Layout};
use crate::recording::stream::HEADER_MAX;

/// One vector: encodings as text such as `"0x3c00"`, because a JSON number may lose bits of a long one.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    a: Vec<String>,
    b: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    scale_a: Option<Vec<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    scale_b: Option<Vec<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    c: Option<String>,
    d: String,
}

/// Writes lines.
pub(super) struct Sink<W> {
    path: PathBuf,
    out: W,
    layout: Layout,
}

impl<W: Write> Sink<W> {
    pub fn new(path: &Path, out: W, header: &Header) -> Result<Sink<W>, ExchangeError> {
        let mut sink = Sink { path: path.to_owned(), out, layout: header.layout.clone() };
        sink.line(header)?;
        Ok(sink)
    }

    fn line(&mut self, object: &impl Serialize) -> Result<(), ExchangeError> {
        let failed = |source| ExchangeError::Write { path: self.path.clone(), source };
        serde_json::to_writer(&mut self.out, object).map_err(|error| failed(error.into()))?;
        self.out.write_all(b"\n").map_err(failed)
    }
}

impl<W: Write> super::Sink for Sink<W> {
    fn vector(&mut self, _number: u64, row: &Row) -> Result<(), ExchangeError> {
        let counts = counts(&self.layout);
        let widths = self.layout.widths;
        let texts = |operand: usize| {
            let length = digits(widths[operand]);
            row[operand].iter().map(|value| format!("0x{value:0length$x}")).collect::<Vec<_>>()
        };
        let present = |operand: usize| (counts[operand] > 0).then(|| texts(operand));
        let line = Line {
            a: texts(0),
            b: texts(1),
            scale_a: present(2),
            scale_b: present(3),
            c: present(4).and_then(|texts| texts.into_iter().next()),
            d: texts(5).concat(),
        };
        self.line(&line)
    }

    fn finish(mut self: Box<Self>) -> Result<(), ExchangeError> {
        self.out.flush().map_err(|source| ExchangeError::Write { path: self.path, source })
    }
}

/// Reads lines.
pub(super) struct Source {
    lines: Lines,
    header: Header,
    /// Longest line that a vector may have.
    longest: usize,
}

impl Source {
    pub fn new(path: &Path) -> Result<Source, ExchangeError> {
        let mut lines = Lines::open(path)?;
        let text = lines.need(HEADER_MAX as usize, || "the header of a recording".to_owned())?;
        let header = header_of(text).map_err(|problem| lines.refuse(problem))?;
        // An element has at most 18 characters; quotes, comma and some blanks come to it.
        let longest = 1024 + 32 * counts(&header.layout).iter().sum::<usize>();
        Ok(Source { lines, header, longest })
    }
}

impl super::Source for Source {
    fn header(&self) -> &Header {
        &self.header
    }

    fn vector(&mut self, row: &mut Row) -> Result<(), ExchangeError> {
        let vectors = self.header.vectors();
        let text = self.lines.need(self.longest, || format!("{vectors} vectors after the header"))?;
        let parsed = parse(text, &self.header.layout, row);
        parsed.map_err(|problem| self.lines.refuse(problem))
    }

    fn end(&mut self) -> Result<(), ExchangeError> {
        self.lines.end(self.header.vectors())
    }
}

fn parse(text: &str, layout: &Layout, row: &mut Row) -> Result<(), String> {
    let line: Line = serde_json::from_str(text).map_err(|error| format!("no vector: {error}"))?;
    let operands = [
        line.a,
        line.b,
        line.scale_a.unwrap_or_default(),
        line.scale_b.unwrap_or_default(),
        line.c.into_iter().collect(),
        vec![line.d],
    ];
    for (operand, ((texts, count), width)) in operands.iter().zip(counts(layout)).zip(layout.widths).enumerate() {
        if texts.len() != count {
            return Err(format!("field `{}` has {} elements; allowed: {count}", OPERANDS[operand], texts.len()));
        }
        row[operand].clear();
        for text in texts {
            let hexadecimal = text.strip_prefix("0x").filter(|digits| !digits.starts_with('+'));
            let value = hexadecimal.and_then(|digits| u64::from_str_radix(digits, 16).ok()).ok_or_else(|| {
                let name = OPERANDS[operand];
                format!("field `{name}` is {text:?}; allowed: 0x and hexadecimal digits, {width} bits")
            })?;
            check_width(operand, value, width)?;
            row[operand].push(value);
        }
    }
    Ok(())
}
