//! The kinds of engine, by their names on the command line.

use std::str::FromStr;

use clap::builder::{PossibleValue, TypedValueParser, ValueParserFactory};
use clap::error::{ContextKind, ContextValue, ErrorKind};

use super::{
    Absence, Board, Composed, Cuda, Emulator, EngineError, External, Hip, Icarus, Netlist, Opened, Processor,
    Reference, Wide, board, gemm,
};
use crate::describe::instruction::Instruction;
use crate::describe::interface::Interface;
use crate::describe::subject::Subject;
use crate::describe::text::NAME_MAX;
use crate::describe::unit::Unit;
use crate::emit::{SourceFile, tile};

/// The kinds of engine that can be asked for by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// The datapath text on machine words.
    Emulator,
    /// The same for many vectors at a time, in the processor's widest registers.
    Wide,
    /// The definition in big integers.
    Reference,
    /// The emitted SystemVerilog, verilated.
    Rtl,
    /// The emitted SystemVerilog in Icarus Verilog: slow, an independent second simulator.
    Icarus,
    /// The emitted SystemVerilog as a netlist of lookup tables, many vectors at a time.
    Netlist,
    /// The emitted SystemVerilog as the gates of an FPGA, packed or not, verilated, by the engine's name.
    Gates(&'static str),
    /// The instruction of this machine's own processor that computes the unit.
    Processor,
    /// The instruction of an NVIDIA GPU, by its number.
    Cuda(u8),
    /// The instruction of an AMD GPU, by its number.
    Hip(u8),
    /// The program that was named for the process.
    External,
    /// The design that was named for the process.
    Design,
    /// The emitted tile of an instruction, verilated, by the engine's name `tile:ROWSxCOLUMNS`.
    Tile(&'static str),
    /// A unit or a tile on a board at the end of a serial line.
    Board(board::Address),
}

/// Kinds by name, other names of theirs, and what they are.
const NAMED: &[(Kind, &[&str], &str)] = &[
    (Kind::Emulator, &[], "the datapath text on machine words"),
    (Kind::Wide, &[], "many vectors at a time, in the processor's widest registers"),
    (Kind::Reference, &[], "the definition in big integers"),
    (Kind::Rtl, &[], "the emitted SystemVerilog, verilated"),
    (Kind::Icarus, &[], "the emitted SystemVerilog in Icarus Verilog: slow"),
    (Kind::Netlist, &[], "the emitted SystemVerilog through Yosys as lookup tables, many vectors at a time"),
    (Kind::Gates(GATES[0]), &[], "what Yosys makes of the emitted SystemVerilog for ECP5, cell by cell, verilated"),
    (Kind::Gates(GATES[1]), &[], "the same for iCE40"),
    (Kind::Gates(GATES[2]), &[], "the same for Xilinx 7 Series"),
    (Kind::Gates(GATES[3]), &[], "the same for ECP5 as nextpnr packs it, the last netlist before a bitstream"),
    (
        Kind::Tile("tile:4x4"),
        &[],
        "the emitted tile of 4 x 4 units, verilated; so are tile:ROWSxCOLUMNS of 1 to 64 each",
    ),
    (Kind::Processor, &["amx", "intel"], "the instruction of this machine's own x86 processor"),
    (Kind::Cuda(0), &["cuda"], "the instruction of NVIDIA GPU 0; cuda:1 to cuda:7 are the others"),
    (Kind::Hip(0), &["hip"], "the instruction of AMD GPU 0; not yet run on hardware"),
    (Kind::External, &[], "the program that --external names"),
    (Kind::Design, &[], "the design that --design names, verilated"),
    (
        Kind::Board(board::Address::SIMULATED),
        &[],
        "a simulated board; board:PATH or board:PATH@BAUD is one at that serial port, board:sim:2x2 one with a tile",
    ),
];

/// Families of FPGAs, and how far their gates are taken.
const GATES: [&str; 4] = ["gates:ecp5", "gates:ice40", "gates:xilinx", "packed:ecp5"];
/// GPUs by number.
const CUDA: [&str; 8] = ["cuda:0", "cuda:1", "cuda:2", "cuda:3", "cuda:4", "cuda:5", "cuda:6", "cuda:7"];
const HIP: [&str; 8] = ["hip:0", "hip:1", "hip:2", "hip:3", "hip:4", "hip:5", "hip:6", "hip:7"];

impl Kind {
    /// The kinds that ask real hardware.
    pub const LIVE: &'static [Kind] = &[Kind::Processor, Kind::Cuda(0), Kind::Hip(0)];

    /// Whether it can be opened several times at once, and answers the same each time: a machine is there once, and what
    /// somebody else wrote may keep a state.
    pub fn opens_again(self) -> bool {
        !matches!(self, Kind::Cuda(_) | Kind::Hip(_) | Kind::External | Kind::Design | Kind::Board(_))
    }

    /// The target, as devices of the catalogue name it, of the machine behind an engine of real hardware: what it answers is
    /// evidence for devices with that target alone, even where others have the same unit.
    pub fn target(self) -> Option<String> {
        match self {
            Kind::Processor => Processor::target(),
            Kind::Cuda(number) => Cuda::target(number),
            Kind::Hip(number) => Hip::target(number),
            _ => None,
        }
    }

    /// Name on the command line and in reports.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Emulator => "emulator",
            Kind::Wide => "wide",
            Kind::Reference => "reference",
            Kind::Rtl => "rtl",
            Kind::Icarus => "icarus",
            Kind::Netlist => "netlist",
            Kind::Processor => "processor",
            Kind::Cuda(number) => CUDA[usize::from(number)],
            Kind::Hip(number) => HIP[usize::from(number)],
            Kind::External => "external",
            Kind::Design => "design",
            Kind::Gates(name) | Kind::Tile(name) => name,
            Kind::Board(address) => address.name,
        }
    }

    /// Opens the engine for a unit, or its units for an instruction.
    ///
    /// # Errors
    /// The engine exists on this machine but failed to start.
    pub fn open_subject(self, subject: &Subject) -> Result<Opened, EngineError> {
        match subject {
            Subject::Unit(unit) => self.open(unit),
            Subject::Instruction(instruction) => self.open_instruction(instruction),
        }
    }

    /// Opens the engine for an instruction: as a whole where it answers instructions, else composed of its units, whose events
    /// are not counted.
    ///
    /// # Errors
    /// The engine exists on this machine but failed to start.
    pub fn open_instruction(self, instruction: &Instruction) -> Result<Opened, EngineError> {
        match self {
            Kind::Cuda(number) => Cuda::open(number, &instruction.clone().into()),
            Kind::Hip(number) => Hip::open(number, &instruction.clone().into()),
            Kind::External | Kind::Design => self.open_interface(&instruction.interface()),
            #[cfg(feature = "rtl")]
            Kind::Tile(name) => super::Grid::open(name, instruction),
            #[cfg(not(feature = "rtl"))]
            Kind::Tile(_) => Ok(no_rtl()),
            // One that holds no tile of it may hold its unit.
            Kind::Board(address) => match Board::open(address, &instruction.clone().into())? {
                Opened::Absent(Absence::Inapplicable(reason)) => {
                    let composed = Composed::open(instruction, |unit| self.open(unit))?;
                    Ok(match composed {
                        Opened::Absent(Absence::Inapplicable(own)) if own != reason => {
                            Opened::Absent(Absence::Inapplicable(format!("{reason}; {own}")))
                        }
                        other => other,
                    })
                }
                opened => Ok(opened),
            },
            Kind::Emulator => {
                Composed::open(instruction, |unit| Ok(Opened::Ready(Box::new(Emulator::uncounted(unit)))))
            }
            Kind::Wide => Ok(gemm::with_matrices(instruction, Composed::open(instruction, |unit| self.open(unit))?)),
            _ => Composed::open(instruction, |unit| self.open(unit)),
        }
    }

    /// Opens the engine for a box of which only the interface is known, which a program or a design can be that one names.
    ///
    /// # Errors
    /// The engine exists on this machine but failed to start.
    pub fn open_interface(self, interface: &Interface) -> Result<Opened, EngineError> {
        match self {
            Kind::External => External::open_named(interface),
            #[cfg(feature = "rtl")]
            Kind::Design => super::design::Simulated::open_named(interface),
            #[cfg(not(feature = "rtl"))]
            Kind::Design => Ok(no_rtl()),
            _ => {
                let name = &interface.name;
                let reason = format!("it needs a description, and only the interface of {name} is known");
                Ok(Opened::Absent(Absence::Inapplicable(reason)))
            }
        }
    }

    /// Whether something is made for each unit before the engine answers.
    pub fn is_prepared(&self) -> bool {
        matches!(self, Kind::Rtl | Kind::Netlist | Kind::Gates(_))
    }

    /// What engines of these kinds are made of, each once: pairs for [`Kind::prepare`].
    pub fn to_prepare(kinds: &[Kind], subjects: &[Subject]) -> Vec<(Kind, Unit)> {
        let mut wanted: Vec<(Kind, Unit)> = Vec::new();
        for &kind in kinds.iter().filter(|kind| kind.is_prepared()) {
            for subject in subjects {
                for unit in subject.units() {
                    if !wanted.iter().any(|(known, other)| *known == kind && other == unit) {
                        wanted.push((kind, unit.clone()));
                    }
                }
            }
        }
        wanted
    }

    /// Makes what takes long about opening the engine for a unit, and keeps it in the cache. Several units can be prepared at
    /// a time; why one fails is said when it is opened.
    pub fn prepare(self, unit: &Unit) {
        drop(self.open(unit));
    }

    /// Opens the engine for a unit.
    ///
    /// # Errors
    /// The engine exists on this machine but failed to start.
    pub fn open(self, unit: &Unit) -> Result<Opened, EngineError> {
        match self {
            Kind::Emulator => Ok(Opened::Ready(Box::new(Emulator::new(unit)))),
            Kind::Wide => Ok(Wide::open(unit)),
            Kind::Reference => Ok(Opened::Ready(Box::new(Reference::new(unit)))),
            #[cfg(feature = "rtl")]
            Kind::Rtl => super::rtl::open(unit),
            #[cfg(feature = "rtl")]
            Kind::Gates(name) => open_gates(name, unit),
            #[cfg(not(feature = "rtl"))]
            Kind::Rtl | Kind::Gates(_) => Ok(no_rtl()),
            Kind::Icarus => Icarus::open(unit),
            Kind::Netlist => Netlist::open(unit),
            Kind::Processor => Ok(Processor::open(unit)),
            Kind::Cuda(number) => Cuda::open(number, &unit.clone().into()),
            Kind::Hip(number) => Hip::open(number, &unit.clone().into()),
            Kind::External | Kind::Design => self.open_interface(&unit.interface()),
            Kind::Tile(_) => self.open_instruction(&Instruction::alone(unit.clone())),
            Kind::Board(address) => Board::open(address, &unit.clone().into()),
        }
    }
}

impl FromStr for Kind {
    type Err = ();

    fn from_str(name: &str) -> Result<Kind, ()> {
        let named = NAMED.iter().find(|(kind, aliases, _)| kind.name() == name || aliases.contains(&name));
        let numbered = |names: &[&str], kind: fn(u8) -> Kind| {
            names.iter().position(|own| *own == name).map(|number| kind(number as u8))
        };
        let gpu = || numbered(&CUDA, Kind::Cuda).or_else(|| numbered(&HIP, Kind::Hip));
        let board = || board::Address::of(name).map(Kind::Board);
        named.map(|(kind, ..)| *kind).or_else(gpu).or_else(board).or_else(|| of_a_size(name)).ok_or(())
    }
}

/// A tile by its size. Kinds are names: one that was typed is kept for the process.
fn of_a_size(name: &str) -> Option<Kind> {
    let size: Result<tile::Size, _> = name.strip_prefix("tile:")?.parse();
    size.is_ok().then(|| Kind::Tile(name.to_owned().leak()))
}

/// The three names that are most like a name that is none.
fn nearest(name: &str) -> Vec<&'static str> {
    let mut names: Vec<&str> = NAMED.iter().map(|(kind, ..)| kind.name()).collect();
    names.sort_by_key(|known| strsim::osa_distance(&name.to_lowercase(), known));
    names.truncate(3);
    names
}

/// Reads engines on the command line.
#[derive(Clone)]
pub struct KindParser;

impl ValueParserFactory for Kind {
    type Parser = KindParser;

    fn value_parser() -> KindParser {
        KindParser
    }
}

impl TypedValueParser for KindParser {
    type Value = Kind;

    fn parse_ref(
        &self,
        command: &clap::Command,
        argument: Option<&clap::Arg>,
        value: &std::ffi::OsStr,
    ) -> Result<Kind, clap::Error> {
        let value = value.to_string_lossy();
        value.parse().map_err(|()| {
            let mut error = clap::Error::new(ErrorKind::InvalidValue).with_cmd(command);
            if let Some(argument) = argument {
                error.insert(ContextKind::InvalidArg, ContextValue::String(argument.to_string()));
            }
            let near = match value.len() > NAME_MAX {
                true => "longer than any name".to_owned(),
                false => format!("nearest: {}", nearest(&value).join(", ")),
            };
            let tip = format!("{near}; allowed: engines that `--help` lists");
            error.insert(ContextKind::InvalidValue, ContextValue::String(value.into_owned()));
            error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
            error
        })
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let value = |(kind, aliases, help): &(Kind, &'static [&'static str], &'static str)| {
            PossibleValue::new(kind.name()).aliases(aliases.iter().copied()).help(*help)
        };
        Some(Box::new(NAMED.iter().map(value)))
    }
}

#[cfg(feature = "rtl")]
fn open_gates(name: &'static str, unit: &Unit) -> Result<Opened, EngineError> {
    use super::gates::{Cells, Gates, packed};
    if name == packed::NAME {
        return packed::open(unit);
    }
    let all = [Cells::Ecp5, Cells::Ice40, Cells::Xilinx];
    let cells = all.into_iter().find(|cells| cells.name() == name).expect("names of kinds are those of cells");
    Gates::open(cells, unit)
}

/// A unit in files that a user wrote, built by Verilator: all that its combinational module needs.
///
/// # Errors
/// Verilator is there but refuses the files, or warns of text that synthesis takes otherwise.
#[cfg(feature = "rtl")]
pub fn verilated(unit: &Unit, files: &[SourceFile]) -> Result<Opened, EngineError> {
    super::rtl::Given::open(unit, files)
}

/// A unit in files that a user wrote: there is no Verilator in this build.
#[cfg(not(feature = "rtl"))]
pub fn verilated(_unit: &Unit, _files: &[SourceFile]) -> Result<Opened, EngineError> {
    Ok(no_rtl())
}

#[cfg(not(feature = "rtl"))]
fn no_rtl() -> Opened {
    let reason = "this build has no RTL engine; build with the feature `rtl` (on by default) and Verilator";
    Opened::Absent(super::Absence::Missing(reason.to_owned()))
}
