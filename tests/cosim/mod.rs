//! The same vectors through emulator, reference, RTL and Icarus: every unit of the catalogue.

use crate::support;
use crate::support::strategies;

mod bounds;
mod catalogue;
mod cdna3;
mod families;
mod fma;
mod instructions;
mod matrices;
mod observer;
mod operations;
mod own_instructions;
mod own_recordings;
mod properties;
mod random_units;
mod recordings;
mod riscv;
mod scales;
mod second_simulator;
mod threads;
mod traces;
mod whole_matrices;
mod wide;
