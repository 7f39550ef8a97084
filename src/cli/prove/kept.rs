//! Proofs of emitted files that are kept: by the files, Yosys' version and this program, which proves and reads the text.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use super::Solving;
use crate::cli::Failure;
use crate::describe::unit::Unit;
use crate::emit;
use crate::prove::certificate::digest;
use crate::prove::{self, netlist};
use crate::report::RtlReport;

/// Where the proof of a unit is kept; none where nothing is.
///
/// # Errors
/// Yosys is missing, or the unit cannot be emitted.
pub(super) fn file(unit: &Unit, solving: &Solving) -> Result<Option<PathBuf>, Failure> {
    let (Some(folder), Some(program)) = (solving.cache_folder(), program()) else { return Ok(None) };
    let mut text = format!("{program}\n{}\n{}\n", netlist::version()?, unit.to_toml());
    for file in emit::combinational(unit)?.iter().chain([&emit::registered(unit)?]) {
        text += &format!("{} {}\n", file.name, digest(file.text.as_bytes()));
    }
    Ok(Some(folder.join(format!("{}-rtl.json", digest(text.as_bytes())))))
}

/// The hash of this program.
fn program() -> Option<&'static str> {
    static PROGRAM: OnceLock<Option<String>> = OnceLock::new();
    let read = || Some(digest(&std::fs::read(std::env::current_exe().ok()?).ok()?));
    PROGRAM.get_or_init(read).as_deref()
}

/// The proof that is kept there.
pub(super) fn recall(file: &Path) -> Option<RtlReport> {
    let report: RtlReport = serde_json::from_slice(&std::fs::read(file).ok()?).ok()?;
    Some(RtlReport { cached: true, ..report })
}

/// Keeps what is settled: what is unknown may be known with more time. A folder that cannot be written costs time only.
pub(super) fn keep(file: &Path, report: &RtlReport) {
    if report.is_proved() {
        let _ = prove::keep(file, report);
    }
}
