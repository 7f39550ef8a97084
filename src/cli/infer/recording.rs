//! Recorded answers for `tensorsmith infer`.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use crate::cli::{Failure, recorded as told};
use tensorsmith::describe::interface::Interface;
use tensorsmith::describe::text::Foreign;
use tensorsmith::engine::Batch;
use tensorsmith::recording::{Chunk, Described, Header, Reader, StreamError};

/// Most vectors that are taken: all are kept in memory.
const VECTORS_MAX: u64 = 1_000_000;

/// What was recorded of one subject.
pub(super) struct Recorded {
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

/// What a file has recorded of a subject, which may be several recordings; without a name, of the only one.
pub(super) fn read(path: &Path, name: Option<&str>) -> Result<Recorded, Failure> {
    let failed = |error: StreamError| Failure(format!("{}: {error}", path.shown()));
    let file = File::open(path).map_err(|error| Failure(format!("{}: cannot be read: {error}", path.shown())))?;
    let mut reader = Reader::new(BufReader::new(file)).map_err(failed)?;
    let mut subjects: Vec<String> = Vec::new();
    let mut found = None;
    loop {
        let subject = reader.header().subject.clone();
        if name.or(subjects.first().map(String::as_str)).is_none_or(|wanted| wanted == subject) {
            append(path, &mut reader, &mut found)?;
        }
        if !subjects.contains(&subject) {
            subjects.push(subject);
        }
        if !reader.next_recording().map_err(failed)? {
            break;
        }
    }
    let refuse = |what: &str| {
        let allowed = subjects.join(", ");
        Err(Failure(format!("{}: {what}; allowed: SUBJECT, one of {allowed}", path.shown())))
    };
    match (found, name) {
        (Some(_), None) if subjects.len() > 1 => refuse("holds several recordings"),
        (Some(recorded), _) => Ok(recorded),
        (None, name) => refuse(&format!("holds no recording of {}", name.unwrap_or_default())),
    }
}

/// Adds the recording that the reader has come to.
fn append(path: &Path, reader: &mut Reader<BufReader<File>>, found: &mut Option<Recorded>) -> Result<(), Failure> {
    let refused = |what: String| Failure(format!("{}: {what}", path.shown()));
    let header = reader.header().clone();
    let of = told::of(path, &header)?;
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
        Recorded { subject: header.subject.clone(), described, vectors, interface, answers, answered_by }
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
