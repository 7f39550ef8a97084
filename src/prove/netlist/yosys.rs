//! Runs Yosys on files and reads what it writes.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::{Netlist, NetlistError, flatten, with_loose_bits};
use crate::describe::text::Foreign;
use crate::emit::yosys::json::Design;
use crate::emit::yosys::{self, Finished, YosysError};
use crate::emit::{SourceFile, digest};

/// What Yosys says of a command that it does not have.
const NO_SLANG: &str = "No such command: read_slang";

/// Yosys' version, as it tells it.
///
/// # Errors
/// It is not on PATH or does not run.
pub fn version() -> Result<String, NetlistError> {
    yosys::version().map_err(|_| NetlistError::NoYosys)
}

/// The netlist of module `top` of some files.
///
/// # Errors
/// Yosys is missing, refuses the files, takes longer than the limit, or writes what is not known here.
pub fn read(top: &str, files: &[SourceFile], limit: Duration) -> Result<Netlist, NetlistError> {
    let names: Vec<&str> = files.iter().map(|file| file.name.as_str()).collect();
    let script = format!(
        "read_verilog -sv -noautowire {}\nhierarchy -check -top {top}\nproc\nwrite_json netlist.json\n",
        names.join(" ")
    );
    netlist(top, yosys::run(files, &script, limit))
}

/// The netlist that a script left.
fn netlist(top: &str, ended: Result<Finished, YosysError>) -> Result<Netlist, NetlistError> {
    let finished = ended.and_then(|finished| finished.read("netlist.json"));
    let text = finished.map_err(|error| match error {
        YosysError::Missing | YosysError::NoVersion => NetlistError::NoYosys,
        YosysError::Files(what) => NetlistError::Files(what),
        YosysError::Slow(limit) => NetlistError::Slow(limit),
        YosysError::Failed(said) => NetlistError::Refused { module: top.to_owned(), said },
    })?;
    let design: Design = serde_json::from_str(&text)
        .map_err(|error| NetlistError::Form { module: top.to_owned(), what: error.to_string() })?;
    let sha256 = digest(text.as_bytes());
    Ok(Netlist { sha256, ..flatten::flatten(&design, top)? })
}

/// What read a design's text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Frontend {
    /// Slang, which Yosys has built in from 0.67 on.
    Slang,
    /// Yosys' own reader, which knows Verilog and a part of SystemVerilog.
    Own,
}

impl Frontend {
    /// In a sentence: read by ...
    pub fn name(self) -> &'static str {
        match self {
            Frontend::Slang => "slang in Yosys",
            Frontend::Own => "Yosys",
        }
    }
}

/// Files that lie somewhere, and what they are read with.
#[derive(Debug, Clone, Copy)]
pub struct Outside<'a> {
    pub files: &'a [PathBuf],
    pub include: &'a [PathBuf],
    pub defines: &'a [(String, String)],
    /// Whether GHDL wrote them, in a Verilog that Yosys' own reader takes.
    pub is_from_vhdl: bool,
}

/// Passes that leave registers without enables and synchronous resets, and operators that are known here.
const PLAIN: &str = "proc\nflatten\nmemory -nomap\nmemory_map\npmuxtree\nbmuxmap\ndemuxmap\ndffunmap\nopt_clean\n";

/// The netlist of the module `top` in a file of ours, around a design that lies in other files: by slang where Yosys has it.
/// Undefined bits are nets that nothing drives.
///
/// # Errors
/// As [`read`], or a path cannot stand in a script.
pub fn read_design(
    top: &str,
    own: &SourceFile,
    outside: Outside,
    limit: Duration,
) -> Result<(Netlist, Frontend), NetlistError> {
    let script = |read: &str| -> Result<String, NetlistError> {
        let mut script = format!("{read} {}", own.name);
        for folder in outside.include {
            let _ = write!(script, " -I{}", quoted(folder)?);
        }
        for (name, value) in outside.defines {
            let _ = write!(script, " -D{}", quoted(Path::new(&format!("{name}={value}")))?);
        }
        for file in outside.files {
            let _ = write!(script, " {}", quoted(file)?);
        }
        let _ = write!(script, "\nhierarchy -check -top {top}\n{PLAIN}write_json netlist.json\n");
        Ok(script)
    };
    let files = std::slice::from_ref(own);
    let run = |read: &str| Ok(yosys::run(files, &script(read)?, limit));
    let by_yosys = || Ok::<_, NetlistError>((run("read_verilog -sv")?, Frontend::Own));
    let (ended, frontend) = match outside.is_from_vhdl {
        true => by_yosys()?,
        // Where Yosys runs as WebAssembly, it has one thread.
        false => match run(&format!("read_slang --threads 1 --single-unit --top {top}"))? {
            Err(YosysError::Failed(said)) if said.contains(NO_SLANG) => by_yosys()?,
            ended => (ended, Frontend::Slang),
        },
    };
    let netlist = netlist(top, ended).map_err(|error| match error {
        NetlistError::Refused { module, said } if frontend == Frontend::Own => {
            let more = "this Yosys knows Verilog and a part of SystemVerilog; from 0.67 on it has slang, which knows more: \
                        `./x setup --fpga` installs one, and the variable YOSYS names it";
            NetlistError::Refused { module, said: format!("{said}\n{more}") }
        }
        error => error,
    })?;
    Ok((with_loose_bits(netlist), frontend))
}

/// A path as a word of a script.
fn quoted(path: &Path) -> Result<String, NetlistError> {
    let text = path.to_string_lossy();
    match text.contains(['"', '\\', '\n', ';', '#']) {
        true => {
            let allowed = "letters, digits, blanks and other marks than \" \\ ; #";
            Err(NetlistError::Files(format!("the path {} cannot stand in a script; allowed: {allowed}", path.shown())))
        }
        false if text.contains(' ') => Ok(format!("\"{text}\"")),
        false => Ok(text.into_owned()),
    }
}
