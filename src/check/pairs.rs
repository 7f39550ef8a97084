//! Many comparisons of two engines each, on all cores. It counts; what a difference means is not its business.

use rayon::prelude::*;

use super::compare::{Comparison, Source, compare};
use super::stimulus::Stimulus;
use crate::describe::subject::Subject;
use crate::engine::{EngineError, Kind, Opened};

/// What came of comparing two engines.
#[expect(clippy::large_enum_variant, reason = "nearly all are comparisons")]
pub enum Agreement {
    Compared(Comparison),
    /// One of them is not there, with the reason.
    Skipped {
        engine: &'static str,
        reason: String,
    },
}

/// The same number of shaped vectors for every subject and every pair of engines.
pub struct Pairs<'a> {
    pub seed: u64,
    /// Vectors of each comparison.
    pub vectors: u64,
    /// Opens the engines.
    pub open: &'a (dyn Fn(Kind, &Subject) -> Result<Opened, EngineError> + Sync),
}

impl Pairs<'_> {
    /// Runs every pair on every subject: a list of the pairs' outcomes for each subject. `progress` hears of vectors done
    /// since it was last called.
    ///
    /// # Errors
    /// An engine exists on this machine but failed.
    pub fn run(
        &self,
        subjects: &[Subject],
        pairs: &[[Kind; 2]],
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Vec<Vec<Agreement>>, EngineError> {
        let outcome = |subject| pairs.iter().map(|&pair| self.agree(subject, pair, progress)).collect();
        subjects.par_iter().map(outcome).collect()
    }

    fn agree(&self, subject: &Subject, pair: [Kind; 2], progress: &dyn Fn(u64)) -> Result<Agreement, EngineError> {
        let mut engines = Vec::new();
        for kind in pair {
            match (self.open)(kind, subject)? {
                Opened::Ready(engine) => engines.push(engine),
                Opened::Absent(reason) => {
                    return Ok(Agreement::Skipped { engine: kind.name(), reason: reason.to_string() });
                }
            }
        }
        let stimulus = Stimulus::shaped(subject.frame(), self.seed);
        let source = Source::Shaped { stimulus, count: self.vectors };
        let mut before = 0;
        let mut advance = |done| {
            progress(done - before);
            before = done;
        };
        compare(engines, &source, &mut advance).map(Agreement::Compared)
    }
}
