//! The command line: one file a command.
//!
//! Exit codes: 0 all is well, 1 answers differ, 2 bad input or a tool that failed.

mod answers;
mod board;
mod cache;
mod campaign;
mod closed;
mod compare;
mod completions;
mod cosim;
mod demo;
mod design;
mod devices;
mod distinguish;
#[cfg(feature = "rtl")]
mod dut;
mod emit;
mod emit_kit;
mod engines;
mod eval;
mod export;
mod external;
mod formats;
mod gemm;
mod import;
mod infer;
#[cfg(feature = "rtl")]
mod init;
mod input;
mod instructions;
mod interrupt;
mod man;
mod merge;
mod names;
mod operands;
mod output;
mod places;
mod probes;
mod progress;
mod prove;
mod record;
mod record_chunks;
mod record_device;
mod recorded;
mod replay;
mod replay_files;
mod report;
mod report_inference;
mod report_proof;
mod reports;
mod show;
mod study;
mod suite;
mod table;
mod tile;
mod units;
mod usage;

use std::process::ExitCode;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use tensorsmith::isa::Isa;

/// Describe a matrix accelerator's dot-product unit once; get SystemVerilog, a bit-exact emulator, and evidence that they
/// agree with each other and with real hardware.
#[derive(Parser)]
#[command(name = "tensorsmith", version, max_term_width = 120)]
#[command(after_help = "Exit codes: 0 all is well, 1 answers differ, 2 bad input or a tool that failed.")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
    #[command(flatten)]
    external: external::Options,
    #[command(flatten)]
    design: design::DesignOptions,
    /// Skip engines that this machine lacks, even those that are named; without, only default ones are skipped
    #[arg(long, global = true)]
    allow_missing: bool,
    /// Use vector instructions of this level only; without, the most able one that the processor has
    #[arg(long, global = true, value_name = "LEVEL", value_parser = level())]
    isa: Option<Isa>,
    /// All columns of every table, however wide; without, those that fit the terminal
    #[arg(long, global = true)]
    wide: bool,
}

#[derive(Subcommand)]
enum Command {
    Cosim(cosim::Arguments),
    Campaign(campaign::Arguments),
    Merge(merge::Arguments),
    Record(record::Arguments),
    Replay(replay::Arguments),
    Export(export::Arguments),
    Import(import::Arguments),
    Report(report::Arguments),
    Units(units::Arguments),
    Instructions(instructions::Arguments),
    Devices(devices::Arguments),
    Formats(formats::Arguments),
    Show(show::Arguments),
    Compare(compare::Arguments),
    Tile(tile::Arguments),
    Infer(infer::Arguments),
    Distinguish(distinguish::Arguments),
    Probes(probes::Arguments),
    Prove(prove::Arguments),
    #[cfg(feature = "rtl")]
    Dut(dut::Arguments),
    #[cfg(feature = "rtl")]
    Init(init::Arguments),
    Emit(emit::Arguments),
    Eval(eval::Arguments),
    Gemm(gemm::Arguments),
    Study(study::Arguments),
    Suite(suite::Arguments),
    Board(board::Arguments),
    Cache(cache::Arguments),
    Demo(demo::Arguments),
    Completions(completions::Arguments),
    Man(man::Arguments),
}

impl Command {
    /// The reports for machines, and the name of the command in them.
    fn reports(&self) -> Option<(&'static str, &reports::Reports)> {
        match self {
            Command::Cosim(arguments) => Some(("cosim", &arguments.reports)),
            Command::Campaign(arguments) => Some(("campaign", &arguments.reports)),
            Command::Merge(arguments) => Some(("merge", &arguments.reports)),
            Command::Replay(arguments) => Some(("replay", &arguments.reports)),
            _ => None,
        }
    }
}

/// What a command found.
enum Verdict {
    Agreed,
    Differed,
}

/// Why a command did not finish: a message for people.
struct Failure(String);

impl<E: std::error::Error> From<E> for Failure {
    fn from(error: E) -> Failure {
        Failure(error.to_string())
    }
}

/// Reads a level of vector instructions.
fn level() -> impl TypedValueParser<Value = Isa> {
    let named =
        |name: String| Isa::ALL.into_iter().find(|isa| isa.name() == name).expect("a possible value is a level");
    PossibleValuesParser::new(Isa::ALL.map(Isa::name)).map(named)
}

/// A negative number after an option is a value of it, to be refused as such, and no option of its own.
fn with_negative_numbers(command: clap::Command) -> clap::Command {
    let command = command.mut_args(|arg| match arg.get_long().is_some() && arg.get_action().takes_values() {
        true => arg.allow_negative_numbers(true),
        false => arg,
    });
    command.mut_subcommands(with_negative_numbers)
}

/// Runs the command line.
pub fn main() -> ExitCode {
    explain_missing_resources();
    #[cfg(feature = "rtl")]
    progress::show_builds();
    let mut command = external::hidden_where_refused(with_negative_numbers(Arguments::command()));
    if design::is_named() {
        command = design::with_design_as_usual(command);
    }
    let parsed = command.clone().try_get_matches();
    let parsed = parsed.and_then(|matches| Arguments::from_arg_matches(&matches).map(|arguments| (matches, arguments)));
    let (matches, arguments) = match parsed {
        Ok(parsed) => parsed,
        Err(error) => return usage::show(&command, error),
    };
    if arguments.wide {
        table::show_all();
    }
    engines::note(&matches, arguments.allow_missing);
    let reports = || arguments.command.reports().map_or(Ok(()), |(name, reports)| reports.begin(name));
    if let Err(failure) = places::check_named(&command, &matches).and_then(|()| reports()) {
        reports::refuse(&command, &failure.0);
        return fail(&failure);
    }
    let outcome = named_and_run(&arguments, &matches).and_then(with_lines);
    match reports::finish(outcome).and_then(with_lines) {
        Ok(Verdict::Agreed) => ExitCode::SUCCESS,
        Ok(Verdict::Differed) => ExitCode::from(1),
        Err(failure) => fail(&failure),
    }
}

/// Names the external program and the design of the process, and runs the command.
fn named_and_run(arguments: &Arguments, matches: &clap::ArgMatches) -> Result<Verdict, Failure> {
    if let Some(isa) = arguments.isa {
        isa.limit().map_err(|why| Failure(format!("--isa {}: {why}", isa.name())))?;
    }
    external::name(&arguments.external, matches)?;
    design::name(&arguments.design, matches)?;
    run(arguments)
}

/// The verdict, if all lines reached standard output.
fn with_lines(verdict: Verdict) -> Result<Verdict, Failure> {
    output::check_lines().map(|()| verdict)
}

/// A process that may start no more threads, or has no memory left, ends with the reason: for threads the standard library and rayon
/// panic; for memory the standard library prints it and aborts.
fn explain_missing_resources() {
    let has_panicked = interrupt::exit_at_abort();
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        let text = panic.payload().downcast_ref::<String>().map_or("", String::as_str);
        if ["failed to spawn thread", "ThreadPoolBuildError"].iter().any(|part| text.contains(part)) {
            output::note!("error: no more threads can be started; allowed: a higher limit of processes (ulimit -u)");
            std::process::exit(2);
        }
        has_panicked();
        usual(panic);
    }));
}

/// Shows why a command did not finish.
fn fail(Failure(message): &Failure) -> ExitCode {
    output::note!("error: {}", message.trim_end());
    ExitCode::from(2)
}

fn run(arguments: &Arguments) -> Result<Verdict, Failure> {
    let (external, system_calls) = (&arguments.external, arguments.design.allow_system_calls);
    match &arguments.command {
        Command::Cosim(arguments) => cosim::run(arguments),
        Command::Campaign(arguments) => campaign::run(arguments, external),
        Command::Merge(arguments) => merge::run(arguments),
        Command::Record(arguments) => record::run(arguments),
        Command::Replay(arguments) => replay::run(arguments),
        Command::Export(arguments) => export::run(arguments),
        Command::Import(arguments) => import::run(arguments),
        Command::Report(arguments) => report::run(arguments),
        Command::Units(arguments) => units::run(arguments),
        Command::Instructions(arguments) => instructions::run(arguments),
        Command::Devices(arguments) => devices::run(arguments),
        Command::Formats(arguments) => formats::run(arguments),
        Command::Show(arguments) => show::run(arguments),
        Command::Compare(arguments) => compare::run(arguments),
        Command::Tile(arguments) => tile::run(arguments),
        Command::Infer(arguments) => infer::run(arguments),
        Command::Distinguish(arguments) => distinguish::run(arguments),
        Command::Probes(arguments) => probes::run(arguments),
        Command::Prove(arguments) => prove::run(arguments),
        #[cfg(feature = "rtl")]
        Command::Dut(arguments) => dut::run(arguments, system_calls),
        #[cfg(feature = "rtl")]
        Command::Init(arguments) => init::run(arguments),
        Command::Emit(arguments) => emit::run(arguments),
        Command::Eval(arguments) => eval::run(arguments),
        Command::Gemm(arguments) => gemm::run(arguments),
        Command::Study(arguments) => study::run(arguments),
        Command::Suite(arguments) => suite::run(arguments),
        Command::Board(arguments) => board::run(arguments),
        Command::Cache(arguments) => cache::run(arguments),
        Command::Demo(arguments) => demo::run(arguments),
        Command::Completions(arguments) => completions::run(arguments),
        Command::Man(arguments) => man::run(arguments),
    }
}

#[cfg(test)]
mod tests {
    use std::any::TypeId;

    use super::{Arguments, CommandFactory, with_negative_numbers};

    /// Every option that takes a number refuses what is none, and says which numbers it takes.
    #[test]
    fn numbers_are_refused_with_their_range() {
        let command = with_negative_numbers(Arguments::command());
        let mut options = Vec::new();
        numbers(&command, &mut vec![command.get_name().to_owned()], &mut options);
        assert!(options.len() > 20, "{options:?}");
        for line in options {
            for value in ["many", "-1", "99999999999999999999"] {
                let error =
                    command.clone().try_get_matches_from([&line[..], &[value.to_owned()]].concat()).unwrap_err();
                let text = error.to_string();
                assert!(
                    text.contains(&format!("'{value}'")) && text.contains("a whole number from "),
                    "{line:?}: {text}"
                );
            }
        }
    }

    /// The words before the value, of each option of the command and those in it whose values are numbers.
    fn numbers(command: &clap::Command, words: &mut Vec<String>, options: &mut Vec<Vec<String>>) {
        let kinds = [TypeId::of::<u16>(), TypeId::of::<u32>(), TypeId::of::<u64>(), TypeId::of::<usize>()];
        for argument in command.get_arguments() {
            let is_number = kinds.iter().any(|kind| argument.get_value_parser().type_id() == *kind);
            if let (true, Some(long)) = (is_number && argument.get_id() != "file_size", argument.get_long()) {
                options.push([&words[..], &[format!("--{long}")]].concat());
            }
        }
        for inner in command.get_subcommands() {
            words.push(inner.get_name().to_owned());
            numbers(inner, words, options);
            words.pop();
        }
    }
}
