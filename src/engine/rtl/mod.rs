//! Simulated hardware: units verilated at build time or at run time, behind one safe type.
//!
//! `bridge` is the border to C++, `model` runs vectors, `library` builds units while the program runs. Nothing here
//! knows what a unit computes.

#[path = "../../../sim/bridge.rs"]
mod bridge;
mod engine;
pub mod library;
pub mod model;

pub use engine::{Rtl, open};
pub use library::{BuildError, Builder, Instance, Library, Request, Signal, Tools, build_library, tools};
pub use model::{Model, ModelError, Schedule, Shape};
