//! Reading a recording chunk by chunk: never more than one chunk in memory, and nothing of a damaged one.

use std::io::{self, Read};

use super::bytes::{self, Summed};
use super::header::{Header, VERSION};
use super::stream::{CHUNK, CHUNK_MAX, Chunk, DATA_MAX, END, HEADER_MAX, MAGIC, StreamError};
use crate::engine::Batch;

/// Reads a recording chunk by chunk.
pub struct Reader<R: Read> {
    pub(super) input: Summed<R>,
    header: Header,
    /// Vectors of whole chunks so far.
    pub(super) vectors: u64,
    data: Vec<u8>,
    ended: bool,
}

impl<R: Read> Reader<R> {
    /// Reads the header.
    ///
    /// # Errors
    /// The stream cannot be read, is no recording, is damaged, or of another version.
    pub fn new(stream: R) -> Result<Reader<R>, StreamError> {
        let mut input = Summed::new(stream);
        let foreign = || damaged(0, "it does not begin as a recording does");
        let magic: [u8; 16] = read(&mut input).map_err(|error| match error {
            StreamError::Damaged { .. } => foreign(),
            other => other,
        })?;
        if magic != *MAGIC {
            return Err(foreign());
        }
        let length = u32::from_le_bytes(read(&mut input)?);
        if length > HEADER_MAX {
            return Err(damaged(16, format!("a header of {length} bytes; allowed: at most {HEADER_MAX}")));
        }
        let mut text = vec![0; length as usize];
        fill(&mut input, &mut text)?;
        checked(&mut input, 16, "the header")?;
        #[derive(serde::Deserialize)]
        struct Versioned {
            version: u64,
        }
        let wrong = |error: serde_json::Error| damaged(20, format!("the header: {error}"));
        let Versioned { version } = serde_json::from_slice(&text).map_err(wrong)?;
        if version != u64::from(VERSION) {
            return Err(StreamError::Version(version));
        }
        let header: Header = serde_json::from_slice(&text).map_err(wrong)?;
        if let Some(problem) = header.layout.problem() {
            return Err(damaged(20, format!("the header: {problem}")));
        }
        Ok(Reader { input, header, vectors: 0, data: Vec::new(), ended: false })
    }

    /// What the recording says about itself.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Reads the next chunk; `false` at the end, after which there is nothing.
    ///
    /// # Errors
    /// The stream cannot be read, is damaged, or stops early.
    pub fn next(&mut self, chunk: &mut Chunk) -> Result<bool, StreamError> {
        if self.ended {
            return Ok(false);
        }
        let start = self.input.position;
        let tag: [u8; 1] = read(&mut self.input)?;
        let first = u64::from_le_bytes(read(&mut self.input)?);
        match tag[0] {
            CHUNK => {}
            END => return self.end(start, first).map(|()| false),
            other => return Err(damaged(start, format!("neither a chunk nor the end, but {other:#04x}"))),
        }
        let vectors = u32::from_le_bytes(read(&mut self.input)?);
        let length = u32::from_le_bytes(read(&mut self.input)?);
        if vectors == 0 || vectors > CHUNK_MAX || length > DATA_MAX {
            let problem =
                format!("a chunk of {vectors} vectors in {length} bytes; allowed: 1 to {CHUNK_MAX}, {DATA_MAX}");
            return Err(damaged(start, problem));
        }
        self.data.resize(length as usize, 0);
        fill(&mut self.input, &mut self.data)?;
        checked(&mut self.input, start, "the chunk")?;
        if first != self.vectors {
            return Err(damaged(start, format!("the chunk begins with vector {first}, not {}", self.vectors)));
        }
        self.unpack(start, vectors as usize, chunk)?;
        chunk.first = first;
        self.vectors += u64::from(vectors);
        Ok(true)
    }

    fn unpack(&self, start: u64, vectors: usize, chunk: &mut Chunk) -> Result<(), StreamError> {
        let layout = &self.header.layout;
        let elements = layout.elements(vectors);
        let length = elements.iter().zip(layout.widths).map(|(&elements, width)| bytes::length(elements, width)).sum();
        let data = zstd::bulk::decompress(&self.data, length).map_err(|error| damaged(start, error.to_string()))?;
        if data.len() != length {
            return Err(damaged(start, format!("{} bytes of elements; allowed: {length}", data.len())));
        }
        let Batch { a, b, c, scale_a, scale_b, .. } = &mut chunk.batch;
        let mut rest = data.as_slice();
        for ((array, count), width) in
            [a, b, scale_a, scale_b, c, &mut chunk.results].into_iter().zip(elements).zip(layout.widths)
        {
            bytes::take(&mut rest, count, width, array);
            if let Some(wide) = array.iter().find(|element| width < 64 && **element >> width != 0) {
                return Err(damaged(start, format!("an element {wide:#x}; allowed: {width} bits")));
            }
        }
        Ok(())
    }

    fn end(&mut self, start: u64, vectors: u64) -> Result<(), StreamError> {
        checked(&mut self.input, start, "the end")?;
        if vectors != self.vectors || vectors != self.header.vectors() {
            let problem =
                format!("{} vectors, {vectors} by the end, {} by the header", self.vectors, self.header.vectors());
            return Err(damaged(start, problem));
        }
        let end = self.input.position;
        let mut more = [0; 1];
        match self.input.stream.read(&mut more)? {
            0 => {
                self.ended = true;
                Ok(())
            }
            _ => Err(damaged(end, "something follows the end")),
        }
    }
}

fn damaged(offset: u64, problem: impl Into<String>) -> StreamError {
    StreamError::Damaged { offset, problem: problem.into() }
}

/// Fills a buffer; a stream that stops before is a damaged file.
fn fill<R: Read>(input: &mut Summed<R>, buffer: &mut [u8]) -> Result<(), StreamError> {
    let start = input.position;
    input.read(buffer).map_err(|error| match error.kind() {
        io::ErrorKind::UnexpectedEof => damaged(start, format!("it stops within the next {} bytes", buffer.len())),
        _ => error.into(),
    })
}

fn read<R: Read, const N: usize>(input: &mut Summed<R>) -> Result<[u8; N], StreamError> {
    let mut bytes = [0; N];
    fill(input, &mut bytes)?;
    Ok(bytes)
}

/// Compares the checksum that follows with that of everything before.
fn checked<R: Read>(input: &mut Summed<R>, start: u64, what: &str) -> Result<(), StreamError> {
    let expected = input.checksum();
    match u32::from_le_bytes(read(input)?) == expected {
        true => Ok(()),
        false => Err(damaged(start, format!("the checksum of {what} does not hold"))),
    }
}
