//! Reading the recordings of a file chunk by chunk: never more than one chunk in memory, and nothing of a damaged one.

use std::io::{self, Read};

use zstd::bulk::Decompressor;

use super::bytes::{self, Summed};
use super::header::{Header, Layout, is_read};
use super::stream::{CHUNK, CHUNK_MAX, Chunk, DATA_MAX, END, HEADER_MAX, MAGIC, StreamError};
use crate::engine::Batch;

/// Reads recordings that follow each other, chunk by chunk.
pub struct Reader<R: Read> {
    pub(super) input: Summed<R>,
    header: Header,
    /// Where this recording begins.
    start: u64,
    /// Vectors of whole chunks of this recording so far.
    pub(super) vectors: u64,
    packed: PackedChunk,
    unpacker: Unpacker,
    ended: bool,
}

/// A chunk as it was packed. Its checksum holds; its elements were not looked at.
#[derive(Default)]
pub struct PackedChunk {
    /// Where it begins in the stream, in bytes.
    start: u64,
    /// Number of its first vector.
    pub first: u64,
    vectors: usize,
    data: Vec<u8>,
}

/// Unpacks chunks, those of one recording or of several.
pub struct Unpacker {
    decompressor: Decompressor<'static>,
    unpacked: Vec<u8>,
}

impl<R: Read> Reader<R> {
    /// Reads the header of the first recording.
    ///
    /// # Errors
    /// The stream cannot be read, is no recording, is damaged, or of another version.
    pub fn new(stream: R) -> Result<Reader<R>, StreamError> {
        let mut input = Summed::new(stream);
        let header = header(&mut input, 0, &[])?;
        let (packed, unpacker) = (PackedChunk::default(), Unpacker::new()?);
        Ok(Reader { input, header, start: 0, vectors: 0, packed, unpacker, ended: false })
    }

    /// Reads the header of the next recording, after what is left of this one, whose chunks stay packed: of them the checksums are
    /// looked at. `false` where the file ends.
    ///
    /// # Errors
    /// The stream cannot be read, is damaged, stops early, or goes on with something else.
    pub fn next_recording(&mut self) -> Result<bool, StreamError> {
        while self.next_own()? {}
        let start = self.input.position;
        self.input.sum = Default::default();
        let mut first = [0; 1];
        match self.input.read(&mut first) {
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(false),
            read => read?,
        }
        self.header = header(&mut self.input, start, &first)?;
        (self.start, self.vectors, self.ended) = (start, 0, false);
        Ok(true)
    }

    /// What the recording says about itself.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Bytes of this recording that were read so far.
    pub fn bytes(&self) -> u64 {
        self.input.position - self.start
    }

    /// Reads the next chunk; `false` at the end of the recording.
    ///
    /// # Errors
    /// The stream cannot be read, is damaged, or stops early.
    pub fn next(&mut self, chunk: &mut Chunk) -> Result<bool, StreamError> {
        if !self.next_own()? {
            return Ok(false);
        }
        self.unpacker.unpack(&self.header.layout, &self.packed, chunk)?;
        Ok(true)
    }

    /// Reads the next chunk into the room of this reader.
    fn next_own(&mut self) -> Result<bool, StreamError> {
        let mut packed = std::mem::take(&mut self.packed);
        let read = self.next_packed(&mut packed);
        self.packed = packed;
        read
    }

    /// Reads the next chunk and leaves it packed, so that another thread may unpack it; `false` at the end of the recording.
    ///
    /// # Errors
    /// The stream cannot be read, is damaged, or stops early.
    pub fn next_packed(&mut self, chunk: &mut PackedChunk) -> Result<bool, StreamError> {
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
        chunk.data.resize(length as usize, 0);
        fill(&mut self.input, &mut chunk.data)?;
        checked(&mut self.input, start, "the chunk")?;
        if first != self.vectors {
            return Err(damaged(start, format!("the chunk begins with vector {first}, not {}", self.vectors)));
        }
        let (behind, all) = (first + u64::from(vectors), self.header.vectors());
        if behind > all {
            return Err(damaged(start, format!("the chunk ends with vector {behind}, {all} by the header")));
        }
        self.vectors = behind;
        (chunk.start, chunk.first, chunk.vectors) = (start, first, vectors as usize);
        Ok(true)
    }

    fn end(&mut self, start: u64, vectors: u64) -> Result<(), StreamError> {
        checked(&mut self.input, start, "the end")?;
        if vectors != self.vectors || vectors != self.header.vectors() {
            let problem =
                format!("{} vectors, {vectors} by the end, {} by the header", self.vectors, self.header.vectors());
            return Err(damaged(start, problem));
        }
        self.ended = true;
        Ok(())
    }
}

impl Unpacker {
    /// # Errors
    /// There is no memory for it.
    pub fn new() -> io::Result<Unpacker> {
        Ok(Unpacker { decompressor: Decompressor::new()?, unpacked: Vec::new() })
    }

    /// Unpacks a chunk of a recording of that layout.
    ///
    /// # Errors
    /// It is damaged.
    pub fn unpack(&mut self, layout: &Layout, packed: &PackedChunk, chunk: &mut Chunk) -> Result<(), StreamError> {
        let PackedChunk { start, vectors, .. } = *packed;
        let elements = layout.elements(vectors);
        let length = elements.iter().zip(layout.widths).map(|(&elements, width)| bytes::length(elements, width)).sum();
        let data = &mut self.unpacked;
        data.clear();
        data.reserve(length);
        let unpacked = self.decompressor.decompress_to_buffer(&packed.data, data);
        unpacked.map_err(|error| damaged(start, error.to_string()))?;
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
        chunk.first = packed.first;
        Ok(())
    }
}

/// Reads a header that begins at `start`; of its mark the first bytes were read before.
fn header<R: Read>(input: &mut Summed<R>, start: u64, read_before: &[u8]) -> Result<Header, StreamError> {
    let foreign = || match start {
        0 => damaged(start, "it does not begin as a recording does"),
        _ => damaged(start, "what follows the end of a recording is none"),
    };
    let mut magic = [0; MAGIC.len()];
    let (before, rest) = magic.split_at_mut(read_before.len());
    before.copy_from_slice(read_before);
    fill(input, rest).map_err(|error| match error {
        StreamError::Damaged { .. } => foreign(),
        other => other,
    })?;
    if magic != *MAGIC {
        return Err(foreign());
    }
    let length_at = input.position;
    let length = u32::from_le_bytes(read(input)?);
    if length > HEADER_MAX {
        return Err(damaged(length_at, format!("a header of {length} bytes; allowed: at most {HEADER_MAX}")));
    }
    let text_at = input.position;
    let mut text = vec![0; length as usize];
    fill(input, &mut text)?;
    checked(input, length_at, "the header")?;
    #[derive(serde::Deserialize)]
    struct Versioned {
        version: u64,
    }
    let wrong = |error: serde_json::Error| damaged(text_at, format!("the header: {error}"));
    let Versioned { version } = serde_json::from_slice(&text).map_err(wrong)?;
    if !is_read(version) {
        return Err(StreamError::Version(version));
    }
    let header: Header = serde_json::from_slice(&text).map_err(wrong)?;
    match header.layout.problem() {
        Some(problem) => Err(damaged(text_at, format!("the header: {problem}"))),
        None => Ok(header),
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
    let mut found = [0; 4];
    // Where a changed length leads beyond the end, what has that length is what is damaged.
    fill(input, &mut found).map_err(|error| match error {
        StreamError::Damaged { .. } => damaged(start, format!("it stops within {what}")),
        other => other,
    })?;
    match u32::from_le_bytes(found) == expected {
        true => Ok(()),
        false => Err(damaged(start, format!("the checksum of {what} does not hold"))),
    }
}
