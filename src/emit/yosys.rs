//! Runs Yosys: a script on some files, in a folder of its own.

use std::process::Command;

use tempfile::TempDir;
use thiserror::Error;

use super::{SourceFile, write};

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
}

/// Yosys' version, as it tells it.
///
/// # Errors
/// It is not on PATH or does not run.
pub fn version() -> Result<String, YosysError> {
    let output = Command::new("yosys").arg("-V").output().map_err(|_| YosysError::Missing)?;
    let text = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    if output.status.success() && !text.is_empty() { Ok(text) } else { Err(YosysError::NoVersion) }
}

/// What a script left in its folder.
pub struct Finished {
    folder: TempDir,
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

/// Runs a script on some files, which it finds under their names.
///
/// # Errors
/// Yosys is missing, the files cannot be written, or the script fails.
pub fn run(files: &[SourceFile], script: &str) -> Result<Finished, YosysError> {
    let failed = |error: String| YosysError::Files(error);
    let folder = TempDir::new().map_err(|error| failed(error.to_string()))?;
    write(folder.path(), files).map_err(|error| failed(error.to_string()))?;
    std::fs::write(folder.path().join("script.ys"), script).map_err(|error| failed(error.to_string()))?;
    let output = Command::new("yosys").current_dir(folder.path()).args(["-q", "-s", "script.ys"]).output();
    let output = output.map_err(|_| YosysError::Missing)?;
    if output.status.success() {
        return Ok(Finished { folder });
    }
    let said = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).trim().to_owned();
    Err(YosysError::Failed(if said.is_empty() { output.status.to_string() } else { said }))
}
