//! The chunks of a recording: drawn, answered and packed on several threads, and written in their order.

use std::collections::BTreeMap;
use std::io::Write;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use indicatif::ProgressBar;

use tensorsmith::check::compare::Source;
use tensorsmith::check::stimulus::CHUNK;
use tensorsmith::check::suite::Suite;
use tensorsmith::describe::subject::Subject;
use tensorsmith::engine::{Batch, CHUNKS_FOR_ENGINES, Engine, EngineError, Kind};
use tensorsmith::recording::{CHUNK_VECTORS, Compressed, Layout, Packer, StreamError, Writer};

pub(super) enum RecordError {
    Stream(StreamError),
    Engine(EngineError),
}

/// What answers: a subject's engine that is open, and what it takes to open more of them.
pub(super) struct Answering<'e> {
    pub subject: &'e Subject,
    pub kind: Kind,
    pub engine: &'e mut dyn Engine,
    /// Threads that draw, answer and pack.
    pub jobs: usize,
}

/// Vectors of a part.
struct Piece<'s> {
    source: &'s Source,
    start: u64,
}

impl Piece<'_> {
    fn draw(&self, batch: &mut Batch) {
        let count = (self.source.count() - self.start).min(CHUNK_VECTORS) as usize;
        self.source.fill(self.start / CHUNK as u64, count, batch);
    }
}

/// A chunk that is to be answered, by its place, and where the answers go.
type Question = (usize, Batch, Sender<(Batch, Result<Vec<u64>, EngineError>)>);

/// How far the chunks are that threads make.
struct State<'w, W: Write> {
    writer: &'w mut Writer<W>,
    /// How many are written.
    written: usize,
    /// The first one that failed: those before it are still written.
    failure: Option<(usize, RecordError)>,
}

/// What the threads share.
struct Line<'w, W: Write> {
    pieces: Vec<Piece<'w>>,
    next: AtomicUsize,
    state: Mutex<State<'w, W>>,
    changed: Condvar,
    layout: Layout,
    bar: &'w ProgressBar,
}

/// Writes what is still missing of all parts. Chunks begin anew with each part. What is answered is written at once, even if the next
/// fails; the bytes are the same on any number of threads.
pub(super) fn write_parts(
    sources: &[(Suite, Source)],
    answering: Answering,
    writer: &mut Writer<impl Write + Send>,
    bar: &ProgressBar,
) -> Result<(), RecordError> {
    let Answering { subject, kind, engine, jobs } = answering;
    let (mut pieces, mut first, layout) = (Vec::new(), 0, writer.layout().clone());
    for (_, source) in sources {
        let begin = writer.vectors().saturating_sub(first).next_multiple_of(CHUNK_VECTORS);
        let starts = (begin..source.count()).step_by(CHUNK_VECTORS as usize);
        pieces.extend(starts.map(|start| Piece { source, start }));
        first += source.count();
    }
    let jobs = jobs.min(pieces.len());
    let own = jobs > 1 && kind.opens_again() && pieces.len() >= CHUNKS_FOR_ENGINES * jobs;
    let line = Line {
        pieces,
        next: AtomicUsize::new(0),
        state: Mutex::new(State { writer, written: 0, failure: None }),
        changed: Condvar::new(),
        layout,
        bar,
    };
    thread::scope(|scope| {
        let (ask, asked) = channel::<Question>();
        for _ in 0..jobs {
            let (line, ask) = (&line, ask.clone());
            scope.spawn(move || if own { line.work_with_engine(kind, subject) } else { line.work_asking(&ask) });
        }
        drop(ask);
        answer_in_order(&asked, engine);
    });
    let state = line.state.into_inner().unwrap_or_else(PoisonError::into_inner);
    // A thread whose engine did not open when all chunks were taken was not needed.
    match state.failure.filter(|(place, _)| *place < line.pieces.len()) {
        Some((_, error)) => Err(error),
        None => Ok(()),
    }
}

/// Answers chunks in their order until nobody asks any more, or the engine fails.
fn answer_in_order(asked: &Receiver<Question>, engine: &mut dyn Engine) {
    let (mut waiting, mut next) = (BTreeMap::new(), 0);
    for (place, batch, answer) in asked {
        waiting.insert(place, (batch, answer));
        while let Some((batch, answer)) = waiting.remove(&next) {
            let outcome = engine.answers(&batch);
            let failed = outcome.is_err();
            // Who asked may have given up.
            let _ = answer.send((batch, outcome));
            if failed {
                return;
            }
            next += 1;
        }
    }
}

impl<'l, W: Write + Send> Line<'l, W> {
    fn work_with_engine(&self, kind: Kind, subject: &Subject) {
        let mut engine = match kind.open_another(subject) {
            Ok(engine) => engine,
            Err(error) => return self.fail(self.next.load(Ordering::Relaxed), RecordError::Engine(error)),
        };
        self.work(|_, batch| {
            let results = engine.answers(&batch)?;
            Ok(Some((batch, results)))
        });
    }

    fn work_asking(&self, ask: &Sender<Question>) {
        self.work(|place, batch| {
            let (answer, answered) = channel();
            // An engine that failed is not asked any more.
            if ask.send((place, batch, answer)).is_err() {
                return Ok(None);
            }
            let Ok((batch, outcome)) = answered.recv() else { return Ok(None) };
            outcome.map(|results| Some((batch, results)))
        });
    }

    /// Makes one chunk after the other, until all are taken or one has failed. `answer` has nothing where another one failed before.
    fn work(&self, mut answer: impl FnMut(usize, Batch) -> Result<Option<(Batch, Vec<u64>)>, EngineError>) {
        let Some(mut batch) = self.pieces.first().map(|piece| piece.source.empty_batch()) else { return };
        let mut packer = match Packer::new(&self.layout) {
            Ok(packer) => packer,
            Err(error) => return self.fail(self.next.load(Ordering::Relaxed), RecordError::Stream(error)),
        };
        loop {
            if self.lock().failure.is_some() {
                return;
            }
            let place = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(piece) = self.pieces.get(place) else { return };
            piece.draw(&mut batch);
            let made = match answer(place, batch) {
                Ok(None) => return,
                Ok(Some((answered, results))) => {
                    batch = answered;
                    packer.pack(&batch, &results).map_err(RecordError::Stream)
                }
                Err(error) => return self.fail(place, RecordError::Engine(error)),
            };
            let made = made.and_then(|chunk| self.write(place, &chunk));
            if let Err(error) = made {
                return self.fail(place, error);
            }
        }
    }

    fn fail(&self, place: usize, error: RecordError) {
        let mut state = self.lock();
        if state.failure.as_ref().is_none_or(|(first, _)| place < *first) {
            state.failure = Some((place, error));
        }
        self.changed.notify_all();
    }

    /// Writes a chunk when all before it are written; not at all if one of them failed.
    fn write(&self, place: usize, chunk: &Compressed) -> Result<(), RecordError> {
        let failed = |state: &State<W>| state.failure.as_ref().is_some_and(|(first, _)| *first < place);
        let waits = |state: &mut State<W>| state.written < place && !failed(state);
        let mut state = self.changed.wait_while(self.lock(), waits).unwrap_or_else(PoisonError::into_inner);
        if failed(&state) {
            return Ok(());
        }
        let before = state.writer.vectors();
        state.writer.append(chunk).and_then(|()| state.writer.flush()).map_err(RecordError::Stream)?;
        state.written += 1;
        self.bar.inc(state.writer.vectors() - before);
        self.changed.notify_all();
        Ok(())
    }

    fn lock(&self) -> MutexGuard<'_, State<'l, W>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
