//! Inference from a unit's emulator, of which it sees formats and answers only, and judging what it found.

use tensorsmith::check::stimulus::{CHUNK, Stimulus};
use tensorsmith::describe::unit::Unit;
use tensorsmith::engine::{Emulator, Engine};
use tensorsmith::infer::{InferError, Interface, Options, Outcome, infer};

pub fn emulator(unit: &Unit) -> Box<dyn Engine> {
    Box::new(Emulator::new(unit))
}

/// The inference from an engine behind the interface of a unit.
pub fn inferred(engine: &mut dyn Engine, unit: &Unit, confirm: u64) -> Result<Outcome, InferError> {
    let options = Options { confirm, ..Options::default() };
    infer(engine, Interface::of(unit), &emulator, options)
}

/// A shaped vector on which two units differ, of `count` shaped for each of them, with what they answer.
pub fn difference(one: &Unit, other: &Unit, count: u64) -> Option<String> {
    let mut engines = [Emulator::new(one), Emulator::new(other)];
    let mut results = [Vec::new(), Vec::new()];
    for shape in [one, other] {
        let stimulus = Stimulus::shaped(shape, 77);
        let mut batch = stimulus.empty_batch();
        for chunk in 0..count.div_ceil(CHUNK as u64) {
            stimulus.fill(chunk, CHUNK, &mut batch);
            for (engine, results) in engines.iter_mut().zip(&mut results) {
                engine.run(&batch, results).expect("an emulator answers");
            }
            if let Some(v) = (0..CHUNK).find(|&v| results[0][v] != results[1][v]) {
                return Some(format!("{:x?}: {:#x} and {:#x}", batch.vector(v), results[0][v], results[1][v]));
            }
        }
    }
    None
}
