//! The simulated-hardware harness against its own specification, with small units that are no number formats.
//!
//! Element order, masking, errors instead of aborts, the cache, traced signals. Needs Verilator and a C++ compiler;
//! what a catalogue unit computes is tested elsewhere.

#![cfg(feature = "rtl")]

mod libraries;
mod models;
mod requests;
mod signals;
mod tools;
mod units;
