//! Runs Yosys on files and reads what it writes.

use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

use super::json::Design;
use super::{Netlist, NetlistError, flatten};
use crate::emit::{self, SourceFile};
use crate::prove::certificate::digest;

/// Yosys' version, as it tells it.
///
/// # Errors
/// It is not on PATH or does not run.
pub fn version() -> Result<String, NetlistError> {
    emit::yosys_version().map_err(|_| NetlistError::NoYosys)
}

/// The netlist of module `top` of some files.
///
/// # Errors
/// Yosys is missing, refuses the files, or writes what is not known here.
pub fn read(top: &str, files: &[SourceFile]) -> Result<Netlist, NetlistError> {
    let folder = TempDir::new().map_err(|error| NetlistError::Files(error.to_string()))?;
    emit::write(folder.path(), files).map_err(|error| NetlistError::Files(error.to_string()))?;
    let names: Vec<&str> = files.iter().map(|file| file.name.as_str()).collect();
    let script =
        format!("read_verilog -sv {}\nhierarchy -check -top {top}\nproc\nwrite_json netlist.json\n", names.join(" "));
    run(top, folder.path(), &script)?;
    let path = folder.path().join("netlist.json");
    let text = std::fs::read_to_string(path).map_err(|error| NetlistError::Files(error.to_string()))?;
    let design: Design = serde_json::from_str(&text)
        .map_err(|error| NetlistError::Form { module: top.to_owned(), what: error.to_string() })?;
    let sha256 = digest(text.as_bytes());
    Ok(Netlist { sha256, ..flatten::flatten(&design, top)? })
}

fn run(top: &str, folder: &Path, script: &str) -> Result<(), NetlistError> {
    let files = |error: std::io::Error| NetlistError::Files(error.to_string());
    std::fs::write(folder.join("read.ys"), script).map_err(files)?;
    let output = Command::new("yosys").current_dir(folder).args(["-q", "-s", "read.ys"]).output();
    let output = output.map_err(|_| NetlistError::NoYosys)?;
    let said = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).trim().to_owned();
    if output.status.success() { Ok(()) } else { Err(NetlistError::Refused { module: top.to_owned(), said }) }
}
