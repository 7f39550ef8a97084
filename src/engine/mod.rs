//! Things that answer: anything that turns vectors into results, behind one trait.
//!
//! Architecture invariant: an engine never judges; comparing is the work of `check`.

mod batch;
mod composed;
mod conversion;
mod emulator;
mod icarus;
pub mod intel;
mod matrix;
pub mod recording;
mod reference;
#[cfg(feature = "rtl")]
pub mod rtl;
mod trace;

pub use batch::{Batch, Vector};
pub use composed::Composed;
pub use emulator::Emulator;
pub use icarus::Icarus;
pub use intel::Intel;
pub use matrix::{Matrices, MatrixError};
pub use reference::Reference;
pub use trace::Trace;

use thiserror::Error;

use crate::compute::datapath::Coverage;
use crate::describe::subject::Subject;
use crate::describe::unit::Unit;

/// Why an engine stopped answering.
#[derive(Debug, Error)]
#[error("engine {engine}: {message}")]
pub struct EngineError {
    pub engine: &'static str,
    pub message: String,
}

/// Who answered.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Identity {
    pub engine: String,
    /// Versions of the tools behind the engine.
    pub version: String,
}

/// A dot-product unit that answers vectors.
pub trait Engine {
    /// Short name, such as `emulator`.
    fn name(&self) -> &'static str;

    /// Name and versions.
    fn identity(&self) -> Identity;

    /// Answers every vector of the batch, in order. `results` is resized to the batch.
    ///
    /// # Errors
    /// The engine failed; no result of this batch counts.
    fn run(&mut self, batch: &Batch, results: &mut Vec<u64>) -> Result<(), EngineError>;

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
}

/// The kinds of engine that can be asked for by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, clap::ValueEnum)]
pub enum Kind {
    /// The datapath text on machine words.
    Emulator,
    /// The definition in big integers.
    Reference,
    /// The emitted SystemVerilog, verilated.
    Rtl,
    /// The emitted SystemVerilog in Icarus Verilog: slow, an independent second simulator.
    Icarus,
    /// The instruction of this machine's own Intel processor that computes the unit.
    Intel,
}

/// An engine, or the reason why there is none.
pub enum Opened {
    Ready(Box<dyn Engine>),
    Unsupported(String),
}

impl Kind {
    /// The kinds that ask real hardware.
    pub const LIVE: &'static [Kind] = &[Kind::Intel];

    /// Name on the command line and in reports.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Emulator => "emulator",
            Kind::Reference => "reference",
            Kind::Rtl => "rtl",
            Kind::Icarus => "icarus",
            Kind::Intel => "intel",
        }
    }

    /// Opens the engine for a unit, or its units for an instruction.
    ///
    /// # Errors
    /// The engine exists on this machine but failed to start.
    pub fn open_subject(self, subject: &Subject) -> Result<Opened, EngineError> {
        match subject {
            Subject::Unit(unit) => self.open(unit),
            Subject::Instruction(instruction) => Composed::open(instruction, self),
        }
    }

    /// Opens the engine for a unit.
    ///
    /// # Errors
    /// The engine exists on this machine but failed to start.
    pub fn open(self, unit: &Unit) -> Result<Opened, EngineError> {
        match self {
            Kind::Emulator => Ok(Opened::Ready(Box::new(Emulator::new(unit)))),
            Kind::Reference => Ok(Opened::Ready(Box::new(Reference::new(unit)))),
            Kind::Rtl => open_rtl(unit),
            Kind::Icarus => Icarus::open(unit),
            Kind::Intel => Ok(Intel::open(unit)),
        }
    }
}

#[cfg(feature = "rtl")]
fn open_rtl(unit: &Unit) -> Result<Opened, EngineError> {
    rtl::open(unit)
}

#[cfg(not(feature = "rtl"))]
fn open_rtl(_unit: &Unit) -> Result<Opened, EngineError> {
    Ok(Opened::Unsupported(
        "this build has no RTL engine; build with the feature `rtl` (on by default) and Verilator".to_owned(),
    ))
}
