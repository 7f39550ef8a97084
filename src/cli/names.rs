//! Names of the catalogue on the command line, and what is said of one that is none.

use super::Failure;
use tensorsmith::describe::text::unknown_name;
use tensorsmith::report::names::nearest;
pub(super) use tensorsmith::report::names::{subject, subjects};

/// Refuses a name: what it should be, the nearest names, and the command that lists all.
pub(super) fn unknown(what: &str, name: &str, allowed: &str, known: &[&str], list: &str) -> Failure {
    let name = unknown_name(name, || nearest(name, known));
    Failure(format!("unknown {what} {name}; allowed: {allowed}, as `tensorsmith {list}` lists"))
}
