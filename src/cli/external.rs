//! The options of the engine `external`, the same for every command that takes engines.

use std::any::TypeId;
use std::time::Duration;

use clap::{Arg, ArgMatches, Args};

use super::{Failure, design, input};
use tensorsmith::engine::Kind;
use tensorsmith::engine::external::{External, Program};

/// Seconds, unless told otherwise.
const TIMEOUT: u64 = 10;

#[derive(Args)]
#[command(next_help_heading = "Engine external")]
pub(super) struct Options {
    /// Program behind the engine external, as a line for the shell
    ///
    /// It reads vectors and writes results, a line each, in hexadecimal; src/engine/external/PROTOCOL.md says how, and
    /// example.py beside it is such a program.
    #[arg(long, global = true, value_name = "COMMAND")]
    external: Option<String>,
    /// Seconds that the program may take for a line [default: 10]
    #[arg(long, global = true, value_name = "SECONDS", value_parser = input::number::<u64>(1..=86_400))]
    external_timeout: Option<u64>,
}

/// The help of a command that takes no engines leaves these options out: they would be refused. What a campaign asks stands
/// in its file.
pub(super) fn hidden_where_refused(command: clap::Command) -> clap::Command {
    let options: Vec<Arg> = command.get_arguments().filter(|arg| arg.is_global_set()).cloned().collect();
    let takes_engines = |inner: &clap::Command| {
        let kind = TypeId::of::<Kind>();
        inner.get_name() == "campaign" || inner.get_arguments().any(|arg| arg.get_value_parser().type_id() == kind)
    };
    command.mut_subcommands(|inner| match takes_engines(&inner) {
        true => inner,
        false => {
            let named = design::is_begun_with(inner.get_name());
            let refused = options.iter().filter(|option| !(named && design::is_option(option.get_id())));
            inner.args(refused.map(|option| option.clone().hide(true)).collect::<Vec<_>>())
        }
    })
}

/// Names the program for the engine. Refuses a program that would not be asked: silence about it would pass for agreement.
pub(super) fn name(options: &Options, matches: &ArgMatches) -> Result<(), Failure> {
    let seconds = options.external_timeout.unwrap_or(TIMEOUT);
    match (&options.external, is_asked(Kind::External, matches) || is_in_file(options, matches)) {
        (Some(command), true) if command.trim().is_empty() => {
            Err(Failure(format!("--external: {command:?}; allowed: the command line of a program")))
        }
        (Some(command), true) => {
            External::name_program(Program { command: command.clone(), timeout: Duration::from_secs(seconds) });
            Ok(())
        }
        (None, true) | (Some(_), false) => options.check(options.external.is_none()),
        (None, false) if options.external_timeout.is_some() => {
            Err(Failure("--external-timeout: no program is named; allowed: it beside --external".to_owned()))
        }
        (None, false) => Ok(()),
    }
}

impl Options {
    /// Refuses a program that no run of a campaign would ask, and a run without its program.
    pub(super) fn check(&self, asked: bool) -> Result<(), Failure> {
        match (&self.external, asked) {
            (None, true) => {
                Err(Failure("engine external: no program is named; allowed: --external COMMAND beside it".to_owned()))
            }
            (Some(_), false) => Err(Failure(
                "--external: no engine asks that program; allowed: it beside the engine external".to_owned(),
            )),
            _ => Ok(()),
        }
    }
}

/// Whether the command reads from a file which engines are asked, a campaign or a case, and a program is named for it.
fn is_in_file(options: &Options, matches: &ArgMatches) -> bool {
    options.external.is_some() && asks_file(matches)
}

/// Whether the command reads from a file which engines are asked: a campaign or a case.
pub(super) fn asks_file(matches: &ArgMatches) -> bool {
    matches.subcommand().is_some_and(|(name, command)| {
        name == "campaign" || command.ids().any(|id| id == "case" && command.value_source("case").is_some())
    })
}

/// Whether the engine is among those of the command, whatever the option is called.
pub(super) fn is_asked(asked: Kind, matches: &ArgMatches) -> bool {
    let Some((_, command)) = matches.subcommand() else { return false };
    let kinds = command.ids().filter_map(|id| command.try_get_many::<Kind>(id.as_str()).ok().flatten());
    kinds.flatten().any(|kind| *kind == asked)
}
