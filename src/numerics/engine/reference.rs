//! The reference as an engine: the definition in big integers, one vector after another.

use super::{Batch, Engine, EngineError, Identity};
use crate::compute::reference;
use crate::describe::arithmetic::Arithmetic;
use crate::describe::instruction::Instruction;
use crate::describe::unit::Unit;

const NAME: &str = "reference";

/// Evaluates vectors by definition.
#[derive(Debug)]
pub struct Reference {
    unit: Unit,
    arithmetic: Result<Arithmetic, EngineError>,
}

impl Reference {
    /// The reference of a unit. That of a unit that is not valid refuses every vector.
    pub fn new(unit: &Unit) -> Reference {
        let valid = unit.validate().map_err(|error| EngineError::invalid(NAME, &error));
        Reference { unit: unit.clone(), arithmetic: valid.map(|()| unit.arithmetic()) }
    }
}

impl Engine for Reference {
    fn name(&self) -> &'static str {
        NAME
    }

    fn identity(&self) -> Identity {
        Identity {
            engine: self.name().to_owned(),
            version: concat!("tensorsmith ", env!("CARGO_PKG_VERSION")).to_owned(),
        }
    }

    fn computes(&self, instruction: &Instruction) -> bool {
        instruction.is_once(&self.unit)
    }

    fn run(&mut self, batch: &Batch, results: &mut Vec<u64>) -> Result<(), EngineError> {
        let arithmetic = self.arithmetic.as_ref().map_err(EngineError::clone)?;
        batch.check(NAME, self.unit.products, self.unit.scale_count())?;
        results.clear();
        results.extend((0..batch.len()).map(|v| reference::evaluate(arithmetic, batch.inputs(v))));
        Ok(())
    }
}
