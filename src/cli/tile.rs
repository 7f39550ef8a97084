//! `tensorsmith tile`: what tiles of an instruction cost, and how fast their clock may be.

use std::path::PathBuf;

use clap::Args;
use rayon::prelude::*;
use serde::Serialize;

use super::compare::{Fabric, fpga_tools};
use super::output::say;
use super::{Failure, Verdict, input, output};
use crate::cli::table;
use tensorsmith::emit::nextpnr::Nextpnr;
use tensorsmith::emit::tile::{Size, Tile};
use tensorsmith::emit::{self, AreaAndDelay, Fpga, Liberty};
use tensorsmith::report::{AsicTools, FpgaTools};

/// Show what tiles of an instruction cost: size, clock rate, products a second
///
/// A tile is a grid of the instruction's units between two streams, as `emit --tile` writes it. Yosys maps it to an FPGA with
/// --fpga, and for ecp5 nextpnr places and routes it between registers: minutes for a small tile, and a large one is
/// given up after fifteen. With
/// --asic Yosys and ABC map it to the cells of a Liberty file. Units are mapped once each, not across their borders.
#[derive(Args)]
#[command(
    after_help = "Examples:\n  tensorsmith tile ampere-mma-m16n8k16-fp16-fp32\n  tensorsmith tile volta-mma-m8n8k4-fp16-fp32 --sizes 2x2,4x4 --fpga ecp5\n  tensorsmith tile hopper-mma-m16n8k16-fp16-fp32 --asic /usr/share/qflow/tech/osu018/osu018_stdcells.lib --json tiles.json"
)]
pub(super) struct Arguments {
    /// Name of an instruction or a unit of the catalogue, or a file of one (.toml)
    instruction: String,
    /// Rows and columns of units
    #[arg(long, value_name = "SIZES", value_delimiter = ',', default_value = "2x2,4x4,8x8")]
    sizes: Vec<Size>,
    /// Lookup tables, carry cells and multipliers of an FPGA; of ecp5 also the clock rate
    #[arg(long, value_enum, value_name = "FAMILY")]
    fpga: Option<Fabric>,
    /// Leave out the clock rate on ecp5, which takes longest
    #[arg(long, requires = "fpga")]
    no_clock: bool,
    /// Area and delay in the cells of a Liberty file
    #[arg(long, value_name = "FILE")]
    asic: Option<PathBuf>,
    /// Write it as JSON to FILE; `-` is standard output, then without the text
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

/// What a tile is and costs.
#[derive(Debug, Serialize)]
struct Row {
    rows: u32,
    columns: u32,
    /// Tiles of D that are under way at once.
    slots: u32,
    /// Clocks from a step to its sums.
    latency: u32,
    /// Products that it adds in a clock.
    products_a_clock: u64,
    fpga: Option<Fpga>,
    asic: Option<AreaAndDelay>,
}

/// The tiles of an instruction.
#[derive(Debug, Serialize)]
struct Tiles {
    tensorsmith: &'static str,
    command: &'static str,
    instruction: String,
    unit: String,
    /// Version of Yosys, if it ran.
    yosys: Option<String>,
    fpga: Option<FpgaTools>,
    asic: Option<AsicTools>,
    tiles: Vec<Row>,
}

impl Row {
    fn of(tile: &Tile) -> Row {
        let unit = &tile.instruction.unit;
        Row {
            rows: tile.size.rows,
            columns: tile.size.columns,
            slots: 1 << tile.slot_bits,
            latency: unit.latency(),
            products_a_clock: tile.size.cells() as u64 * u64::from(unit.products),
            fpga: None,
            asic: None,
        }
    }

    /// The cells of the table.
    fn cells(&self) -> Vec<String> {
        let thousands = tensorsmith::report::thousands;
        let mut cells = vec![
            format!("{}x{}", self.rows, self.columns),
            self.slots.to_string(),
            self.latency.to_string(),
            thousands(self.products_a_clock),
        ];
        if let Some(fpga) = &self.fpga {
            cells.extend([fpga.lookup_tables, fpga.carry_cells, fpga.multipliers].map(thousands));
            let products = |mhz: f64| format!("{:.2} G/s", mhz * self.products_a_clock as f64 / 1000.0);
            cells.push(fpga.clock_mhz.map_or("-".to_owned(), |mhz| format!("{mhz:.1} MHz")));
            cells.push(fpga.clock_mhz.map_or("-".to_owned(), products));
        }
        if let Some(AreaAndDelay { area, delay_ps }) = self.asic {
            cells.extend([thousands(area.round() as u64), format!("{:.2} ns", delay_ps / 1000.0)]);
        }
        cells
    }
}

pub(super) fn run(arguments: &Arguments) -> Result<Verdict, Failure> {
    let instruction = input::subject(&arguments.instruction)?.instruction();
    let library = arguments.asic.as_deref().map(Liberty::read).transpose()?;
    let family = arguments.fpga.map(Fabric::family);
    let tile =
        |&size: &Size| Tile::new(&instruction, size).map_err(|error| Failure(format!("{error}; allowed: others")));
    let tiles: Vec<Tile> = arguments.sizes.iter().map(tile).collect::<Result<_, _>>()?;
    let yosys = if family.is_some() || library.is_some() { Some(emit::yosys::version()?) } else { None };
    let clocked = family.filter(|family| *family == emit::Family::Ecp5 && !arguments.no_clock);
    let found = clocked.map(|_| Nextpnr::find());
    let fpga = family.map(|family| fpga_tools(family, found.as_ref()));
    let nextpnr = found.and_then(Result::ok);
    let bar = output::progress("yosys", tiles.len() as u64, "tiles");
    let cost = |tile: &Tile| -> Result<Row, Failure> {
        let mut row = Row::of(tile);
        row.fpga = family.map(|family| emit::map_tile_to_fpga(tile, family, nextpnr.as_ref())).transpose()?;
        row.asic = library.as_ref().map(|library| emit::map_tile_to_cells(tile, library)).transpose()?;
        bar.inc(1);
        Ok(row)
    };
    let rows: Result<Vec<Row>, Failure> = tiles.par_iter().map(cost).collect();
    bar.finish_and_clear();
    let tiles = Tiles {
        tensorsmith: tensorsmith::report::VERSION,
        command: "tile",
        instruction: instruction.name.clone(),
        unit: instruction.unit.name.clone(),
        yosys,
        fpga,
        asic: library.map(|library| AsicTools { library: library.file().to_owned() }),
        tiles: rows?,
    };
    if output::json_beside_text(arguments.json.as_deref(), &tiles)? {
        show(&tiles);
    }
    Ok(Verdict::Agreed)
}

fn show(tiles: &Tiles) {
    let mut headings = vec!["tile", "slots", "latency", "products/clock"];
    if tiles.fpga.is_some() {
        headings.extend(["lookup tables", "carry cells", "multipliers", "clock", "products"]);
    }
    if tiles.asic.is_some() {
        headings.extend(["area", "delay"]);
    }
    let numbers: Vec<usize> = (1..headings.len()).collect();
    say!("{}: a grid of {} between two streams", tiles.instruction, tiles.unit);
    say!("{}", table::table(&headings, &numbers, tiles.tiles.iter().map(Row::cells).collect()));
    for row in &tiles.tiles {
        if let Some(why) = row.fpga.as_ref().and_then(|fpga| fpga.clock_skipped.as_ref()) {
            say!("{}x{}: no clock rate: {why}", row.rows, row.columns);
        }
    }
    let fpga = tiles.fpga.as_ref();
    let device = fpga.and_then(|fpga| fpga.device).map(|device| format!("placed for {device}"));
    let skipped = fpga.and_then(|fpga| fpga.clock_skipped.as_ref()).map(|why| format!("no clock rates: {why}"));
    let said = [
        tiles.yosys.clone(),
        fpga.and_then(|fpga| fpga.nextpnr.clone()),
        device,
        skipped,
        tiles.asic.as_ref().map(|asic| format!("areas in the units of {}", asic.library)),
    ];
    let said: Vec<String> = said.into_iter().flatten().collect();
    if !said.is_empty() {
        say!("{}", table::filled(&said.join("; ")));
    }
}
