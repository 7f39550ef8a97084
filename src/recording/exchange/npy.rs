//! NumPy arrays (NEP 1): one `.npy` file an operand, and the header as `recording.json` beside them.

use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Seek};
use std::path::{Path, PathBuf};

use npyz::{DType, NpyFile, NpyHeader, NpyReader, NpyWriter, Order, WriteOptions, WriterBuilder};

use super::{ExchangeError, OPERANDS, Row, check_width, counts, header_of};
use crate::recording::header::Header;
use crate::recording::stream::HEADER_MAX;

const HEADER: &str = "recording.json";

/// The operands that there are: number, path, shape and width of an element.
fn operands(folder: &Path, header: &Header) -> Vec<(usize, PathBuf, Vec<u64>, u32)> {
    let sizes = counts(&header.layout).into_iter().zip(header.layout.widths).enumerate();
    let present = sizes.filter(|(_, (count, _))| *count > 0);
    let each = |(operand, (count, width)): (usize, (usize, u32))| {
        // One addend and one result a vector: a row of numbers, no matrix.
        let shape = if operand < 4 { vec![header.vectors(), count as u64] } else { vec![header.vectors()] };
        (operand, folder.join(format!("{}.npy", OPERANDS[operand])), shape, width)
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
enum In {
    U8(NpyReader<u8, BufReader<File>>),
    U16(NpyReader<u16, BufReader<File>>),
    U32(NpyReader<u32, BufReader<File>>),
    U64(NpyReader<u64, BufReader<File>>),
}

impl In {
    fn next(&mut self) -> Option<std::io::Result<u64>> {
        match self {
            In::U8(elements) => elements.next().map(|element| element.map(u64::from)),
            In::U16(elements) => elements.next().map(|element| element.map(u64::from)),
            In::U32(elements) => elements.next().map(|element| element.map(u64::from)),
            In::U64(elements) => elements.next(),
        }
    }

    /// Opens an array, which must have that shape and unsigned integers of the least width that holds an element.
    fn open(path: &Path, shape: &[u64], width: u32) -> Result<In, ExchangeError> {
        let refuse = |problem: String| ExchangeError::place(path, "the header", problem);
        let read = |source| ExchangeError::Read { path: path.to_owned(), source };
        let file = File::open(path).map_err(read)?;
        let length = file.metadata().map_err(read)?.len();
        let mut input = BufReader::new(file);
        if header_length(&mut input).map_err(read)? > HEADER_MAX {
            return Err(refuse(format!("longer than {HEADER_MAX} bytes; allowed: at most so many")));
        }
        let header = NpyHeader::from_reader(&mut input).map_err(|error| refuse(format!("no NumPy array: {error}")))?;
        let bytes = u64::from(width.div_ceil(8)).next_power_of_two();
        let descr = match header.dtype() {
            DType::Plain(descr) => descr.to_string(),
            _ => "a record".to_owned(),
        };
        let allowed =
            if bytes == 1 { vec!["|u1".to_owned()] } else { ["<", ">"].map(|end| format!("{end}u{bytes}")).to_vec() };
        if !allowed.contains(&descr) {
            return Err(refuse(format!("field `descr` is {descr:?}; allowed: {}", allowed.join(", "))));
        }
        if header.shape() != shape {
            return Err(refuse(format!("field `shape` is {:?}; allowed: {shape:?}", header.shape())));
        }
        if header.order() != Order::C {
            return Err(refuse("field `fortran_order` is True; allowed: False".to_owned()));
        }
        let expected = input.stream_position().map_err(read)? + shape.iter().product::<u64>() * bytes;
        if length != expected {
            let problem = format!("{length} bytes; allowed: {expected}");
            return Err(ExchangeError::place(path, "the file", problem));
        }
        let array = NpyFile::with_header(header, input);
        macro_rules! read {
            ($case:ident, $element:ty, $array:expr) => {
                $array.data::<$element>().map(In::$case).map_err(|error| refuse(error.to_string()))
            };
        }
        by_width!(width, read => array)
    }
}

/// The length that an array's header says it has, 0 of what is no array. The stream stands at its begin afterwards.
fn header_length(input: &mut BufReader<File>) -> std::io::Result<u32> {
    let mut start = Vec::new();
    input.by_ref().take(12).read_to_end(&mut start)?;
    input.rewind()?;
    // NEP 1: six bytes of magic, two of the version, then 2 or, from version 2.0 on, 4 bytes of length.
    Ok(match start[..] {
        [_, _, _, _, _, _, 1, _, low, high, ..] => u32::from(u16::from_le_bytes([low, high])),
        [_, _, _, _, _, _, _, _, a, b, c, d] => u32::from_le_bytes([a, b, c, d]),
        _ => 0,
    })
}

/// Reads arrays.
pub(super) struct Source {
    arrays: Vec<(usize, PathBuf, In)>,
    header: Header,
    /// Vectors handed out.
    vectors: u64,
}

impl Source {
    pub fn new(folder: &Path) -> Result<Source, ExchangeError> {
        let path = folder.join(HEADER);
        let text =
            std::fs::read_to_string(&path).map_err(|source| ExchangeError::Read { path: path.clone(), source })?;
        let header = header_of(&text).map_err(|problem| ExchangeError::place(&path, "the header", problem))?;
        let mut arrays = Vec::new();
        for (operand, path, shape, width) in operands(folder, &header) {
            let array = In::open(&path, &shape, width)?;
            arrays.push((operand, path, array));
        }
        Ok(Source { arrays, header, vectors: 0 })
    }
}

impl super::Source for Source {
    fn header(&self) -> &Header {
        &self.header
    }

    fn vector(&mut self, row: &mut Row) -> Result<(), ExchangeError> {
        row.iter_mut().for_each(Vec::clear);
        let layout = &self.header.layout;
        let counts = counts(layout);
        for (operand, path, array) in &mut self.arrays {
            for index in 0..counts[*operand] {
                let refuse = |problem: String| {
                    ExchangeError::place(path, format!("element [{}, {index}]", self.vectors), problem)
                };
                let element = array.next().ok_or_else(|| refuse("missing".to_owned()))?;
                let element = element.map_err(|source| ExchangeError::Read { path: path.clone(), source })?;
                check_width(*operand, element, layout.widths[*operand]).map_err(refuse)?;
                row[*operand].push(element);
            }
        }
        self.vectors += 1;
        Ok(())
    }

    /// The lengths of the files were compared with the shapes.
    fn end(&mut self) -> Result<(), ExchangeError> {
        Ok(())
    }
}
