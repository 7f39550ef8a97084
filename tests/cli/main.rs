//! The command line: the built program, run in folders of its own.

mod bad_additions;
mod bad_arguments;
mod bad_cases;
mod bad_chains;
mod bad_flags;
mod bad_integers;
mod bad_outputs;
mod bad_recordings;
mod bad_scales;
mod bad_units;
mod bare;
mod cache;
mod cache_builds;
mod campaign;
mod case;
mod compare;
mod cosim;
mod devices;
mod distinguish;
mod eval;
mod exchange;
mod external;
mod external_failures;
mod external_lines;
mod infer;
mod infer_recorded;
mod killed;
mod memory;
mod multiply;
mod own_instructions;
mod processor;
mod program;
mod prove;
mod record;
mod record_device;
mod recorded;
mod report;
mod report_inference;
mod report_pictures;
mod screens;
mod suite;
mod suite_pictures;
mod verilator;

#[path = "../support/mod.rs"]
mod support;
