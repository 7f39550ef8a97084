//! Things that answer: anything that turns vectors into results, behind one trait.
//!
//! Architecture invariant: an engine never judges; comparing is the work of `check`.

pub mod board;
pub mod cache;
mod chained;
mod child;
mod cuda;
#[cfg(feature = "rtl")]
mod design;
pub mod external;
#[cfg(feature = "rtl")]
pub mod gates;
pub mod gemm;
mod gpu;
mod hip;
mod icarus;
pub mod installed;
mod kind;
pub mod netlist;
pub mod processor;
#[cfg(feature = "rtl")]
pub mod rtl;
mod spread;
#[cfg(feature = "rtl")]
pub mod tile;

pub use tensorsmith_numerics::engine::*;

pub use crate::verilate::DIFFERENCES;
pub use board::Board;
pub use chained::{ChainError, Chained};
pub use cuda::Cuda;
#[cfg(feature = "rtl")]
pub use design::{Simulated, ports_of, write_wave};
pub use external::External;
pub use hip::Hip;
pub use icarus::Icarus;
pub use kind::{Kind, verilated};
pub use netlist::Netlist;
pub use processor::Processor;
pub use spread::{CHUNKS_FOR_ENGINES, Spread};
#[cfg(feature = "rtl")]
pub use tile::Grid;
