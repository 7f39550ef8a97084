//! NumPy arrays (NEP 1): one `.npy` file an operand, and the header as `recording.json` beside them.

use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Seek};
use std::path::{Path, PathBuf};

use npyz::{DType, NpyWriter, Order, WriteOptions, WriterBuilder};

use super::elements::{Elements, FIELDS, FLAGS};
use super::numbers::{Letter, number};
use super::{ExchangeError, Row, Told, check_width, counts, header_of};
use crate::describe::file::{open, text_of};
use crate::recording::header::Header;
use crate::recording::npy_header;

const HEADER: &str = "recording.json";

/// The operands that there are: number, path, shape and width of an element.
fn operands(folder: &Path, header: &Header) -> Vec<(usize, PathBuf, Vec<u64>, u32)> {
    let sizes = counts(&header.layout).into_iter().zip(header.layout.widths).enumerate();
    let present = sizes.filter(|(_, (count, _))| *count > 0);
    let each = |(operand, (count, width)): (usize, (usize, u32))| {
        // One addend and one result a vector: a row of numbers, no matrix.
        let shape = if operand < 4 { vec![header.vectors(), count as u64] } else { vec![header.vectors()] };
        (operand, folder.join(format!("{}.npy", FIELDS[operand])), shape, width)
    };
    present.map(each).collect()
}

/// Unsigned integers of the least width that holds an element.
macro_rules! by_width {
    ($width:expr, $of:ident => $made:expr) => {
        match $width {
            0..=8 => $of!(U8, u8, $made),
            9..=16 => $of!(U16, u16, $made),
            17..=32 => $of!(U32, u32, $made),
            _ => $of!(U64, u64, $made),
        }
    };
}

/// An array that is written.
enum Out {
    U8(NpyWriter<u8, BufWriter<File>>),
    U16(NpyWriter<u16, BufWriter<File>>),
    U32(NpyWriter<u32, BufWriter<File>>),
    U64(NpyWriter<u64, BufWriter<File>>),
}

impl Out {
    fn begin(file: File, shape: &[u64], width: u32) -> std::io::Result<Out> {
        let out = BufWriter::new(file);
        macro_rules! begin {
            ($case:ident, $element:ty, $out:expr) => {
                WriteOptions::<$element>::new().default_dtype().shape(shape).writer($out).begin_nd().map(Out::$case)
            };
        }
        by_width!(width, begin => out)
    }

    fn push(&mut self, element: u64) -> std::io::Result<()> {
        match self {
            Out::U8(out) => out.push(&(element as u8)),
            Out::U16(out) => out.push(&(element as u16)),
            Out::U32(out) => out.push(&(element as u32)),
            Out::U64(out) => out.push(&element),
        }
    }

    fn finish(self) -> std::io::Result<()> {
        match self {
            Out::U8(out) => out.finish(),
            Out::U16(out) => out.finish(),
            Out::U32(out) => out.finish(),
            Out::U64(out) => out.finish(),
        }
    }
}

/// Writes arrays.
pub(super) struct Sink {
    arrays: Vec<(usize, PathBuf, Out)>,
}

impl Sink {
    pub fn new(folder: &Path, header: &Header) -> Result<Sink, ExchangeError> {
        let path = folder.join(HEADER);
        let text = serde_json::to_string_pretty(header).expect("a header is made of numbers and texts") + "\n";
        std::fs::write(&path, text).map_err(|source| ExchangeError::Write { path, source })?;
        let mut arrays = Vec::new();
        for (operand, path, shape, width) in operands(folder, header) {
            let out = File::create(&path).and_then(|file| Out::begin(file, &shape, width));
            let out = out.map_err(|source| ExchangeError::Write { path: path.clone(), source })?;
            arrays.push((operand, path, out));
        }
        Ok(Sink { arrays })
    }
}

impl super::Sink for Sink {
    fn vector(&mut self, _number: u64, row: &Row) -> Result<(), ExchangeError> {
        for (operand, path, out) in &mut self.arrays {
            let written = row[*operand].iter().try_for_each(|element| out.push(*element));
            written.map_err(|source| ExchangeError::Write { path: path.clone(), source })?;
        }
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<(), ExchangeError> {
        for (_, path, out) in self.arrays {
            out.finish().map_err(|source| ExchangeError::Write { path, source })?;
        }
        Ok(())
    }
}

/// An array that is read.
struct In {
    field: usize,
    path: PathBuf,
    input: BufReader<File>,
    letter: Letter,
    /// Of an element.
    bytes: usize,
    big_endian: bool,
    shape: Vec<u64>,
}

/// NumPy's types as its headers name them, of these letters and so many bytes, in either order of bytes.
fn types(letters: &[Letter], bytes: &[usize]) -> Vec<String> {
    let each = |letter: Letter, bytes: usize| match (letter, bytes) {
        (Letter::Float, 1) => Vec::new(),
        (letter, 1) => vec![format!("|{}1", letter.name())],
        (letter, bytes) => ["<", ">"].map(|end| format!("{end}{}{bytes}", letter.name())).to_vec(),
    };
    let each = |&letter: &Letter| bytes.iter().flat_map(move |&bytes| each(letter, bytes));
    letters.iter().flat_map(each).collect()
}

impl In {
    /// Opens an array of one of those types.
    fn open(field: usize, path: PathBuf, allowed: &[String]) -> Result<In, ExchangeError> {
        let refuse = |problem: String| ExchangeError::place(&path, "the header", problem);
        let read = |source| ExchangeError::Read { path: path.clone(), source };
        let file = open(&path).map_err(read)?;
        let length = file.metadata().map_err(read)?.len();
        let mut input = BufReader::new(file);
        let (header, behind) = npy_header(&mut input).map_err(read)?.map_err(refuse)?;
        input.seek_relative(-(behind.len() as i64)).map_err(read)?;
        let descr = match header.dtype() {
            DType::Plain(descr) => descr.to_string(),
            _ => "a record".to_owned(),
        };
        let letter = descr.chars().nth(1).and_then(Letter::named).filter(|_| allowed.contains(&descr));
        let bytes = descr.get(2..).and_then(|digits| digits.parse::<usize>().ok());
        let (Some(letter), Some(bytes)) = (letter, bytes) else {
            return Err(refuse(format!("field `descr` is {descr:?}; allowed: {}", allowed.join(", "))));
        };
        if header.order() != Order::C {
            return Err(refuse("field `fortran_order` is True; allowed: False".to_owned()));
        }
        let shape = header.shape().to_vec();
        let elements = shape.iter().try_fold(bytes as u64, |all, &size| all.checked_mul(size));
        let expected = elements.unwrap_or(u64::MAX).saturating_add(input.stream_position().map_err(read)?);
        let big_endian = descr.starts_with('>');
        let array = In { field, path, input, letter, bytes, big_endian, shape };
        match length == expected {
            true => Ok(array),
            false => Err(ExchangeError::place(&array.path, "the file", format!("{length} bytes; allowed: {expected}"))),
        }
    }

    /// That the array has one of those shapes.
    fn check_shape(&self, allowed: &[Vec<u64>]) -> Result<(), ExchangeError> {
        if allowed.contains(&self.shape) {
            return Ok(());
        }
        let words: Vec<String> = allowed.iter().map(|shape| format!("{shape:?}")).collect();
        let problem = format!("field `shape` is {:?}; allowed: {}", self.shape, words.join(" or "));
        Err(ExchangeError::place(&self.path, "the header", problem))
    }

    /// The bits of the next element.
    fn next(&mut self) -> Result<u64, ExchangeError> {
        let mut bytes = [0; 8];
        let own = &mut bytes[..self.bytes];
        self.input.read_exact(own).map_err(|source| ExchangeError::Read { path: self.path.clone(), source })?;
        if self.big_endian {
            own.reverse();
        }
        Ok(u64::from_le_bytes(bytes))
    }
}

/// Reads arrays.
pub(super) struct Source {
    arrays: Vec<In>,
    header: Header,
    elements: Elements,
    /// Vectors handed out.
    vectors: u64,
}

impl Source {
    pub fn new(folder: &Path, told: Option<&Told>) -> Result<Source, ExchangeError> {
        let path = folder.join(HEADER);
        match told {
            Some(_) if path.exists() => {
                let problem = "is there; allowed: an import without --subject".to_owned();
                return Err(ExchangeError::place(&path, "the header", problem));
            }
            Some(told) => return Source::told(folder, told),
            None if !path.exists() && folder.is_dir() => {
                let problem = "missing; allowed: one, or --subject with arrays that have none".to_owned();
                return Err(ExchangeError::place(&path, "the header", problem));
            }
            None => {}
        }
        let text = text_of(&path).map_err(|source| ExchangeError::Read { path: path.clone(), source })?;
        let header = header_of(&text).map_err(|problem| ExchangeError::place(&path, "the header", problem))?;
        let mut arrays = Vec::new();
        for (field, path, shape, width) in operands(folder, &header) {
            let bytes = (width.div_ceil(8) as usize).next_power_of_two();
            let array = In::open(field, path, &types(&[Letter::Unsigned], &[bytes]))?;
            array.check_shape(&[shape])?;
            arrays.push(array);
        }
        let elements = Elements::of_header(&header);
        Ok(Source { arrays, header, elements, vectors: 0 })
    }

    /// Arrays without header, of any type that holds the elements.
    fn told(folder: &Path, told: &Told) -> Result<Source, ExchangeError> {
        let elements = Elements::told(told);
        let counts = elements.counts();
        let path = |field: usize| folder.join(format!("{}.npy", FIELDS[field]));
        let apart = counts[FLAGS] > 0 && path(FLAGS).exists();
        elements.check_flags(apart).map_err(|problem| ExchangeError::place(folder, "the folder", problem))?;
        let mut arrays: Vec<In> = Vec::new();
        for (field, count) in
            counts.into_iter().enumerate().filter(|&(field, count)| count > 0 && (field != FLAGS || apart))
        {
            let letters: &[Letter] = match elements.format(field) {
                None => &[Letter::Unsigned],
                Some(format) if format.is_integer() => &[Letter::Float, Letter::Signed, Letter::Unsigned],
                Some(_) => &[Letter::Float, Letter::Signed],
            };
            let array = In::open(field, path(field), &types(letters, &[1, 2, 4, 8]))?;
            let first = arrays.first().unwrap_or(&array);
            let vectors = first.shape.first().copied().unwrap_or_default();
            let matrix = vec![vectors, count as u64];
            array.check_shape(&if count == 1 { vec![vec![vectors], matrix] } else { vec![matrix] })?;
            if vectors == 0 {
                let problem = "field `shape` has no vector; allowed: at least one".to_owned();
                return Err(ExchangeError::place(&array.path, "the header", problem));
            }
            arrays.push(array);
        }
        let vectors = arrays[0].shape[0];
        Ok(Source { arrays, header: told.header("npy", vectors), elements, vectors: 0 })
    }
}

impl super::Source for Source {
    fn header(&self) -> &Header {
        &self.header
    }

    fn vector(&mut self, row: &mut Row) -> Result<(), ExchangeError> {
        row.iter_mut().for_each(Vec::clear);
        let Source { arrays, elements, vectors, .. } = self;
        let apart = arrays.iter().any(|array| array.field == FLAGS);
        let mut flags = None;
        for array in arrays {
            let (field, name) = (array.field, FIELDS[array.field]);
            for index in 0..elements.counts()[field] {
                let bits = array.next()?;
                let read = match elements.format(field) {
                    Some(format) => number(format, array.letter, array.bytes, bits)
                        .map_err(|problem| format!("field `{name}`: {problem}")),
                    None => check_width(name, bits, elements.width(field, apart)).map(|()| bits),
                };
                let element = read.map_err(|problem| {
                    ExchangeError::place(&array.path, format!("element [{vectors}, {index}]"), problem)
                })?;
                match field {
                    FLAGS => flags = Some(element),
                    operand => row[operand].push(element),
                }
            }
        }
        elements.join(row, flags);
        self.vectors += 1;
        Ok(())
    }

    /// The lengths of the files were compared with the shapes.
    fn end(&mut self) -> Result<(), ExchangeError> {
        Ok(())
    }
}
