//! The option of the engine `design`, the same for every command that takes engines.

use std::any::TypeId;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use clap::{ArgMatches, Args};

use super::{Failure, external, input};
use tensorsmith::describe::text::Foreign;
use tensorsmith::design::{self, Design, Simulator};
use tensorsmith::engine::Kind;

const OPTION: &str = "--design";

#[derive(Args)]
#[command(next_help_heading = "Engine design")]
pub(super) struct DesignOptions {
    /// Design of your own behind the engine design, which then answers beside the usual engines
    ///
    /// The file names sources, top module, ports, clock, reset and latency; src/design/DESIGN_FILE.md says how, and `dut init`
    /// writes a first one. To simulate a design is to run code: do not run a stranger's design outside a sandbox.
    #[arg(long, global = true, value_name = "FILE")]
    design: Option<PathBuf>,
    /// Let the design call C and the system: DPI, $c, $system, files that it writes
    ///
    /// A design is code: with this flag it can do all that you can. Never set it for a design that is not your own.
    #[arg(long, global = true)]
    pub allow_system_calls: bool,
    /// What simulates it
    #[arg(long, global = true, value_name = "SIMULATOR", default_value = "verilator", value_parser = simulator)]
    design_engine: Simulator,
}

/// A simulator by its name.
fn simulator(name: &str) -> Result<Simulator, String> {
    match name {
        "verilator" => Ok(Simulator::Verilator),
        "icarus" => Ok(Simulator::Icarus),
        "ghdl" => Ok(Simulator::Ghdl),
        "netlist" => Ok(Simulator::Netlist),
        _ => Err("allowed: verilator, icarus, ghdl, netlist".to_owned()),
    }
}

/// The unit or the instruction that a design should equal: a name, or a file.
pub(super) fn equals(design: &Design) -> Result<String, Failure> {
    let Design { file, folder, said, .. } = design;
    let Some(name) = &said.equals else {
        let allowed = "a unit or an instruction in it, or named on the command line";
        return Err(Failure(format!("{file}: field `equals` is missing; allowed: {allowed}")));
    };
    if !input::is_path(name) {
        return Ok(name.clone());
    }
    folder.join(name).into_os_string().into_string().map_err(|path| {
        Failure(format!("{file}: field `equals` is the path {}; allowed: paths in UTF-8", Path::new(&path).shown()))
    })
}

/// Whether the command line names a design.
pub(super) fn is_named() -> bool {
    let is_option = |word: &OsStr| word == OPTION || word.to_string_lossy().starts_with(&format!("{OPTION}="));
    std::env::args_os().take_while(|word| word != "--").any(|word| is_option(&word))
}

/// Whether a command begins a job with a design, and asks it nothing itself.
pub(super) fn is_begun_with(command: &str) -> bool {
    command == "init"
}

/// Whether it is an option of this engine.
pub(super) fn is_option(id: &clap::Id) -> bool {
    id == "design" || id == "design_engine" || id == "allow_system_calls"
}

/// Lets a design that is named answer unless other engines are named: beside those that usually do, but in place of RTL of our
/// own, or of the one that would have to be named.
pub(super) fn with_design_as_usual(command: clap::Command) -> clap::Command {
    let with_design = |inner: clap::Command| {
        inner.mut_args(|arg| {
            if arg.get_value_parser().type_id() != TypeId::of::<Kind>() {
                return arg;
            }
            if arg.get_value_delimiter().is_none() {
                return arg.required(false).default_value(Kind::Design.name());
            }
            let own: Vec<&str> = arg.get_default_values().iter().filter_map(|value| value.to_str()).collect();
            let own = own.iter().flat_map(|names| names.split(',')).filter(|name| *name != Kind::Rtl.name());
            let own: Vec<&str> = own.collect();
            let usual = if own.is_empty() { Kind::Emulator.name().to_owned() } else { own.join(",") };
            // Help shows it; it lives as long as the program does.
            arg.default_value(&*format!("{usual},{}", Kind::Design.name()).leak())
        })
    };
    command.mut_subcommands(with_design)
}

/// Reads the design and names it for the engine. Refuses one that would not be asked, and the engine without one.
pub(super) fn name(options: &DesignOptions, matches: &ArgMatches) -> Result<(), Failure> {
    let is_asked = external::is_asked(Kind::Design, matches);
    // There it is what is proved.
    let is_other = matches.subcommand_name().is_some_and(|name| name == "prove" || is_begun_with(name));
    match (&options.design, is_asked || options.design.is_some() && (is_other || external::asks_file(matches))) {
        (Some(path), true) => {
            let (simulator, system_calls) = (options.design_engine, options.allow_system_calls);
            design::name(Design { simulator, system_calls, ..Design::read(path)? });
            Ok(())
        }
        (Some(_), false) => {
            Err(Failure(format!("{OPTION}: no engine asks that design; allowed: it beside the engine design")))
        }
        (None, true) => Err(Failure(format!("engine design: no design is named; allowed: {OPTION} FILE beside it"))),
        (None, false) if options.allow_system_calls && matches.subcommand_name() != Some("dut") => {
            Err(Failure(format!("--allow-system-calls: no design is named; allowed: it beside {OPTION} FILE")))
        }
        (None, false) => Ok(()),
    }
}
