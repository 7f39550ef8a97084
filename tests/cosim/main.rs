//! The same vectors through emulator, reference, RTL and Icarus: every unit of the catalogue.

#[path = "../support/mod.rs"]
mod support;

mod bounds;
mod catalogue;
mod recordings;
mod second_simulator;
mod traces;
