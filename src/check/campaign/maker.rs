//! What answers in a campaign: this build, the external program as far as its line tells which files it is made of, and the design
//! with the files that it names.
//!
//! It never runs a program.

use std::path::Path;
use std::process::{Command, Stdio};

use thiserror::Error;

use crate::describe::file::bytes_of;
use crate::describe::text::Foreign;
use crate::describe::unit::FileError;
use crate::design::{self, Design};
use crate::emit::digest;
use crate::engine::External;
use crate::engine::cache::program;

/// Why it cannot be said who makes results.
#[derive(Debug, Error)]
pub enum MakerError {
    #[error(transparent)]
    Design(#[from] FileError),
    #[error("--external: the program {program:?} of {command:?} is not found; allowed: one that the shell finds")]
    NoProgram { program: String, command: String },
}

/// The hash of what answers: an engine's name and version do not tell what was built or written anew.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Maker(pub(super) String);

impl Maker {
    /// This build of the program, and the external program and the design if they are named.
    ///
    /// # Errors
    /// The shell finds no program for the first word of the external program's line, or a file of the design cannot be read.
    pub fn of_this_run() -> Result<Maker, MakerError> {
        let external = External::named_command().map(of_line).transpose()?;
        let design = design::named().map(of_design).transpose()?;
        let mut parts = vec![program().map(str::to_owned).unwrap_or_default(), external.unwrap_or_default()];
        parts.extend(design);
        Ok(Maker(digest(parts.join("\n").as_bytes())))
    }
}

/// The hash of what a design file says, and of each file that it names or that lies in a folder of included files.
fn of_design(design: &Design) -> Result<String, MakerError> {
    let mut parts = vec![format!("{:?} {:?}", design.said, design.simulator)];
    for path in design.read_files()? {
        let content = bytes_of(&path).map_err(|source| FileError::Read { file: path.shown(), source })?;
        parts.push(digest(&content));
    }
    Ok(digest(parts.join("\n").as_bytes()))
}

/// The hash of a line, of the file that its first word is, and of each file that another word names.
fn of_line(line: &str) -> Result<String, MakerError> {
    let words = words(line);
    let mut files = Vec::new();
    // A variable that is set may stand before the program.
    let first = words.iter().position(|word| !is_setting(word));
    for (place, word) in words.iter().enumerate() {
        let path = match Some(place) == first && is_plain(word) {
            true => found(word)
                .ok_or_else(|| MakerError::NoProgram { program: (*word).to_owned(), command: line.to_owned() })?,
            false => (*word).to_owned(),
        };
        files.extend(bytes_of(Path::new(&path)).ok().map(|content| digest(&content)));
    }
    Ok(digest([vec![line.to_owned()], files].concat().join("\n").as_bytes()))
}

/// The words between spaces, without quotes around them.
fn words(line: &str) -> Vec<&str> {
    let unquoted = |word: &'_ str| -> usize {
        usize::from(word.len() > 1 && word.starts_with(['"', '\'']) && word.ends_with(&word[..1]))
    };
    line.split_whitespace().map(|word| &word[unquoted(word)..word.len() - unquoted(word)]).collect()
}

/// `NAME=value`.
fn is_setting(word: &str) -> bool {
    let name = word.split_once('=').map_or("", |(name, _)| name);
    !name.is_empty() && name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
}

/// Whether the shell takes the word as it stands.
fn is_plain(word: &str) -> bool {
    word.chars().all(|letter| letter.is_alphanumeric() || "_-./+,:@%".contains(letter))
}

/// What the shell runs for a word: a file, or a command of its own.
fn found(word: &str) -> Option<String> {
    // Of a path the shell looks at no more than that it is there.
    const SCRIPT: &str = "found=$(command -v -- \"$1\") || exit 1
        case $found in */*) [ -f \"$found\" ] && [ -x \"$found\" ] || exit 1;; esac
        printf %s \"$found\"";
    let mut shell = Command::new("sh");
    shell.args(["-c", SCRIPT, "sh", word]).stdin(Stdio::null()).stderr(Stdio::null());
    let output = shell.output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}
