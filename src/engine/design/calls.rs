//! Refuses designs that call C or the system before anything of them runs, unless they may. Verilator reads them for it with the module
//! around them, as they are simulated: a text can add to that module too.

use super::{failed, refusal};
use crate::design::{self, Design, Simulator, Sources, Wrapper};
use crate::engine::EngineError;
use crate::engine::rtl::Builder;

/// Macros that text is chosen by, as Icarus has them.
const OF_ICARUS: [&str; 4] = ["-UVERILATOR", "-Uverilator", "-Uverilator3", "-D__ICARUS__=1"];

/// Refuses a design that calls what it may not.
///
/// # Errors
/// It does: where, and what it calls. Or Verilator refuses it.
pub fn refuse((design, wrapper): (&Design, &Wrapper), builder: &Builder, sources: &Sources) -> Result<(), EngineError> {
    if design.system_calls {
        return Ok(());
    }
    let (what, macros) = match design.simulator {
        Simulator::Icarus => ("the design with the macros of Icarus", &OF_ICARUS[..]),
        Simulator::Verilator | Simulator::Netlist | Simulator::Ghdl => ("the design", &[][..]),
    };
    let macros = macros.iter().map(|option| (*option).to_owned());
    let arguments: Vec<String> = macros.chain(sources.for_verilator(false)).collect();
    let tree = builder.tree(design::MODULE, Some(&wrapper.text), &arguments);
    let tree = tree.map_err(|error| failed(refusal(&design.file, what, error)))?;
    match design::first_call(&tree).map_err(|what| failed(format!("{}: {what}", design.file)))? {
        None => Ok(()),
        Some(call) => Err(failed(format!(
            "{}: {call}; allowed: text that calls neither C nor the system, or --allow-system-calls",
            design.file
        ))),
    }
}
