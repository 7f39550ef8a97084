//! JSON lines: the header, then an object a vector.

use std::io::Write;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::elements::{Elements, FIELDS, FLAGS};
use super::lines::Lines;
use super::{ExchangeError, Row, Told, counts, digits, header_of};
use crate::recording::header::{Header, Layout};
use crate::recording::stream::HEADER_MAX;

/// One vector: encodings as text such as `"0x3c00"`, because a JSON number may lose bits of a long one.
#[derive(Serialize)]
struct Line {
    a: Vec<String>,
    b: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    scale_a: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    scale_b: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    c: Option<String>,
    d: String,
}

/// One vector as it is read: texts, and numbers with all of their digits.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Given<'a> {
    #[serde(borrow)]
    a: Vec<&'a RawValue>,
    #[serde(borrow)]
    b: Vec<&'a RawValue>,
    #[serde(borrow, default)]
    scale_a: Vec<&'a RawValue>,
    #[serde(borrow, default)]
    scale_b: Vec<&'a RawValue>,
    #[serde(borrow, default)]
    c: Option<&'a RawValue>,
    #[serde(borrow)]
    d: &'a RawValue,
    #[serde(borrow, default)]
    flags: Option<&'a RawValue>,
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
    elements: Elements,
}

impl Source {
    pub fn new(path: &Path, told: Option<&Told>) -> Result<Source, ExchangeError> {
        let mut lines = Lines::open(path)?;
        if let Some(told) = told {
            let elements = Elements::told(told);
            let first = lines.need(HEADER_MAX as usize, || "at least one vector".to_owned())?;
            if header_of(first).is_ok() {
                return Err(lines.refuse("a header of a recording; allowed: an import without --subject"));
            }
            let vectors = Lines::open(path)?.count(elements.longest(LONGER), &is_blank)?;
            return Ok(Source { lines: Lines::open(path)?, header: told.header("jsonl", vectors), elements });
        }
        let text = lines.need(HEADER_MAX as usize, || "the header of a recording".to_owned())?;
        let header = header_of(text).map_err(|problem| lines.refuse(problem))?;
        let elements = Elements::of_header(&header);
        Ok(Source { lines, header, elements })
    }
}

/// Quotes, comma and some blanks come to each element.
const LONGER: usize = 14;

fn is_blank(text: &str) -> bool {
    text.trim().is_empty()
}

impl super::Source for Source {
    fn header(&self) -> &Header {
        &self.header
    }

    fn vector(&mut self, row: &mut Row) -> Result<(), ExchangeError> {
        let vectors = self.header.vectors();
        let longest = self.elements.longest(LONGER);
        let text = self.lines.need_beside(longest, &is_blank, || format!("{vectors} vectors after the header"))?;
        let parsed = parse(text, &self.elements, row);
        parsed.map_err(|problem| self.lines.refuse(problem))
    }

    fn end(&mut self) -> Result<(), ExchangeError> {
        self.lines.end(self.header.vectors(), &is_blank)
    }
}

fn parse(text: &str, elements: &Elements, row: &mut Row) -> Result<(), String> {
    let given: Given = serde_json::from_str(text).map_err(|error| format!("no vector: {error}"))?;
    let apart = given.flags.is_some();
    elements.check_flags(apart)?;
    let read = |field: usize, raw: &RawValue| {
        // A text, or else a number as it stands there.
        let text: String = serde_json::from_str(raw.get()).unwrap_or_else(|_| raw.get().to_owned());
        elements.read(field, FIELDS[field], &text, apart)
    };
    let operands = [given.a, given.b, given.scale_a, given.scale_b, given.c.into_iter().collect(), vec![given.d]];
    for (field, (texts, count)) in operands.iter().zip(elements.counts()).enumerate() {
        if texts.len() != count {
            return Err(format!("field `{}` has {} elements; allowed: {count}", FIELDS[field], texts.len()));
        }
        row[field].clear();
        for text in texts {
            row[field].push(read(field, text)?);
        }
    }
    let flags = given.flags.map(|flags| read(FLAGS, flags)).transpose()?;
    elements.join(row, flags);
    Ok(())
}
