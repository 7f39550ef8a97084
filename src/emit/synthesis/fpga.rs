//! What a core takes of an FPGA, as Yosys maps it, and of an ECP5 the clock rate after placement and routing.

use std::time::Instant;

use serde::Serialize;

use super::clocked::{self, CLOCKED};
use super::core::Core;
use super::{COUNT_CELLS, SynthesisError, counts, run};
use crate::describe::unit::Unit;
use crate::emit::limited::LIMIT;
use crate::emit::nextpnr::{self, Nextpnr, NextpnrError};
use crate::emit::tile::Tile;
use crate::emit::yosys::YosysError;

const NETLIST: &str = "clocked.json";

/// A family of FPGAs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Family {
    /// Lattice ECP5.
    Ecp5,
    /// Xilinx UltraScale+.
    Xilinx,
}

impl Family {
    /// Yosys' command for it.
    pub fn command(self) -> &'static str {
        match self {
            Family::Ecp5 => "synth_ecp5",
            Family::Xilinx => "synth_xilinx -family xcup -flatten -noiopad -noclkbuf",
        }
    }

    /// Cells that are counted as lookup tables, as carry chains and as multipliers.
    fn cells(self) -> [&'static [&'static str]; 3] {
        match self {
            Family::Ecp5 => [&["LUT4"], &["CCU2C"], &["MULT18X18D"]],
            Family::Xilinx => {
                [&["LUT1", "LUT2", "LUT3", "LUT4", "LUT5", "LUT6"], &["CARRY4", "CARRY8"], &["DSP48E1", "DSP48E2"]]
            }
        }
    }

    /// What these cells are called, in the same order.
    pub fn names(self) -> [&'static str; 3] {
        match self {
            Family::Ecp5 => ["ECP5 LUT4", "ECP5 carry cells (CCU2C)", "ECP5 multipliers (MULT18X18D)"],
            Family::Xilinx => ["Xilinx LUTs (LUT1 to LUT6)", "Xilinx carry cells (CARRY4, CARRY8)", "Xilinx DSPs"],
        }
    }
}

/// What a core takes of an FPGA. Multiplexers beside the lookup tables, which cost none, are not counted.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Fpga {
    pub lookup_tables: u64,
    pub carry_cells: u64,
    pub multipliers: u64,
    /// Of the unit with registers around it, after placement and routing, or null where there is none.
    pub clock_mhz: Option<f64>,
    /// Why there is no clock rate, where one was asked for.
    pub clock_skipped: Option<String>,
    /// Wall time of synthesis, placement and routing.
    pub seconds: f64,
}

/// Maps the core of a unit to an FPGA; with `nextpnr`, which knows ECP5 only, it is placed and routed too.
///
/// # Errors
/// The core cannot be emitted, Yosys does not take it, or nextpnr fails. A unit that does not fit, or takes nextpnr too long, is
/// none: its figures say why they have no clock rate.
pub fn map_to_fpga(unit: &Unit, family: Family, nextpnr: Option<&Nextpnr>) -> Result<Fpga, SynthesisError> {
    map(&Core::of_unit(unit)?, family, nextpnr)
}

/// The same of a tile. Its units are mapped once, and not across their borders.
///
/// # Errors
/// As above.
pub fn map_tile_to_fpga(tile: &Tile, family: Family, nextpnr: Option<&Nextpnr>) -> Result<Fpga, SynthesisError> {
    map(&Core::of_tile(tile)?, family, nextpnr)
}

fn map(core: &Core, family: Family, nextpnr: Option<&Nextpnr>) -> Result<Fpga, SynthesisError> {
    let start = Instant::now();
    let command = family.command();
    let script = format!("{}{command} -top {}\n{COUNT_CELLS}", core.reading(&[]), core.module);
    let finished = run(core, &[], &script)?;
    let [lookup_tables, carry_cells, multipliers] = counts(core, &finished, family.cells())?;
    let mut found =
        Fpga { lookup_tables, carry_cells, multipliers, clock_mhz: None, clock_skipped: None, seconds: 0.0 };
    if let Some(nextpnr) = nextpnr {
        match found.does_not_fit().map_or_else(|| placed(core, command, nextpnr), Err) {
            Ok(rate) => found.clock_mhz = Some(rate),
            Err(Unplaced::Skipped(reason)) => found.clock_skipped = Some(reason),
            Err(Unplaced::Failed(error)) => return Err(error),
        }
    }
    Ok(Fpga { seconds: start.elapsed().as_secs_f64(), ..found })
}

/// Why a core has no place.
enum Unplaced {
    Skipped(String),
    Failed(SynthesisError),
}

/// The clock rate of a core between registers.
fn placed(core: &Core, command: &str, nextpnr: &Nextpnr) -> Result<f64, Unplaced> {
    let more = [clocked::around(core)];
    // What was kept apart is put together for nextpnr.
    let script = format!(
        "{}{command} -top {CLOCKED}\nsetattr -mod -unset keep_hierarchy\nflatten\nopt_clean\nwrite_json {NETLIST}\n",
        core.reading(&more)
    );
    let finished = run(core, &more, &script).map_err(|error| match error {
        SynthesisError::Yosys { source: YosysError::Slow(_), .. } => Unplaced::Skipped(error.to_string()),
        error => Unplaced::Failed(error),
    })?;
    nextpnr.clock_mhz(finished.path(), NETLIST, LIMIT).map_err(|error| match error {
        NextpnrError::Slow(_) => Unplaced::Skipped(error.to_string()),
        source => Unplaced::Failed(SynthesisError::Nextpnr { name: core.name.clone(), source }),
    })
}

impl Fpga {
    /// Why the device of the clock rate is too small, if it is: a carry cell takes the place of two lookup tables.
    fn does_not_fit(&self) -> Option<Unplaced> {
        let cells = self.lookup_tables + 2 * self.carry_cells;
        let (wanted, there, what) = match (cells > nextpnr::LOGIC_CELLS, self.multipliers > nextpnr::MULTIPLIERS) {
            (true, _) => (cells, nextpnr::LOGIC_CELLS, "logic cells"),
            (_, true) => (self.multipliers, nextpnr::MULTIPLIERS, "multipliers"),
            _ => return None,
        };
        Some(Unplaced::Skipped(format!("it needs {wanted} {what}, and {} has {there}", Nextpnr::DEVICE)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_fit() {
        let fpga = |lookup_tables, carry_cells, multipliers| Fpga {
            lookup_tables,
            carry_cells,
            multipliers,
            clock_mhz: None,
            clock_skipped: None,
            seconds: 0.0,
        };
        let reason = |found: Fpga| match found.does_not_fit() {
            Some(Unplaced::Skipped(reason)) => reason,
            _ => String::new(),
        };
        assert_eq!(reason(fpga(83_640, 0, 156)), "");
        assert!(reason(fpga(83_639, 1, 0)).starts_with("it needs 83641 logic cells"));
        assert!(reason(fpga(0, 0, 157)).starts_with("it needs 157 multipliers"));
    }
}
