//! `tensorsmith replay` of the program's own recordings: streams, compared chunk by chunk.

use std::collections::{BTreeMap, VecDeque};
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use indicatif::ProgressBar;

use super::{Failure, engines, interrupt, output, recorded};
use tensorsmith::check::replay::{Row, replay};
use tensorsmith::describe::file::open;
use tensorsmith::describe::subject::Subject;
use tensorsmith::describe::text::Foreign;
use tensorsmith::engine::{CHUNKS_FOR_ENGINES, Engine, EngineError, Kind, Opened};
use tensorsmith::recording::{
    CHUNK_VECTORS, Chunk, Header, Layout, PackedChunk, Reader, StreamError, Unpacker, unlike_catalogue,
};
use tensorsmith::report::{Description, RecordingEngine, RecordingReport, ReplayReport, RowReport};

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
/// `shown` says of which subjects recordings are wanted. So many threads answer; the first failure ends it.
pub(super) fn replay_files(
    files: &[PathBuf],
    kinds: (&[Kind], usize),
    other: Option<&Subject>,
    shown: &dyn Fn(&Header) -> bool,
) -> Result<ReplayReport, Failure> {
    prepare(files, kinds.0, other, shown)?;
    let jobs = if kinds.0.iter().all(|kind| kind.opens_again()) { kinds.1 } else { 1 };
    let (outcomes, mut place) = (Mutex::new(BTreeMap::new()), 0);
    let failed = AtomicBool::new(false);
    let done = |place: usize, outcome: Result<RecordingReport, Failure>| {
        failed.fetch_or(outcome.is_err(), Ordering::Relaxed);
        outcomes.lock().unwrap_or_else(PoisonError::into_inner).insert(place, outcome);
    };
    let read = thread::scope(|scope| {
        // One for each thread lies ready, and few are in memory.
        let (give, taken) = sync_channel::<(usize, Short)>(jobs);
        let taken = Arc::new(Mutex::new(taken));
        for _ in 0..if jobs > 1 { jobs } else { 0 } {
            let (taken, done) = (Arc::clone(&taken), &done);
            scope.spawn(move || {
                loop {
                    let next = taken.lock().unwrap_or_else(PoisonError::into_inner).recv();
                    let Ok((place, short)) = next else { return };
                    if !interrupt::came() {
                        done(place, short.replay(kinds.0, other));
                    }
                }
            });
        }
        drop(taken);
        for path in files {
            each_recording(path, shown, |reader| {
                let mut goes_on = true;
                if jobs > 1 && reader.header().vectors() <= SHORT {
                    let short = Short::read(path, reader);
                    goes_on = short.end.is_ok();
                    // No thread that takes it is gone before the end.
                    let _ = give.send((place, short));
                } else {
                    done(place, replay_recording(path, reader, kinds, other));
                }
                place += 1;
                match goes_on && !failed.load(Ordering::Relaxed) && !interrupt::came() {
                    true => Ok(()),
                    false => Err(Failure("a recording failed, or a signal came".to_owned())),
                }
            })?;
        }
        Ok(())
    });
    // Of several that failed the first one's failure is told; what was begun before it has ended.
    let outcomes = outcomes.into_inner().unwrap_or_else(PoisonError::into_inner);
    let outcomes = outcomes.into_values().collect::<Result<Vec<_>, Failure>>()?;
    match read {
        // After a signal the report has what was replayed before.
        Err(failure) if !interrupt::came() => Err(failure),
        _ => Ok(ReplayReport::new(outcomes)),
    }
}

/// Recordings of so many vectors are replayed whole, each by one thread; longer ones by all threads, one after the other.
const SHORT: u64 = 16_384;

/// A short recording, read but packed.
struct Short {
    path: PathBuf,
    header: Header,
    chunks: VecDeque<PackedChunk>,
    /// Why there are no more.
    end: Result<(), Failure>,
}

impl Short {
    fn read(path: &Path, reader: &mut Reader<BufReader<File>>) -> Short {
        let (header, mut chunks) = (reader.header().clone(), VecDeque::new());
        let end = loop {
            let mut chunk = PackedChunk::default();
            match reader.next_packed(&mut chunk) {
                Ok(true) => chunks.push_back(chunk),
                Ok(false) => break Ok(()),
                Err(error) => break Err(damaged(path, &error)),
            }
        };
        Short { path: path.to_owned(), header, chunks, end }
    }

    fn replay(mut self, kinds: &[Kind], other: Option<&Subject>) -> Result<RecordingReport, Failure> {
        let mut next = |chunk: &mut PackedChunk| match self.chunks.pop_front() {
            Some(read) => {
                *chunk = read;
                Ok(true)
            }
            None => std::mem::replace(&mut self.end, Ok(())).map(|()| false),
        };
        replay_chunks(&self.path, &self.header, (kinds, 1), other, (&mut next, &ProgressBar::hidden()))
    }
}

/// Does something at each recording of a file that is wanted.
fn each_recording(
    path: &Path,
    shown: &dyn Fn(&Header) -> bool,
    mut act: impl FnMut(&mut Reader<BufReader<File>>) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let failed = |error: StreamError| damaged(path, &error);
    let file = open(path).map_err(|error| Failure(format!("{}: cannot be read: {error}", path.shown())))?;
    let mut reader = Reader::new(BufReader::new(file)).map_err(failed)?;
    loop {
        if shown(reader.header()) {
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
    shown: &dyn Fn(&Header) -> bool,
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

fn damaged(path: &Path, error: &StreamError) -> Failure {
    Failure(format!("{}: {error}", path.shown()))
}

/// What unpacks chunks and asks engines about them.
struct Asker<'r> {
    path: &'r Path,
    layout: &'r Layout,
    engines: Vec<Box<dyn Engine>>,
    unpacker: Unpacker,
    chunk: Chunk,
    tally: Tally,
}

impl<'r> Asker<'r> {
    fn new(path: &'r Path, layout: &'r Layout, engines: Vec<Box<dyn Engine>>) -> Result<Asker<'r>, Failure> {
        let unpacker = Unpacker::new().map_err(|error| damaged(path, &error.into()))?;
        Ok(Asker { path, layout, engines, unpacker, chunk: Chunk::new(layout), tally: Tally::default() })
    }

    /// Asks about one chunk. Chunks come in their order. Its vectors.
    fn ask(&mut self, packed: &PackedChunk) -> Result<u64, Failure> {
        let unpacked = self.unpacker.unpack(self.layout, packed, &mut self.chunk);
        unpacked.map_err(|error| damaged(self.path, &error))?;
        self.tally.ask(&mut self.engines, &self.chunk)?;
        Ok(self.chunk.results.len() as u64)
    }
}

/// What engines answered so far.
#[derive(Default)]
struct Tally {
    /// Vectors and mismatches of each engine.
    counts: Vec<(u64, u64)>,
    /// The first mismatch: the first vector of its chunk, which engine, and the row.
    first: Option<(u64, usize, RowReport)>,
}

impl Tally {
    /// Asks the engines about one chunk.
    fn ask(&mut self, engines: &mut [Box<dyn Engine>], chunk: &Chunk) -> Result<(), EngineError> {
        self.counts.resize(engines.len(), (0, 0));
        for (index, engine) in engines.iter_mut().enumerate() {
            let outcome = replay(engine.as_mut(), &chunk.batch, &chunk.results)?;
            let (vectors, mismatches) = &mut self.counts[index];
            *vectors += outcome.vectors;
            *mismatches += outcome.mismatches;
            if let (None, Some(row)) = (&self.first, &outcome.first) {
                let row = Row { row: row.row + chunk.first as usize, ..row.clone() };
                self.first = Some((chunk.first, index, RowReport::of(outcome.engine, &row)));
            }
        }
        Ok(())
    }

    fn add(&mut self, other: Tally) {
        self.counts.resize(self.counts.len().max(other.counts.len()), (0, 0));
        for (own, other) in self.counts.iter_mut().zip(other.counts) {
            *own = (own.0 + other.0, own.1 + other.1);
        }
        let earliest = self.first.take().into_iter().chain(other.first);
        self.first = earliest.min_by_key(|(chunk, engine, _)| (*chunk, *engine));
    }
}

/// The recording that the reader has come to.
fn replay_recording(
    path: &Path,
    reader: &mut Reader<BufReader<File>>,
    kinds: (&[Kind], usize),
    other: Option<&Subject>,
) -> Result<RecordingReport, Failure> {
    let header = reader.header().clone();
    let bar = output::progress(&header.subject, header.vectors(), "vectors");
    let mut next = |chunk: &mut PackedChunk| reader.next_packed(chunk).map_err(|error| damaged(path, &error));
    let report = replay_chunks(path, &header, kinds, other, (&mut next, &bar));
    bar.finish_and_clear();
    report
}

/// Gives the next chunk of a recording, packed; `false` at its end.
type Next<'r> = &'r mut dyn FnMut(&mut PackedChunk) -> Result<bool, Failure>;

/// A recording through engines of these kinds, each on so many threads.
fn replay_chunks(
    path: &Path,
    header: &Header,
    (kinds, jobs): (&[Kind], usize),
    other: Option<&Subject>,
    (next, bar): (Next, &ProgressBar),
) -> Result<RecordingReport, Failure> {
    let recorded = recorded::of(path, header)?;
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
        description: asked.map(|asked| match (other, &header.described) {
            _ if asked.is_in_catalogue() => Description::Catalogue,
            (Some(_), _) | (None, None) => Description::File,
            (None, Some(_)) => Description::Recording,
        }),
        unlike_catalogue: asked.and_then(unlike_catalogue),
        engines: Vec::new(),
        skipped: None,
        first_mismatch: None,
    };
    let Some(subject) = asked else {
        report.skipped = Some(format!("only the interface of {} is known; allowed: --subject", header.subject));
        return Ok(report);
    };
    let (mut engines, mut open) = (Vec::new(), Vec::new());
    for &kind in kinds {
        match kind.open_spread(subject, jobs)? {
            Opened::Ready(engine) => {
                engines.push(engine);
                open.push(kind);
            }
            Opened::Absent(reason) => {
                report.engines.push(RecordingEngine::skipped(kind.name(), engines::skipped(kind, &reason)?));
            }
        }
    }
    let enough = header.vectors() >= (CHUNKS_FOR_ENGINES * jobs) as u64 * CHUNK_VECTORS;
    let tally = match jobs > 1 && enough && open.iter().all(|kind| kind.opens_again()) {
        true => on_threads((&open, jobs), subject, (path, &header.layout), (next, bar))?,
        false => {
            let (mut asker, mut packed) = (Asker::new(path, &header.layout, engines)?, PackedChunk::default());
            while !interrupt::came() && next(&mut packed)? {
                bar.inc(asker.ask(&packed)?);
            }
            engines = asker.engines;
            asker.tally
        }
    };
    report.first_mismatch = tally.first.map(|(_, _, row)| row);
    let counts = tally.counts.into_iter().chain(std::iter::repeat((0, 0)));
    let ran = engines.iter().zip(counts);
    report
        .engines
        .extend(ran.map(|(engine, (vectors, mismatches))| RecordingEngine::ran(engine.as_ref(), vectors, mismatches)));
    Ok(report)
}

/// The chunks of a recording, on so many threads that each have engines of their own. Of several failures the first one's is told.
fn on_threads(
    (kinds, jobs): (&[Kind], usize),
    subject: &Subject,
    (path, layout): (&Path, &Layout),
    (next, bar): (Next, &ProgressBar),
) -> Result<Tally, Failure> {
    let failed = AtomicBool::new(false);
    // Chunks that are done with, to be read into again.
    let (spare, again) = channel();
    let open = || {
        let opened = kinds.iter().map(|kind| kind.open_another(subject)).collect::<Result<Vec<_>, EngineError>>();
        Asker::new(path, layout, opened?)
    };
    let work = |taken: &Mutex<Receiver<PackedChunk>>, spare: &Sender<PackedChunk>| -> Result<Tally, (u64, Failure)> {
        let ended = |first: u64, failure: Failure| {
            failed.store(true, Ordering::Relaxed);
            (first, failure)
        };
        let mut asker = open().map_err(|failure| ended(0, failure))?;
        loop {
            let next = taken.lock().unwrap_or_else(PoisonError::into_inner).recv();
            let Ok(packed) = next else { return Ok(asker.tally) };
            bar.inc(asker.ask(&packed).map_err(|failure| ended(packed.first, failure))?);
            // Who reads may have ended.
            let _ = spare.send(packed);
        }
    };
    let (read, ended) = thread::scope(|scope| {
        // One for each thread lies ready, so that none waits until the next is read.
        let (give, taken) = sync_channel(jobs);
        let taken = Arc::new(Mutex::new(taken));
        let threads: Vec<_> = (0..jobs)
            .map(|_| {
                let (taken, work, spare) = (Arc::clone(&taken), &work, spare.clone());
                scope.spawn(move || work(&taken, &spare))
            })
            .collect();
        drop(taken);
        let mut read = || {
            let mut chunk = again.try_recv().unwrap_or_default();
            Ok::<_, Failure>(next(&mut chunk)?.then_some(chunk))
        };
        let read = loop {
            match read() {
                Ok(Some(_)) if failed.load(Ordering::Relaxed) || interrupt::came() => break Ok(()),
                // All threads are gone where each of them failed.
                Ok(Some(chunk)) => {
                    if give.send(chunk).is_err() {
                        break Ok(());
                    }
                }
                Ok(None) => break Ok(()),
                Err(failure) => break Err(failure),
            }
        };
        drop(give);
        let ended: Vec<_> = threads.into_iter().map(|thread| thread.join().expect("it does not panic")).collect();
        (read, ended)
    });
    let all = merged(ended)?;
    read.map(|()| all)
}

/// What threads have counted together; of several failures the first one.
fn merged(ended: Vec<Result<Tally, (u64, Failure)>>) -> Result<Tally, Failure> {
    let (mut all, mut first) = (Tally::default(), None);
    for one in ended {
        match one {
            Ok(tally) => all.add(tally),
            Err((chunk, error)) if first.as_ref().is_none_or(|(earlier, _)| chunk < *earlier) => {
                first = Some((chunk, error));
            }
            Err(_) => {}
        }
    }
    first.map_or(Ok(all), |(_, error)| Err(error))
}
