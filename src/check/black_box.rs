//! An engine of which only answers are known, beside engines of a description of it. Changes no answer.

use super::compare::Mismatch;
use crate::engine::{Batch, Engine, EngineError, Identity};

/// An engine under a name of its own: what it is compared with may be of the same kind, and is then another engine. It has
/// neither traces nor coverage, which would be those of another description.
pub struct BlackBox(pub Box<dyn Engine>);

impl BlackBox {
    /// Name in reports.
    pub const NAME: &'static str = "black-box";

    /// What it answered at a mismatch, if it took part: the right answer, for it is what is described.
    pub fn answer(mismatch: &Mismatch) -> Option<u64> {
        mismatch.answers.iter().find(|(engine, _)| engine == BlackBox::NAME).map(|(_, answer)| *answer)
    }
}

impl Engine for BlackBox {
    fn name(&self) -> &'static str {
        BlackBox::NAME
    }

    fn identity(&self) -> Identity {
        let Identity { engine, version } = self.0.identity();
        Identity { engine: BlackBox::NAME.to_owned(), version: format!("{engine}: {version}") }
    }

    fn run(&mut self, batch: &Batch, results: &mut Vec<u64>) -> Result<(), EngineError> {
        self.0.run(batch, results)
    }
}
