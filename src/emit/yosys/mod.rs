//! Runs Yosys: a script on some files, in a folder of its own. It ends with its limit of time, and both end with this program.

pub(crate) mod json;

use std::fs::File;
use std::io;
use std::process::{Child, Command};
use std::time::{Duration, Instant};

use thiserror::Error;

use super::scratch::Scratch;
use super::{SourceFile, write};
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

/// Yosys' version, as it tells it.
///
/// # Errors
/// It is not on PATH or does not run.
pub fn version() -> Result<String, YosysError> {
    let output = tied::output(Command::new("yosys").arg("-V"), None).map_err(missing)?;
    let text = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    if output.status.success() && !text.is_empty() { Ok(text) } else { Err(YosysError::NoVersion) }
}

/// Why the program did not start.
fn missing(error: io::Error) -> YosysError {
    match error.kind() {
        io::ErrorKind::NotFound => YosysError::Missing,
        _ => YosysError::Files(format!("cannot be started: {error}")),
    }
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
}

/// Where the limit is no one's choice. The catalogue's largest unit takes two minutes of one processor.
pub const LIMIT: Duration = Duration::from_secs(15 * 60);

/// Runs a script on some files, which it finds under their names. At the limit, or when this program ends in whatever way, Yosys
/// is ended too, with ABC, which it starts, and the folder is removed.
///
/// # Errors
/// Yosys is missing, the files cannot be written, the script fails, or the time is over.
pub fn run(files: &[SourceFile], script: &str, limit: Duration) -> Result<Finished, YosysError> {
    let failed = |error: io::Error| YosysError::Files(error.to_string());
    let folder = Scratch::new().map_err(failed)?;
    write(folder.path(), files).map_err(|error| YosysError::Files(error.to_string()))?;
    std::fs::write(folder.path().join("script.ys"), script).map_err(failed)?;
    let said = folder.path().join("said");
    let output = File::create(&said).map_err(failed)?;
    let mut command = tied::command("yosys".as_ref(), folder.path(), "");
    // What ABC works on lies in the folder too.
    command.current_dir(folder.path()).env("TMPDIR", folder.path()).args(["-q", "-s", "script.ys"]);
    command.stdout(output.try_clone().map_err(failed)?).stderr(output);
    let mut child = command.spawn().map_err(missing)?;
    let in_time = has_ended_within(&mut child, limit);
    let status = tied::end(&mut child).map_err(failed)?;
    if !in_time {
        return Err(YosysError::Slow(limit));
    }
    if status.success() {
        return Ok(Finished { folder });
    }
    let said = std::fs::read(said).map_err(failed)?;
    let said = String::from_utf8_lossy(&said).trim().to_owned();
    Err(match status.code() {
        Some(tied::NOT_FOUND) => YosysError::Missing,
        _ if said.is_empty() => YosysError::Failed(status.to_string()),
        _ => YosysError::Failed(said),
    })
}

/// How often the end of the program is looked for.
const GLANCE: Duration = Duration::from_millis(10);

/// Waits until a program ends, or the limit is reached.
fn has_ended_within(child: &mut Child, limit: Duration) -> bool {
    let start = Instant::now();
    while start.elapsed() < limit {
        if tied::has_ended(child) {
            return true;
        }
        std::thread::sleep(GLANCE);
    }
    false
}
