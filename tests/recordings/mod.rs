//! Recording files: what is written is read again, and no damage goes unnoticed.

mod damage;
mod exchange;
mod packs;
mod round_trip;

use crate::support;

use std::collections::BTreeMap;

use tensorsmith::check::stimulus::{CHUNK, Stimulus};
use tensorsmith::describe::subject::Subject;
use tensorsmith::engine::{Batch, Kind, Opened};
use tensorsmith::recording::{Chunk, Header, Layout, Part, Reader, StreamError, VERSION, Writer};

/// The header of a recording of one suite.
fn header(subject: &str, vectors: u64) -> Header {
    let subject = Subject::named(subject).expect("a unit or an instruction of the catalogue");
    let Ok(Opened::Ready(engine)) = Kind::Emulator.open_subject(&subject) else { panic!("the emulator always runs") };
    Header {
        version: VERSION,
        tensorsmith: env!("CARGO_PKG_VERSION").to_owned(),
        recorded: "2000-01-01T00:00:00Z".to_owned(),
        subject: subject.name().to_owned(),
        described: None,
        layout: Layout::of(&subject.interface()),
        engine: engine.identity(),
        device: BTreeMap::from([("name".to_owned(), "none: software".to_owned())]),
        parts: vec![Part { suite: "shaped".to_owned(), seed: 7, vectors }],
    }
}

/// Shaped vectors of a unit or an instruction and what the emulator answers, in chunks of so many.
fn chunks(subject: &str, vectors: u64, size: usize) -> Vec<(Batch, Vec<u64>)> {
    let subject = Subject::named(subject).expect("a unit or an instruction of the catalogue");
    let Ok(Opened::Ready(mut engine)) = Kind::Emulator.open_subject(&subject) else {
        panic!("the emulator always runs")
    };
    let stimulus = Stimulus::shaped(subject.frame(), 7);
    let mut chunks = Vec::new();
    for first in (0..vectors).step_by(size) {
        let (mut batch, mut results) = (stimulus.empty_batch(), Vec::new());
        stimulus.fill(
            first / size as u64 * size.div_ceil(CHUNK) as u64,
            size.min((vectors - first) as usize),
            &mut batch,
        );
        engine.run(&batch, &mut results).expect("the emulator never fails");
        chunks.push((batch, results));
    }
    chunks
}

/// A whole recording.
fn recording(subject: &str, vectors: u64, size: usize) -> Vec<u8> {
    let mut writer = Writer::new(Vec::new(), &header(subject, vectors)).expect("memory can be written");
    for (batch, results) in chunks(subject, vectors, size) {
        writer.chunk(&batch, &results).expect("memory can be written");
    }
    writer.finish().expect("memory can be written")
}

/// Reads all recordings of a file to their ends.
fn read_all(bytes: &[u8]) -> Result<Vec<(Header, Vec<Chunk>)>, StreamError> {
    let mut reader = Reader::new(bytes)?;
    let mut recordings = Vec::new();
    loop {
        let header = reader.header().clone();
        let (mut all, mut chunk) = (Vec::new(), Chunk::new(&header.layout));
        while reader.next(&mut chunk)? {
            all.push(chunk.clone());
        }
        recordings.push((header, all));
        if !reader.next_recording()? {
            return Ok(recordings);
        }
    }
}

/// Reads a file with one recording.
fn read(bytes: &[u8]) -> Result<(Header, Vec<Chunk>), StreamError> {
    let mut recordings = read_all(bytes)?;
    assert_eq!(recordings.len(), 1, "one recording");
    Ok(recordings.remove(0))
}
