//! Things that answer: anything that turns vectors into results, behind one trait.
//!
//! Architecture invariant: an engine never judges; comparing is the work of `check`.

mod batch;
pub mod cache;
mod chained;
mod composed;
mod conversion;
mod cuda;
mod emulator;
pub mod external;
#[cfg(target_arch = "x86_64")]
mod gather;
pub mod gemm;
mod gpu;
mod hip;
mod icarus;
pub mod intel;
mod kind;
mod matrix;
pub mod netlist;
pub mod recording;
mod reference;
#[cfg(feature = "rtl")]
pub mod rtl;
mod trace;
// One recipe and one cache for the build script and for run time.
#[cfg_attr(not(feature = "rtl"), allow(dead_code, unused_imports, reason = "without RTL only the cache is used"))]
#[path = "../../sim/verilate.rs"]
mod verilate;
pub mod wide;

pub use batch::{Batch, Vector};
pub use chained::{ChainError, Chained};
pub use composed::Composed;
pub use cuda::Cuda;
pub use emulator::Emulator;
pub use external::External;
pub use gemm::Gemm;
pub use hip::Hip;
pub use icarus::Icarus;
pub use intel::Intel;
pub use kind::{Kind, Opened};
pub use matrix::{Matrices, MatrixError};
pub use netlist::Netlist;
pub use reference::Reference;
pub use trace::Trace;
pub use wide::Wide;

use std::collections::BTreeMap;

use thiserror::Error;

use crate::compute::datapath::Coverage;

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

    /// What else is known of the machine behind the engine, by name: processor, driver, machine instruction.
    fn details(&self) -> BTreeMap<String, String> {
        BTreeMap::new()
    }

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
