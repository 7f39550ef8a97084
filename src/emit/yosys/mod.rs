//! Runs Yosys: a script on some files, in a folder of its own. It ends with its limit of time, and both end with this program.

mod elsewhere;
pub(crate) mod json;

pub use elsewhere::{Elsewhere, word};

use std::ffi::OsString;
use std::io;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use thiserror::Error;

use super::limited::{self, Bounds, Ended};
use super::scratch::Scratch;
use super::{SourceFile, write};
use crate::describe::text::Foreign;
use crate::verilate::tied;

/// Why Yosys gave nothing.
#[derive(Debug, Error, Clone, PartialEq, Eq)]
pub enum YosysError {
    #[error("yosys is not on PATH; Debian and Ubuntu have it in the package yosys")]
    Missing,
    #[error("yosys -V fails")]
    NoVersion,
    #[error("yosys: {0}")]
    Files(String),
    #[error("yosys failed:\n{0}")]
    Failed(String),
    #[error("yosys takes longer than {} seconds", .0.as_secs())]
    Slow(Duration),
}

/// What the variable YOSYS names, if it names anything.
fn named() -> Option<OsString> {
    std::env::var_os("YOSYS").filter(|name| !name.is_empty())
}

fn program() -> OsString {
    named().unwrap_or_else(|| "yosys".into())
}

/// Yosys' version, as it tells it, of the program that the variable `YOSYS` names, else of the one on PATH.
///
/// # Errors
/// It is not there or does not run.
pub fn version() -> Result<String, YosysError> {
    let output = tied::output(Command::new(program()).arg("-V"), None, tied::LIMIT).map_err(cannot_start)?;
    let text = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    if output.status.success() && !text.is_empty() { Ok(text) } else { Err(YosysError::NoVersion) }
}

/// Why the program did not start.
fn cannot_start(error: io::Error) -> YosysError {
    match error.kind() {
        io::ErrorKind::NotFound => missing(),
        _ => YosysError::Files(format!("cannot be run: {error}")),
    }
}

fn missing() -> YosysError {
    let what = |name: OsString| format!("{}, which the variable YOSYS names, is no program", Path::new(&name).shown());
    named().map_or(YosysError::Missing, |name| YosysError::Files(what(name)))
}

/// What a script left in its folder.
pub struct Finished {
    folder: Scratch,
}

impl Finished {
    /// The text of a file that the script wrote.
    ///
    /// # Errors
    /// There is none.
    pub fn read(&self, name: &str) -> Result<String, YosysError> {
        let text = std::fs::read_to_string(self.folder.path().join(name));
        text.map_err(|error| YosysError::Files(format!("it wrote no {name}: {error}")))
    }

    /// The folder, where another tool goes on.
    pub(super) fn path(&self) -> &Path {
        self.folder.path()
    }
}

/// Where the limit is no one's choice.
pub const LIMIT: Duration = limited::LIMIT;

/// Runs a script on some files, which it finds under their names. At the limit, or when this program ends in whatever way, Yosys
/// is ended too, with ABC, which it starts, and the folder is removed.
///
/// # Errors
/// Yosys is missing, the files cannot be written, the script fails, or the time is over.
pub fn run(files: &[SourceFile], script: &str, limit: Duration) -> Result<Finished, YosysError> {
    run_in(Scratch::new(), files, script, limit)
}

/// The same with files that are somewhere else; the script is made of the words with which `read_verilog` reads them.
///
/// # Errors
/// As [`run`]; or a file cannot be read.
pub fn run_with(
    files: &[SourceFile],
    elsewhere: Elsewhere,
    script: impl FnOnce(&str) -> String,
    limit: Duration,
) -> Result<Finished, YosysError> {
    let folder = Scratch::new().map_err(|error| YosysError::Files(error.to_string()))?;
    let script = script(&elsewhere.bring(folder.path())?);
    run_in(Ok(folder), files, &script, limit).map_err(|error| match error {
        YosysError::Failed(said) => YosysError::Failed(elsewhere.named(&said)),
        error => error,
    })
}

fn run_in(
    folder: io::Result<Scratch>,
    files: &[SourceFile],
    script: &str,
    limit: Duration,
) -> Result<Finished, YosysError> {
    let failed = |error: io::Error| YosysError::Files(error.to_string());
    let folder = folder.map_err(failed)?;
    // Their names are words of the script.
    files.iter().try_for_each(|file| word(&file.name).map(drop))?;
    write(folder.path(), files).map_err(|error| YosysError::Files(error.to_string()))?;
    std::fs::write(folder.path().join("script.ys"), script).map_err(failed)?;
    let mut command = Command::new(program());
    command.args(["-q", "-s", "script.ys"]);
    let ended = limited::run(&command, folder.path(), Bounds::within(limit));
    match ended.map_err(cannot_start)? {
        Ended::Well => Ok(Finished { folder }),
        Ended::OutOfTime => Err(YosysError::Slow(limit)),
        Ended::Missing => Err(missing()),
        Ended::Badly(said) => Err(YosysError::Failed(said)),
    }
}
