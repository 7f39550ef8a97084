//! The emulator as a C library, `libtensorsmith`: `include/tensorsmith.h` is made of this crate.
//!
//! The functions named `tensorsmith_dpi_` are those that SystemVerilog imports, the others those that C calls. Every one of them catches panics, checks
//! what it is handed and leaves the text of an error with the calling thread. Computes nothing: answers are those of
//! `tensorsmith-numerics`.

#[cfg(panic = "abort")]
compile_error!("a panic must not end the caller's program; build with: cargo build --profile c -p tensorsmith-c");

mod abi;
mod dpi;
mod engines;
mod entries;
mod matrices;
mod memory;
mod open;
mod status;
mod unit;
mod vectors;

pub use abi::*;
pub use dpi::*;
pub use entries::*;
pub use matrices::tensorsmith_multiply;
pub use memory::Operands;
pub use open::*;
pub use status::{Status, tensorsmith_last_error};
pub use unit::{Shape, Unit};
pub use vectors::*;
