//! What a board does by itself, on another engine: vectors of the generator, and signatures of their results.

use super::generator::{Generator, Signature};
use super::layout::Layout;
use crate::engine::{Batch, Engine, EngineError};

/// Elements that an engine is asked at a time.
const ELEMENTS: u64 = 1 << 15;

/// An engine that reproduces what a board does by itself.
pub struct Model<'a> {
    engine: &'a mut dyn Engine,
    batch: Batch,
    results: Vec<u64>,
    words: Vec<u64>,
}

impl<'a> Model<'a> {
    pub fn new(engine: &'a mut dyn Engine, layout: &Layout) -> Model<'a> {
        Model { engine, batch: layout.batch(), results: Vec::new(), words: Vec::new() }
    }

    /// The elements of the next vector of a generator, and their results.
    ///
    /// # Errors
    /// The engine failed.
    pub fn next(&mut self, layout: &Layout, generator: &mut Generator) -> Result<(&Batch, &[u64]), EngineError> {
        self.answer(layout, generator, 1)?;
        Ok((&self.batch, &self.results))
    }

    fn answer(&mut self, layout: &Layout, generator: &mut Generator, count: u64) -> Result<(), EngineError> {
        self.batch.clear();
        (0..count).for_each(|_| generator.draw(layout, &mut self.words, &mut self.batch));
        self.engine.run(&self.batch, &mut self.results)
    }

    /// Signatures of the results of the next vectors of a generator, one a window; the last one may be shorter.
    ///
    /// # Errors
    /// The engine failed.
    pub fn signatures(
        &mut self,
        layout: &Layout,
        generator: &mut Generator,
        count: u64,
        window: u64,
        progress: &mut dyn FnMut(u64),
    ) -> Result<Vec<u64>, EngineError> {
        let mut signatures = Vec::new();
        let (mut signature, mut in_window, mut left) = (Signature::default(), 0, count);
        while left > 0 {
            let size = left.min((ELEMENTS / layout.cells() as u64).max(1));
            self.answer(layout, generator, size)?;
            for results in self.results.chunks(layout.cells()) {
                signature.take(layout.folded(results));
                in_window += 1;
                if in_window == window {
                    signatures.push(std::mem::take(&mut signature).value());
                    in_window = 0;
                }
            }
            left -= size;
            progress(size);
        }
        if in_window > 0 {
            signatures.push(signature.value());
        }
        Ok(signatures)
    }
}
