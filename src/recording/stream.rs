//! What writer and reader of recordings share: marks, limits, errors, chunks.

use std::io;

use thiserror::Error;

use super::header::{Layout, VERSIONS};
use crate::engine::Batch;

pub(super) const MAGIC: &[u8; 16] = b"tensorsmith rec\n";
pub(super) const HEADER_MAX: u32 = 1 << 20;
pub(super) const DATA_MAX: u32 = 1 << 26;
pub(super) const CHUNK_MAX: u32 = 1 << 16;
/// Vectors in a chunk of what is recorded or imported.
pub const CHUNK_VECTORS: u64 = 4096;
pub(super) const CHUNK: u8 = b'V';
pub(super) const END: u8 = b'E';

/// Why a recording was not accepted or not written. The file's name is added by whoever opened it.
#[derive(Debug, Error)]
pub enum StreamError {
    #[error("cannot be read or written: {0}")]
    Io(#[from] io::Error),
    #[error("is damaged at offset {offset}: {problem}")]
    Damaged { offset: u64, problem: String },
    #[error("field `version` is {0}; allowed: {VERSIONS}")]
    Version(u64),
    #[error("holds another recording: {found}, not {expected}; allowed: going on with the same one")]
    Other { found: String, expected: String },
    #[error("is no recording that was begun here; allowed: another name, or that file out of the way")]
    Foreign,
    #[error("is being written by another program; allowed: another name, or to wait")]
    Busy,
}

/// One chunk of a recording.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chunk {
    /// Number of its first vector.
    pub first: u64,
    pub batch: Batch,
    pub results: Vec<u64>,
}

impl Chunk {
    /// An empty chunk.
    pub fn new(layout: &Layout) -> Chunk {
        Chunk { first: 0, batch: Batch::new(layout.products, layout.scales), results: Vec::new() }
    }
}
