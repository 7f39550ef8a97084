//! What a unit costs: 6-input lookup tables and logic depth, as Yosys maps the emitted core.

use std::process::Command;
use std::time::Instant;

use serde::Serialize;
use tempfile::TempDir;
use thiserror::Error;

use super::{EmitError, core, leaves, write};
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
    #[error("yosys: {0}")]
    Files(#[from] std::io::Error),
    #[error("yosys failed on {unit}:\n{said}")]
    Failed { unit: String, said: String },
}

/// Yosys' version, or why it cannot be asked.
///
/// # Errors
/// It is not on PATH or does not run.
pub fn version() -> Result<String, String> {
    let missing = || "yosys is not on PATH; Debian and Ubuntu have it in the package yosys".to_owned();
    let output = Command::new("yosys").arg("-V").output().map_err(|_| missing())?;
    let text = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    if output.status.success() && !text.is_empty() { Ok(text) } else { Err("yosys -V fails".to_owned()) }
}

/// Maps the core of a unit to lookup tables.
///
/// # Errors
/// The core cannot be emitted, or Yosys does not take it.
pub fn synthesise(unit: &Unit) -> Result<Synthesis, SynthesisError> {
    let start = Instant::now();
    let folder = TempDir::new()?;
    let mut files = leaves();
    files.push(core(unit)?);
    write(folder.path(), &files)?;
    let names: Vec<&str> = files.iter().map(|file| file.name.as_str()).collect();
    // Sharing of operators is left out: it finds nothing here, and can take hours.
    let script = format!(
        "read_verilog -sv {}\nsynth -noshare -flatten -lut {LOOKUP_TABLE_INPUTS} -top {}\n\
         tee -q -o stat.txt stat\ntee -q -o path.txt ltp -noff\n",
        names.join(" "),
        unit.module_name()
    );
    std::fs::write(folder.path().join("synthesise.ys"), script)?;
    let output = Command::new("yosys").current_dir(folder.path()).args(["-q", "-s", "synthesise.ys"]).output()?;
    let said = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    let failed = |said: String| SynthesisError::Failed { unit: unit.name.clone(), said };
    if !output.status.success() {
        return Err(failed(said));
    }
    let number = |file: &str, mark: &str| {
        let text = std::fs::read_to_string(folder.path().join(file))?;
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
