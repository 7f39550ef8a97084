//! The fake CUDA driver library itself: hand-written kernels through its exported functions. Layouts are taken from CuTe's
//! thread-value layouts here, and from PTX ISA's formulas in the fake, so that each confirms the other.

#![allow(unsafe_code, reason = "the functions of a C library are called")]

mod cute;
mod driver;
mod errors;
mod faults;
mod kernels;
mod layouts;
use crate::support::library;
mod memory;
mod order;
mod threads;
mod values;
mod warpgroups;
mod wmma;
