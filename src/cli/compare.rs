//! `tensorsmith compare`: units side by side.

use std::path::PathBuf;

use clap::Args;
use rayon::prelude::*;

use super::output::say;
use super::{Failure, Verdict, input, output};
use crate::cli::table;
use tensorsmith::describe::unit::Unit;
use tensorsmith::emit::{self, Synthesis};
use tensorsmith::report::{ComparedUnit, Comparison};

/// Put units side by side: parameters, widths, bound of the error, latency, size and depth
///
/// Size and depth come from Yosys, which maps the combinational core to 6-input lookup tables: seconds for a small unit,
/// minutes for a large one. Without Yosys they are left out, and the output says so.
#[derive(Args)]
#[command(
    after_help = "Examples:\n  tensorsmith compare volta-fp16-fp32 ampere-fp16-fp32 hopper-fp16-fp32\n  tensorsmith compare tiny-truncating tiny-nearest --no-synthesis\n  tensorsmith compare hopper-fp16-fp32 my-unit.toml --json compare.json"
)]
pub(super) struct Arguments {
    /// Names of units of the catalogue, or unit files (.toml)
    #[arg(required = true)]
    units: Vec<String>,
    /// Leave out size and depth
    #[arg(long)]
    no_synthesis: bool,
    /// Write it as JSON to FILE; `-` is standard output, then without the text
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

pub(super) fn run(arguments: &Arguments) -> Result<Verdict, Failure> {
    let units: Vec<Unit> = arguments.units.iter().map(|name| input::unit(name)).collect::<Result<_, _>>()?;
    let yosys = match arguments.no_synthesis {
        true => Err("--no-synthesis".to_owned()),
        false => emit::yosys::version().map_err(|error| error.to_string()),
    };
    let found = match &yosys {
        Ok(_) => synthesise(&units)?,
        Err(_) => vec![None; units.len()],
    };
    let comparison = Comparison {
        tensorsmith: tensorsmith::report::VERSION,
        command: "compare",
        skipped: yosys.as_ref().err().cloned(),
        yosys: yosys.ok(),
        units: units.iter().zip(found).map(|(unit, synthesis)| ComparedUnit::new(unit, synthesis)).collect(),
    };
    if !output::json_beside_text(arguments.json.as_deref(), &comparison)? {
        return Ok(Verdict::Agreed);
    }
    let headings: Vec<&str> = [""].into_iter().chain(comparison.units.iter().map(|unit| unit.unit.as_str())).collect();
    let rows = comparison.rows().into_iter().map(|(name, cells)| [vec![name], cells].concat());
    say!("{}", table::table(&headings, &[], rows.collect()));
    match (&comparison.yosys, &comparison.skipped) {
        (Some(version), _) => {
            say!("size and depth of the combinational core: {version}, synth -flatten -lut 6, no wires")
        }
        (None, Some(reason)) => say!("size and depth skipped, because {reason}"),
        (None, None) => {}
    }
    Ok(Verdict::Agreed)
}

/// Several units at a time: Yosys uses one core.
fn synthesise(units: &[Unit]) -> Result<Vec<Option<Synthesis>>, Failure> {
    let bar = output::progress("yosys", units.len() as u64, "units");
    let found: Result<Vec<_>, _> = units
        .par_iter()
        .map(|unit| {
            let found = emit::synthesise(unit);
            bar.inc(1);
            found.map(Some)
        })
        .collect();
    bar.finish_and_clear();
    Ok(found?)
}
