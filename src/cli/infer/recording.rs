//! Recorded answers for `tensorsmith infer`.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use crate::cli::Failure;
use crate::describe::unit::Unit;
use crate::engine::Batch;
use crate::engine::recording::{Chunk, Reader, StreamError};

/// Most vectors that are taken: all are kept in memory.
const VECTORS_MAX: u64 = 1_000_000;

/// What was recorded of one subject.
pub(super) struct Recorded {
    pub subject: String,
    /// Formats and sizes of the vectors.
    pub frame: Unit,
    pub vectors: Batch,
    pub answers: Vec<u64>,
}

/// The recording of a subject in a file; without a name, the only one.
pub(super) fn read(path: &Path, name: Option<&str>) -> Result<Recorded, Failure> {
    let failed = |error: StreamError| Failure(format!("{}: {error}", path.display()));
    let file = File::open(path).map_err(|error| Failure(format!("{}: cannot be read: {error}", path.display())))?;
    let mut reader = Reader::new(BufReader::new(file)).map_err(failed)?;
    let mut subjects = Vec::new();
    let mut found = None;
    loop {
        let header = reader.header().clone();
        subjects.push(header.subject.clone());
        if found.is_none() && name.is_none_or(|name| name == header.subject) {
            found = Some(recording(path, &mut reader)?);
        }
        if !reader.next_recording().map_err(failed)? {
            break;
        }
    }
    let refuse = |what: &str| {
        let allowed = subjects.join(", ");
        Err(Failure(format!("{}: {what}; allowed: SUBJECT, one of {allowed}", path.display())))
    };
    match (found, name) {
        (Some(_), None) if subjects.len() > 1 => refuse("holds several recordings"),
        (Some(recorded), _) => Ok(recorded),
        (None, name) => refuse(&format!("holds no recording of {}", name.unwrap_or_default())),
    }
}

/// The recording that the reader has come to.
fn recording(path: &Path, reader: &mut Reader<BufReader<File>>) -> Result<Recorded, Failure> {
    let header = reader.header().clone();
    if header.vectors() > VECTORS_MAX {
        let (file, vectors) = (path.display(), header.vectors());
        return Err(Failure(format!("{file}: {vectors} vectors; allowed: at most {VECTORS_MAX}")));
    }
    let subject = header.subject().map_err(|what| Failure(format!("{}: {what}", path.display())))?;
    let frame = subject.frame();
    let (mut vectors, mut answers) = (Batch::of_unit(&frame), Vec::new());
    let mut chunk = Chunk::new(&header.layout);
    while reader.next(&mut chunk).map_err(|error| Failure(format!("{}: {error}", path.display())))? {
        (0..chunk.batch.len()).for_each(|v| vectors.push(&chunk.batch.vector(v)));
        answers.extend_from_slice(&chunk.results);
    }
    Ok(Recorded { subject: header.subject, frame, vectors, answers })
}
