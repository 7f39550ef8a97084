//! Engines that are named on the command line: one that this machine lacks is an error, where a default one is skipped.

use std::sync::OnceLock;

use clap::ArgMatches;
use clap::parser::ValueSource;

use super::Failure;
use tensorsmith::check::compare::Ran;
use tensorsmith::engine::{Absence, Kind};

/// Engines that have to run: those that were named, unless missing ones are allowed.
static NAMED: OnceLock<Vec<Kind>> = OnceLock::new();

fn named() -> &'static [Kind] {
    NAMED.get().map_or(&[], Vec::as_slice)
}

/// Notes the engines that the command names.
pub(super) fn note(matches: &ArgMatches, allow_missing: bool) {
    let Some((_, command)) = matches.subcommand().filter(|_| !allow_missing) else { return };
    let on_command_line = |id: &&clap::Id| command.value_source(id.as_str()) == Some(ValueSource::CommandLine);
    let ids = command.ids().filter(on_command_line);
    let kinds = ids.filter_map(|id| command.try_get_many::<Kind>(id.as_str()).ok().flatten());
    NAMED.get_or_init(|| kinds.flatten().copied().collect());
}

/// The reason why an engine is skipped.
///
/// # Errors
/// It was named, and this machine lacks it.
pub(super) fn skipped(kind: Kind, reason: &Absence) -> Result<String, Failure> {
    match reason.is_missing() && named().contains(&kind) {
        true => Err(Failure(format!(
            "engine {} was named and is missing: {reason}; allowed: engines that are there, or --allow-missing",
            kind.name()
        ))),
        false => Ok(reason.to_string()),
    }
}

/// The same for all that were skipped.
///
/// # Errors
/// One was named, and this machine lacks it.
pub(super) fn check_skipped(all: &[Ran]) -> Result<(), Failure> {
    for ran in all {
        let Ran::Skipped { engine, reason } = ran else { continue };
        if let Ok(kind) = engine.parse() {
            skipped(kind, reason)?;
        }
    }
    Ok(())
}

/// # Errors
/// An engine was named and answered nothing at all.
pub(super) fn check_ran(only_skipped: impl Fn(&'static str) -> bool) -> Result<(), Failure> {
    match named().iter().find(|kind| only_skipped(kind.name())) {
        Some(kind) => Err(Failure(format!(
            "engine {} was named and answered nothing, for the reasons above; allowed: engines that answer, or \
             --allow-missing",
            kind.name()
        ))),
        None => Ok(()),
    }
}
