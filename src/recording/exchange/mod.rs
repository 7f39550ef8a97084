//! Recordings in layouts that other programs read and write: to them, and back.
//!
//! Never more than one chunk of vectors is in memory. What is written appears whole or not at all, and nothing that is
//! there already is overwritten.

#![doc = include_str!("EXCHANGE.md")]

mod bench;
mod csv;
mod elements;
mod jsonl;
mod lines;
mod npy;
mod numbers;
mod public;
mod readmemh;
mod staged;
mod told;

pub use bench::Testbench;
pub(super) use numbers::exactly as held;
pub use told::Told;

use std::io::{self, BufReader, BufWriter, Read};
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::header::{Header, Layout, VERSIONS, is_read};
use super::reader::Reader;
use super::stream::{CHUNK_VECTORS, Chunk, StreamError};
use super::writer::Writer;
use crate::describe::file::open;
use crate::engine::Batch;

/// A layout of other programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, clap::ValueEnum)]
pub enum Form {
    /// Text files of the public repository MATLAB-tensor-core; a folder
    Public,
    /// Hexadecimal memory files for SystemVerilog's $readmemh; a folder
    Readmemh,
    /// A JSON object a line; a file
    Jsonl,
    /// Comma-separated values, a column an element; a file
    Csv,
    /// NumPy arrays, one file an operand; a folder
    Npy,
}

/// What an export writes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum To {
    Layout(Form),
    /// A folder with a test bench and the vectors that it reads
    Testbench(Testbench),
}

/// Why a recording was not exported or not imported.
#[derive(Debug, Error)]
pub enum ExchangeError {
    #[error("{path}: cannot be read: {source}")]
    Read { path: PathBuf, source: io::Error },
    #[error("{path}: cannot be written: {source}")]
    Write { path: PathBuf, source: io::Error },
    #[error("{path}: is there already; allowed: a new name")]
    There { path: PathBuf },
    #[error("{path}: {place}: {problem}")]
    Place { path: PathBuf, place: String, problem: String },
    #[error("{path}: {source}")]
    Stream { path: PathBuf, source: StreamError },
}

impl ExchangeError {
    fn place(path: &Path, place: impl Into<String>, problem: impl Into<String>) -> ExchangeError {
        ExchangeError::Place { path: path.to_owned(), place: place.into(), problem: problem.into() }
    }
}

/// Vectors that a header may announce: so many elements of every operand can still be counted in bytes.
const VECTORS_MAX: u64 = 1 << 44;

/// The elements of one vector, operand by operand; none of an operand that the layout does not have.
type Row = [Vec<u64>; 6];

/// Elements of each operand in a row.
fn counts(layout: &Layout) -> [usize; 6] {
    let mut counts = layout.elements(1);
    counts.iter_mut().zip(layout.widths).filter(|(_, width)| *width == 0).for_each(|(count, _)| *count = 0);
    counts
}

/// Takes vectors in their order.
trait Sink {
    fn vector(&mut self, number: u64, row: &Row) -> Result<(), ExchangeError>;

    /// Everything is handed to the operating system.
    fn finish(self: Box<Self>) -> Result<(), ExchangeError>;
}

/// Hands out vectors in their order.
trait Source {
    fn header(&self) -> &Header;

    /// The next of the vectors that the header announces.
    fn vector(&mut self, row: &mut Row) -> Result<(), ExchangeError>;

    /// That nothing follows the last one.
    fn end(&mut self) -> Result<(), ExchangeError>;
}

/// What is to be exported of a file.
#[derive(Debug, Clone, Copy, Default)]
pub struct Exported<'a> {
    /// Subject of the recording; without, the file has to hold one alone.
    pub subject: Option<&'a str>,
    /// Name of the folder in the public layout.
    pub device: Option<&'a str>,
}

/// Writes a recording in another layout, or with a test bench, and returns its header.
///
/// # Errors
/// The file is damaged, holds no such recording or several, or the recording cannot be said in that layout; or `out` is
/// there already or cannot be written.
pub fn export(path: &Path, to: &To, what: Exported, out: &Path) -> Result<Header, ExchangeError> {
    let Exported { subject, device } = what;
    let file = open(path).map_err(|source| ExchangeError::Read { path: path.to_owned(), source })?;
    let mut reader = Reader::new(BufReader::new(file)).map_err(|source| stream(path, source))?;
    let mut subjects = vec![reader.header().subject.clone()];
    while subject.is_some_and(|subject| subject != reader.header().subject) {
        if !reader.next_recording().map_err(|source| stream(path, source))? {
            let problem =
                format!("{:?} is not among them; allowed: {}", subject.unwrap_or_default(), subjects.join(", "));
            return Err(ExchangeError::place(path, "the recordings", problem));
        }
        subjects.push(reader.header().subject.clone());
    }
    let header = reader.header().clone();
    header.recorded().map_err(|problem| ExchangeError::place(path, "the header", problem))?;
    match to {
        To::Layout(form @ (Form::Jsonl | Form::Csv)) => {
            let file = staged::file(out)?;
            let sink: Box<dyn Sink> = match form {
                Form::Csv => Box::new(csv::Sink::new(out, file.file.as_file(), &header)?),
                _ => Box::new(jsonl::Sink::new(out, BufWriter::new(file.file.as_file()), &header)?),
            };
            write_all(path, &mut reader, sink)?;
            check_rest(path, &mut reader, subjects, subject)?;
            staged::publish_file(file, out)?;
        }
        to => {
            let folder = staged::folder(out)?;
            let content = folder.path();
            let sink: Box<dyn Sink> = match to {
                To::Testbench(bench) => Box::new(bench::Sink::new(path, &content, &header, bench)?),
                To::Layout(Form::Public) => Box::new(public::Sink::new(path, &content, &header, device)?),
                To::Layout(Form::Readmemh) => Box::new(readmemh::Sink::new(&content, &header)?),
                _ => Box::new(npy::Sink::new(&content, &header)?),
            };
            write_all(path, &mut reader, sink)?;
            check_rest(path, &mut reader, subjects, subject)?;
            staged::publish_folder(folder, out)?;
        }
    }
    Ok(header)
}

/// Reads what follows the recording that was exported: whole, and nothing else that was asked for.
fn check_rest<R: Read>(
    path: &Path,
    reader: &mut Reader<R>,
    mut subjects: Vec<String>,
    subject: Option<&str>,
) -> Result<(), ExchangeError> {
    let mut too_many = false;
    while reader.next_recording().map_err(|source| stream(path, source))? {
        subjects.push(reader.header().subject.clone());
        too_many |= subject.is_none_or(|subject| subject == reader.header().subject);
    }
    if too_many {
        let problem = format!("of {}; allowed: one, or one that --subject names", subjects.join(", "));
        return Err(ExchangeError::place(path, format!("{} recordings", subjects.len()), problem));
    }
    Ok(())
}

fn write_all<R: Read>(path: &Path, reader: &mut Reader<R>, mut sink: Box<dyn Sink + '_>) -> Result<(), ExchangeError> {
    let header = reader.header().clone();
    let counts = counts(&header.layout);
    let (mut chunk, mut row) = (Chunk::new(&header.layout), Row::default());
    while reader.next(&mut chunk).map_err(|source| stream(path, source))? {
        let vectors = chunk.results.len();
        if chunk.first + vectors as u64 > header.vectors() {
            let problem = format!("allowed: the {} vectors of the header", header.vectors());
            return Err(ExchangeError::place(path, format!("vector {}", header.vectors()), problem));
        }
        let Batch { a, b, c, scale_a, scale_b, .. } = &chunk.batch;
        let arrays = [a, b, scale_a, scale_b, c, &chunk.results];
        for v in 0..vectors {
            for ((operand, array), count) in row.iter_mut().zip(arrays).zip(counts) {
                operand.clear();
                operand.extend_from_slice(&array[v * count..][..count]);
            }
            sink.vector(chunk.first + v as u64, &row)?;
        }
    }
    sink.finish()
}

/// Reads a recording in another layout, writes it as a file of our own, and returns its header. `told` is for sources that have
/// no header and so do not say what they are, as the public layout never does.
///
/// # Errors
/// The source is not what its layout wants, or `out` is there already or cannot be written.
pub fn import(path: &Path, form: Form, told: Option<&Told>, out: &Path) -> Result<Header, ExchangeError> {
    let file = staged::file(out)?;
    let holds = "allowed: those of jsonl, csv and npy";
    if let (Some(Told { numbers: true, .. }), Form::Public | Form::Readmemh) = (told, form) {
        return Err(ExchangeError::place(path, "numbers", format!("this layout has other elements; {holds}")));
    }
    let mut source: Box<dyn Source> = match (form, told) {
        (Form::Public, Some(told)) => Box::new(public::Source::new(path, told)?),
        (Form::Public, None) => {
            let problem = "says neither subject nor device; allowed: an import that is told both";
            return Err(ExchangeError::place(path, "the public layout", problem));
        }
        (Form::Readmemh, told) => Box::new(readmemh::Source::new(path, told)?),
        (Form::Jsonl, told) => Box::new(jsonl::Source::new(path, told)?),
        (Form::Csv, told) => Box::new(csv::Source::new(path, told)?),
        (Form::Npy, told) => Box::new(npy::Source::new(path, told)?),
    };
    let header = source.header().clone();
    read_all(source.as_mut(), &header, out, &file.file)?;
    staged::publish_file(file, out)?;
    Ok(header)
}

fn read_all(
    source: &mut dyn Source,
    header: &Header,
    out: &Path,
    file: &tempfile::NamedTempFile,
) -> Result<(), ExchangeError> {
    let failed = |source| stream(out, source);
    let mut writer = Writer::new(BufWriter::new(file.as_file()), header).map_err(failed)?;
    let (mut chunk, mut row) = (Chunk::new(&header.layout), Row::default());
    for part in &header.parts {
        // Chunks begin anew with each part, as `record` writes them.
        for first in (0..part.vectors).step_by(CHUNK_VECTORS as usize) {
            let count = (part.vectors - first).min(CHUNK_VECTORS);
            chunk.batch.clear();
            chunk.results.clear();
            for _ in 0..count {
                source.vector(&mut row)?;
                let Batch { a, b, c, scale_a, scale_b, .. } = &mut chunk.batch;
                for (array, operand) in [a, b, scale_a, scale_b, &mut *c, &mut chunk.results].into_iter().zip(&row) {
                    array.extend_from_slice(operand);
                }
                // An addend that is not there is no element of the source, and zero in a batch.
                if row[4].is_empty() {
                    c.push(0);
                }
            }
            writer.chunk(&chunk.batch, &chunk.results).map_err(failed)?;
        }
    }
    source.end()?;
    writer.finish().map_err(failed).map(drop)
}

fn stream(path: &Path, source: StreamError) -> ExchangeError {
    ExchangeError::Stream { path: path.to_owned(), source }
}

/// The header in a line of text, or what is wrong with it.
fn header_of(text: &str) -> Result<Header, String> {
    let header: Header = serde_json::from_str(text).map_err(|error| {
        format!("no header of a recording: {error}; allowed: one, or --subject with a source that has none")
    })?;
    if !is_read(header.version.into()) {
        return Err(format!("field `version` is {}; allowed: {VERSIONS}", header.version));
    }
    let vectors = header.parts.iter().try_fold(0u64, |sum, part| sum.checked_add(part.vectors));
    if vectors.is_none_or(|vectors| vectors > VECTORS_MAX) {
        return Err(format!("field `parts` has more vectors than there are; allowed: at most {VECTORS_MAX}"));
    }
    header.recorded()?;
    Ok(header)
}

/// That an element has no more bits than its operand.
fn check_width(name: &str, value: u64, width: u32) -> Result<(), String> {
    if width < 64 && value >> width != 0 {
        return Err(format!("field `{name}` is {value:#x}; allowed: {width} bits"));
    }
    Ok(())
}

fn digits(width: u32) -> usize {
    width.div_ceil(4) as usize
}
