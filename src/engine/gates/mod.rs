//! A unit as the gates of an FPGA: what Yosys makes of the emitted text for a family, with Yosys' own models of the family's cells,
//! verilated. A synthesis tool that makes something else of the text than a simulator shows here. `packed` goes on with nextpnr, and
//! with models of this project.
//!
//! Architecture invariant: nothing here knows what a unit computes; the answers are those of the gates.

pub mod packed;
mod trellis;

use std::collections::BTreeMap;

pub use trellis::verilog;

use super::netlist::{self, NetlistError, Variant, written};
use super::rtl::Given;
use super::{Absence, Batch, Engine, EngineError, Identity, NOT_CLOCKED, Opened};
use crate::describe::instruction::Instruction;
use crate::describe::unit::Unit;
use crate::emit::yosys::{self, YosysError};
use crate::emit::{SourceFile, digest};

/// A family of FPGAs whose cells are simulated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Cells {
    /// Lattice ECP5.
    Ecp5,
    /// Lattice iCE40 UltraPlus, with its multipliers.
    Ice40,
    /// Xilinx 7 Series.
    Xilinx,
}

/// The file that Yosys writes.
const GATES: &str = "gates.sv";
/// The model of a cell of which Yosys has only the ports.
const MULTIPLIER: &str = "multiplier.v";

impl Cells {
    /// Name of the engine.
    pub fn name(self) -> &'static str {
        match self {
            Cells::Ecp5 => "gates:ecp5",
            Cells::Ice40 => "gates:ice40",
            Cells::Xilinx => "gates:xilinx",
        }
    }

    /// Yosys' command, and where its models of the cells are.
    fn synthesis(self) -> (&'static str, &'static str) {
        match self {
            Cells::Ecp5 => ("synth_ecp5", "+/ecp5/cells_sim.v"),
            Cells::Ice40 => ("synth_ice40 -device u -dsp", "+/ice40/cells_sim.v"),
            Cells::Xilinx => ("synth_xilinx -family xc7 -flatten -noiopad -noclkbuf", "+/xilinx/cells_sim.v"),
        }
    }

    /// The steps of Yosys: gates of the family, then what its cells are, all in one file.
    fn script(self, top: &str, files: &[SourceFile]) -> String {
        let names: Vec<&str> = files.iter().map(|file| file.name.as_str()).filter(|&name| name != MULTIPLIER).collect();
        let (command, models) = self.synthesis();
        let own = if self == Cells::Ecp5 { format!("read_verilog -overwrite {MULTIPLIER}\n") } else { String::new() };
        format!(
            "read_verilog -sv {}\n{command} -top {top}\nread_verilog -overwrite {models}\n{own}hierarchy -check -top {top}\n\
             proc\nopt_clean\nwrite_verilog -noattr {GATES}\n",
            names.join(" ")
        )
    }
}

/// The cells of a unit, verilated.
pub struct Gates {
    name: &'static str,
    version: String,
    details: BTreeMap<String, String>,
    model: Box<dyn Engine>,
}

impl Gates {
    /// The core of a unit as gates of a family.
    ///
    /// # Errors
    /// Yosys or Verilator is there, and refuses its files.
    pub fn open(cells: Cells, unit: &Unit) -> Result<Opened, EngineError> {
        Gates::changed(cells, unit, |text| text)
    }

    /// The same where the text of the gates is changed, for deliberately broken twins.
    ///
    /// # Errors
    /// As [`Gates::open`].
    pub fn changed(cells: Cells, unit: &Unit, change: impl FnOnce(String) -> String) -> Result<Opened, EngineError> {
        if !unit.build.cuts.is_empty() {
            return Ok(Opened::Absent(Absence::Missing(NOT_CLOCKED.to_owned())));
        }
        let (text, yosys) = match gates_of(cells, unit) {
            Ok(found) => found,
            Err(NetlistError::Yosys(reason @ (YosysError::Missing | YosysError::Slow(_)))) => {
                return Ok(Opened::Absent(Absence::Missing(reason.to_string())));
            }
            Err(error) => return Err(EngineError { engine: cells.name(), message: error.to_string() }),
        };
        let text = change(text);
        let (command, models) = cells.synthesis();
        let details = [("synthesis", command), ("cells", models), ("gates_sha256", &digest(text.as_bytes()))];
        Gates::verilated(cells.name(), unit, SourceFile { name: GATES.to_owned(), text }, (&yosys, details))
    }

    /// The engine of that name whose answers are those of a file of cells, with the tools that made it.
    fn verilated(
        name: &'static str,
        unit: &Unit,
        file: SourceFile,
        (tools, details): (&str, [(&str, &str); 3]),
    ) -> Result<Opened, EngineError> {
        Ok(match Given::open(unit, &[file]).map_err(|error| EngineError { engine: name, ..error })? {
            Opened::Ready(model) => {
                let version = format!("{tools}; {}", model.identity().version);
                let details = details.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
                Opened::Ready(Box::new(Gates { name, version, details, model }))
            }
            absent => absent,
        })
    }
}

/// What is synthesised, of which synthesis chooses the multipliers.
fn sources(unit: &Unit) -> Result<Vec<SourceFile>, NetlistError> {
    let mut files = netlist::files(unit, Variant::Core).map_err(|error| NetlistError::Cache(error.message))?;
    files.retain(|file| file.name != netlist::MULTIPLY);
    Ok(files)
}

/// The text of the gates with their models, and Yosys' version.
fn gates_of(cells: Cells, unit: &Unit) -> Result<(String, String), NetlistError> {
    let version = yosys::version()?;
    let mut files = sources(unit)?;
    if cells == Cells::Ecp5 {
        files.push(SourceFile { name: MULTIPLIER.to_owned(), text: include_str!("multiplier.v").to_owned() });
    }
    let top = Variant::Core.module(unit);
    let script = cells.script(&top, &files);
    Ok((written(&top, &files, &script, GATES, &version)?, version))
}

impl Engine for Gates {
    fn name(&self) -> &'static str {
        self.name
    }

    fn identity(&self) -> Identity {
        Identity { engine: self.name.to_owned(), version: self.version.clone() }
    }

    fn details(&self) -> BTreeMap<String, String> {
        self.details.clone()
    }

    fn computes(&self, instruction: &Instruction) -> bool {
        self.model.computes(instruction)
    }

    fn run(&mut self, batch: &Batch, results: &mut Vec<u64>) -> Result<(), EngineError> {
        self.model.run(batch, results).map_err(|error| EngineError { engine: self.name, ..error })
    }
}
