//! Runs Yosys on files and reads what it writes.

use std::fmt::Write as _;
use std::path::PathBuf;
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
    /// Yosys's own reader, which knows Verilog and a part of SystemVerilog.
    Own,
    /// GHDL, whose Verilog Yosys's own reader takes.
    Vhdl,
}

impl Frontend {
    /// In a sentence: read by ...
    pub fn name(self) -> &'static str {
        match self {
            Frontend::Slang => "slang in Yosys",
            Frontend::Own => "Yosys",
            Frontend::Vhdl => "GHDL and Yosys",
        }
    }
}

/// Files that lie somewhere, and what they are read with.
#[derive(Debug, Clone, Copy)]
pub struct Outside<'a> {
    pub files: &'a [PathBuf],
    /// The files' texts.
    pub texts: &'a [String],
    pub include: &'a [PathBuf],
    pub defines: &'a [(String, String)],
    /// Whether GHDL wrote them, in a Verilog that Yosys' own reader takes.
    pub is_from_vhdl: bool,
}

/// Passes that leave registers without enables and synchronous resets, and operators that are known here. None may choose a value
/// for an undefined one: `proc_rom` and `memory` do for words that are not there, `pmuxtree` for a case that is not.
const PLAIN: &str =
    "proc -norom\nflatten\nmemory_collect\nmemory_memx\nmemory_map\nbmuxmap\ndemuxmap\ndffunmap\nopt_clean\n";

/// Endings of files that others include.
const INCLUDED: [&str; 6] = ["svh", "vh", "h", "inc", "sv", "v"];

/// A design's netlist, and what it was read of.
#[derive(Debug, Clone)]
pub struct DesignRead {
    /// Undefined bits are nets that nothing drives.
    pub netlist: Netlist,
    pub frontend: Frontend,
    /// The design's own files.
    pub sources: Vec<SourceFile>,
}

/// Reads the module `top` in a file of ours, around a design that lies in other files: by slang where Yosys has it.
///
/// # Errors
/// As [`read`], or a file's path cannot be in a script.
pub fn read_design(top: &str, own: &SourceFile, outside: Outside, limit: Duration) -> Result<DesignRead, NetlistError> {
    // A Yosys in WebAssembly sees only the folder that it runs in, and what is not temporary: so copies are read.
    let copy = |(place, (path, text)): (usize, (&PathBuf, &String))| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        SourceFile { name: format!("{place}_{}", plain(&name)), text: text.clone() }
    };
    let sources: Vec<SourceFile> = outside.files.iter().zip(outside.texts).enumerate().map(copy).collect();
    let files = [std::slice::from_ref(own), &sources[..], &included(&outside)].concat();
    let arguments = arguments(&outside)?;
    let names: Vec<&str> = [own].into_iter().chain(&sources).map(|file| file.name.as_str()).collect();
    let run = |read: &str| {
        let names = names.join(" ");
        let script =
            format!("{read}{arguments} {names}\nhierarchy -check -top {top}\n{PLAIN}write_json netlist.json\n");
        yosys::run(&files, &script, limit)
    };
    let by_yosys = |frontend| (run("read_verilog -sv"), frontend);
    let (ended, frontend) = match outside.is_from_vhdl {
        true => by_yosys(Frontend::Vhdl),
        // Where Yosys runs as WebAssembly, it has one thread.
        false => match run(&format!("read_slang --threads 1 --single-unit --top {top}")) {
            Err(YosysError::Failed(said)) if said.contains(NO_SLANG) => by_yosys(Frontend::Own),
            ended => (ended, Frontend::Slang),
        },
    };
    let netlist = netlist(top, ended).map_err(|error| match error {
        NetlistError::Refused { module, mut said } => {
            for (source, path) in sources.iter().zip(outside.files) {
                said = said.replace(&source.name, &path.shown());
            }
            if frontend == Frontend::Own {
                said += "\nthis Yosys knows Verilog and a part of SystemVerilog; from 0.67 on it has slang, which knows more: \
                         `./x setup --fpga` installs one, and the variable YOSYS names it";
            }
            NetlistError::Refused { module, said }
        }
        error => error,
    })?;
    Ok(DesignRead { netlist: with_loose_bits(netlist), frontend, sources })
}

/// A name with letters, digits and a few marks only.
fn plain(name: &str) -> String {
    name.chars()
        .map(|letter| if letter.is_ascii_alphanumeric() || "_.-".contains(letter) { letter } else { '_' })
        .collect()
}

/// Copies of what may be included by its plain name. Where two of a name differ neither is copied, and the folders decide.
fn included(outside: &Outside) -> Vec<SourceFile> {
    let folders =
        outside.files.iter().filter_map(|file| file.parent()).chain(outside.include.iter().map(PathBuf::as_path));
    let mut found: Vec<SourceFile> = Vec::new();
    let mut differing = Vec::new();
    for folder in folders.collect::<std::collections::BTreeSet<_>>() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let name = entry.file_name().to_string_lossy().into_owned();
            let ending = path.extension().is_some_and(|ending| INCLUDED.iter().any(|known| ending == *known));
            if !ending || plain(&name) != name || !path.is_file() {
                continue;
            }
            let Ok(text) = std::fs::read_to_string(&path) else { continue };
            match found.iter().find(|file| file.name == name) {
                Some(other) if other.text != text => differing.push(name),
                Some(_) => {}
                None => found.push(SourceFile { name, text }),
            }
        }
    }
    found.retain(|file| !differing.contains(&file.name));
    found
}

/// Folders and macros.
fn arguments(outside: &Outside) -> Result<String, NetlistError> {
    let own = outside.files.iter().filter_map(|file| file.parent());
    let mut arguments = String::new();
    let folders = outside.include.iter().map(PathBuf::as_path).chain(own).filter(|folder| folder.is_absolute());
    // Of a folder whose name cannot be a word only the copies are there.
    for folder in folders.filter_map(|folder| yosys::word(folder.to_str()?).ok()) {
        let _ = write!(arguments, " -I{folder}");
    }
    for (name, value) in outside.defines {
        let text = format!("{name}={value}");
        let refused = |error| NetlistError::Files(format!("field `defines.{name}`: {error}"));
        let _ = write!(arguments, " -D{}", yosys::word(&text).map_err(refused)?);
    }
    Ok(arguments)
}
