//! The emitted SystemVerilog as a netlist of 3-input lookup tables, 512 vectors at a time: bit j of 512 operands is a plane, and
//! a lookup table is an instruction on planes, or a few.
//!
//! Yosys makes the netlist (`synthesise`; of products, by `multiply.v`), which is read back as a circuit (`read`), split into
//! what the processor has instructions for (`split`, `select`), ordered (`order`) and given registers and memory (`allocate`),
//! for the level of instructions that is used (`mode`). The steps are machine code of AVX-512, AVX2 or NEON (`assemble_*`,
//! `code`), and are interpreted elsewhere (`interpret`). Operands become planes and planes results by transposition (`planes`):
//! in registers of AVX-512 (`registers`, `bytes`), or in quadwords of AVX2, NEON or plain words (`quadwords`).
//!
//! Architecture invariant: nothing here knows what a unit computes; the answers are those of the text that Yosys read.

mod allocate;
#[cfg(target_arch = "x86_64")]
mod assemble_avx2;
#[cfg(target_arch = "x86_64")]
mod assemble_avx512;
pub mod assemble_neon;
#[cfg(target_arch = "x86_64")]
mod bytes;
pub mod circuit;
mod code;
mod interface;
mod interpret;
mod mode;
mod order;
pub mod planes;
mod quadwords;
mod read;
mod register;
#[cfg(target_arch = "x86_64")]
mod registers;
mod runner;
mod select;
mod split;
mod synthesise;

use std::collections::BTreeMap;

pub use allocate::{Place, Program, Step, allocate};
pub use circuit::Circuit;
pub use interface::{Interface, Variant};
pub use mode::{Mode, gates};
pub use order::ordered;
pub use read::{Ports, Steady, read};
pub use runner::{Runner, program};
pub use split::split;
use synthesise::installed_netlist;
pub use synthesise::{MULTIPLY, NETLIST, NetlistError, Source, kept, multiply, netlist_of, script_of_design, written};

use super::{Absence, Batch, Engine, EngineError, Identity, NOT_CLOCKED, Opened};
use crate::describe::instruction::Instruction;
use crate::describe::unit::Unit;
use crate::emit::yosys::{self, YosysError};
use crate::emit::{self, SourceFile};
use circuit::Output;
use planes::{BITS, LANES, Means, Plane};

const NAME: &str = "netlist";

fn failed(message: impl ToString) -> EngineError {
    EngineError { engine: NAME, message: message.to_string() }
}

/// The lookup tables of a unit.
pub struct Netlist {
    /// `None` of a design, and of a broken twin.
    unit: Option<Unit>,
    interface: Interface,
    source: Source,
    steady: Steady,
    runner: Runner,
    means: Means,
    room: Vec<u64>,
    planes: Vec<Plane>,
    /// Bits of an answer that are not always zero, from the lowest on.
    width: usize,
    words: Box<[u64; LANES]>,
}

impl Netlist {
    /// The core of a unit, by the fastest means that the processor has.
    ///
    /// # Errors
    /// Yosys is there, and refuses the files or writes what is not known here.
    pub fn open(unit: &Unit) -> Result<Opened, EngineError> {
        if !unit.build.cuts.is_empty() {
            return Ok(Opened::Absent(Absence::Missing(NOT_CLOCKED.to_owned())));
        }
        let files = files(unit, Variant::Core)?;
        let source = match yosys::version() {
            Ok(version) => netlist_of(unit, Variant::Core, files, &version),
            Err(YosysError::Missing) => {
                installed_netlist(unit, Variant::Core, &files).ok_or(NetlistError::Yosys(YosysError::Missing))
            }
            Err(error) => Err(error.into()),
        };
        match source {
            Ok(source) => Ok(Opened::Ready(Box::new(Netlist::new(unit, Variant::Core, source, Mode::best())?))),
            Err(NetlistError::Yosys(reason @ (YosysError::Missing | YosysError::Slow(_)))) => {
                Ok(Opened::Absent(Absence::Missing(reason.to_string())))
            }
            Err(error) => Err(failed(error)),
        }
    }

    /// A module of a unit from its netlist.
    ///
    /// # Errors
    /// The netlist is none of that module, or its code cannot be placed in memory.
    pub fn new(unit: &Unit, variant: Variant, source: Source, mode: Mode) -> Result<Netlist, EngineError> {
        let interface = Interface::new(unit, variant);
        let module = variant.module(unit);
        let steady = read(&source.json, &module, &interface.ports(), interface.planes() as u32);
        let steady = steady.map_err(|what| failed(format!("module {module}, as yosys writes it: {what}")))?;
        Ok(Netlist { unit: Some(unit.clone()), ..Netlist::of_circuit(interface, source, steady, mode)? })
    }

    /// The same of a circuit that was read before.
    ///
    /// # Errors
    /// The code cannot be placed in memory.
    pub fn of_circuit(
        interface: Interface,
        source: Source,
        steady: Steady,
        mode: Mode,
    ) -> Result<Netlist, EngineError> {
        let runner = Runner::new(&steady.circuit, mode).map_err(failed)?;
        Ok(Netlist::of_parts(interface, source, steady, runner))
    }

    /// The same with a runner of its own, for deliberately broken twins.
    pub fn of_parts(interface: Interface, source: Source, steady: Steady, runner: Runner) -> Netlist {
        let mut planes = vec![Plane::default(); runner.planes().max(interface.planes() + BITS)];
        runner.prepare(&mut planes);
        let (room, words) = (Vec::new(), Box::new([0; LANES]));
        let last = steady.circuit.outputs.iter().rposition(|output| *output != Output::Constant(false));
        let width = last.map_or(0, |last| last + 1);
        Netlist { unit: None, interface, source, steady, runner, means: Means::best(), room, planes, width, words }
    }
}

/// What `netlist_of` makes the netlist of a module from: leaves, the core, the wrapper if it is asked for, and how products become
/// gates.
///
/// # Errors
/// A template is broken.
pub fn files(unit: &Unit, variant: Variant) -> Result<Vec<SourceFile>, EngineError> {
    let mut files = emit::module(unit).map_err(failed)?;
    if variant == Variant::Registered {
        files.push(emit::registered(unit).map_err(failed)?);
    }
    files.push(multiply());
    Ok(files)
}

impl Engine for Netlist {
    fn name(&self) -> &'static str {
        NAME
    }

    fn identity(&self) -> Identity {
        let Source { yosys, sha256, .. } = &self.source;
        let mode = self.runner.mode().name();
        Identity { engine: NAME.to_owned(), version: format!("{yosys}; netlist sha256 {sha256}; {mode}") }
    }

    fn details(&self) -> BTreeMap<String, String> {
        let mut details = BTreeMap::from([
            ("lookup tables".to_owned(), self.steady.circuit.luts.len().to_string()),
            ("steps".to_owned(), self.runner.steps().to_string()),
            ("path".to_owned(), self.runner.mode().name().to_owned()),
            ("registers on the way".to_owned(), self.steady.latency.to_string()),
        ]);
        if let Some(bytes) = self.runner.code_bytes() {
            details.insert("code bytes".to_owned(), bytes.to_string());
        }
        details
    }

    fn computes(&self, instruction: &Instruction) -> bool {
        self.unit.as_ref().is_none_or(|unit| instruction.is_once(unit))
    }

    fn run(&mut self, batch: &Batch, results: &mut Vec<u64>) -> Result<(), EngineError> {
        self.interface.check(batch)?;
        results.resize(batch.len(), 0);
        let first = self.interface.planes();
        for (index, results) in results.chunks_mut(LANES).enumerate() {
            let start = index * LANES;
            let own = start..start + results.len();
            self.interface.fill(self.means, batch, own, &mut self.room, &mut self.planes);
            self.runner.run(&mut self.planes);
            let answer = self.planes[first..].first_chunk::<BITS>().expect("an answer has 64 planes");
            if let Some(results) = results.first_chunk_mut() {
                planes::words_of_planes(self.means, answer, self.width, results);
            } else {
                planes::words_of_planes(self.means, answer, self.width, &mut self.words);
                results.copy_from_slice(&self.words[..results.len()]);
            }
        }
        Ok(())
    }
}
