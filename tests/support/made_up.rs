//! An engine that a test makes up.

use tensorsmith::engine::{Batch, Engine, EngineError, Identity};

/// Answers by a closure. It reports no coverage and shows no trace.
pub struct MadeUp<F> {
    name: &'static str,
    run: F,
}

impl<F: FnMut(&Batch, &mut Vec<u64>) -> Result<(), EngineError> + Send> MadeUp<F> {
    /// `run` does what that of an engine does.
    pub fn new(name: &'static str, run: F) -> MadeUp<F> {
        MadeUp { name, run }
    }

    pub fn boxed(name: &'static str, run: F) -> Box<dyn Engine>
    where
        F: Send + 'static,
    {
        Box::new(MadeUp::new(name, run))
    }
}

/// An engine that answers vector after vector.
pub fn answering(name: &'static str, mut answer: impl FnMut(&Batch, usize) -> u64 + Send + 'static) -> Box<dyn Engine> {
    MadeUp::boxed(name, move |batch, results| {
        results.clear();
        results.extend((0..batch.len()).map(|v| answer(batch, v)));
        Ok(())
    })
}

impl<F: FnMut(&Batch, &mut Vec<u64>) -> Result<(), EngineError> + Send> Engine for MadeUp<F> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn identity(&self) -> Identity {
        Identity { engine: self.name.to_owned(), version: "an engine of this test".to_owned() }
    }

    fn run(&mut self, batch: &Batch, results: &mut Vec<u64>) -> Result<(), EngineError> {
        (self.run)(batch, results)
    }
}
