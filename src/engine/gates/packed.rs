//! A unit as the cells of an ECP5 that nextpnr packs: what Yosys makes of the emitted text, then what nextpnr makes of that before it
//! gives cells places, by models of this project, verilated. Places and wires change nothing of this netlist, which is the last
//! before a bitstream.
//!
//! Architecture invariant: nothing here knows what a unit computes; the answers are those of the cells.

use super::trellis::verilog;
use super::{Cells, Gates, sources};
use crate::describe::unit::Unit;
use crate::emit::nextpnr::{Nextpnr, NextpnrError, Until};
use crate::emit::yosys::{self, YosysError};
use crate::emit::{SourceFile, digest};
use crate::engine::netlist::{NetlistError, Variant, kept, written};
use crate::engine::{Absence, EngineError, NOT_CLOCKED, Opened};
use crate::verilate::Key;

/// Name of the engine.
pub const NAME: &str = "packed:ecp5";
/// The file that Yosys writes.
const SYNTHESISED: &str = "synthesised.json";

fn failed(message: impl ToString) -> EngineError {
    EngineError { engine: NAME, message: message.to_string() }
}

/// The core of a unit as packed cells.
///
/// # Errors
/// Yosys, nextpnr or Verilator is there, and refuses its files; or the netlist has a cell that is not known here.
pub fn open(unit: &Unit) -> Result<Opened, EngineError> {
    changed(unit, |netlist| netlist)
}

/// The same where nextpnr's netlist is changed, for deliberately broken twins.
///
/// # Errors
/// As [`open`].
pub fn changed(unit: &Unit, change: impl FnOnce(String) -> String) -> Result<Opened, EngineError> {
    let missing = |reason: String| Ok(Opened::Absent(Absence::Missing(reason)));
    if !unit.build.cuts.is_empty() {
        return missing(NOT_CLOCKED.to_owned());
    }
    let nextpnr = match Nextpnr::find() {
        Ok(nextpnr) => nextpnr,
        Err(reason @ NextpnrError::Missing) => return missing(reason.to_string()),
        Err(error) => return Err(failed(error)),
    };
    let (netlist, yosys) = match netlist(unit, &nextpnr, Until::Packed) {
        Ok(found) => found,
        Err(NetlistError::Yosys(reason @ (YosysError::Missing | YosysError::Slow(_)))) => {
            return missing(reason.to_string());
        }
        Err(NetlistError::Nextpnr(reason @ NextpnrError::Slow(_))) => return missing(reason.to_string()),
        Err(error) => return Err(failed(error)),
    };
    let module = Variant::Core.module(unit);
    let cells = verilog(&change(netlist), &module).map_err(failed)?;
    let text = [cells.as_str(), include_str!("trellis.v"), include_str!("multiplier.v")].join("\n");
    let file = SourceFile { name: format!("{module}.sv"), text };
    let (command, _) = Cells::Ecp5.synthesis();
    let sha256 = digest(cells.as_bytes());
    let details = [("synthesis", command), ("packed_for", Nextpnr::DEVICE), ("cells_sha256", &sha256)];
    Gates::verilated(NAME, unit, file, (&format!("{yosys}; {}", nextpnr.version()), details))
}

/// What nextpnr makes of a unit, from the cache if it was made before, and Yosys' version.
///
/// # Errors
/// Yosys or nextpnr is missing, refuses its files or takes too long; the cache is refused.
pub fn netlist(unit: &Unit, nextpnr: &Nextpnr, until: Until) -> Result<(String, String), NetlistError> {
    let yosys = yosys::version()?;
    let files = sources(unit)?;
    let top = Variant::Core.module(unit);
    let names: Vec<&str> = files.iter().map(|file| file.name.as_str()).collect();
    let (command, _) = Cells::Ecp5.synthesis();
    let script = format!("read_verilog -sv {}\n{command} -top {top}\nwrite_json {SYNTHESISED}\n", names.join(" "));
    let synthesised = written(&top, &files, &script, SYNTHESISED, &yosys)?;
    let arguments = Nextpnr::arguments(until).join(" ");
    let key = Key::new("netlist").text(nextpnr.version()).text(&arguments).text(&synthesised);
    let make = || Ok(nextpnr.netlist(&synthesised, until, yosys::LIMIT)?);
    Ok((kept(&top, &key.finish(), make)?, yosys))
}
