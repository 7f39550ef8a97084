//! Where solvers are looked for: in the variable of their name, in the checkout's tools, on PATH.

use std::env;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;

use thiserror::Error;

use super::{Program, Solver};
use crate::verilate::tied;

/// Runs SMT-LIB files with bitwuzla's Python module.
const RUNNER: &str = include_str!("bitwuzla.py");

/// There is no such solver here.
#[derive(Debug, Error)]
#[error("{program}: {what}; {install}")]
pub struct Missing {
    program: &'static str,
    what: String,
    install: &'static str,
}

impl Program {
    /// Name on the command line and in reports.
    pub fn name(self) -> &'static str {
        match self {
            Program::Bitwuzla => "bitwuzla",
            Program::Z3 => "z3",
            Program::Cvc5 => "cvc5",
        }
    }

    /// The variable that may name the program.
    fn variable(self) -> &'static str {
        match self {
            Program::Bitwuzla => "BITWUZLA",
            Program::Z3 => "Z3",
            Program::Cvc5 => "CVC5",
        }
    }

    fn install(self) -> &'static str {
        match self {
            Program::Bitwuzla => {
                "install it with `./x setup` or `pip install bitwuzla`, or name it, or a Python that has it, in the variable \
                 BITWUZLA"
            }
            Program::Z3 => "install it with `pip install z3-solver` or `apt install z3`, or name it in the variable Z3",
            Program::Cvc5 => "install it with `apt install cvc5`, or name it in the variable CVC5",
        }
    }

    fn missing(self, what: impl Into<String>) -> Missing {
        Missing { program: self.name(), what: what.into(), install: self.install() }
    }

    /// Programs that may be it, in the order in which they are tried.
    fn candidates(self) -> Vec<PathBuf> {
        let tools = Path::new(env!("CARGO_MANIFEST_DIR")).join(".tools");
        let environments = ["venv", "solver"].map(|name| tools.join(name).join("bin"));
        let (in_tools, on_path) = match self {
            Program::Bitwuzla => ("python", vec!["bitwuzla", "python3"]),
            Program::Z3 | Program::Cvc5 => (self.name(), vec![self.name()]),
        };
        let in_tools = environments.iter().map(|folder| folder.join(in_tools));
        in_tools.chain(on_path.into_iter().map(PathBuf::from)).collect()
    }
}

/// Whether a program is a Python, by its name.
fn is_python(program: &OsStr) -> bool {
    Path::new(program).file_name().is_some_and(|name| name.to_string_lossy().starts_with("python"))
}

/// What a command prints, if it does well: the first line.
fn said(command: &[OsString]) -> Option<String> {
    let output = tied::output(Command::new(&command[0]).args(&command[1..]), None, tied::LIMIT).ok();
    let output = output.filter(|output| output.status.success())?;
    let text = String::from_utf8_lossy(&output.stdout);
    Some(text.lines().next().unwrap_or_default().trim().to_owned())
}

/// The version in a line such as `Z3 version 5.4.0 - 64 bit` or `This is cvc5 version 1.0.3`: its first word with a digit and
/// a dot.
fn version(line: &str) -> String {
    let mut words = line.split_whitespace().map(|word| word.trim_matches(['"', '(', ')', '[', ']']));
    words
        .find(|word| word.starts_with(|letter: char| letter.is_ascii_digit()) && word.contains('.'))
        .unwrap_or(line)
        .to_owned()
}

impl Solver {
    /// The solver that the variable of its name, the checkout's tools or PATH have, in this order. What the variable names is
    /// never replaced by something found elsewhere.
    ///
    /// # Errors
    /// None of them works.
    pub fn find(program: Program) -> Result<Solver, Missing> {
        if let Some(named) = env::var_os(program.variable()).filter(|name| !name.is_empty()) {
            return Solver::at(program, &named).ok_or_else(|| {
                let named = named.to_string_lossy();
                program.missing(format!("{named}, which the variable {} names, does not work", program.variable()))
            });
        }
        let found = program.candidates().iter().find_map(|candidate| Solver::at(program, candidate.as_os_str()));
        found.ok_or_else(|| program.missing("not found"))
    }

    /// That program, if it works.
    pub fn at(program: Program, path: &OsStr) -> Option<Solver> {
        let words = |words: &[&str]| [path.to_owned()].into_iter().chain(words.iter().map(OsString::from)).collect();
        let (asked, command): (Vec<OsString>, Vec<OsString>) = match program {
            Program::Bitwuzla if is_python(path) => {
                (words(&["-c", "import bitwuzla; print(bitwuzla.version())"]), words(&["-c", RUNNER]))
            }
            Program::Bitwuzla => (words(&["--version"]), words(&["--produce-models"])),
            Program::Z3 => (words(&["--version"]), words(&["-smt2"])),
            Program::Cvc5 => (words(&["--version"]), words(&["--lang=smt2"])),
        };
        let version = version(&said(&asked)?);
        Some(Solver { program, command, version })
    }
}

#[cfg(test)]
mod tests {
    use super::version;

    #[test]
    fn versions_in_what_programs_say() {
        assert_eq!(version("Z3 version 5.4.0 - 64 bit"), "5.4.0");
        assert_eq!(version("This is cvc5 version 1.0.3 [git 123]"), "1.0.3");
        assert_eq!(version("0.9.1"), "0.9.1");
        assert_eq!(version("unknown"), "unknown");
    }
}
