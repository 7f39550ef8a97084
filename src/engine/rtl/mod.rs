//! Simulated hardware: units verilated at build time or at run time, behind one safe type.
//!
//! `bridge` is the border to C++, `model` runs vectors, `isolated` runs those of what a user wrote in another process, `library` builds
//! units while the program runs. Nothing here knows what a unit computes.

#[path = "../../../sim/bridge.rs"]
mod bridge;
mod engine;
mod given;
mod isolated;
pub mod library;
pub mod model;
mod process;

pub use engine::{Rtl, open};
pub use given::Given;
pub(super) use isolated::Isolated;
pub use library::{BuildError, Builder, Instance, Library, Request, Signal, Tools, build_library, tools};
pub use model::{Model, ModelError, Schedule, Shape};
