//! Engines that are named on the command line: one that this machine lacks is an error, where a default one is skipped.

use std::sync::OnceLock;

use clap::ArgMatches;
use clap::parser::ValueSource;

use super::{Failure, design};
use tensorsmith::check::compare::Ran;
use tensorsmith::engine::{Absence, Kind};

/// What the command line says of engines.
#[derive(Default)]
struct Said {
    named: Vec<Kind>,
    allow_missing: bool,
}

static SAID: OnceLock<Said> = OnceLock::new();

/// The engines that have to run: those that were named, unless missing ones are allowed.
fn required() -> &'static [Kind] {
    SAID.get().filter(|said| !said.allow_missing).map_or(&[], |said| &said.named)
}

/// Whether engines that are named may be missing.
pub(super) fn may_be_missing() -> bool {
    SAID.get().is_some_and(|said| said.allow_missing)
}

/// Notes the engines that the command names.
pub(super) fn note(matches: &ArgMatches, allow_missing: bool) {
    let Some((_, command)) = matches.subcommand() else { return };
    let on_command_line = |id: &&clap::Id| command.value_source(id.as_str()) == Some(ValueSource::CommandLine);
    let ids = command.ids().filter(on_command_line);
    let kinds = ids.filter_map(|id| command.try_get_many::<Kind>(id.as_str()).ok().flatten());
    let design = design::is_named().then_some(Kind::Design);
    SAID.get_or_init(|| Said { named: kinds.flatten().copied().chain(design).collect(), allow_missing });
}

/// The engines of a command whose case has to be answered by these too, unless others are named.
pub(super) fn with_those_of_a_case(usual: &[Kind], differed: &[Kind]) -> Vec<Kind> {
    let is_named = SAID.get().is_some_and(|said| !said.named.is_empty());
    let more = differed.iter().filter(|kind| !is_named && !usual.contains(kind));
    usual.iter().chain(more).copied().collect()
}

/// # Errors
/// An engine that differed in a case did not answer it.
pub(super) fn check_case(differed: &[Kind], has_run: impl Fn(&'static str) -> bool) -> Result<(), Failure> {
    match differed.iter().find(|kind| !may_be_missing() && !has_run(kind.name())) {
        Some(kind) => Err(Failure(format!(
            "engine {} answered wrongly in this case and did not run now; allowed: it among --engines, or --allow-missing",
            kind.name()
        ))),
        None => Ok(()),
    }
}

/// The reason why an engine is skipped.
///
/// # Errors
/// It was named, and this machine lacks it.
pub(super) fn skipped(kind: Kind, reason: &Absence) -> Result<String, Failure> {
    match reason.is_missing() && required().contains(&kind) {
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
    match required().iter().find(|kind| only_skipped(kind.name())) {
        Some(kind) => Err(Failure(format!(
            "engine {} was named and answered nothing, for the reasons above; allowed: engines that answer, or \
             --allow-missing",
            kind.name()
        ))),
        None => Ok(()),
    }
}
