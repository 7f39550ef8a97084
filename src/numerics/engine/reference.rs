//! The reference as an engine: the definition in big integers, one vector after another.

use super::{Batch, Engine, EngineError, Identity};
use crate::compute::reference;
use crate::describe::arithmetic::Arithmetic;
use crate::describe::unit::Unit;

/// Evaluates vectors by definition.
pub struct Reference {
    arithmetic: Arithmetic,
}

impl Reference {
    /// The reference of a unit.
    pub fn new(unit: &Unit) -> Reference {
        Reference { arithmetic: unit.arithmetic() }
    }
}

impl Engine for Reference {
    fn name(&self) -> &'static str {
        "reference"
    }

    fn identity(&self) -> Identity {
        Identity {
            engine: self.name().to_owned(),
            version: concat!("tensorsmith ", env!("CARGO_PKG_VERSION")).to_owned(),
        }
    }

    fn run(&mut self, batch: &Batch, results: &mut Vec<u64>) -> Result<(), EngineError> {
        results.clear();
        results.extend((0..batch.len()).map(|v| reference::evaluate(&self.arithmetic, batch.inputs(v))));
        Ok(())
    }
}
