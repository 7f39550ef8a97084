//! `tensorsmith compare`: units side by side.

use std::path::PathBuf;

use clap::Args;
use rayon::prelude::*;

use super::output::say;
use super::{Failure, Verdict, input, output};
use crate::cli::table;
use tensorsmith::describe::unit::Unit;
use tensorsmith::emit::nextpnr::{Nextpnr, NextpnrError};
use tensorsmith::emit::{self, Family, Liberty};
use tensorsmith::report::{AsicTools, ComparedUnit, Comparison, Costs, FpgaTools};

/// Put units side by side: parameters, widths, bound of the error, latency, size and depth
///
/// Size and depth come from Yosys, which maps the combinational core to 6-input lookup tables: seconds for a small unit,
/// minutes for a large one. Without Yosys they are left out, and the output says so.
///
/// With --asic, Yosys and ABC map the core to the cells of a Liberty file, once for a short delay and once for a small area.
/// With --fpga, Yosys maps it to an FPGA. For ecp5, nextpnr then places and routes the unit between registers, and says how
/// fast the clock may be; without nextpnr that is left out, and the output says so.
#[derive(Args)]
#[command(
    after_help = "Examples:\n  tensorsmith compare volta-fp16-fp32 ampere-fp16-fp32 hopper-fp16-fp32\n  tensorsmith compare tiny-truncating tiny-nearest --no-synthesis\n  tensorsmith compare hopper-fp16-fp32 my-unit.toml --json compare.json\n  tensorsmith compare volta-fp16-fp32 --asic /usr/share/qflow/tech/osu018/osu018_stdcells.lib\n  tensorsmith compare volta-fp16-fp32 my-unit.toml --fpga ecp5 --no-synthesis\n  tensorsmith compare volta-fp16-fp32 --fpga xilinx"
)]
pub(super) struct Arguments {
    /// Names of units of the catalogue, or unit files (.toml)
    #[arg(required = true)]
    units: Vec<String>,
    /// Leave out size and depth in 6-input lookup tables
    #[arg(long)]
    no_synthesis: bool,
    /// Area and delay in the cells of a Liberty file
    #[arg(long, value_name = "FILE")]
    asic: Option<PathBuf>,
    /// Lookup tables, carry cells and multipliers of an FPGA; of ecp5 also the clock rate
    #[arg(long, value_enum, value_name = "FAMILY")]
    fpga: Option<Family>,
    /// Write it as JSON to FILE; `-` is standard output, then without the text
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

/// What is asked of each unit.
struct Asked {
    synthesis: bool,
    library: Option<Liberty>,
    family: Option<Family>,
    nextpnr: Option<Nextpnr>,
}

pub(super) fn run(arguments: &Arguments) -> Result<Verdict, Failure> {
    let units: Vec<Unit> = arguments.units.iter().map(|name| input::unit(name)).collect::<Result<_, _>>()?;
    let library = arguments.asic.as_deref().map(Liberty::read).transpose()?;
    let family = arguments.fpga;
    let is_named = library.is_some() || family.is_some();
    let yosys = match arguments.no_synthesis && !is_named {
        true => None,
        false => Some(emit::yosys::version()),
    };
    let skipped = match &yosys {
        _ if arguments.no_synthesis => Some("--no-synthesis".to_owned()),
        Some(Err(error)) => Some(error.to_string()),
        _ => None,
    };
    // What is named has to run.
    let yosys = match yosys {
        Some(Err(error)) if is_named => return Err(Failure(error.to_string())),
        other => other.and_then(Result::ok),
    };
    let (fpga, nextpnr) = family.map(|family| fpga_tools(family, family == Family::Ecp5)).transpose()?.unzip();
    let asked = Asked { synthesis: skipped.is_none(), library, family, nextpnr: nextpnr.flatten() };
    let costs = costs(&units, &asked)?;
    let comparison = Comparison {
        tensorsmith: tensorsmith::report::VERSION,
        command: "compare",
        yosys,
        skipped,
        asic: asked.library.map(|library| AsicTools { library: library.file().to_owned() }),
        fpga,
        units: units.iter().zip(costs).map(|(unit, costs)| ComparedUnit::new(unit, costs)).collect(),
    };
    if !output::json_beside_text(arguments.json.as_deref(), &comparison)? {
        return Ok(Verdict::Agreed);
    }
    let headings: Vec<&str> = [""].into_iter().chain(comparison.units.iter().map(|unit| unit.unit.as_str())).collect();
    let rows = comparison.rows().into_iter().map(|(name, cells)| [vec![name], cells].concat());
    say!("{}", table::table(&headings, &[], rows.collect()));
    comparison.notes().iter().for_each(|note| say!("{note}"));
    Ok(Verdict::Agreed)
}

/// What tells of an FPGA, and nextpnr, where its clock rate is asked for and there is one. One that the user named has to work.
pub(super) fn fpga_tools(family: Family, clocked: bool) -> Result<(FpgaTools, Option<Nextpnr>), Failure> {
    let (nextpnr, clock_skipped) = match clocked.then(Nextpnr::find).transpose() {
        Ok(nextpnr) => (nextpnr, None),
        Err(reason @ NextpnrError::Missing) => (None, Some(reason.to_string())),
        Err(error) => return Err(Failure(error.to_string())),
    };
    let tools = FpgaTools {
        family,
        nextpnr: nextpnr.as_ref().map(|nextpnr| nextpnr.version().to_owned()),
        device: nextpnr.as_ref().map(|_| Nextpnr::DEVICE),
        seed: nextpnr.as_ref().map(|_| Nextpnr::SEED),
        clock_skipped,
    };
    Ok((tools, nextpnr))
}

/// Several units at a time: each tool uses one core.
fn costs(units: &[Unit], asked: &Asked) -> Result<Vec<Costs>, Failure> {
    let bar = output::progress("yosys", units.len() as u64, "units");
    let found: Result<Vec<_>, _> = units
        .par_iter()
        .map(|unit| {
            let found = costs_of(unit, asked);
            bar.inc(1);
            found
        })
        .collect();
    bar.finish_and_clear();
    Ok(found?)
}

fn costs_of(unit: &Unit, asked: &Asked) -> Result<Costs, emit::SynthesisError> {
    let mapped = |family| emit::map_to_fpga(unit, family, asked.nextpnr.as_ref());
    Ok(Costs {
        synthesis: asked.synthesis.then(|| emit::synthesise(unit)).transpose()?,
        asic: asked.library.as_ref().map(|library| emit::map_to_cells(unit, library)).transpose()?,
        fpga: asked.family.map(mapped).transpose()?,
    })
}
