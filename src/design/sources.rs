//! The files of a design, as arguments for a simulator; those in VHDL are made Verilog by GHDL first.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::file::{Design, Said};
use super::pattern::{self, Budget, ENTRIES_MAX, PatternError};
use crate::describe::text::Foreign;
use crate::describe::unit::FileError;
use crate::emit::limited::{self, Bounds, Ended};
use crate::emit::scratch::Scratch;
use crate::emit::yosys::Elsewhere;

/// Endings of files in VHDL.
pub const VHDL: [&str; 2] = ["vhd", "vhdl"];

/// Files and options, as Verilator and Icarus take them.
pub struct Sources {
    pub files: Vec<PathBuf>,
    pub include: Vec<PathBuf>,
    pub defines: Vec<(String, String)>,
    /// Parameters that are still to be set; none of VHDL, whose generics GHDL has set.
    pub parameters: Vec<(String, String)>,
    /// Holds what GHDL wrote.
    scratch: Option<Scratch>,
}

/// Endings of files that others include.
const INCLUDED: [&str; 6] = ["svh", "vh", "h", "inc", "sv", "v"];

/// Whether a design is in VHDL.
pub fn is_vhdl(said: &Said) -> bool {
    said.sources.iter().any(|source| ends_in_vhdl(Path::new(source)))
}

fn ends_in_vhdl(path: &Path) -> bool {
    path.extension().is_some_and(|ending| VHDL.iter().any(|vhdl| ending.eq_ignore_ascii_case(vhdl)))
}

/// GHDL cannot be run.
pub(super) fn no_ghdl(why: &str) -> SourceError {
    SourceError::NoGhdl(format!("ghdl, which reads VHDL, cannot be run: {why}; Debian has it in the package ghdl"))
}

/// Why a design's files are not there to be read.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    #[error(transparent)]
    File(#[from] FileError),
    /// GHDL is needed and not there.
    #[error("{0}")]
    NoGhdl(String),
}

impl Design {
    /// The files that the design names, in order, each once.
    ///
    /// # Errors
    /// A file or an included folder is not there, GHDL is not or refuses the design, or its VHDL opens files, which it may not.
    pub fn sources(&self) -> Result<Sources, SourceError> {
        let (files, include) = (self.files()?, self.include()?);
        let texts = |values: &BTreeMap<String, toml::Value>, text: fn(&toml::Value) -> String| {
            values.iter().map(|(name, value)| (name.clone(), text(value))).collect::<Vec<_>>()
        };
        let defines = texts(&self.said.defines, super::plain);
        let parameters = texts(&self.said.parameters, super::literal);
        if !files.iter().any(|file| ends_in_vhdl(file)) {
            return Ok(Sources { files, include, defines, parameters, scratch: None });
        }
        if !self.system_calls {
            self.refuse_calls(&self.read_files()?)?;
        }
        let (file, scratch) = self.verilog_of_vhdl(&files)?;
        Ok(Sources { files: vec![file], include, defines, parameters: Vec::new(), scratch: Some(scratch) })
    }

    /// The files that the design names, in order, each once, and then those in its included folders.
    ///
    /// # Errors
    /// A file or an included folder is not there.
    pub fn read_files(&self) -> Result<Vec<PathBuf>, FileError> {
        let (mut files, mut budget) = (self.files()?, Budget::new());
        for (place, folder) in self.include()?.iter().enumerate() {
            let too_much = |_| self.too_much(&format!("include[{place}]"), &self.said.include[place]);
            let entries = budget.entries(folder).map_err(too_much)?;
            files.extend(entries.iter().map(std::fs::DirEntry::path).filter(|path| path.is_file()));
        }
        Ok(files)
    }

    fn files(&self) -> Result<Vec<PathBuf>, FileError> {
        let (mut files, mut budget) = (Vec::new(), Budget::new());
        for (place, pattern) in self.said.sources.iter().enumerate() {
            for file in self.matching(&format!("sources[{place}]"), pattern, &mut budget)? {
                if !files.contains(&file) {
                    files.push(file);
                }
            }
        }
        if files.is_empty() { Err(self.refuse("sources", "[]", "at least one file")) } else { Ok(files) }
    }

    fn include(&self) -> Result<Vec<PathBuf>, FileError> {
        let folder = |(place, folder): (usize, &String)| {
            let (field, path) = (format!("include[{place}]"), self.folder.join(folder));
            let allowed = || format!("a folder; {} is none", path.shown());
            if !path.is_dir() {
                return Err(self.refuse(&field, format!("{folder:?}"), allowed()));
            }
            self.check_path(&field, &path)?;
            self.check_entries(&field, &path)?;
            Ok(path)
        };
        self.said.include.iter().enumerate().map(folder).collect()
    }

    /// The files that a pattern stands for.
    fn matching(&self, field: &str, pattern: &str, budget: &mut Budget) -> Result<Vec<PathBuf>, FileError> {
        let refuse = |allowed: String| self.refuse(field, format!("{pattern:?}"), allowed);
        let files = pattern::files(&self.folder, pattern, budget).map_err(|error| match error {
            PatternError::Form(what) => refuse(format!("a name with *, ? and **: {what}")),
            PatternError::TooMuch => self.too_much(field, pattern),
        })?;
        if files.is_empty() {
            let allowed = format!("a file, or names of files with *, ? and ** in {}", self.folder.shown());
            return Err(refuse(allowed));
        }
        files.iter().try_for_each(|file| self.check_path(field, file))?;
        let mut folders: Vec<&Path> = files.iter().filter_map(|file| file.parent()).collect();
        folders.dedup();
        folders.into_iter().try_for_each(|folder| self.check_entries(field, folder))?;
        Ok(files)
    }

    fn too_much(&self, field: &str, value: &str) -> FileError {
        let allowed = format!("what is found among at most {ENTRIES_MAX} entries of folders, within seconds");
        self.refuse(field, format!("{value:?}"), allowed)
    }

    /// That tools take a path as it is: Verilator puts the values of variables in place of their names.
    fn check_path(&self, field: &str, path: &Path) -> Result<(), FileError> {
        let mislead = |letter: char| letter.is_control() || "\"\\$".contains(letter);
        match path.to_str() {
            Some(text) if !text.contains(mislead) => Ok(()),
            _ => {
                let allowed = "paths in UTF-8 without control characters, \", \\ and $";
                Err(self.refuse(field, format!("the path {}", path.shown()), allowed))
            }
        }
    }

    /// That no tool waits for a file that can be included from a folder.
    fn check_entries(&self, field: &str, folder: &Path) -> Result<(), FileError> {
        let entries = Budget::new().entries(folder).map_err(|_| self.too_much(field, &folder.shown()))?;
        let is_endless = |path: &PathBuf| {
            let is_included = path.extension().is_some_and(|ending| INCLUDED.iter().any(|known| ending == *known));
            is_included && path.metadata().is_ok_and(|found| !found.is_file() && !found.is_dir())
        };
        match entries.iter().map(std::fs::DirEntry::path).find(is_endless) {
            Some(path) => {
                let value = format!("with {} beside its files, a pipe or a device", path.shown());
                Err(self.refuse(field, value, "plain files"))
            }
            None => Ok(()),
        }
    }

    /// The Verilog that GHDL makes of the design with its generics.
    fn verilog_of_vhdl(&self, files: &[PathBuf]) -> Result<(PathBuf, Scratch), SourceError> {
        if let Some(other) = files.iter().find(|file| !ends_in_vhdl(file)) {
            let value = format!("VHDL and {}", other.shown());
            return Err(self.refuse("sources", value, "all of them VHDL (.vhd, .vhdl), or none").into());
        }
        let failed = |error: std::io::Error| SourceError::NoGhdl(format!("a folder for GHDL: {error}"));
        let scratch = Scratch::new().map_err(failed)?;
        let mut command = Command::new("ghdl");
        command.args(["--synth", "--std=08", "--out=verilog"]);
        for (name, value) in &self.said.parameters {
            command.arg(format!("-g{name}={}", super::plain(value)));
        }
        command.args(files).arg("-e").arg(&self.said.top);
        let name = format!("{}.v", self.said.top);
        let bounds = Bounds { printed: Some(&name), ..Bounds::within(limited::LIMIT) };
        let ended = limited::run(&command, scratch.path(), bounds).map_err(|error| no_ghdl(&error.to_string()))?;
        let file = scratch.path().join(&name);
        let said = match ended {
            Ended::Missing => return Err(no_ghdl("it is not on PATH")),
            Ended::Well if file.metadata().is_ok_and(|found| found.len() > 0) => return Ok((file, scratch)),
            Ended::Well => limited::said(scratch.path()).map_err(failed)?,
            Ended::OutOfTime => format!("nothing within {} s", bounds.time.as_secs()),
            Ended::Badly(said) => said,
        };
        let lines: Vec<&str> =
            said.lines().filter(|line| line.contains(":error:") || !line.contains(":warning:")).collect();
        let value = format!("{:?}, and GHDL says\n  {}\n ", self.said.top, lines.join("\n  "));
        Err(self.refuse("top", value, "an entity that GHDL can synthesise").into())
    }
}

impl Sources {
    /// The same for Yosys.
    pub fn elsewhere(&self) -> Elsewhere<'_> {
        Elsewhere { files: &self.files, include: &self.include, defines: &self.defines }
    }

    /// Arguments for Icarus.
    pub fn arguments(&self) -> Vec<String> {
        self.with_options([])
    }

    /// Arguments for Verilator; `parameters` too where the design itself is the top.
    pub fn for_verilator(&self, parameters: bool) -> Vec<String> {
        let parameters = self.parameters.iter().filter(|_| parameters);
        let parameters = parameters.map(|(name, value)| format!("-G{name}={value}"));
        // GHDL writes so.
        let allowed = self.scratch.is_some().then(|| "-Wno-INITIALDLY".to_owned());
        self.with_options(parameters.chain(allowed))
    }

    /// Included folders, macros, other options, then the files.
    fn with_options(&self, options: impl IntoIterator<Item = String>) -> Vec<String> {
        let include = self.include.iter().map(|folder| format!("-I{}", folder.display()));
        let defines = self.defines.iter().map(|(name, value)| format!("-D{name}={value}"));
        let files = self.files.iter().map(|file| file.display().to_string());
        include.chain(defines).chain(options).chain(files).collect()
    }
}
