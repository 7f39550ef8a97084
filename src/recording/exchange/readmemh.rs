//! Hexadecimal memory files: one file an operand, one line a vector, for SystemVerilog's `$readmemh`
//! (IEEE 1800-2017, 21.4).

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use super::elements::{Elements, FIELDS, FLAGS};
use super::lines::Lines;
use super::{ExchangeError, Row, Told, counts, digits, header_of};
use crate::describe::text::Foreign;
use crate::recording::header::Header;
use crate::recording::stream::HEADER_MAX;

const FIRST: &str = "// tensorsmith memory file, version 1";

/// What the third line says of an operand: where its elements are, and the memory that holds it.
fn description(header: &Header, operand: usize) -> String {
    let (name, width) = (FIELDS[operand], header.layout.widths[operand]);
    let count = counts(&header.layout)[operand];
    let (last_bit, vectors) = (count * width as usize - 1, header.vectors());
    let last = vectors.saturating_sub(1);
    format!(
        "// {name}: {count} elements of {width} bits, element i in bits [i*{width} +: {width}]; \
         {vectors} lines for logic [{last_bit}:0] {name} [0:{last}]"
    )
}

/// The operands that there are: number, path, elements and their width.
fn operands(folder: &Path, header: &Header) -> Vec<(usize, PathBuf, usize, u32)> {
    let sizes = counts(&header.layout).into_iter().zip(header.layout.widths).enumerate();
    let present = sizes.filter(|(_, (count, _))| *count > 0);
    present.map(|(operand, (count, width))| (operand, file(folder, operand), count, width)).collect()
}

fn file(folder: &Path, operand: usize) -> PathBuf {
    folder.join(format!("{}.hex", FIELDS[operand]))
}

/// Writes memory files.
pub(super) struct Sink {
    files: Vec<Memory>,
    digits: String,
}

struct Memory {
    operand: usize,
    path: PathBuf,
    width: u32,
    out: BufWriter<File>,
}

impl Sink {
    pub fn new(folder: &Path, header: &Header) -> Result<Sink, ExchangeError> {
        let text = serde_json::to_string(header).expect("a header is made of numbers and texts");
        let mut files = Vec::new();
        for (operand, path, _, width) in operands(folder, header) {
            let failed = |source| ExchangeError::Write { path: path.clone(), source };
            let mut out = BufWriter::new(File::create(&path).map_err(failed)?);
            writeln!(out, "{FIRST}\n// {text}\n{}", description(header, operand)).map_err(failed)?;
            files.push(Memory { operand, path, width, out });
        }
        Ok(Sink { files, digits: String::new() })
    }
}

impl super::Sink for Sink {
    fn vector(&mut self, _number: u64, row: &Row) -> Result<(), ExchangeError> {
        for memory in &mut self.files {
            hexadecimal(&row[memory.operand], memory.width, &mut self.digits);
            let written = writeln!(memory.out, "{}", self.digits);
            written.map_err(|source| ExchangeError::Write { path: memory.path.clone(), source })?;
        }
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<(), ExchangeError> {
        for mut memory in self.files {
            memory.out.flush().map_err(|source| ExchangeError::Write { path: memory.path, source })?;
        }
        Ok(())
    }
}

/// All elements as one number, element 0 in its lowest bits.
fn hexadecimal(elements: &[u64], width: u32, text: &mut String) {
    text.clear();
    let length = digits(elements.len() as u32 * width);
    // Bits of the digit that is gathered, from the lowest on.
    let bit = |place: usize| {
        let (element, bit) = (place / width as usize, place % width as usize);
        elements.get(element).map_or(0, |element| element >> bit & 1) as u32
    };
    for digit in (0..length).rev() {
        let value = (0..4).map(|place| bit(4 * digit + place) << place).sum();
        text.push(char::from_digit(value, 16).expect("four bits are a digit"));
    }
}

/// The elements of such a number, or what is wrong with it.
fn elements(memory: &Words, text: &str, elements: &mut Vec<u64>) -> Result<(), String> {
    let Words { field, count, width, .. } = *memory;
    let length = digits(count as u32 * width);
    let refuse = || {
        let name = FIELDS[field];
        format!("field `{name}` is {text:?}; allowed: {length} hexadecimal digits, {count} elements of {width} bits")
    };
    if text.len() != length || !text.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return Err(refuse());
    }
    elements.clear();
    elements.resize(count, 0);
    for (digit, character) in text.chars().rev().enumerate() {
        let value = u64::from(character.to_digit(16).unwrap_or_default());
        for bit in (0..4).filter(|bit| value >> bit & 1 == 1) {
            let place = 4 * digit + bit;
            match elements.get_mut(place / width as usize) {
                Some(element) => *element |= 1 << (place % width as usize),
                None => return Err(refuse()),
            }
        }
    }
    Ok(())
}

/// A memory file that is read.
struct Words {
    field: usize,
    count: usize,
    width: u32,
    /// Whether the program wrote it, with a header.
    is_own: bool,
    lines: Lines,
}

/// Reads memory files.
pub(super) struct Source {
    files: Vec<Words>,
    header: Header,
    elements: Elements,
}

impl Source {
    pub fn new(folder: &Path, told: Option<&Told>) -> Result<Source, ExchangeError> {
        if let Some(told) = told {
            return Source::told(folder, told);
        }
        let (_, header) = open(&file(folder, 0))?;
        let mut files = Vec::new();
        for (field, path, count, width) in operands(folder, &header) {
            let (mut lines, own) = open(&path)?;
            if own != header {
                return Err(lines.refuse(format!("another header than that of {}", file(folder, 0).shown())));
            }
            let expected = description(&header, field);
            let found = lines.need(HEADER_MAX as usize, || expected.clone())?;
            if found != expected {
                let problem = format!("{found:?}; allowed: {expected:?}");
                return Err(lines.refuse(problem));
            }
            files.push(Words { field, count, width, is_own: true, lines });
        }
        let elements = Elements::of_header(&header);
        Ok(Source { files, header, elements })
    }

    /// Files without header: words, and comments and blank lines between them.
    fn told(folder: &Path, told: &Told) -> Result<Source, ExchangeError> {
        let elements = Elements::told(told);
        let apart = elements.counts()[FLAGS] > 0 && file(folder, FLAGS).exists();
        let mut files = Vec::new();
        for (field, count) in elements.counts().into_iter().enumerate() {
            if count > 0 && (field != FLAGS || apart) {
                let lines = Lines::open(&file(folder, field))?;
                files.push(Words { field, count, width: elements.width(field, apart), is_own: false, lines });
            }
        }
        let path = file(folder, 0);
        let mut lines = Lines::open(&path)?;
        if lines.next(HEADER_MAX as usize)? == Some(FIRST) {
            return Err(lines.refuse("a header of a recording; allowed: an import without --subject"));
        }
        let vectors = Lines::open(&path)?.count(longest(&files[0]), &|text| word(text).is_empty())?;
        if vectors == 0 {
            return Err(lines.refuse("no word; allowed: at least one vector"));
        }
        Ok(Source { files, header: told.header("readmemh", vectors), elements })
    }
}

/// Longest line of a file: its digits, a mark between any two, and a comment.
fn longest(memory: &Words) -> usize {
    2 * digits(memory.count as u32 * memory.width) + 1024
}

/// What stands in a line before a comment.
fn word(text: &str) -> &str {
    text.split("//").next().unwrap_or_default().trim()
}

/// Opens a file and reads its first two lines.
fn open(path: &Path) -> Result<(Lines, Header), ExchangeError> {
    let mut lines = Lines::open(path)?;
    let first = lines.need(HEADER_MAX as usize, || FIRST.to_owned())?;
    if first != FIRST {
        let problem = format!("{first:?}; allowed: {FIRST:?}, or --subject with files that have no header");
        return Err(lines.refuse(problem));
    }
    let text = lines.need(HEADER_MAX as usize + 3, || "the header of a recording".to_owned())?;
    let header = text.strip_prefix("// ").ok_or_else(|| "no comment; allowed: // and the header".to_owned());
    let header = header.and_then(header_of).map_err(|problem| lines.refuse(problem))?;
    Ok((lines, header))
}

impl super::Source for Source {
    fn header(&self) -> &Header {
        &self.header
    }

    fn vector(&mut self, row: &mut Row) -> Result<(), ExchangeError> {
        row.iter_mut().for_each(Vec::clear);
        let vectors = self.header.vectors();
        let mut flags = None;
        for memory in &mut self.files {
            let longest = longest(memory);
            let is_blank = |text: &str| !memory.is_own && word(text).is_empty();
            let text = memory.lines.need_beside(longest, &is_blank, || format!("{vectors} vectors"))?;
            // IEEE 1800-2017, 21.4: a word may have marks between its digits.
            let text = if memory.is_own { text.to_owned() } else { word(text).replace('_', "") };
            let mut read = Vec::new();
            elements(memory, &text, &mut read).map_err(|problem| memory.lines.refuse(problem))?;
            match memory.field {
                FLAGS => flags = read.first().copied(),
                operand => row[operand] = read,
            }
        }
        self.elements.join(row, flags);
        Ok(())
    }

    fn end(&mut self) -> Result<(), ExchangeError> {
        let vectors = self.header.vectors();
        self.files.iter_mut().try_for_each(|memory| {
            let is_own = memory.is_own;
            memory.lines.end(vectors, &|text| !is_own && word(text).is_empty())
        })
    }
}
