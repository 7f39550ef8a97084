//! `tensorsmith tile`: what tiles of an instruction cost, and how fast their clock may be.

use std::path::PathBuf;

use clap::Args;
use serde::Serialize;

use super::compare::fpga_tools;
use super::output::say;
use super::{Failure, Verdict, input, output};
use crate::cli::table;
use tensorsmith::emit::tile::{Size, Tile, pipelined};
use tensorsmith::emit::yosys::YosysError;
use tensorsmith::emit::{self, AreaAndDelay, Fpga, Liberty, SynthesisError};
use tensorsmith::report::{AsicTools, FpgaTools};

/// Show what tiles of an instruction cost: size, clock rate, products a second
///
/// A tile is a grid of the instruction's units between two streams, as `emit --tile` writes it. Yosys maps it to an FPGA with
/// --fpga, and for ecp5 nextpnr places and routes it between registers: minutes for a small tile, and a large one is
/// given up after fifteen. With --asic Yosys and ABC map it to the cells of a Liberty file. Units are mapped once each, not across
/// their borders.
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
    fpga: Option<emit::Family>,
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
    /// What is missing, and why.
    skipped: Vec<String>,
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
            skipped: Vec::new(),
        }
    }

    /// The cells of the table, of a tile that was mapped to an FPGA, and to cells, or was to be.
    fn cells(&self, [on_fpga, as_asic]: [bool; 2]) -> Vec<String> {
        let thousands = tensorsmith::report::thousands;
        let mut cells = vec![
            format!("{}x{}", self.rows, self.columns),
            self.slots.to_string(),
            self.latency.to_string(),
            thousands(self.products_a_clock),
        ];
        let none = || "-".to_owned();
        if on_fpga {
            let fpga = self.fpga.as_ref();
            let count = |of: fn(&Fpga) -> u64| fpga.map_or_else(none, |fpga| thousands(of(fpga)));
            cells.extend([
                count(|fpga| fpga.lookup_tables),
                count(|fpga| fpga.carry_cells),
                count(|fpga| fpga.multipliers),
            ]);
            let rate = fpga.and_then(|fpga| fpga.clock_mhz);
            let products = |mhz: f64| format!("{:.2} G/s", mhz * self.products_a_clock as f64 / 1000.0);
            cells.extend([rate.map_or_else(none, |mhz| format!("{mhz:.1} MHz")), rate.map_or_else(none, products)]);
        }
        if as_asic {
            let area = self.asic.map_or_else(none, |asic| thousands(asic.area.round() as u64));
            cells.extend([area, self.asic.map_or_else(none, |asic| format!("{:.2} ns", asic.delay_ps / 1000.0))]);
        }
        cells
    }
}

pub(super) fn run(arguments: &Arguments) -> Result<Verdict, Failure> {
    let instruction = pipelined(&input::subject(&arguments.instruction)?.instruction());
    let library = arguments.asic.as_deref().map(Liberty::read).transpose()?;
    let family = arguments.fpga;
    let tile =
        |&size: &Size| Tile::new(&instruction, size).map_err(|error| Failure(format!("{error}; allowed: others")));
    let tiles: Vec<Tile> = arguments.sizes.iter().map(tile).collect::<Result<_, _>>()?;
    let yosys = if family.is_some() || library.is_some() { Some(emit::yosys::version()?) } else { None };
    let clocked = |family| family == emit::Family::Ecp5 && !arguments.no_clock;
    let (fpga, nextpnr) = family.map(|family| fpga_tools(family, clocked(family))).transpose()?.unzip();
    let nextpnr = nextpnr.flatten();
    let bar = output::progress("yosys", tiles.len() as u64, "tiles");
    let cost = |tile: &Tile| -> Result<Row, Failure> {
        let mut row = Row::of(tile);
        let in_time = |error| match error {
            SynthesisError::Yosys { source: source @ YosysError::Slow(_), .. } => Ok(source.to_string()),
            error => Err(Failure::from(error)),
        };
        match family.map(|family| emit::map_tile_to_fpga(tile, family, nextpnr.as_ref())).transpose() {
            Ok(fpga) => row.fpga = fpga,
            Err(error) => row.skipped.push(format!("no cells of an FPGA: {}", in_time(error)?)),
        }
        match library.as_ref().map(|library| emit::map_tile_to_cells(tile, library)).transpose() {
            Ok(asic) => row.asic = asic,
            Err(error) => row.skipped.push(format!("no area: {}", in_time(error)?)),
        }
        if let Some(why) = row.fpga.as_ref().and_then(|fpga| fpga.clock_skipped.as_ref()) {
            row.skipped.push(format!("no clock rate: {why}"));
        }
        bar.inc(1);
        Ok(row)
    };
    // One after the other: each has its time, whatever the others take.
    let rows: Result<Vec<Row>, Failure> = tiles.iter().map(cost).collect();
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
    let asked = [tiles.fpga.is_some(), tiles.asic.is_some()];
    let numbers: Vec<usize> = (1..headings.len()).collect();
    say!("{}: a grid of {} between two streams", tiles.instruction, tiles.unit);
    say!("{}", table::table(&headings, &numbers, tiles.tiles.iter().map(|row| row.cells(asked)).collect()));
    for row in &tiles.tiles {
        row.skipped.iter().for_each(|why| say!("{}x{}: {why}", row.rows, row.columns));
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
