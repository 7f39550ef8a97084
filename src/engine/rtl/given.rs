//! A unit in files that a user wrote, as an engine. They are simulated in a process of their own. Calls of C and the system are not looked for
//! here: `prove::reading` has refused them.

use super::engine::{NAME, builder, failed};
use super::isolated::Isolated;
use crate::describe::instruction::Instruction;
use crate::describe::unit::Unit;
use crate::design::Limits;
use crate::emit::{self, SourceFile};
use crate::engine::{Batch, Engine, EngineError, Identity, Opened};

/// Vectors that the limit of time is for: what is large takes milliseconds for each.
const AT_ONCE: usize = 64;

/// The files' combinational module.
pub struct Given {
    unit: Unit,
    model: Isolated,
    /// Versions of the tools that built it.
    version: String,
}

impl Given {
    /// Builds the files: all that the combinational module of the unit needs.
    ///
    /// # Errors
    /// Verilator is there but refuses the files, or warns of text that synthesis takes otherwise.
    pub fn open(unit: &Unit, files: &[SourceFile]) -> Result<Opened, EngineError> {
        let builder = match builder(unit)? {
            Ok(builder) => builder,
            Err(absence) => return Ok(Opened::Absent(absence)),
        };
        let sources: Vec<_> = files.iter().map(|file| (file.name.clone(), file.text.clone())).collect();
        // It has the lines that say the ports' widths.
        let header = emit::core(unit).map_err(failed)?.text;
        let program = builder.given_program(&unit.module_name(), &sources, &header).map_err(failed)?;
        let model = Isolated::start(&program, Limits::default()).map_err(failed)?;
        Ok(Opened::Ready(Box::new(Given { unit: unit.clone(), model, version: builder.tools().summary() })))
    }
}

impl Engine for Given {
    fn name(&self) -> &'static str {
        NAME
    }

    fn identity(&self) -> Identity {
        Identity { engine: NAME.to_owned(), version: self.version.clone() }
    }

    fn computes(&self, instruction: &Instruction) -> bool {
        instruction.is_once(&self.unit)
    }

    fn run(&mut self, batch: &Batch, results: &mut Vec<u64>) -> Result<(), EngineError> {
        results.clear();
        results.resize(batch.len(), 0);
        for (first, part) in (0..).step_by(AT_ONCE).zip(results.chunks_mut(AT_ONCE)) {
            let which = |error| failed(format!("{error} (counted from vector {first} of a batch)"));
            self.model.run(batch, first..first + part.len(), part).map_err(which)?;
        }
        Ok(())
    }
}
