//! What the test files share: skips that are counted, and the recordings' folder.

#![allow(dead_code, reason = "every test file uses a part")]

use std::io::Write;
use std::path::PathBuf;

use tensorsmith::describe::catalogue;
use tensorsmith::describe::unit::Unit;
use tensorsmith::engine::{Engine, Kind, Opened};

/// Says that a check did not run, and why. `./x test` compares every skip with `tests/allowed-skips.txt`.
pub fn skip(id: &str, reason: &str) {
    println!("skipped {id}, because {reason}");
    let Some(log) = std::env::var_os("TENSORSMITH_SKIP_LOG") else { return };
    let mut file =
        std::fs::OpenOptions::new().create(true).append(true).open(log).expect("the skip log can be written");
    writeln!(file, "{id}: {reason}").expect("the skip log can be written");
}

/// The engine that a check opened; where there is none, the check is skipped.
pub fn ready(check: &str, kind: Kind, opened: Opened) -> Option<Box<dyn Engine>> {
    match opened {
        Opened::Ready(engine) => Some(engine),
        Opened::Unsupported(reason) => {
            skip(&format!("{check}-{}", kind.name()), &reason);
            None
        }
    }
}

/// The public recordings, if `TENSORSMITH_RECORDINGS` names them.
pub fn recordings() -> Option<PathBuf> {
    let folder = PathBuf::from(std::env::var_os("TENSORSMITH_RECORDINGS").filter(|name| !name.is_empty())?);
    assert!(folder.is_dir(), "TENSORSMITH_RECORDINGS names {}, which is no folder", folder.display());
    Some(folder)
}

/// Whether the long tier of tests was asked for.
pub fn long_tier() -> bool {
    std::env::var_os("TENSORSMITH_LONG_TESTS").is_some_and(|value| value == "1")
}

/// Whether a program answers on PATH.
pub fn has_program(name: &str, argument: &str) -> bool {
    std::process::Command::new(name).arg(argument).output().is_ok()
}

/// The units of the catalogue; of a family, whose members differ in their operand formats only, the first.
pub fn one_unit_of_each_entry() -> Vec<Unit> {
    let first = |entry| catalogue::unit_members(entry).and_then(|members| catalogue::unit(members.first()?));
    catalogue::unit_entries().into_iter().map(|entry| first(entry).expect("an entry has members")).collect()
}
