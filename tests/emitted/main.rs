//! The emitted SystemVerilog: equal to the committed files, clean in three tools, leaves and wrapper tested by themselves.

#[path = "../support/mod.rs"]
mod support;

mod benches;
mod constants;
mod files;
mod tools;
