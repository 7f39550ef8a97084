//! A design of a user's own: its ports as Verilator tells them, and a program of it in the module that is emitted around it.
//!
//! Its files are read where they lie, by whatever rules of search Verilator has; so what names a library in the cache is the
//! text that Verilator made of them.

use super::cache::{Key, Work};
use super::command::{said, start};
use super::contents::{self, Kind};
use super::unit::{DIFFERENCES, Unit};
use super::{Error, Recipe};
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

/// A design and the module around it, which has the ports that its harness drives.
#[derive(Debug, Clone)]
pub struct Design {
    /// Name of the module around it.
    pub module: String,
    /// The text of that module.
    pub wrapper: String,
    /// What drives it: a file of the harness.
    pub harness: &'static str,
    /// Options and files for Verilator.
    pub arguments: Vec<String>,
    /// What that file expects to find defined: names without `TENSORSMITH_`, and values.
    pub definitions: Vec<(&'static str, u32)>,
    /// Whether it can write waveforms.
    pub wave: bool,
}

const ALLOWED: [&str; 3] = ["--assert", "-Wall", "-Wno-fatal"];
/// Refused beside what simulators and synthesis take otherwise: of two modules of one name one would be left out.
const AMBIGUOUS: &str = "MODDUP";
/// First values that nothing gives are drawn anew for each seed.
const FIRST_VALUES: [&str; 4] = ["--x-assign", "unique", "--x-initial", "unique"];

impl Recipe {
    /// The syntax tree of a module in Verilator's JSON, after its parameters were set, and the names of its files.
    pub fn tree(&self, top: &str, own: Option<&str>, arguments: &[String]) -> Result<[String; 2], Error> {
        let work = self.cache.work()?;
        let file = own.map(|_| format!("{top}.sv"));
        if let (Some(file), Some(text)) = (&file, own) {
            work.write(file, text)?;
        }
        let mut command = self.tools.verilator_command();
        command.current_dir(work.folder()).args([
            "--json-only",
            "--Mdir",
            ".",
            "--prefix",
            "tree",
            "--top-module",
            top,
        ]);
        run(command.args(ALLOWED).args(arguments).args(file), &work)?;
        let read = |name: &str| {
            let path = work.path(name);
            fs::read_to_string(&path).map_err(|error| Error::files("read", &path, &error))
        };
        Ok([read("tree.tree.json")?, read("tree.tree.meta.json")?])
    }

    /// The library or the program of a design, and the hash that its model tells.
    pub fn linked_design(&self, design: &Design, kind: Kind) -> Result<(PathBuf, String), Error> {
        let work = self.cache.work()?;
        work.write(&format!("{}.sv", design.module), &design.wrapper)?;
        let mut command = self.tools.verilator_command();
        command.current_dir(work.folder()).args(["--cc", "-O3", "-fno-dfg"]).args(FIRST_VALUES).args(ALLOWED);
        command.args(DIFFERENCES.iter().chain([&AMBIGUOUS]).map(|warning| format!("-Werror-{warning}")));
        command.args(["--Mdir", super::steps::GENERATED, "--prefix", &format!("V{}", design.module)]);
        command.args(["--top-module", &design.module]).args(design.wave.then_some("--trace"));
        run(command.args(&design.arguments).arg(format!("{}.sv", design.module)), &work)?;
        let hash = Self::hash(design, &work)?;
        let key = self.design_key(kind, design.harness, &hash, design.wave);
        let name = contents::name(kind, &design.module, &key);
        if let Some(found) = self.cache.find(&name)? {
            return Ok((found, hash));
        }
        let _watched = super::steps::watched(&design.module);
        let definitions = definitions(design, &hash);
        let unity = super::steps::unity(&design.module, &definitions, design.harness, &work)?;
        Ok((self.link_alone((&design.module, kind), &unity, design.wave, &work, &name)?, hash))
    }

    fn hash(design: &Design, work: &Work) -> Result<String, Error> {
        let mut key = Key::new("design");
        for (name, text) in super::steps::generated(work)? {
            key = key.text(&name).text(&text);
        }
        Ok(key.text(&definitions(design, "")).finish())
    }
}

/// Runs Verilator; what it says of errors is kept, and not what it says of style.
fn run(command: &mut std::process::Command, work: &Work) -> Result<(), Error> {
    let output = start(command, Some(work))?;
    if output.status.success() {
        return Ok(());
    }
    let text = String::from_utf8_lossy(&output.stderr);
    let mut shown = String::new();
    let mut is_error = false;
    for line in text.lines() {
        if line.starts_with('%') {
            is_error = line.starts_with("%Error") && !line.starts_with("%Error: Exiting");
        }
        // What follows such dots says where Verilator looked, and how to switch warnings off.
        is_error &= !line.trim_start().starts_with("... ");
        if is_error {
            let _ = writeln!(shown, "  {line}");
        }
    }
    Err(Error::Build(if shown.is_empty() { said(&output) } else { shown.trim_end().to_owned() }))
}

fn definitions(design: &Design, hash: &str) -> String {
    let mut text = format!(
        "#define TENSORSMITH_TOP V{0}\n#define TENSORSMITH_MODULE \"{0}\"\n#define TENSORSMITH_SOURCES \"{hash}\"\n#define TENSORSMITH_ENTRY {1}\n",
        design.module,
        Unit::entry(&design.module)
    );
    for (name, value) in &design.definitions {
        let _ = writeln!(text, "#define TENSORSMITH_{name} {value}");
    }
    let _ = writeln!(text, "#define TENSORSMITH_WAVE {}", u32::from(design.wave));
    text
}
