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
mod campaign_batch;
mod case;
mod compare;
mod cosim;
mod devices;
mod distinguish;
mod distinguish_devices;
mod eval;
mod exchange;
mod external;
mod external_failures;
mod external_lines;
mod gemm;
mod gemm_arrays;
mod infer;
mod infer_outputs;
mod infer_recorded;
mod killed;
mod memory;
mod own_instructions;
mod places;
mod probes;
mod processor;
mod program;
mod prove;
mod record;
mod record_device;
mod recorded;
mod report;
mod report_inference;
mod report_pictures;
mod report_proofs;
mod report_speed;
mod screens;
mod suite;
mod suite_pictures;
mod verilator;

#[path = "../support/five_devices.rs"]
mod five_devices;
#[path = "../support/mod.rs"]
mod support;
