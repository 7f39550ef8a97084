//! The same vectors through several engines; the first disagreement shrunk to a minimal vector.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use super::shrink;
use super::stimulus::{CHUNK, Class, Exhaustive, Stimulus};
use crate::compute::events::Coverage;
use crate::describe::subject::Subject;
use crate::engine::{Absence, Batch, Emulator, Engine, EngineError, Identity, Kind, Opened, Vector};

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
}

/// The outcome of a comparison.
pub struct Comparison {
    pub engines: Vec<Ran>,
    /// Vectors on which at least two engines answered.
    pub compared: u64,
    /// Vectors on which not all answers were equal.
    pub mismatches: u64,
    pub first: Option<Mismatch>,
    /// Vectors of the source that were not run, because `progress` ended the run.
    pub left: u64,
    /// Events of the datapath, if the emulator took part or observed; it says on how many vectors.
    pub coverage: Option<Coverage>,
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
    compare_observed(engines, None, source, &mut |done| {
        progress(done);
        to_the_end(done)
    })
}

/// Whether an observer looks at a chunk: at the first ones, and now and then, so that it costs next to nothing.
fn is_observed(chunk: u64) -> bool {
    chunk < 64 || chunk.is_multiple_of(128)
}

/// The same with an emulator beside them that takes no part, but counts events on some chunks; where an engine counts them
/// itself it is not asked, and its time is not counted. `progress` may end the run after any batch.
///
/// # Errors
/// The same.
pub fn compare_observed(
    engines: Vec<Box<dyn Engine>>,
    observer: Option<Emulator>,
    source: &Source,
    progress: &mut dyn FnMut(u64) -> ControlFlow<()>,
) -> Result<Comparison, EngineError> {
    let mut entrants: Vec<Entrant> = engines.into_iter().map(Entrant::new).collect();
    let counts = entrants.iter().any(|entrant| entrant.engine.coverage().is_some());
    let alone = entrants.len() < 2;
    let mut observer = observer.filter(|_| !counts && !alone).map(|emulator| Entrant::new(Box::new(emulator)));
    let start = Instant::now();
    let mut batch = source.empty_batch();
    let (mut mismatches, mut first, mut done) = (0, None, 0);
    while done < source.count() {
        let count = (source.count() - done).min(CHUNK as u64);
        source.fill(done / CHUNK as u64, count as usize, &mut batch);
        for entrant in &mut entrants {
            entrant.answer(&batch)?;
        }
        if let Some(observer) = observer.as_mut().filter(|_| is_observed(done / CHUNK as u64)) {
            observer.answer(&batch)?;
        }
        let (differing, position) = disagreements(&entrants);
        mismatches += differing;
        if let (None, Some(position)) = (&first, position) {
            first = Some((done + position as u64, batch.vector(position)));
        }
        done += count;
        if progress(done).is_break() {
            break;
        }
    }
    let time = start.elapsed() - observer.as_ref().map_or(Duration::ZERO, |observer| observer.time);
    let compared = if entrants.len() > 1 { done } else { 0 };
    let coverage = entrants.iter().chain(&observer).find_map(|entrant| entrant.engine.coverage().cloned());
    let first = match first {
        Some((index, original)) => Some(minimal_mismatch(&mut entrants, source.offset() + index, source, original)?),
        None => None,
    };
    let engines = entrants.into_iter().map(Entrant::account).collect();
    let left = source.count() - done;
    Ok(Comparison { engines, compared, mismatches, first, left, coverage, time })
}

/// How many vectors of the batch differ in any answer, and the first of them.
pub(super) fn disagreements(entrants: &[Entrant]) -> (u64, Option<usize>) {
    let Some((baseline, others)) = entrants.split_first() else { return (0, None) };
    if others.iter().all(|other| other.results == baseline.results) {
        return (0, None);
    }
    let differs = |&v: &usize| others.iter().any(|other| other.results[v] != baseline.results[v]);
    let differing: Vec<usize> = (0..baseline.results.len()).filter(differs).collect();
    (differing.len() as u64, differing.first().copied())
}

fn minimal_mismatch(
    entrants: &mut [Entrant],
    index: u64,
    source: &Source,
    original: Vector,
) -> Result<Mismatch, EngineError> {
    let (vector, answers) = match source {
        // Given vectors are minimal or known; they stay as they are.
        Source::Given(_) => (original.clone(), answers(entrants, &original)?),
        _ => minimal(entrants, &original)?,
    };
    Ok(Mismatch { index, class: source.class_of(index), original, vector, answers })
}

/// Engine names and answers to one vector.
type Answers = Vec<(String, u64)>;

/// The vector made as small as the disagreement allows, and the answers to it. An engine whose answers depend on what came
/// before may agree on the vector alone: then it stays as it is.
pub(super) fn minimal(entrants: &mut [Entrant], original: &Vector) -> Result<(Vector, Answers), EngineError> {
    let mut failure = None;
    let mut differs = |vector: &Vector| match answers(entrants, vector) {
        Ok(answers) => answers.iter().any(|(_, answer)| *answer != answers[0].1),
        Err(error) => {
            failure.get_or_insert(error);
            false
        }
    };
    let vector = if differs(original) { shrink::shrink(original, &mut differs) } else { original.clone() };
    if let Some(error) = failure {
        return Err(error);
    }
    let answers = answers(entrants, &vector)?;
    Ok((vector, answers))
}

fn answers(entrants: &mut [Entrant], vector: &Vector) -> Result<Answers, EngineError> {
    let batch = Batch::of(vector);
    let mut results = Vec::new();
    let mut all = Vec::new();
    for entrant in entrants {
        entrant.engine.run(&batch, &mut results)?;
        all.push((entrant.engine.name().to_owned(), results[0]));
    }
    Ok(all)
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
