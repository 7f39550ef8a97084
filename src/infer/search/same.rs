//! A world in which a hypothesis answers everything with one number, for tests.

use crate::describe::format::Format;
use crate::describe::instruction::Instruction;
use crate::describe::unit::{Formats, Scheme};
use crate::engine::{Batch, Engine, EngineError, Identity};
use crate::infer::space::{Composition, Interface, Space};

/// Answers one number to everything.
pub struct Same(pub u64);

impl Engine for Same {
    fn name(&self) -> &'static str {
        "same"
    }

    fn identity(&self) -> Identity {
        Identity { engine: "same".to_owned(), version: "a test".to_owned() }
    }

    fn run(&mut self, batch: &Batch, results: &mut Vec<u64>) -> Result<(), EngineError> {
        results.clear();
        results.resize(batch.len(), self.0);
        Ok(())
    }
}

/// A fused unit, and the space of its interface.
pub fn fused() -> (Space, Instruction) {
    let [short, single] = [Format::bfloat16(), Format::binary32()];
    let formats = Formats { a: short.clone(), b: short, c: single.clone(), d: single };
    let interface = Interface { products: 4, formats, scales: None, flags: false };
    let space = Space::new(interface.clone(), std::iter::empty());
    let hypothesis = space.start(Scheme::Fused, &Composition::whole(&interface)).expect("a fused unit");
    (space, hypothesis)
}
