//! Recorded answers as one list: all that a file has of one subject, for an inference.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use thiserror::Error;

use super::header::Header;
use super::reader::Reader;
use super::recorded::Described;
use super::stream::{Chunk, StreamError};
use crate::describe::file::open;
use crate::describe::interface::Interface;
use crate::describe::text::Foreign;
use crate::engine::Batch;

/// Most vectors that are taken: all are kept in memory.
const VECTORS_MAX: u64 = 1_000_000;

/// Why recorded answers are not taken.
#[derive(Debug, Error)]
pub enum AnswersError {
    #[error("{path}: {what}")]
    Refused { path: String, what: String },
    /// The file has several subjects and none was named, or another one was.
    #[error("{path}: {what}; allowed: SUBJECT, one of {}", subjects.join(", "))]
    Subject { path: String, what: String, subjects: Vec<String> },
}

/// What was recorded of one subject.
#[derive(Debug)]
pub struct Answers {
    pub subject: String,
    /// What the recordings say of it that the catalogue does not.
    described: Described,
    /// Formats and sizes of the vectors.
    pub interface: Interface,
    pub vectors: Batch,
    pub answers: Vec<u64>,
    /// Of each recording its device where it is named, who answered, and when.
    pub answered_by: Vec<String>,
}

impl Answers {
    /// What a file has recorded of a subject, which may be several recordings; without a name, of the only one. `told` hears the header
    /// of each recording that is taken.
    ///
    /// # Errors
    /// The file cannot be read, is damaged, has no such subject or recordings of different ones of that name, or too many vectors.
    pub fn read(path: &Path, name: Option<&str>, told: &dyn Fn(&Header)) -> Result<Answers, AnswersError> {
        let failed = |error: StreamError| refused(path, error);
        let file = open(path).map_err(|error| refused(path, format!("cannot be read: {error}")))?;
        let mut reader = Reader::new(BufReader::new(file)).map_err(failed)?;
        let mut subjects: Vec<String> = Vec::new();
        let mut found = None;
        loop {
            let subject = reader.header().subject.clone();
            if name.or(subjects.first().map(String::as_str)).is_none_or(|wanted| wanted == subject) {
                append(path, &mut reader, told, &mut found)?;
            }
            if !subjects.contains(&subject) {
                subjects.push(subject);
            }
            if !reader.next_recording().map_err(failed)? {
                break;
            }
        }
        let what = match (found, name) {
            (Some(_), None) if subjects.len() > 1 => "holds several recordings".to_owned(),
            (Some(answers), _) => return Ok(answers),
            (None, name) => format!("holds no recording of {}", name.unwrap_or_default()),
        };
        Err(AnswersError::Subject { path: path.shown(), what, subjects })
    }
}

fn refused(path: &Path, what: impl ToString) -> AnswersError {
    AnswersError::Refused { path: path.shown(), what: what.to_string() }
}

/// Adds the recording that the reader has come to.
fn append(
    path: &Path,
    reader: &mut Reader<BufReader<File>>,
    told: &dyn Fn(&Header),
    found: &mut Option<Answers>,
) -> Result<(), AnswersError> {
    let refused = |what: String| refused(path, what);
    let header = reader.header().clone();
    let of = header.recorded().map_err(refused)?;
    told(&header);
    let described = header.described.clone().unwrap_or_default();
    if let Some([one, other]) = found.as_ref().and_then(|found| found.described.difference(&described)) {
        let name = of.name();
        return Err(refused(format!(
            "holds recordings of different {name}: {one}, {other}; allowed: recordings of one"
        )));
    }
    let recorded = found.get_or_insert_with(|| {
        let interface = of.interface();
        let (vectors, answers, answered_by) = (Batch::of_interface(&interface), Vec::new(), Vec::new());
        Answers { subject: header.subject.clone(), described, vectors, interface, answers, answered_by }
    });
    recorded.answered_by.push(provenance(&header));
    let vectors = header.vectors().saturating_add(recorded.answers.len() as u64);
    if vectors > VECTORS_MAX {
        return Err(refused(format!("{vectors} vectors; allowed: at most {VECTORS_MAX}")));
    }
    let mut chunk = Chunk::new(&header.layout);
    while reader.next(&mut chunk).map_err(|error| refused(error.to_string()))? {
        (0..chunk.batch.len()).for_each(|v| recorded.vectors.push(&chunk.batch.vector(v)));
        recorded.answers.extend_from_slice(&chunk.results);
    }
    Ok(())
}

fn provenance(header: &Header) -> String {
    let device = header.device.get("device").map_or(String::new(), |device| format!("{device}, "));
    format!("{device}{}: {}, {}", header.engine.engine, header.engine.version, header.recorded)
}
