//! Writing a recording chunk by chunk, and going on with one that stopped early.

use std::fs::{File, TryLockError};
use std::io::{self, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::Path;

use zstd::bulk::Compressor;

use super::bytes::{self, Summed};
use super::header::{Header, Layout};
use super::reader::Reader;
use super::stream::{CHUNK, CHUNK_MAX, Chunk, END, HEADER_MAX, MAGIC, StreamError};
use crate::engine::Batch;

/// Zstandard's own default.
const COMPRESSION_LEVEL: i32 = 3;

/// Writes a recording chunk by chunk.
pub struct Writer<W: Write> {
    out: Summed<W>,
    layout: Layout,
    vectors: u64,
}

/// Vectors and what was answered to them, as a recording keeps them.
#[derive(Debug)]
pub struct Compressed {
    count: usize,
    data: Vec<u8>,
}

/// What packs vectors and answers, on any thread, and keeps its room from one chunk to the next.
pub struct Packer {
    layout: Layout,
    data: Vec<u8>,
    compressor: Compressor<'static>,
}

impl Packer {
    /// One for recordings in which vectors lie so.
    ///
    /// # Errors
    /// There is no room for the compressor.
    pub fn new(layout: &Layout) -> Result<Packer, StreamError> {
        let compressor = Compressor::new(COMPRESSION_LEVEL)?;
        Ok(Packer { layout: layout.clone(), data: Vec::new(), compressor })
    }

    /// Packs at most 65,536 vectors.
    ///
    /// # Errors
    /// They cannot be compressed.
    pub fn pack(&mut self, batch: &Batch, results: &[u64]) -> Result<Compressed, StreamError> {
        assert!(!results.is_empty() && results.len() <= CHUNK_MAX as usize, "a chunk has vectors, and not too many");
        assert_eq!(batch.len(), results.len(), "every vector has a result");
        self.data.clear();
        let arrays = [&batch.a, &batch.b, &batch.scale_a, &batch.scale_b, &batch.c];
        for (array, width) in arrays.into_iter().map(Vec::as_slice).chain([results]).zip(self.layout.widths) {
            bytes::append(array, width, &mut self.data);
        }
        Ok(Compressed { count: results.len(), data: self.compressor.compress(&self.data)? })
    }
}

impl<W: Write> Writer<W> {
    /// Writes the header.
    ///
    /// # Errors
    /// The stream cannot be written, or the header is longer than is read.
    pub fn new(stream: W, header: &Header) -> Result<Writer<W>, StreamError> {
        let text = serde_json::to_vec(header).map_err(io::Error::other)?;
        if text.len() > HEADER_MAX as usize {
            let problem = format!("a header of {} bytes; allowed: at most {HEADER_MAX}", text.len());
            return Err(io::Error::other(problem).into());
        }
        let mut out = Summed::new(stream);
        out.write(MAGIC)?;
        out.write(&(text.len() as u32).to_le_bytes())?;
        out.write(&text)?;
        out.write_checksum()?;
        Ok(Writer { out, layout: header.layout.clone(), vectors: 0 })
    }

    /// How vectors lie in it.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Vectors written so far.
    pub fn vectors(&self) -> u64 {
        self.vectors
    }

    /// Appends vectors and what was answered to them, at most 65,536.
    ///
    /// # Errors
    /// The stream cannot be written.
    pub fn chunk(&mut self, batch: &Batch, results: &[u64]) -> Result<(), StreamError> {
        self.append(&Packer::new(&self.layout)?.pack(batch, results)?)
    }

    /// Appends what was packed.
    ///
    /// # Errors
    /// The stream cannot be written.
    pub fn append(&mut self, Compressed { count, data }: &Compressed) -> Result<(), StreamError> {
        self.out.write(&[CHUNK])?;
        self.out.write(&self.vectors.to_le_bytes())?;
        self.out.write(&(*count as u32).to_le_bytes())?;
        self.out.write(&(data.len() as u32).to_le_bytes())?;
        self.out.write(data)?;
        self.out.write_checksum()?;
        self.vectors += *count as u64;
        Ok(())
    }

    /// Writes the end and returns the stream, flushed.
    ///
    /// # Errors
    /// The stream cannot be written.
    pub fn finish(mut self) -> Result<W, StreamError> {
        self.out.write(&[END])?;
        self.out.write(&self.vectors.to_le_bytes())?;
        self.out.write_checksum()?;
        self.out.stream.flush()?;
        Ok(self.out.stream)
    }

    /// Hands everything written so far to the operating system, so that it outlives this process.
    ///
    /// # Errors
    /// The stream cannot be written.
    pub fn flush(&mut self) -> Result<(), StreamError> {
        Ok(self.out.stream.flush()?)
    }
}

/// A file that no other program writes as long as this lives.
#[derive(Debug)]
pub struct Locked(File);

impl Locked {
    fn new(file: File) -> Result<Locked, StreamError> {
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => Err(StreamError::Busy),
            // Not every file system has locks.
            Ok(()) | Err(TryLockError::Error(_)) => Ok(Locked(file)),
        }
    }
}

impl Drop for Locked {
    /// A child that another thread begins just then holds the file until it runs its program, and the lock with it.
    fn drop(&mut self) {
        // Whoever cannot be told that it is free finds out when the file is closed.
        let _ = self.0.unlock();
    }
}

impl Write for Locked {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

impl Writer<BufWriter<Locked>> {
    /// Goes on with a recording that stopped early: keeps its whole chunks, and cuts off what lies behind them. A file that
    /// is not there, or without a whole header, is begun. While the writer lives no other program can write the same file.
    ///
    /// # Errors
    /// The file cannot be read or written, is written by another program, or is no recording or one of something else.
    pub fn resume(path: &Path, header: &Header) -> Result<Self, StreamError> {
        // Through a link a file would be written that nobody has named.
        if path.symlink_metadata().is_ok_and(|found| !found.is_file()) {
            return Err(StreamError::Foreign);
        }
        let file = File::options().read(true).write(true).create(true).truncate(false).open(path)?;
        let mut locked = Locked::new(file)?;
        let file = &mut locked.0;
        let mut begin = Vec::new();
        file.take(MAGIC.len() as u64).read_to_end(&mut begin)?;
        if !MAGIC.starts_with(&begin) {
            return Err(StreamError::Foreign);
        }
        file.rewind()?;
        let (out, vectors) = match Reader::new(BufReader::new(&mut *file)) {
            Err(StreamError::Io(error)) => return Err(error.into()),
            Err(_) => {
                file.set_len(0)?;
                file.rewind()?;
                return Writer::new(BufWriter::new(locked), header);
            }
            Ok(mut reader) => {
                if let Some([found, expected]) = header.difference(reader.header()) {
                    return Err(StreamError::Other { found, expected });
                }
                let mut chunk = Chunk::new(&reader.header().layout);
                let mut whole = (reader.input.position, reader.input.sum.clone());
                while let Ok(true) = reader.next(&mut chunk) {
                    whole = (reader.input.position, reader.input.sum.clone());
                }
                (whole, reader.vectors)
            }
        };
        let (position, sum) = out;
        file.set_len(position)?;
        file.seek(SeekFrom::Start(position))?;
        let out = Summed { stream: BufWriter::new(locked), position, sum };
        Ok(Writer { out, layout: header.layout.clone(), vectors })
    }
}
