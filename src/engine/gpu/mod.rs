//! GPUs as engines: what CUDA and HIP have in common.
//!
//! Both are reached through their drivers' libraries, which are loaded when the engine is opened: nothing of them is needed to
//! build or to start the program. The dozen functions needed have the same signatures in both, under other names.
//!
//! Architecture invariant: no arithmetic here; operands are packed, the GPU answers.

#[expect(unsafe_code, reason = "the driver is a C library")]
mod driver;
mod launch;
mod repertoire;
mod run;

pub(super) use driver::{Driver, DriverError, Names};
pub(super) use launch::Launcher;
pub(super) use repertoire::{Repertoire, open};
pub(super) use run::Runner;
