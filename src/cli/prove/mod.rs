//! `tensorsmith prove`: what holds for all inputs.

mod rtl;

use std::path::PathBuf;

use clap::Args;

use super::{Failure, Verdict};

/// Prove that the emitted SystemVerilog of a unit is the datapath text, for all inputs
#[derive(Args)]
#[command(
    after_help = "Examples:\n  tensorsmith prove hopper-fp16-fp32 --rtl\n  tensorsmith prove my-unit.toml --rtl --certificates build/proof\n  tensorsmith prove --check-certificates build/proof"
)]
pub(super) struct Arguments {
    /// Name of a unit of the catalogue, or a unit file (.toml)
    #[arg(required_unless_present = "check_certificates")]
    unit: Option<String>,
    /// Compare the unit's netlist, as Yosys reads it, with the datapath text
    #[arg(long, required_unless_present = "check_certificates")]
    rtl: bool,
    /// Write clauses and checked proofs of what search answered into DIR
    #[arg(long, value_name = "DIR", requires = "rtl")]
    certificates: Option<PathBuf>,
    /// Check a folder of certificates
    #[arg(long, value_name = "DIR", conflicts_with_all = ["unit", "rtl"])]
    check_certificates: Option<PathBuf>,
    /// Seconds after which what is not proved is unknown
    #[arg(long, value_name = "SECONDS", default_value_t = 300, value_parser = clap::value_parser!(u64).range(1..=604_800))]
    timeout: u64,
    /// Questions at a time; default: as many as there are processors
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    jobs: Option<u32>,
    /// Write it as JSON to FILE; `-` is standard output, then without the text
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

pub(super) fn run(arguments: &Arguments) -> Result<Verdict, Failure> {
    let json = arguments.json.as_deref();
    match (&arguments.unit, &arguments.check_certificates) {
        (_, Some(folder)) => rtl::check_certificates(folder, json),
        (Some(unit), None) => {
            let all = || std::thread::available_parallelism().map_or(1, usize::from);
            let jobs = arguments.jobs.map_or_else(all, |jobs| jobs as usize);
            let options = rtl::Options {
                timeout: arguments.timeout,
                jobs,
                certificates: arguments.certificates.as_deref(),
                json,
            };
            rtl::prove(unit, &options)
        }
        (None, None) => Err(Failure("no unit; allowed: a unit, or --check-certificates".to_owned())),
    }
}
