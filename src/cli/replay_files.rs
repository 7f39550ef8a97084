//! `tensorsmith replay` of the program's own recordings: streams, compared chunk by chunk.

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use super::{Failure, engines, output, recorded};
use tensorsmith::check::replay::{Row, replay};
use tensorsmith::describe::subject::Subject;
use tensorsmith::describe::text::Foreign;
use tensorsmith::engine::{Engine, Kind, Opened};
use tensorsmith::recording::{Chunk, Reader, StreamError};
use tensorsmith::report::{RecordingEngine, RecordingReport, ReplayReport, RowReport};

/// The recordings at a path: the file, or those of a folder in alphabetical order; none if it holds another layout.
pub(super) fn files(path: &Path) -> Result<Vec<PathBuf>, Failure> {
    if path.is_file() {
        return Ok(vec![path.to_owned()]);
    }
    if path.exists() && !path.is_dir() {
        return Err(Failure(format!("{}: is neither a plain file nor a folder", path.shown())));
    }
    let failed = |error: std::io::Error| Failure(format!("{}: cannot be read: {error}", path.shown()));
    let mut files = Vec::new();
    for entry in std::fs::read_dir(path).map_err(failed)? {
        let file = entry.map_err(failed)?.path();
        if file.extension().is_some_and(|extension| extension == "tsrec") {
            files.push(file);
        }
    }
    files.sort();
    Ok(files)
}

/// Every vector of every file through engines of these kinds: of what was recorded, or of another unit or instruction.
/// `shown` says of which subjects recordings are wanted. Each engine answers on so many threads.
pub(super) fn replay_files(
    files: &[PathBuf],
    kinds: (&[Kind], usize),
    other: Option<&Subject>,
    shown: &dyn Fn(&str) -> bool,
) -> Result<ReplayReport, Failure> {
    prepare(files, kinds.0, other, shown)?;
    let mut outcomes = Vec::new();
    for path in files {
        each_recording(path, shown, |reader| {
            outcomes.push(replay_recording(path, reader, kinds, other)?);
            Ok(())
        })?;
    }
    Ok(ReplayReport::new(outcomes))
}

/// Does something at each recording of a file that is wanted.
fn each_recording(
    path: &Path,
    shown: &dyn Fn(&str) -> bool,
    mut act: impl FnMut(&mut Reader<BufReader<File>>) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let failed = |error: StreamError| Failure(format!("{}: {error}", path.shown()));
    let file = File::open(path).map_err(|error| Failure(format!("{}: cannot be read: {error}", path.shown())))?;
    let mut reader = Reader::new(BufReader::new(file)).map_err(failed)?;
    loop {
        if shown(&reader.header().subject) {
            act(&mut reader)?;
        }
        if !reader.next_recording().map_err(failed)? {
            return Ok(());
        }
    }
}

/// Builds on all cores what engines of these kinds need for the files' recordings. Engines that need nothing leave files unread.
fn prepare(
    files: &[PathBuf],
    kinds: &[Kind],
    other: Option<&Subject>,
    shown: &dyn Fn(&str) -> bool,
) -> Result<(), Failure> {
    let mut subjects: Vec<Subject> = other.cloned().into_iter().collect();
    if other.is_none() && kinds.iter().any(Kind::is_prepared) {
        for path in files {
            each_recording(path, shown, |reader| {
                // What is wrong about a header is said when it is replayed.
                let recorded = reader.header().recorded();
                subjects.extend(recorded.ok().and_then(|recorded| recorded.subject().cloned()));
                Ok(())
            })?;
        }
    }
    output::prepare(kinds, &subjects);
    Ok(())
}

/// An engine with what it answered so far.
struct Running {
    engine: Box<dyn Engine>,
    vectors: u64,
    mismatches: u64,
}

/// The recording that the reader has come to.
fn replay_recording(
    path: &Path,
    reader: &mut Reader<BufReader<File>>,
    (kinds, jobs): (&[Kind], usize),
    other: Option<&Subject>,
) -> Result<RecordingReport, Failure> {
    let failed = |error: StreamError| Failure(format!("{}: {error}", path.shown()));
    let header = reader.header().clone();
    let recorded = recorded::of(path, &header)?;
    if let Some(other) = other {
        recorded::check_fits(path, &recorded.interface(), &other.interface())?;
    }
    let asked = other.or(recorded.subject());
    let suites: Vec<&str> = header.parts.iter().map(|part| part.suite.as_str()).collect();
    let mut report = RecordingReport {
        device: header.device.get("name").unwrap_or(&header.engine.engine).clone(),
        operands: suites.join(", "),
        result: recorded.interface().formats.d.name,
        instruction: Some(asked.map_or(&header.subject[..], Subject::name).to_owned()),
        engines: Vec::new(),
        skipped: None,
        first_mismatch: None,
    };
    let Some(subject) = asked else {
        report.skipped = Some(format!("only the interface of {} is known; allowed: --subject", header.subject));
        return Ok(report);
    };
    let mut running = Vec::new();
    for kind in kinds {
        match kind.open_spread(subject, jobs)? {
            Opened::Ready(engine) => running.push(Running { engine, vectors: 0, mismatches: 0 }),
            Opened::Absent(reason) => report.engines.push(RecordingEngine {
                engine: kind.name().to_owned(),
                version: String::new(),
                vectors: 0,
                mismatches: 0,
                skipped: Some(engines::skipped(*kind, &reason)?),
            }),
        }
    }
    let bar = output::progress(&header.subject, header.vectors(), "vectors");
    let mut chunk = Chunk::new(&header.layout);
    while reader.next(&mut chunk).map_err(failed)? {
        for running in &mut running {
            let outcome = replay(running.engine.as_mut(), &chunk.batch, &chunk.results)?;
            running.vectors += outcome.vectors;
            running.mismatches += outcome.mismatches;
            if let (None, Some(row)) = (&report.first_mismatch, &outcome.first) {
                let row = Row { row: row.row + chunk.first as usize, ..row.clone() };
                report.first_mismatch = Some(RowReport::of(outcome.engine, &row));
            }
        }
        bar.inc(chunk.results.len() as u64);
    }
    bar.finish_and_clear();
    report.engines.extend(running.into_iter().map(|Running { engine, vectors, mismatches }| RecordingEngine {
        engine: engine.name().to_owned(),
        version: engine.identity().version,
        vectors,
        mismatches,
        skipped: None,
    }));
    Ok(report)
}
