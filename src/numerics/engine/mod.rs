//! Things that answer, behind one trait: the emulator, the same for many vectors at a time and for whole
//! matrices, the reference.
//!
//! Architecture invariant: an engine never judges.

mod batch;
mod composed;
pub mod conversion;
mod emulator;
#[cfg(target_arch = "x86_64")]
pub mod gather;
pub mod gemm;
mod matrix;
mod reference;
mod trace;
pub mod wide;

pub use batch::{Batch, Vector};
pub use composed::Composed;
pub use emulator::Emulator;
pub use gemm::Gemm;
pub use matrix::{Matrices, MatrixError, check_dimensions, without_products};
pub use reference::Reference;
pub use trace::{Difference, Trace};
pub use wide::Wide;

use std::collections::BTreeMap;
use std::fmt;

use thiserror::Error;

use crate::compute::events::Coverage;
use crate::describe::file::FileError;
use crate::describe::instruction::Instruction;

/// Why an engine stopped answering.
#[derive(Debug, Clone, Error)]
#[error("engine {engine}: {message}")]
pub struct EngineError {
    pub engine: &'static str,
    pub message: String,
}

impl EngineError {
    /// The engine's unit or instruction is not valid.
    fn invalid(engine: &'static str, error: &FileError) -> EngineError {
        EngineError { engine, message: error.to_string() }
    }
}

/// Who answered.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Identity {
    pub engine: String,
    /// Versions of the tools behind the engine.
    pub version: String,
}

/// Something that is done to the handshakes of a clocked engine, such as a gap or a reset.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Handshake {
    pub event: String,
    pub count: u64,
    /// Clocks of the longest gap, stop or wait; vectors of the longest run at full rate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub longest: Option<u64>,
    /// Why it cannot happen.
    pub unreachable: Option<&'static str>,
}

/// A dot-product unit that answers vectors.
///
/// ```
/// use tensorsmith_numerics::describe::catalogue;
/// use tensorsmith_numerics::engine::{Batch, Emulator, Engine, Reference};
/// use tensorsmith_numerics::stimulus::Stimulus;
///
/// let unit = catalogue::unit("hopper-fp16-fp32").expect("a unit");
/// let stimulus = Stimulus::shaped(&unit, 1);
/// let mut batch = stimulus.empty_batch();
/// stimulus.fill(0, 100, &mut batch);
///
/// let emulated = Emulator::new(&unit).answers(&batch)?;
/// assert_eq!((emulated.len(), &emulated), (100, &Reference::new(&unit).answers(&batch)?));
/// # Ok::<(), tensorsmith_numerics::engine::EngineError>(())
/// ```
pub trait Engine: Send {
    /// Short name, such as `emulator`.
    fn name(&self) -> &'static str;

    /// Name and versions.
    fn identity(&self) -> Identity;

    /// What else is known of the machine behind the engine, by name: processor, driver, machine instruction.
    fn details(&self) -> BTreeMap<String, String> {
        BTreeMap::new()
    }

    /// Whether a result is an element of the instruction's D. True for an engine that does not know what it computes: an external
    /// program, a GPU, a processor's instruction, a board. A design knows its operands only.
    fn computes(&self, _instruction: &Instruction) -> bool {
        true
    }

    /// Answers every vector of the batch, in order. `results` is resized to the batch. An encoding has zeros above its width.
    ///
    /// # Errors
    /// The unit is not valid, the batch has vectors of other sizes than the unit's, or the engine failed; no result of this batch
    /// counts.
    fn run(&mut self, batch: &Batch, results: &mut Vec<u64>) -> Result<(), EngineError>;

    /// The same in a list of its own.
    ///
    /// # Errors
    /// As [`Engine::run`].
    fn answers(&mut self, batch: &Batch) -> Result<Vec<u64>, EngineError> {
        let mut results = Vec::new();
        self.run(batch, &mut results)?;
        Ok(results)
    }

    /// D = A B + C of whole matrices, where the engine has an instruction for that; K is a multiple of the unit's products,
    /// and each block of K adds to the result of the one before.
    ///
    /// # Errors
    /// The engine failed.
    fn multiply(&mut self, _matrices: &Matrices) -> Result<Option<Vec<u64>>, EngineError> {
        Ok(None)
    }

    /// The intermediate values of one vector, where the engine can show them.
    ///
    /// # Errors
    /// The engine could show them but failed.
    fn trace(&mut self, _vector: &Vector) -> Result<Option<Trace>, EngineError> {
        Ok(None)
    }

    /// Counts of the datapath events seen so far, where the engine sees them.
    fn coverage(&self) -> Option<&Coverage> {
        None
    }

    /// What was done so far to the handshakes of an engine with a clock: none of others.
    fn handshakes(&self) -> Vec<Handshake> {
        Vec::new()
    }
}

impl fmt::Debug for dyn Engine + '_ {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        out.debug_struct("Engine").field("name", &self.name()).finish_non_exhaustive()
    }
}

/// An engine, or the reason why there is none.
#[derive(Debug)]
pub enum Opened {
    Ready(Box<dyn Engine>),
    Absent(Absence),
}

/// Why an engine without a clock does not answer for a unit with registers.
pub const NOT_CLOCKED: &str = "the unit has registers, at which the engines rtl and icarus look, and prove --rtl";

/// Why an engine does not answer.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Absence {
    /// This machine lacks what the engine is made of: a tool, an instruction of the processor, a driver, a device.
    #[error("{0}")]
    Missing(String),
    /// The engine computes no such unit, wherever it runs.
    #[error("{0}")]
    Inapplicable(String),
}

impl Absence {
    pub fn is_missing(&self) -> bool {
        matches!(self, Absence::Missing(_))
    }
}
