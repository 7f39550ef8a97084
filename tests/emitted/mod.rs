//! The emitted SystemVerilog: equal to the committed files, clean in three tools, leaves and wrapper tested by themselves.

use crate::support;

mod benches;
mod derivations;
mod files;
mod guards;
mod kits;
mod lint;
mod overridden;
mod overrides;
mod package;
mod pipelines;
mod tools;
