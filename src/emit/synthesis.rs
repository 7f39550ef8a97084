//! What a unit costs: 6-input lookup tables and logic depth, as Yosys maps the emitted core.

use std::time::Instant;

use serde::Serialize;
use thiserror::Error;

use super::yosys::{self, YosysError};
use super::{EmitError, module};
use crate::describe::unit::Unit;

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
    #[error("unit {unit}: {source}")]
    Yosys { unit: String, source: YosysError },
    #[error("yosys failed on {unit}:\n{said}")]
    Failed { unit: String, said: String },
}

/// Maps the core of a unit to lookup tables.
///
/// # Errors
/// The core cannot be emitted, or Yosys does not take it.
pub fn synthesise(unit: &Unit) -> Result<Synthesis, SynthesisError> {
    let start = Instant::now();
    let files = module(unit)?;
    let names: Vec<&str> = files.iter().map(|file| file.name.as_str()).collect();
    // Sharing of operators is left out: it finds nothing here, and can take hours.
    let script = format!(
        "read_verilog -sv {}\nsynth -noshare -flatten -lut {LOOKUP_TABLE_INPUTS} -top {}\n\
         tee -q -o stat.txt stat\ntee -q -o path.txt ltp -noff\n",
        names.join(" "),
        unit.module_name()
    );
    let failed = |said: String| SynthesisError::Failed { unit: unit.name.clone(), said };
    let of_yosys = |error| match error {
        YosysError::Failed(said) => failed(said),
        source => SynthesisError::Yosys { unit: unit.name.clone(), source },
    };
    let finished = yosys::run(&files, &script, yosys::LIMIT).map_err(of_yosys)?;
    let number = |file: &str, mark: &str| {
        let text = finished.read(file).map_err(of_yosys)?;
        number_after(&text, mark).ok_or_else(|| failed(format!("no {mark:?} in its report:\n{text}")))
    };
    let (lookup_tables, depth) = (number("stat.txt", "$lut")?, number("path.txt", "(length=")?);
    Ok(Synthesis { lookup_tables, depth, seconds: start.elapsed().as_secs_f64() })
}

/// The first number after a mark.
fn number_after(text: &str, mark: &str) -> Option<u64> {
    let rest = &text[text.find(mark)? + mark.len()..];
    let digits = rest.trim_start();
    let end = digits.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(digits.len());
    digits[..end].parse().ok()
}
