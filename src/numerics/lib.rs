#![doc = include_str!("README.md")]
//!
//! # Modules
//!
//! [`isa`] lists the instruction sets that the processor has, [`lanes`] are its registers, [`describe`] describes units and
//! instructions, [`compute`] computes one vector, [`engine`] many vectors or whole matrices, and [`stimulus`] draws vectors.
//! Each uses only those before it.

#![warn(missing_debug_implementations, clippy::missing_panics_doc)]

pub mod isa;

pub mod lanes;

pub mod describe;

pub mod compute;

pub mod engine;

pub mod stimulus;

#[cfg(test)]
mod skip;
