//! The engine that an inference asks, with what it has answered shown while that goes on.

use indicatif::ProgressBar;

use tensorsmith::engine::{Batch, Engine, EngineError, Identity};
use tensorsmith::report::thousands;

/// An engine whose answers are counted on a spinner.
pub(super) struct Watched<'a> {
    engine: &'a mut dyn Engine,
    spinner: &'a ProgressBar,
    message: String,
    answered: u64,
}

impl Watched<'_> {
    /// The count follows the spinner's message.
    pub fn new<'a>(engine: &'a mut dyn Engine, spinner: &'a ProgressBar) -> Watched<'a> {
        Watched { engine, spinner, message: spinner.message(), answered: 0 }
    }
}

impl Engine for Watched<'_> {
    fn name(&self) -> &'static str {
        self.engine.name()
    }

    fn identity(&self) -> Identity {
        self.engine.identity()
    }

    fn run(&mut self, batch: &Batch, results: &mut Vec<u64>) -> Result<(), EngineError> {
        self.engine.run(batch, results)?;
        self.answered += batch.len() as u64;
        self.spinner.set_message(format!("{}, {} vectors answered", self.message, thousands(self.answered)));
        Ok(())
    }
}
