//! Whether all tools read SystemVerilog alike: a proof is of what Yosys reads, and a simulator may run something else.
//!
//! slang parses and elaborates the files; a program in Python, `slang.py`, reports constructs that tools are known to read
//! differently, and those that it does not know.
//!
//! Architecture invariant: it never says that the files are right, and what it accepts is no reason to believe a proof.

use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::time::Duration;

use serde::Deserialize;
use serde_json::json;
use thiserror::Error;

use crate::emit::SourceFile;
use crate::emit::limited::{self, Bounds, Ended};
use crate::emit::scratch::Scratch;
use crate::engine::DIFFERENCES;
use crate::verilate::tied;

/// The program that Python runs.
const PROGRAM: &str = include_str!("slang.py");

/// The files of one design, and how they are read.
#[derive(Debug, Clone, Copy)]
pub struct Request<'a> {
    /// In the order in which tools read them; names are paths, as they are shown.
    pub files: &'a [SourceFile],
    /// The module that is elaborated.
    pub top: &'a str,
    pub include: &'a [PathBuf],
    pub defines: &'a [(String, String)],
    /// Whether no file may include another.
    pub alone: bool,
}

/// A construct that tools read differently, and what is allowed.
#[derive(Debug, Clone, PartialEq, Eq, Error, Deserialize)]
#[error("{file}:{line}: {what}")]
pub struct Objection {
    pub file: String,
    /// From 1 on.
    pub line: usize,
    pub what: String,
    /// Whether only Yosys's own reader takes it differently.
    pub reader: bool,
}

/// Why the files were not read.
#[derive(Debug, Error)]
pub enum ReadingError {
    #[error(
        "slang: {0}; install it with `./x setup` or `pip install pyslang`, or name a Python that has it in the variable PYSLANG"
    )]
    Missing(String),
    #[error("slang: {0}")]
    Folder(#[from] io::Error),
    #[error("slang takes longer than {} seconds", .0.as_secs())]
    Slow(Duration),
    #[error("slang failed:\n{0}")]
    Failed(String),
}

/// Whether a program is a Python that has slang.
fn has_slang(python: &Path) -> bool {
    let asked = tied::output(Command::new(python).args(["-c", "import pyslang.ast"]), None, tied::LIMIT);
    asked.is_ok_and(|output| output.status.success())
}

/// The Python with slang, looked for once.
fn python() -> Result<&'static Path, ReadingError> {
    static FOUND: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    FOUND.get_or_init(find).as_deref().map_err(|why| ReadingError::Missing(why.clone()))
}

/// The Python with slang that the variable PYSLANG names; without it that of the checkout's tools, or the one on PATH.
fn find() -> Result<PathBuf, String> {
    if let Some(named) = std::env::var_os("PYSLANG").filter(|name| !name.is_empty()) {
        let named = PathBuf::from(named);
        let why = || format!("{}, which the variable PYSLANG names, has none", named.display());
        return if has_slang(&named) { Ok(named) } else { Err(why()) };
    }
    let tools = Path::new(env!("CARGO_MANIFEST_DIR")).join(".tools");
    let environments = ["venv", "solver"].map(|name| tools.join(name).join("bin/python"));
    let found = environments.into_iter().chain([PathBuf::from("python3")]).find(|python| has_slang(python));
    found.ok_or_else(|| "not found".to_owned())
}

/// That slang is there.
///
/// # Errors
/// It is not.
pub fn available() -> Result<(), ReadingError> {
    python().map(drop)
}

/// The constructs of some files that tools read differently, in the order of the files.
///
/// # Errors
/// slang is missing, takes longer than the limit, or fails.
pub fn objections(request: Request, limit: Duration) -> Result<Vec<Objection>, ReadingError> {
    let python = python()?;
    let folder = Scratch::new()?;
    let place = |name: &str| folder.path().join(name);
    let Request { files, top, include, defines, alone } = request;
    let files: Vec<_> = files.iter().map(|file| json!({ "name": file.name, "text": file.text })).collect();
    let differences = &DIFFERENCES[..];
    let request = json!({
        "files": files, "top": top, "include": include, "defines": defines, "alone": alone, "differences": differences,
    });
    std::fs::write(place("request.json"), request.to_string())?;
    std::fs::write(place("slang.py"), PROGRAM)?;
    // A folder of modules that users have is not on its path.
    let arguments = ["-I", "slang.py", "request.json", "objections.json"];
    match limited::run(Command::new(python).args(arguments), folder.path(), Bounds::within(limit))? {
        Ended::Well => {}
        Ended::OutOfTime => return Err(ReadingError::Slow(limit)),
        Ended::Missing => return Err(ReadingError::Missing("not found".to_owned())),
        Ended::Badly(said) => return Err(ReadingError::Failed(said)),
    }
    let text = std::fs::read_to_string(place("objections.json"))?;
    Ok(serde_json::from_str(&text).map_err(io::Error::from)?)
}
