//! The smallest vector on which engines differ.
//!
//! The search: all inputs where the budget allows that; else the directed probes, then the shaped stimulus of every frame,
//! then random mutations of vectors that came close. What is found is made as small as it goes, in the order of [`Size`].
//! Answers are compared as encodings where all results have one format, flags included where all have them, and as numbers
//! if not: then any NaN is like any other, and the zeros have signs.
//!
//! Architecture invariant: asks engines only. A frame says which vectors an engine takes and shapes the stimulus; an engine
//! need not be what its frame says. The same seed asks the same vectors.

mod mutation;
pub mod prescribe;
mod shrink;

pub use shrink::Size;
pub(super) use shrink::size;

use crate::check::probe;
use crate::check::stimulus::{CHUNK, Exhaustive, Stimulus};
use crate::describe::interface::{Frame, Interface};
use crate::engine::{Batch, Engine, EngineError, Vector};
pub(super) use mutation::{Mutator, neighbours};

/// Vectors that are asked or compared at a time.
pub(super) const BATCH: usize = 4 * CHUNK;

/// An engine, and formats and sizes of its vectors. Operands, their number and c are the same for all that are compared.
pub struct Candidate<'a> {
    pub engine: &'a mut dyn Engine,
    pub frame: &'a Frame,
}

/// How long, unless every two differ before, and with which random numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    /// Vectors that every candidate answers, those of making a vector smaller not counted.
    pub vectors: u64,
    pub seed: u64,
}

/// Two candidates that differ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Distinguished {
    pub pair: [usize; 2],
    /// The smallest vector that was found.
    pub vector: Vector,
    pub size: Size,
    /// Which stage of the search found it: a probe's name, `shaped`, `guided` or `all inputs`.
    pub found_by: &'static str,
}

/// What came of a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    pub distinguished: Vec<Distinguished>,
    /// Pairs that gave the same answer to every vector.
    pub indistinguishable: Vec<[usize; 2]>,
    /// Vectors that were tried.
    pub tried: u64,
    /// Whether these were all inputs there are: only then indistinguishable candidates are equal.
    pub all_inputs: bool,
}

/// Vectors of each pair that are made smaller.
const KEPT: usize = 4;

/// The candidates, asked together.
struct Panel<'p, 'e> {
    candidates: &'p mut [Candidate<'e>],
    /// Whether all results have one format, and whether all come with flags or none.
    one_format: bool,
    one_word: bool,
}

impl<'p, 'e> Panel<'p, 'e> {
    fn new(candidates: &'p mut [Candidate<'e>]) -> Panel<'p, 'e> {
        let first = candidates[0].frame;
        let one_format = candidates.iter().all(|one| one.frame.formats.d == first.formats.d);
        let flags = candidates.iter().all(|one| one.frame.flags == first.flags);
        Panel { candidates, one_format, one_word: one_format && flags }
    }

    fn frame(&self) -> &Frame {
        self.candidates[0].frame
    }

    /// The result in an answer of the first candidate.
    fn result(&self, answer: u64) -> f64 {
        let frame = self.frame();
        match (self.one_word, self.one_format) {
            (true, _) => frame.formats.d.to_f64(frame.split_answer(answer).0),
            (false, true) => frame.formats.d.to_f64(answer),
            (false, false) => f64::from_bits(answer),
        }
    }

    /// The answers of some candidates, in a form in which equal numbers are equal.
    fn answers(&mut self, batch: &Batch, which: &[usize]) -> Result<Vec<Vec<u64>>, EngineError> {
        let mut all = Vec::new();
        for &index in which {
            let candidate = &mut self.candidates[index];
            let mut words = candidate.engine.answers(batch)?;
            for word in words.iter_mut().filter(|_| !self.one_word) {
                let (d, _) = candidate.frame.split_answer(*word);
                let value = candidate.frame.formats.d.to_f64(d);
                let number = if value.is_nan() { f64::NAN.to_bits() } else { value.to_bits() };
                *word = if self.one_format { d } else { number };
            }
            all.push(words);
        }
        Ok(all)
    }
}

/// A pair and the smallest vectors on which it differed so far.
struct Pair {
    pair: [usize; 2],
    found: Vec<(Size, Vector, &'static str)>,
}

struct Search<'p, 'e, 'f> {
    panel: Panel<'p, 'e>,
    budget: Budget,
    pairs: Vec<Pair>,
    mutator: Mutator,
    tried: u64,
    progress: &'f mut dyn FnMut(u64),
}

impl Search<'_, '_, '_> {
    /// Asks everyone a batch, of which only as much as the budget allows.
    fn ask(&mut self, batch: &mut Batch, stage: &'static str) -> Result<(), EngineError> {
        batch.resize(batch.len().min((self.budget.vectors - self.tried) as usize));
        let everyone: Vec<usize> = (0..self.panel.candidates.len()).collect();
        let answers = self.panel.answers(batch, &everyone)?;
        self.tried += batch.len() as u64;
        (self.progress)(self.tried);
        let frame = self.panel.frame();
        for Pair { pair: [left, right], found } in &mut self.pairs {
            if answers[*left] == answers[*right] {
                continue;
            }
            for v in (0..batch.len()).filter(|&v| answers[*left][v] != answers[*right][v]) {
                let vector = batch.vector(v);
                let size = size(frame, &vector);
                if found.len() < KEPT || found.last().is_some_and(|(most, ..)| size < *most) {
                    let place = found.partition_point(|(own, ..)| *own <= size);
                    found.insert(place, (size, vector, stage));
                    found.truncate(KEPT);
                }
            }
        }
        self.mutator.learn(frame, batch, answers[0].iter().map(|&answer| self.panel.result(answer)));
        Ok(())
    }

    fn ends(&self) -> bool {
        self.tried >= self.budget.vectors || self.pairs.iter().all(|pair| !pair.found.is_empty())
    }

    fn all_inputs(&mut self, all: &Exhaustive) -> Result<(), EngineError> {
        let mut batch = all.empty_batch();
        for first in (0..all.count()).step_by(BATCH) {
            all.fill_from(first, BATCH.min((all.count() - first) as usize), &mut batch);
            self.ask(&mut batch, "all inputs")?;
        }
        Ok(())
    }

    /// Every probe there is, even when all differ already: they are small.
    fn probes(&mut self, frames: &[Frame]) -> Result<(), EngineError> {
        for test in probe::all() {
            for frame in frames {
                let mut batch = Batch::of_interface(frame);
                test.probes(frame).iter().for_each(|probe| batch.push(&probe.vector));
                if !batch.is_empty() {
                    self.ask(&mut batch, test.name)?;
                }
            }
        }
        Ok(())
    }

    /// The stimulus of each frame in turn, for half of what is left; then changes of what came close.
    fn random(&mut self, frames: &[Frame]) -> Result<(), EngineError> {
        let seed = self.budget.seed;
        let stimuli: Vec<Stimulus> = frames.iter().map(|frame| Stimulus::shaped(frame, seed)).collect();
        let shaped = self.tried + (self.budget.vectors - self.tried).div_ceil(2);
        let mut batch = stimuli[0].empty_batch();
        for chunk in (0..).step_by(BATCH / CHUNK) {
            for stimulus in &stimuli {
                if self.ends() || self.tried >= shaped {
                    break;
                }
                stimulus.fill(chunk, BATCH, &mut batch);
                self.ask(&mut batch, "shaped")?;
            }
            if self.ends() || self.tried >= shaped {
                break;
            }
        }
        let mut chunk = shaped;
        while !self.ends() {
            let frame = self.panel.frame().clone();
            self.mutator.fill(&frame, &mut batch);
            if batch.is_empty() {
                stimuli[0].fill(chunk, BATCH, &mut batch);
                chunk += (BATCH / CHUNK) as u64;
            }
            self.ask(&mut batch, "guided")?;
        }
        Ok(())
    }

    fn outcome(mut self, all_inputs: bool) -> Result<Outcome, EngineError> {
        let mut outcome =
            Outcome { distinguished: Vec::new(), indistinguishable: Vec::new(), tried: self.tried, all_inputs };
        for Pair { pair, found } in std::mem::take(&mut self.pairs) {
            let mut smallest: Option<Distinguished> = None;
            for (_, vector, found_by) in found {
                let (size, vector) = shrink::differing(&mut self.panel, pair, &vector)?;
                if smallest.as_ref().is_none_or(|best| size < best.size) {
                    smallest = Some(Distinguished { pair, vector, size, found_by });
                }
            }
            match smallest {
                Some(smallest) => outcome.distinguished.push(smallest),
                None => outcome.indistinguishable.push(pair),
            }
        }
        Ok(outcome)
    }
}

/// Looks for vectors on which the candidates differ, two and two. `progress` hears how many vectors were tried.
///
/// # Errors
/// An engine failed.
pub fn distinguish(
    candidates: &mut [Candidate],
    budget: Budget,
    progress: &mut dyn FnMut(u64),
) -> Result<Outcome, EngineError> {
    let count = candidates.len();
    let mut frames: Vec<Frame> = Vec::new();
    for candidate in candidates.iter() {
        let Frame { interface, unit } = &candidate.frame;
        let interface = Interface { name: String::new(), ..interface.clone() };
        let same = |own: &Frame| own.interface == interface && own.unit.arithmetic() == unit.arithmetic();
        if !frames.iter().any(same) {
            frames.push(Frame { interface, unit: unit.clone() });
        }
    }
    let pairs = (0..count).flat_map(|left| (left + 1..count).map(move |right| [left, right]));
    let mut search = Search {
        panel: Panel::new(candidates),
        budget,
        pairs: pairs.map(|pair| Pair { pair, found: Vec::new() }).collect(),
        mutator: Mutator::new(budget.seed),
        tried: 0,
        progress,
    };
    let all = Exhaustive::of(&search.panel.frame().interface).filter(|all| all.count() <= budget.vectors);
    match &all {
        Some(all) => search.all_inputs(all)?,
        None => {
            search.probes(&frames)?;
            search.random(&frames)?;
        }
    }
    search.outcome(all.is_some())
}
