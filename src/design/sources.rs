//! The files of a design, as arguments for a simulator; those in VHDL are made Verilog by GHDL first.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::file::{Design, Said};
use crate::describe::text::Foreign;
use crate::describe::unit::FileError;
use crate::emit::scratch::Scratch;
use crate::verilate::tied;

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

/// Whether a design is in VHDL.
pub fn is_vhdl(said: &Said) -> bool {
    said.sources.iter().any(|source| ends_in_vhdl(Path::new(source)))
}

fn ends_in_vhdl(path: &Path) -> bool {
    path.extension().is_some_and(|ending| VHDL.iter().any(|vhdl| ending.eq_ignore_ascii_case(vhdl)))
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
    /// A file or an included folder is not there, or GHDL is not or refuses the design.
    pub fn sources(&self) -> Result<Sources, SourceError> {
        let (files, include) = (self.files()?, self.include()?);
        let texts = |values: &std::collections::BTreeMap<String, toml::Value>| {
            values.iter().map(|(name, value)| (name.clone(), super::literal(value))).collect::<Vec<_>>()
        };
        let plain = |(name, value): (String, String)| (name, value.trim_matches('"').to_owned());
        let defines = texts(&self.said.defines).into_iter().map(plain).collect();
        let parameters = texts(&self.said.parameters);
        if !files.iter().any(|file| ends_in_vhdl(file)) {
            return Ok(Sources { files, include, defines, parameters, scratch: None });
        }
        let (file, scratch) = self.verilog_of_vhdl(&files)?;
        Ok(Sources { files: vec![file], include, defines, parameters: Vec::new(), scratch: Some(scratch) })
    }

    /// The files that the design names, in order, each once, and then those in its included folders.
    ///
    /// # Errors
    /// A file or an included folder is not there.
    pub fn read_files(&self) -> Result<Vec<PathBuf>, FileError> {
        let mut files = self.files()?;
        for folder in self.include()? {
            let entries = std::fs::read_dir(&folder);
            let entries = entries.map_err(|source| FileError::Read { file: folder.shown(), source })?;
            let mut own: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
            own.retain(|path| path.is_file());
            own.sort();
            files.extend(own);
        }
        Ok(files)
    }

    fn files(&self) -> Result<Vec<PathBuf>, FileError> {
        let mut files: Vec<PathBuf> = Vec::new();
        for (place, pattern) in self.said.sources.iter().enumerate() {
            for file in self.matching(&format!("sources[{place}]"), pattern)? {
                if !files.contains(&file) {
                    files.push(file);
                }
            }
        }
        if files.is_empty() { Err(self.refuse("sources", "[]", "at least one file")) } else { Ok(files) }
    }

    fn include(&self) -> Result<Vec<PathBuf>, FileError> {
        let folder = |(place, folder): (usize, &String)| {
            let path = self.folder.join(folder);
            let allowed = || format!("a folder; {} is none", path.shown());
            let refused = || self.refuse(&format!("include[{place}]"), format!("{folder:?}"), allowed());
            if path.is_dir() { Ok(path) } else { Err(refused()) }
        };
        self.said.include.iter().enumerate().map(folder).collect()
    }

    /// The files that a pattern stands for.
    fn matching(&self, field: &str, pattern: &str) -> Result<Vec<PathBuf>, FileError> {
        let folder = glob::Pattern::escape(&self.folder.to_string_lossy());
        let refuse = |allowed: String| self.refuse(field, format!("{pattern:?}"), allowed);
        let whole = match Path::new(pattern).is_absolute() {
            true => pattern.to_owned(),
            false => format!("{folder}/{pattern}"),
        };
        let found = glob::glob(&whole).map_err(|error| refuse(format!("a name with *, ? and **: {}", error.msg)))?;
        let files: Vec<PathBuf> = found.flatten().filter(|path| path.is_file()).collect();
        match files.is_empty() {
            true => Err(refuse(format!("a file, or names of files with *, ? and ** in {}", self.folder.shown()))),
            false => Ok(files),
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
        command.current_dir(scratch.path()).args(["--synth", "--std=08", "--out=verilog"]);
        for (name, value) in &self.said.parameters {
            command.arg(format!("-g{name}={}", super::literal(value).trim_matches('"')));
        }
        command.args(files).arg("-e").arg(&self.said.top);
        let output = tied::output(&command, Some(scratch.path())).map_err(|error| {
            SourceError::NoGhdl(format!(
                "ghdl, which reads VHDL, cannot be run: {error}; Debian has it in the package ghdl"
            ))
        })?;
        let said = String::from_utf8_lossy(&output.stderr);
        if !output.status.success() || output.stdout.is_empty() {
            let lines: Vec<&str> =
                said.lines().filter(|line| line.contains(":error:") || !line.contains(":warning:")).collect();
            let value = format!("{:?}, and GHDL says\n  {}\n ", self.said.top, lines.join("\n  "));
            return Err(self.refuse("top", value, "an entity that GHDL can synthesise").into());
        }
        let file = scratch.path().join(format!("{}.v", self.said.top));
        std::fs::write(&file, &output.stdout).map_err(failed)?;
        Ok((file, scratch))
    }
}

impl Sources {
    /// Arguments for Icarus, and for the command `read_verilog` of Yosys.
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
