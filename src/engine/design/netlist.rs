//! A design as a netlist of lookup tables, many vectors at a time: where its registers only delay, a result is a function of
//! the operands of one cycle, and every lane answers one vector.

use super::failed;
use crate::describe::instruction::Instruction;
use crate::describe::interface::Interface;
use crate::design::{self, Sources, Wrapper};
use crate::emit::yosys::{self, YosysError};
use crate::emit::{SourceFile, digest};
use crate::engine::netlist::{self, Mode, Netlist, Source, read};
use crate::engine::{Batch, Engine, EngineError, Identity};

/// A design whose netlist answers.
pub struct AsNetlist {
    name: String,
    interface: Interface,
    netlist: Netlist,
}

impl AsNetlist {
    /// Has Yosys make the netlist of a design in the module around it; why there is none, where Yosys is not there.
    ///
    /// # Errors
    /// Yosys refuses the files, or registers do more than delay.
    pub fn open(
        (design, wrapper): (&design::Design, &Wrapper),
        sources: &Sources,
        interface: &Interface,
    ) -> Result<Result<AsNetlist, String>, EngineError> {
        let version = match yosys::version() {
            Err(reason @ YosysError::Missing) => return Ok(Err(reason.to_string())),
            version => version.map_err(failed)?,
        };
        let module = SourceFile { name: format!("{}.sv", design::MODULE), text: wrapper.text.clone() };
        let files = [module, netlist::multiply()];
        let script = |words: &str| {
            netlist::script_of_design(&format!("read_verilog -sv {words} {}", files[0].name), design::MODULE)
        };
        let refused = |what: String| failed(format!("{}: as a netlist: {what}", design.file));
        let json = yosys::run_with(&files, sources.elsewhere(), script, yosys::LIMIT);
        let json = json.and_then(|finished| finished.read(netlist::NETLIST));
        let json = json.map_err(|error| refused(error.to_string()))?;
        let own = netlist::Interface::of_design(interface, design.said.clock.is_some());
        let steady = read(&json, design::MODULE, &own.ports(), own.planes() as u32).map_err(refused)?;
        if let Some(latency) = design.said.timing.latency.filter(|latency| *latency != steady.latency) {
            let value = steady.latency;
            return Err(failed(design.refuse(
                "timing.latency",
                latency,
                format!("{value}: its netlist has so many registers"),
            )));
        }
        let source = Source { sha256: digest(json.as_bytes()), json, yosys: version };
        let netlist = Netlist::of_circuit(own, source, steady, Mode::best())?;
        Ok(Ok(AsNetlist { name: design.said.name.clone(), interface: interface.clone(), netlist }))
    }
}

impl Engine for AsNetlist {
    fn name(&self) -> &'static str {
        super::NAME
    }

    fn identity(&self) -> Identity {
        let version = format!("{}; {}", self.name, self.netlist.identity().version);
        Identity { engine: super::NAME.to_owned(), version }
    }

    fn computes(&self, instruction: &Instruction) -> bool {
        super::takes(&self.interface, instruction)
    }

    fn run(&mut self, batch: &Batch, results: &mut Vec<u64>) -> Result<(), EngineError> {
        self.netlist.run(batch, results)
    }
}
