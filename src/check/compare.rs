//! The same vectors through several engines; the first disagreement shrunk to a minimal vector.

use std::fmt;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::shrink::{Found, Minimal, answers_at, evaluated_again, minimal};
use super::stimulus::{CHUNK, Class, Exhaustive, Stimulus};
use crate::compute::events::Coverage;
use crate::describe::subject::Subject;
use crate::describe::unit::Unit;
use crate::engine::{Absence, Batch, Emulator, Engine, EngineError, Handshake, Identity, Kind, Opened, Vector};

/// Which vectors to run.
#[derive(Debug, Clone)]
#[expect(clippy::large_enum_variant, reason = "one source a comparison")]
pub enum Source {
    /// That many vectors of a shaped stimulus.
    Shaped { stimulus: Stimulus, count: u64 },
    /// Every input of the unit.
    Exhaustive(Exhaustive),
    /// Vectors from elsewhere, in the order given.
    Given(Batch),
    /// `count` vectors of another source, from chunk `first` on.
    Part { whole: Box<Source>, first: u64, count: u64 },
}

impl Source {
    /// Number of vectors.
    pub fn count(&self) -> u64 {
        match self {
            Source::Shaped { count, .. } => *count,
            Source::Exhaustive(all) => all.count(),
            Source::Given(batch) => batch.len() as u64,
            Source::Part { count, .. } => *count,
        }
    }

    /// A batch that the source can fill.
    pub fn empty_batch(&self) -> Batch {
        match self {
            Source::Shaped { stimulus, .. } => stimulus.empty_batch(),
            Source::Exhaustive(all) => all.empty_batch(),
            Source::Given(batch) => Batch::new(batch.products(), batch.scales()),
            Source::Part { whole, .. } => whole.empty_batch(),
        }
    }

    /// Fills `batch` with the first `count` vectors from chunk `chunk` on.
    pub fn fill(&self, chunk: u64, count: usize, batch: &mut Batch) {
        match self {
            Source::Shaped { stimulus, .. } => stimulus.fill(chunk, count, batch),
            Source::Exhaustive(all) => all.fill(chunk, count, batch),
            Source::Given(given) => {
                batch.clear();
                let first = chunk as usize * CHUNK;
                (first..first + count).for_each(|index| batch.push(&given.vector(index)));
            }
            Source::Part { whole, first, .. } => whole.fill(first + chunk, count, batch),
        }
    }

    /// The stimulus class of vector `index`, where there are classes.
    pub fn class_of(&self, index: u64) -> Option<Class> {
        match self {
            Source::Shaped { stimulus, .. } => Some(stimulus.class_of(index)),
            Source::Exhaustive(_) | Source::Given(_) => None,
            Source::Part { whole, .. } => whole.class_of(index),
        }
    }

    /// Index of the first vector within the whole stimulus.
    fn offset(&self) -> u64 {
        match self {
            Source::Part { first, .. } => first * CHUNK as u64,
            _ => 0,
        }
    }
}

/// What an engine did.
pub enum Ran {
    /// Answered that many vectors, in that time.
    Vectors { identity: Identity, count: u64, time: Duration },
    /// Did not take part.
    Skipped { engine: String, reason: Absence },
}

/// Answers of all engines to one vector.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mismatch {
    /// Index within the stimulus, of the vector before shrinking.
    pub index: u64,
    pub class: Option<Class>,
    /// The vector as generated.
    pub original: Vector,
    /// The minimal vector on which the engines still disagree.
    pub vector: Vector,
    /// Engine name and answer to the minimal vector.
    pub answers: Vec<(String, u64)>,
    /// Why the vector is not minimal, where it stayed as it was found, with the answers of the run.
    pub not_shrunk: Option<String>,
    /// Engines that returned something else for the vector when they were evaluated again: then it is no case.
    pub not_reproducible: Vec<NotReproducible>,
}

/// An engine that returned two results for one vector, in hexadecimal.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct NotReproducible {
    pub engine: String,
    pub results: [String; 2],
}

impl NotReproducible {
    pub(super) fn new(engine: &str, results: [u64; 2]) -> NotReproducible {
        NotReproducible { engine: engine.to_owned(), results: results.map(|result| format!("{result:#x}")) }
    }
}

impl fmt::Display for NotReproducible {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [first, again] = &self.results;
        write!(f, "not reproducible: {} returned {first}, then {again} for the same vector", self.engine)
    }
}

/// The outcome of a comparison.
pub struct Comparison {
    pub engines: Vec<Ran>,
    /// Vectors on which at least two engines answered.
    pub compared: u64,
    /// Vectors on which not all answers were equal.
    pub mismatches: u64,
    pub first: Option<Mismatch>,
    /// Of given vectors, the indices of those that differ.
    pub differing: Vec<u64>,
    /// Vectors of the source that were not run, because `progress` ended the run.
    pub left: u64,
    /// How an engine failed after a mismatch was found, which ended the run.
    pub failure: Option<EngineError>,
    /// Events of the datapath, if the emulator took part or observed; it says on how many vectors.
    pub coverage: Option<Coverage>,
    /// What was done to the handshakes of the engine that has some.
    pub handshakes: Vec<Handshake>,
    pub time: Duration,
}

/// For runs that end with their last vector only.
pub fn to_the_end(_done: u64) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// An engine that takes part, with its account.
pub(super) struct Entrant {
    pub engine: Box<dyn Engine>,
    pub results: Vec<u64>,
    pub count: u64,
    pub time: Duration,
}

impl Entrant {
    pub fn new(engine: Box<dyn Engine>) -> Entrant {
        Entrant { engine, results: Vec::new(), count: 0, time: Duration::ZERO }
    }

    fn answer(&mut self, batch: &Batch) -> Result<(), EngineError> {
        let start = Instant::now();
        self.engine.run(batch, &mut self.results)?;
        self.time += start.elapsed();
        self.count += batch.len() as u64;
        Ok(())
    }

    pub fn account(self) -> Ran {
        Ran::Vectors { identity: self.engine.identity(), count: self.count, time: self.time }
    }
}

/// Runs all vectors of `source` through the engines and compares their answers. `progress` hears the number of vectors
/// done so far.
///
/// # Errors
/// An engine failed; what it answered before is discarded with it.
pub fn compare(
    engines: Vec<Box<dyn Engine>>,
    source: &Source,
    progress: &mut dyn FnMut(u64),
) -> Result<Comparison, EngineError> {
    let comparison = compare_observed(engines, (None, None), source, &mut |done| {
        progress(done);
        to_the_end(done)
    })?;
    comparison.failure.clone().map_or(Ok(comparison), Err)
}

/// Whether an observer looks at a chunk: at the first ones, and now and then, so that it costs next to nothing.
fn is_observed(chunk: u64) -> bool {
    chunk < 64 || chunk.is_multiple_of(128)
}

/// More threads that take part in a comparison, each with engines of its own.
pub struct Team<'a> {
    /// Opens engines as those that the comparison was given.
    pub open: &'a (dyn Fn() -> Result<Vec<Box<dyn Engine>>, EngineError> + Sync),
    /// Threads in all, that of the caller among them.
    pub jobs: usize,
}

/// Vectors for each thread that are worth opening engines for.
const WORTH_A_THREAD: u64 = 32 * CHUNK as u64;

/// The same with an emulator of a unit beside them that takes no part, but counts events on some chunks; where an engine counts
/// them itself it is not asked, and its time is not counted. With a team chunks go to whichever thread is free; what is reported
/// is the same. `progress` may end the run after any batch.
///
/// # Errors
/// The same, unless a mismatch was found before: then that is the outcome, and the failure is beside it. Of several that failed,
/// what the one with the earliest vectors said.
pub fn compare_observed(
    engines: Vec<Box<dyn Engine>>,
    (observed, team): (Option<&Unit>, Option<Team>),
    source: &Source,
    progress: &mut dyn FnMut(u64) -> ControlFlow<()>,
) -> Result<Comparison, EngineError> {
    let start = Instant::now();
    let mut own = Worker::new(engines, observed, source);
    let others = match &team {
        Some(team) => (team.jobs as u64).min(source.count() / WORTH_A_THREAD).saturating_sub(1),
        None => 0,
    };
    let queue = Queue::of(source);
    let mut workers = Vec::new();
    thread::scope(|scope| {
        let help = || {
            let engines = team.as_ref().map_or(Ok(Vec::new()), |team| (team.open)());
            let mut worker = Worker::new(engines.map_err(|error| queue.fail(0, error)).ok()?, observed, source);
            worker.work(source, &queue, &mut |_| ControlFlow::Continue(()));
            Some(worker.account())
        };
        let helpers: Vec<_> = (0..others).map(|_| scope.spawn(help)).collect();
        own.work(source, &queue, progress);
        workers.extend(helpers.into_iter().filter_map(|helper| helper.join().ok().flatten()));
    });
    let (done, failed) = queue.finished();
    let jobs = workers.len() as u32 + 1;
    let total = workers.into_iter().fold(own.account(), Account::and);
    let failure = match (failed, &total.first) {
        (Some((chunk, error)), Some((index, _))) if *index < chunk * CHUNK as u64 => Some(error),
        (Some((_, error)), _) => return Err(error),
        (None, _) => None,
    };
    let handshakes = own.entrants.iter().map(|entrant| entrant.engine.handshakes()).find(|all| !all.is_empty());
    let first = match total.first {
        Some((index, found)) => Some(minimal_mismatch(&mut own.entrants, source.offset() + index, source, found)),
        None => None,
    };
    let counted = |(entrant, (count, time)): (Entrant, (u64, Duration))| Ran::Vectors {
        identity: entrant.engine.identity(),
        count,
        time: time / jobs,
    };
    Ok(Comparison {
        compared: if total.engines.len() > 1 { done } else { 0 },
        engines: own.entrants.into_iter().zip(total.engines).map(counted).collect(),
        mismatches: total.mismatches,
        first,
        differing: total.differing,
        left: if failure.is_some() { 0 } else { source.count() - done },
        failure,
        coverage: total.coverage,
        handshakes: handshakes.unwrap_or_default(),
        time: start.elapsed().saturating_sub(total.observing / jobs),
    })
}

/// Chunks of a source that wait for a thread.
struct Queue {
    chunks: u64,
    count: u64,
    next: AtomicU64,
    /// Vectors that were compared.
    done: AtomicU64,
    /// Whether no more chunks are to be begun.
    ended: AtomicBool,
    /// The first chunk at which an engine failed, and what it said.
    failure: Mutex<Option<(u64, EngineError)>>,
}

impl Queue {
    fn of(source: &Source) -> Queue {
        let count = source.count();
        Queue {
            chunks: count.div_ceil(CHUNK as u64),
            count,
            next: AtomicU64::new(0),
            done: AtomicU64::new(0),
            ended: AtomicBool::new(false),
            failure: Mutex::new(None),
        }
    }

    /// The next chunk, and its number of vectors. Every one before it was begun, and will be finished.
    fn take(&self) -> Option<(u64, u64)> {
        if self.ended.load(Ordering::Acquire) {
            return None;
        }
        let chunk = self.next.fetch_add(1, Ordering::AcqRel);
        (chunk < self.chunks).then(|| (chunk, (self.count - chunk * CHUNK as u64).min(CHUNK as u64)))
    }

    fn end(&self) {
        self.ended.store(true, Ordering::Release);
    }

    fn fail(&self, chunk: u64, error: EngineError) {
        let mut failure = self.failure.lock().unwrap_or_else(PoisonError::into_inner);
        if failure.as_ref().is_none_or(|(first, _)| chunk < *first) {
            *failure = Some((chunk, error));
        }
        self.end();
    }

    /// Vectors that were compared, and the chunk at which an engine failed first.
    fn finished(self) -> (u64, Option<(u64, EngineError)>) {
        (self.done.into_inner(), self.failure.into_inner().unwrap_or_else(PoisonError::into_inner))
    }
}

/// A thread's engines, and what they found.
struct Worker {
    entrants: Vec<Entrant>,
    observer: Option<Entrant>,
    batch: Batch,
    mismatches: u64,
    differing: Vec<u64>,
    first: Option<(u64, Found)>,
}

impl Worker {
    fn new(engines: Vec<Box<dyn Engine>>, observed: Option<&Unit>, source: &Source) -> Worker {
        let entrants: Vec<Entrant> = engines.into_iter().map(Entrant::new).collect();
        let counts = entrants.iter().any(|entrant| entrant.engine.coverage().is_some());
        let observed = observed.filter(|_| !counts && entrants.len() > 1);
        let observer = observed.map(|unit| Entrant::new(Box::new(Emulator::new(unit))));
        let batch = source.empty_batch();
        Worker { entrants, observer, batch, mismatches: 0, differing: Vec::new(), first: None }
    }

    /// Compares chunks until none is left.
    fn work(&mut self, source: &Source, queue: &Queue, progress: &mut dyn FnMut(u64) -> ControlFlow<()>) {
        while let Some((chunk, count)) = queue.take() {
            if let Err(error) = self.chunk(source, chunk, count) {
                queue.fail(chunk, error);
                return;
            }
            let done = queue.done.fetch_add(count, Ordering::AcqRel) + count;
            if progress(done).is_break() {
                queue.end();
            }
        }
    }

    fn chunk(&mut self, source: &Source, chunk: u64, count: u64) -> Result<(), EngineError> {
        source.fill(chunk, count as usize, &mut self.batch);
        for entrant in &mut self.entrants {
            entrant.answer(&self.batch)?;
        }
        if let Some(observer) = self.observer.as_mut().filter(|_| is_observed(chunk)) {
            observer.answer(&self.batch)?;
        }
        let differing = disagreements(&self.entrants);
        self.mismatches += differing.len() as u64;
        if let Source::Given(_) = source {
            self.differing.extend(differing.iter().map(|place| chunk * CHUNK as u64 + *place as u64));
        }
        if let (None, Some(&position)) = (&self.first, differing.first()) {
            let answers = answers_at(&self.entrants, position);
            self.first = Some((chunk * CHUNK as u64 + position as u64, (self.batch.vector(position), answers)));
        }
        Ok(())
    }

    fn account(&self) -> Account {
        let counting = self.entrants.iter().chain(&self.observer);
        Account {
            engines: self.entrants.iter().map(|entrant| (entrant.count, entrant.time)).collect(),
            observing: self.observer.as_ref().map_or(Duration::ZERO, |observer| observer.time),
            mismatches: self.mismatches,
            differing: self.differing.clone(),
            first: self.first.clone(),
            coverage: counting.map(|entrant| entrant.engine.coverage().cloned()).find(Option::is_some).flatten(),
        }
    }
}

/// What a thread did, or several.
struct Account {
    /// Vectors that each engine answered, and its time.
    engines: Vec<(u64, Duration)>,
    observing: Duration,
    mismatches: u64,
    differing: Vec<u64>,
    first: Option<(u64, Found)>,
    coverage: Option<Coverage>,
}

impl Account {
    fn and(self, other: Account) -> Account {
        let engines = self.engines.iter().zip(&other.engines);
        let earlier = |one: (u64, Found), other: (u64, Found)| if other.0 < one.0 { other } else { one };
        Account {
            engines: engines.map(|(one, other)| (one.0 + other.0, one.1 + other.1)).collect(),
            observing: self.observing + other.observing,
            mismatches: self.mismatches + other.mismatches,
            differing: [self.differing, other.differing].concat(),
            first: match (self.first, other.first) {
                (Some(one), Some(other)) => Some(earlier(one, other)),
                (one, other) => one.or(other),
            },
            coverage: match (self.coverage, other.coverage) {
                (Some(one), Some(other)) => Some(one.and(&other)),
                (one, other) => one.or(other),
            },
        }
    }
}

/// The vectors of the batch that differ in any answer.
pub(super) fn disagreements(entrants: &[Entrant]) -> Vec<usize> {
    let Some((baseline, others)) = entrants.split_first() else { return Vec::new() };
    if others.iter().all(|other| other.results == baseline.results) {
        return Vec::new();
    }
    let differs = |&v: &usize| others.iter().any(|other| other.results[v] != baseline.results[v]);
    (0..baseline.results.len()).filter(differs).collect()
}

fn minimal_mismatch(entrants: &mut [Entrant], index: u64, source: &Source, found: Found) -> Mismatch {
    let original = found.0.clone();
    let Minimal { vector, answers, not_shrunk, not_reproducible } = match source {
        // Given vectors are minimal or known; they stay as they are.
        Source::Given(_) => {
            let (not_reproducible, _) = evaluated_again(entrants, &found);
            Minimal { vector: found.0, answers: found.1, not_shrunk: None, not_reproducible }
        }
        _ => minimal(entrants, found),
    };
    Mismatch { index, class: source.class_of(index), original, vector, answers, not_shrunk, not_reproducible }
}

/// Engines that can run a unit or an instruction, and accounts of those that cannot.
pub struct Lineup {
    pub ready: Vec<Box<dyn Engine>>,
    pub skipped: Vec<Ran>,
}

/// Opens engines for a unit or an instruction.
///
/// # Errors
/// An engine exists on this machine but failed to start.
pub fn line_up(subject: &Subject, kinds: &[Kind]) -> Result<Lineup, EngineError> {
    let mut lineup = Lineup { ready: Vec::new(), skipped: Vec::new() };
    for kind in kinds {
        match kind.open_subject(subject)? {
            Opened::Ready(engine) => lineup.ready.push(engine),
            Opened::Absent(reason) => lineup.skipped.push(Ran::Skipped { engine: kind.name().to_owned(), reason }),
        }
    }
    Ok(lineup)
}
