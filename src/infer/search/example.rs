//! A hypothesis for tests and its space, and an engine that answers a number.

use crate::describe::format::Format;
use crate::describe::instruction::Instruction;
use crate::describe::unit::{Formats, Scheme};
use crate::engine::{Batch, Engine, EngineError, Identity};
use crate::infer::space::{Composition, Interface, Space};

/// A fused unit, and the space of its interface.
pub fn fused() -> (Space, Instruction) {
    let [short, single] = [Format::bfloat16(), Format::binary32()];
    let formats = Formats { a: short.clone(), b: short, c: single.clone(), d: single };
    let interface = Interface { name: String::new(), products: 4, formats, scales: None, flags: false };
    let space = Space::new(interface.clone(), std::iter::empty());
    let hypothesis = space.start(Scheme::Fused, &Composition::whole(&interface)).expect("a fused unit");
    (space, hypothesis)
}

/// Answers every vector with this number: hypotheses are then told apart by numbers of their own.
pub struct Constant(pub u64);

impl Engine for Constant {
    fn name(&self) -> &'static str {
        "constant"
    }

    fn identity(&self) -> Identity {
        Identity { engine: "constant".to_owned(), version: self.0.to_string() }
    }

    fn run(&mut self, batch: &Batch, results: &mut Vec<u64>) -> Result<(), EngineError> {
        results.clear();
        results.resize(batch.len(), self.0);
        Ok(())
    }
}
