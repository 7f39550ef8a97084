//! Engines against each other and against recordings: emulator, reference, RTL, netlists, processors, GPUs.

mod arm;
mod board;
mod c_library;
mod cocotb;
mod cosim;
mod cuda;
mod dpi;
mod emitted;
#[path = "fake_cuda/test/mod.rs"]
mod fake_cuda_driver;
mod fixture;
mod hardware;
mod hip;
mod negative_controls;
mod netlist;
mod recordings;
mod regressions;
mod rtl_harness;
mod support;
mod tile;
