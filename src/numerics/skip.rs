//! Skips that are counted. Tests beside the library take it from here too.

use std::io::Write;

/// Says that a check did not run, and why. `./x test` compares every skip with `tests/allowed-skips.txt`.
pub fn skip(id: &str, reason: impl std::fmt::Display) {
    println!("skipped {id}, because {reason}");
    let Some(log) = std::env::var_os("TENSORSMITH_SKIP_LOG") else { return };
    let mut file =
        std::fs::OpenOptions::new().create(true).append(true).open(log).expect("the skip log can be written");
    // One write, so that the lines of several tests stay apart.
    file.write_all(format!("{id}: {reason}\n").as_bytes()).expect("the skip log can be written");
}
