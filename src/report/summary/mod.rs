//! Everything that one call found out about devices, instructions and units: the content of `report.json`, of the Markdown
//! and of the page. A cell says what was run in this call, and nothing that was not.

mod build;
mod cell;
mod inference;
mod notes;
mod proof;

pub use build::{Asked, Findings, Outcomes, Replayed, pairs};
pub use cell::{Cell, State};
pub use inference::{Inferred, found_nothing, inferences_text};
pub use proof::{PropertyProved, Proved, RtlProved};

use serde::Serialize;

use super::speed::Speed;
use super::steps::Datapath;
use super::{EventReport, Source};
use crate::describe::plan::Constant;
use crate::engine::Identity;

/// Everything.
#[derive(Debug, Clone, Serialize)]
pub struct Summary {
    pub tensorsmith: &'static str,
    pub command: &'static str,
    pub seed: u64,
    /// Vectors of each comparison.
    pub vectors: u64,
    /// Folder of the recordings, as it was given.
    pub recordings: Option<String>,
    pub time: Time,
    /// Engines that ran, and the compiler of this program, with their versions.
    pub tools: Vec<Identity>,
    pub totals: Vec<Total>,
    /// What the column of proofs says.
    pub proof: String,
    /// Rows of the device tables, and how many of them hardware answered for in this call.
    pub rows: usize,
    pub rows_on_hardware: usize,
    pub devices: Vec<DeviceSummary>,
    pub units: Vec<UnitSummary>,
    pub conflicts: Vec<Conflict>,
    /// What inferences found, where they were asked for.
    pub inference: Option<Vec<Inferred>>,
    /// What was proved of units, where it was asked for.
    pub proofs: Option<Vec<Proved>>,
    /// What benchmarks measured, where their files were given.
    pub speed: Vec<Speed>,
    pub mismatches: Vec<Difference>,
    /// Why cells are skipped; a cell's `note` counts from 1.
    pub notes: Vec<String>,
    pub passed: bool,
}

/// When, and how long: all that differs between two runs of the same call.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Time {
    /// Coordinated universal time.
    pub finished: String,
    pub seconds: f64,
}

/// One column of the tables, added up over what ran: nothing is counted twice.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Total {
    pub check: &'static str,
    pub ran: usize,
    pub skipped: usize,
    pub vectors: u64,
    pub mismatches: u64,
}

/// A device.
#[derive(Debug, Clone, Serialize)]
pub struct DeviceSummary {
    pub device: String,
    pub summary: String,
    pub parts: Vec<String>,
    pub architecture: String,
    pub instructions: Vec<Row>,
}

/// What is known about an instruction on a device.
#[derive(Debug, Clone, Serialize)]
pub struct Row {
    pub instruction: String,
    pub a: String,
    pub b: String,
    pub c: String,
    pub d: String,
    pub units: Vec<String>,
    /// How well the composition is known.
    pub evidence: String,
    pub conflicts: Vec<String>,
    #[serde(flatten)]
    pub checks: Checks,
    pub recordings: Cell,
    /// Which silicon stands behind the row: `unverified on hardware` where none does.
    pub on_hardware: Cell,
}

/// What comparing engines found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Checks {
    pub emulator_reference: Cell,
    pub rtl_emulator: Cell,
    pub live: Cell,
    pub proof: Cell,
}

/// A unit.
#[derive(Debug, Clone, Serialize)]
pub struct UnitSummary {
    pub unit: String,
    pub summary: String,
    pub devices: Vec<String>,
    #[serde(flatten)]
    pub checks: Checks,
    /// Recordings of the unit itself.
    pub recordings: Cell,
    /// Events of the datapath that can happen, and how many of them did.
    pub events_reachable: usize,
    pub events_reached: usize,
    pub events: Vec<EventReport>,
    pub parameters: Vec<Parameter>,
    pub constants: Vec<Constant>,
    pub sources: Vec<Source>,
    pub datapath: Datapath,
    /// What the lines of the text picture show, and the lines.
    pub window_heading: &'static str,
    pub window: Vec<String>,
}

/// A row of a unit's parameter table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Parameter {
    pub name: String,
    pub value: String,
}

/// A constant on which sources disagree.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Conflict {
    pub of: String,
    pub constant: String,
    pub source: String,
    /// Devices with an instruction that depends on it.
    pub devices: Vec<String>,
}

/// A first mismatch.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Difference {
    pub of: String,
    pub check: String,
    pub text: String,
}

impl Total {
    fn of(check: &'static str) -> Total {
        Total { check, ran: 0, skipped: 0, vectors: 0, mismatches: 0 }
    }

    fn add(&mut self, cell: &Cell) {
        match cell.state {
            State::Skipped => self.skipped += 1,
            _ => self.ran += 1,
        }
        self.vectors += cell.vectors;
        self.mismatches += cell.mismatches;
    }
}
