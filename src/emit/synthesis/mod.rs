//! What a unit costs, as tools map the emitted core: 6-input lookup tables and logic depth, cells of a Liberty file, an FPGA.

mod asic;
mod clocked;
mod core;
mod fpga;

use std::collections::BTreeMap;
use std::time::Instant;

use serde::Serialize;
use serde_json::Value;
use thiserror::Error;

use super::nextpnr::NextpnrError;
use super::yosys::{self, Finished, YosysError};
use super::{EmitError, SourceFile};
use crate::describe::unit::Unit;
use core::Core;

pub use asic::{AreaAndDelay, Asic, Liberty, LibertyError, map_tile_to_cells, map_to_cells};
pub use fpga::{Family, Fpga, map_tile_to_fpga, map_to_fpga};

/// Inputs of a lookup table.
const LOOKUP_TABLE_INPUTS: u32 = 6;

/// Size and depth of a combinational core. No wires, no carry chains: figures to compare units by, not to build by.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Synthesis {
    /// Lookup tables of six inputs.
    pub lookup_tables: u64,
    /// Lookup tables on the longest path.
    pub depth: u64,
    /// Wall time of the synthesis.
    pub seconds: f64,
}

/// Why there are no figures.
#[derive(Debug, Error)]
pub enum SynthesisError {
    #[error(transparent)]
    Emit(#[from] EmitError),
    #[error("{name}: {source}")]
    Yosys { name: String, source: YosysError },
    #[error("yosys failed on {name}:\n{said}")]
    Failed { name: String, said: String },
    #[error("{library}: yosys cannot map {name} to its cells:\n{said}")]
    Cells { library: String, name: String, said: String },
    #[error("{name}: {source}")]
    Nextpnr { name: String, source: NextpnrError },
}

/// Maps the core of a unit to lookup tables.
///
/// # Errors
/// The core cannot be emitted, or Yosys does not take it.
pub fn synthesise(unit: &Unit) -> Result<Synthesis, SynthesisError> {
    let start = Instant::now();
    let core = Core::of_unit(unit)?;
    // Sharing of operators is left out: it finds nothing here, and can take hours.
    let script = format!(
        "{}synth -noshare -flatten -lut {LOOKUP_TABLE_INPUTS} -top {}\n{COUNT_CELLS}tee -q -o path.txt ltp -noff\n",
        core.reading(&[]),
        core.module
    );
    let finished = run(&core, &[], &script)?;
    let [lookup_tables] = counts(&core, &finished, [&["$lut"]])?;
    let path = written(&core, &finished, "path.txt")?;
    let depth = number_after(&path, "(length=");
    let depth = depth.ok_or_else(|| failed(&core, format!("no length of its longest path:\n{path}")))?;
    Ok(Synthesis { lookup_tables, depth, seconds: start.elapsed().as_secs_f64() })
}

fn failed(core: &Core, said: String) -> SynthesisError {
    SynthesisError::Failed { name: core.name.clone(), said }
}

fn of_yosys(core: &Core, error: YosysError) -> SynthesisError {
    match error {
        YosysError::Failed(said) => failed(core, said),
        source => SynthesisError::Yosys { name: core.name.clone(), source },
    }
}

/// Runs a script on the files of a core, and more.
fn run(core: &Core, more: &[SourceFile], script: &str) -> Result<Finished, SynthesisError> {
    let files = [&core.files[..], more].concat();
    yosys::run(&files, script, yosys::LIMIT).map_err(|error| of_yosys(core, error))
}

/// What the script wrote to a file.
fn written(core: &Core, finished: &Finished, file: &str) -> Result<String, SynthesisError> {
    finished.read(file).map_err(|error| of_yosys(core, error))
}

const STATISTICS: &str = "stat.json";
/// The line of a script that counts cells for [`counts`].
const COUNT_CELLS: &str = "tee -q -o stat.json stat -json\n";

/// How many cells the design has of each group of types.
fn counts<const N: usize>(core: &Core, finished: &Finished, groups: [&[&str]; N]) -> Result<[u64; N], SynthesisError> {
    let text = written(core, finished, STATISTICS)?;
    let cells = cells_by_type(&text).ok_or_else(|| failed(core, format!("no cells in its statistics:\n{text}")))?;
    Ok(groups.map(|types| types.iter().filter_map(|name| cells.get(*name)).sum()))
}

/// The cells of the whole design in what `stat -json` writes.
fn cells_by_type(text: &str) -> Option<BTreeMap<String, u64>> {
    let statistics: Value = serde_json::from_str(text).ok()?;
    serde_json::from_value(statistics["design"]["num_cells_by_type"].clone()).ok()
}

/// The first number after a mark.
fn number_after(text: &str, mark: &str) -> Option<u64> {
    let rest = &text[text.find(mark)? + mark.len()..];
    let digits = rest.trim_start();
    let end = digits.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(digits.len());
    digits[..end].parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_in_statistics() {
        let text = r#"{"modules": {}, "design": {"num_cells": 5, "num_cells_by_type": {"CCU2C": 2, "LUT4": 3}}}"#;
        let cells = cells_by_type(text).expect("cells");
        assert_eq!((cells["CCU2C"], cells["LUT4"], cells.len()), (2, 3, 2));
        assert_eq!(cells_by_type(r#"{"modules": {}}"#), None);
        assert_eq!(cells_by_type(""), None);
    }

    #[test]
    fn numbers_after_marks() {
        assert_eq!(number_after("path in x (length=38):", "(length="), Some(38));
        assert_eq!(number_after("path in x (length=):", "(length="), None);
        assert_eq!(number_after("", "(length="), None);
    }
}
