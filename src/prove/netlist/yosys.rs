//! Runs Yosys on files and reads what it writes.

use std::time::Duration;

use super::{Netlist, NetlistError, flatten};
use crate::emit::yosys::json::Design;
use crate::emit::yosys::{self, YosysError};
use crate::emit::{SourceFile, digest};

/// Yosys' version, as it tells it.
///
/// # Errors
/// It is not on PATH or does not run.
pub fn version() -> Result<String, NetlistError> {
    yosys::version().map_err(|_| NetlistError::NoYosys)
}

/// The netlist of module `top` of some files.
///
/// # Errors
/// Yosys is missing, refuses the files, takes longer than the limit, or writes what is not known here.
pub fn read(top: &str, files: &[SourceFile], limit: Duration) -> Result<Netlist, NetlistError> {
    let names: Vec<&str> = files.iter().map(|file| file.name.as_str()).collect();
    let script = format!(
        "read_verilog -sv -noautowire {}\nhierarchy -check -top {top}\nproc\nwrite_json netlist.json\n",
        names.join(" ")
    );
    let finished = yosys::run(files, &script, limit).and_then(|finished| finished.read("netlist.json"));
    let text = finished.map_err(|error| match error {
        YosysError::Missing | YosysError::NoVersion => NetlistError::NoYosys,
        YosysError::Files(what) => NetlistError::Files(what),
        YosysError::Slow(limit) => NetlistError::Slow(limit),
        YosysError::Failed(said) => NetlistError::Refused { module: top.to_owned(), said },
    })?;
    let design: Design = serde_json::from_str(&text)
        .map_err(|error| NetlistError::Form { module: top.to_owned(), what: error.to_string() })?;
    let sha256 = digest(text.as_bytes());
    Ok(Netlist { sha256, ..flatten::flatten(&design, top)? })
}
