//! Comma-separated values (RFC 4180): names of columns, then a row a vector. Where the program wrote them, the header comes
//! before, as a comment.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use csv::{ReaderBuilder, StringRecord, Writer};

use super::elements::{Elements, FIELDS, FLAGS};
use super::lines::Lines;
use super::{ExchangeError, Row, Told, counts, digits, header_of};
use crate::describe::text::Foreign;
use crate::recording::header::{Header, Layout};
use crate::recording::stream::HEADER_MAX;

/// What stands before the header.
const MARK: &str = "# ";

/// Writes rows.
pub(super) struct Sink<'a> {
    path: PathBuf,
    out: Writer<BufWriter<&'a File>>,
    layout: Layout,
}

impl<'a> Sink<'a> {
    pub fn new(path: &Path, file: &'a File, header: &Header) -> Result<Sink<'a>, ExchangeError> {
        let text = serde_json::to_string(header).expect("a header is made of numbers and texts");
        let mut out = BufWriter::new(file);
        let failed = |source| ExchangeError::Write { path: path.to_owned(), source };
        writeln!(out, "{MARK}{text}").map_err(failed)?;
        let mut sink = Sink { path: path.to_owned(), out: Writer::from_writer(out), layout: header.layout.clone() };
        let [a, b, scale_a, scale_b, c, d] = counts(&sink.layout);
        sink.row(Column::each([a, b, scale_a, scale_b, c, d, 0]).iter().map(Column::name))?;
        Ok(sink)
    }

    fn row(&mut self, cells: impl Iterator<Item = String>) -> Result<(), ExchangeError> {
        let written = self.out.write_record(cells);
        written.map_err(|error| ExchangeError::Write { path: self.path.clone(), source: error.into() })
    }
}

impl super::Sink for Sink<'_> {
    fn vector(&mut self, _number: u64, row: &Row) -> Result<(), ExchangeError> {
        let cells: Vec<String> = (row.iter().zip(self.layout.widths))
            .flat_map(|(elements, width)| {
                let length = digits(width);
                elements.iter().map(move |element| format!("0x{element:0length$x}"))
            })
            .collect();
        self.row(cells.into_iter())
    }

    fn finish(mut self: Box<Self>) -> Result<(), ExchangeError> {
        self.out.flush().map_err(|source| ExchangeError::Write { path: self.path, source })
    }
}

/// What a column holds: all elements of a field, or one of them.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Column {
    field: usize,
    index: Option<usize>,
}

impl Column {
    fn name(&self) -> String {
        format!("{}{}", FIELDS[self.field], self.index.map_or(String::new(), |index| index.to_string()))
    }

    /// A column an element; what has one element alone has no number.
    fn each(counts: [usize; 7]) -> Vec<Column> {
        let of = |(field, count): (usize, usize)| {
            (0..count).map(move |index| Column { field, index: (field < 4).then_some(index) })
        };
        counts.into_iter().enumerate().flat_map(of).collect()
    }

    /// The column of that name, if there is one.
    fn named(name: &str, counts: [usize; 7]) -> Option<Column> {
        let lists = (0..4).filter(|&field| counts[field] > 0).map(|field| Column { field, index: None });
        Column::each(counts).into_iter().chain(lists).find(|column| column.name() == name)
    }
}

/// Reads rows.
pub(super) struct Source {
    lines: Lines,
    header: Header,
    elements: Elements,
    columns: Vec<Column>,
    record: StringRecord,
}

impl Source {
    pub fn new(path: &Path, told: Option<&Told>) -> Result<Source, ExchangeError> {
        let mut lines = Lines::open(path)?;
        let (header, elements) = match told {
            None => {
                let text = lines.need(HEADER_MAX as usize, || "the header of a recording".to_owned())?;
                let text = text.strip_prefix(MARK).ok_or_else(|| "no comment; allowed: # and the header".to_owned());
                let header = text.and_then(header_of).map_err(|problem| lines.refuse(problem))?;
                let elements = Elements::of_header(&header);
                (header, elements)
            }
            Some(told) => {
                let elements = Elements::told(told);
                let rows = Lines::open(path)?.count(elements.longest(4), &is_blank)?;
                (told.header("csv", rows.saturating_sub(1)), elements)
            }
        };
        let longest = elements.longest(16);
        let text = lines.need(longest, || "the names of the columns".to_owned())?;
        let columns = columns(text.trim_start_matches('\u{feff}'), elements.counts());
        let columns = columns.map_err(|problem| lines.refuse(problem))?;
        let apart = columns.iter().any(|column| column.field == FLAGS);
        elements.check_flags(apart).map_err(|problem| lines.refuse(problem))?;
        if header.vectors() == 0 {
            return Err(lines.refuse("nothing follows; allowed: at least one row"));
        }
        Ok(Source { lines, header, elements, columns, record: StringRecord::new() })
    }
}

fn is_blank(text: &str) -> bool {
    text.trim().is_empty()
}

/// The cells of a line.
fn cells(text: &str, record: &mut StringRecord) -> Result<(), String> {
    let mut reader = ReaderBuilder::new().has_headers(false).flexible(true).from_reader(text.as_bytes());
    reader.read_record(record).map(drop).map_err(|error| error.to_string())
}

/// The columns that the first row names: every element once.
fn columns(text: &str, counts: [usize; 7]) -> Result<Vec<Column>, String> {
    let mut record = StringRecord::new();
    cells(text, &mut record)?;
    let each = Column::each(counts);
    let mut columns: Vec<Column> = Vec::new();
    for name in record.iter().map(str::trim) {
        let Some(column) = Column::named(name, counts) else {
            if text.starts_with(MARK) {
                return Err("a header of a recording; allowed: an import without --subject".to_owned());
            }
            let names: Vec<String> = each.iter().map(Column::name).collect();
            let allowed = format!("{}; or a, b and scales as lists", names.join(", "));
            return Err(format!("column {}; allowed: {allowed}", name.shown()));
        };
        let overlaps = |other: &&Column| {
            other.field == column.field
                && (other.index == column.index || other.index.is_none() || column.index.is_none())
        };
        if columns.iter().any(|other| overlaps(&other)) {
            return Err(format!("column `{name}` is there twice; allowed: each element once"));
        }
        columns.push(column);
    }
    let is_there = |wanted: &&Column| {
        let holds = |column: &Column| column.field == wanted.field && (column.index.is_none() || column == *wanted);
        wanted.field == FLAGS || columns.iter().any(holds)
    };
    match each.iter().find(|wanted| !is_there(wanted)) {
        None => Ok(columns),
        Some(missing) => Err(format!("column `{}` is missing; allowed: each element once", missing.name())),
    }
}

impl super::Source for Source {
    fn header(&self) -> &Header {
        &self.header
    }

    fn vector(&mut self, row: &mut Row) -> Result<(), ExchangeError> {
        let vectors = self.header.vectors();
        let longest = self.elements.longest(4);
        let text = self.lines.need_beside(longest, &is_blank, || format!("{vectors} vectors"))?;
        let read = cells(text, &mut self.record).and_then(|()| self.read(row));
        read.map_err(|problem| self.lines.refuse(problem))
    }

    fn end(&mut self) -> Result<(), ExchangeError> {
        self.lines.end(self.header.vectors(), &is_blank)
    }
}

impl Source {
    /// The row that the cells say.
    fn read(&self, row: &mut Row) -> Result<(), String> {
        let Source { elements, columns, record, .. } = self;
        if record.len() != columns.len() {
            return Err(format!("{} cells; allowed: {}, as the columns have names", record.len(), columns.len()));
        }
        let counts = elements.counts();
        for (operand, count) in row.iter_mut().zip(counts) {
            operand.clear();
            operand.resize(count, 0);
        }
        let apart = columns.iter().any(|column| column.field == FLAGS);
        let mut flags = None;
        for (column, cell) in columns.iter().zip(record.iter().map(str::trim)) {
            let (field, name) = (column.field, column.name());
            let read = |text: &str| elements.read(field, &name, text, apart);
            match (field, column.index) {
                (FLAGS, _) => flags = Some(read(cell)?),
                (_, Some(index)) => row[field][index] = read(cell)?,
                // Addend and result are one element each.
                (4.., None) => row[field][0] = read(cell)?,
                (_, None) => {
                    let texts: Vec<&str> = cell.split_whitespace().collect();
                    if texts.len() != counts[field] {
                        let (found, allowed) = (texts.len(), counts[field]);
                        return Err(format!("field `{name}` has {found} elements; allowed: {allowed}"));
                    }
                    row[field] = texts.into_iter().map(read).collect::<Result<_, _>>()?;
                }
            }
        }
        elements.join(row, flags);
        Ok(())
    }
}
