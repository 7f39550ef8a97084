//! One cell of the tables.

use serde::Serialize;

use crate::check::compare::Ran;
use crate::check::pairs::Agreement;
use crate::report::{RecordingReport, UNVERIFIED, thousands};

/// How a cell is to be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum State {
    /// Ran in this call, and nothing differed.
    Agreed,
    /// Ran in this call, and something differed.
    Differed,
    /// Did not run: `reason` says why.
    Skipped,
    /// There is nothing to run.
    None,
}

/// What was run for a row in this call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Cell {
    pub state: State,
    pub text: String,
    /// Engines or recordings that took part.
    pub by: Vec<String>,
    pub vectors: u64,
    pub mismatches: u64,
    pub reason: Option<String>,
    /// Number of the reason among the notes.
    pub note: Option<usize>,
}

impl Cell {
    /// Nothing was run because there is nothing, in words.
    pub fn none(text: impl Into<String>) -> Cell {
        Cell {
            state: State::None,
            text: text.into(),
            by: Vec::new(),
            vectors: 0,
            mismatches: 0,
            reason: None,
            note: None,
        }
    }

    /// That many vectors ran.
    pub fn ran(by: Vec<String>, vectors: u64, mismatches: u64) -> Cell {
        let state = if mismatches == 0 { State::Agreed } else { State::Differed };
        let text = format!("{} of {} differ", thousands(mismatches), thousands(vectors));
        Cell { state, by, vectors, mismatches, ..Cell::none(text) }
    }

    /// Something is missing.
    pub fn skipped(reason: &str) -> Cell {
        let text = format!("skipped, because {reason}");
        Cell { state: State::Skipped, reason: Some(reason.to_owned()), ..Cell::none(text) }
    }

    /// The same with other words.
    pub fn worded(self, text: impl Into<String>) -> Cell {
        Cell { text: text.into(), ..self }
    }

    /// What comparing two engines found.
    pub fn of(outcome: &Agreement) -> Cell {
        match outcome {
            Agreement::Skipped { reason, .. } => Cell::skipped(reason),
            Agreement::Compared(comparison) => {
                let names = comparison.engines.iter().map(|ran| match ran {
                    Ran::Vectors { identity, .. } => identity.engine.clone(),
                    Ran::Skipped { engine, .. } => engine.clone(),
                });
                Cell::ran(names.collect(), comparison.compared, comparison.mismatches)
            }
        }
    }

    /// The rows of a recording, each counted once however many engines ran it; nothing if none did.
    pub fn recorded(recording: &RecordingReport) -> Option<Cell> {
        let ran = || recording.engines.iter().filter(|engine| engine.skipped.is_none());
        let rows = ran().map(|engine| engine.vectors).max()?;
        let mismatches = ran().map(|engine| engine.mismatches).max()?;
        Some(Cell::ran(vec![recording.device.clone()], rows, mismatches))
    }

    /// The first engine of real hardware that answered, or why none did.
    pub fn live(outcomes: &[Agreement]) -> Cell {
        let cells: Vec<Cell> = outcomes.iter().map(Cell::of).collect();
        if let Some(ran) = cells.iter().find(|cell| cell.state != State::Skipped) {
            return ran.clone();
        }
        let reasons: Vec<&str> = cells.iter().filter_map(|cell| cell.reason.as_deref()).collect();
        match reasons.is_empty() {
            true => Cell::skipped("this program has no engine that runs on hardware"),
            false => Cell::skipped(&reasons.join("; ")),
        }
    }

    /// Which silicon stands behind a row, in this call or by the catalogue's word.
    pub fn on_hardware(live: &Cell, recordings: &Cell, recorded: &[String]) -> Cell {
        // What another part answered has no engine to its name here.
        let live = live.by.first().map(|machine| (live, format!("live: {machine}")));
        let recordings = (recordings, format!("recordings: {}", recordings.by.join(", ")));
        for (cell, silicon) in live.into_iter().chain([recordings]) {
            match cell.state {
                State::Agreed => return Cell::worded(cell.clone(), silicon),
                State::Differed => return Cell::worded(cell.clone(), format!("{silicon} differ")),
                State::Skipped | State::None => {}
            }
        }
        match recorded.is_empty() {
            true => Cell::none(UNVERIFIED),
            false => Cell::none(format!("not run here; recordings of {} exist", recorded.join(", "))),
        }
    }
}
