//! What was proved of files, run in simulators: they read the files by themselves, and may read them otherwise than Yosys.
//!
//! Shaped vectors, the same ones each time. It proves nothing: it may only refute.

use super::unit::{Files, UnitProofError};
use crate::check::stimulus::{CHUNK, Stimulus};
use crate::describe::unit::Unit;
use crate::engine::{Batch, Emulator, Engine, EngineError, Icarus, Opened, Vector, verilated};

/// Vectors that each simulator runs: every class of shaped vectors, many times.
pub const VECTORS: u64 = 4 * CHUNK as u64;

/// The seed of the vectors.
pub const SEED: u64 = 1;

/// What became of some files in a simulator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Simulated {
    pub simulator: &'static str,
    pub simulation: Simulation,
}

/// A simulation, or why there was none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Simulation {
    /// So many vectors were answered as the emulator answers them.
    Agrees {
        version: String,
        vectors: u64,
    },
    /// The first vector that was not: its number from 0 on, and both answers as they are written.
    Differs {
        version: String,
        index: u64,
        vector: Box<Vector>,
        answer: String,
        emulator: String,
    },
    Skipped(String),
}

/// Runs files that are proved on shaped vectors in Verilator and Icarus.
///
/// # Errors
/// A simulator refuses the files. What Icarus does not read is skipped where Verilator reads it.
pub fn simulate(unit: &Unit, files: &Files) -> Result<Vec<Simulated>, UnitProofError> {
    let refused = |error: EngineError| UnitProofError::Files(error.to_string());
    let first = match verilated(unit, &files.core).map_err(refused)? {
        Opened::Ready(mut engine) => {
            let version = engine.identity().version;
            run(unit, version, &mut |batch| answers(&mut *engine, batch)).map_err(refused)?
        }
        Opened::Absent(reason) => Simulation::Skipped(reason.to_string()),
    };
    let second = match Icarus::of_files(unit, &files.core) {
        Ok(Ok(mut icarus)) => {
            let version = icarus.identity().version;
            run(unit, version, &mut |batch| icarus.answers(batch)).map_err(refused)?
        }
        Ok(Err(reason)) => Simulation::Skipped(reason.to_string()),
        Err(error) if matches!(first, Simulation::Skipped(_)) => return Err(refused(error)),
        // Behind the command line stands what it first objects to.
        Err(error) => Simulation::Skipped(format!(
            "it does not read the files: {}",
            error.message.lines().nth(1).unwrap_or(&error.message)
        )),
    };
    Ok(vec![
        Simulated { simulator: "verilator", simulation: first },
        Simulated { simulator: "icarus", simulation: second },
    ])
}

/// An engine's answers as hexadecimal digits.
fn answers(engine: &mut dyn Engine, batch: &Batch) -> Result<Vec<String>, EngineError> {
    let mut results = Vec::new();
    engine.run(batch, &mut results)?;
    Ok(results.into_iter().map(|result| format!("{result:x}")).collect())
}

/// Compares a simulator's answers with the emulator's; the same vectors in one row, since stale values show on a change.
fn run(
    unit: &Unit,
    version: String,
    simulator: &mut dyn FnMut(&Batch) -> Result<Vec<String>, EngineError>,
) -> Result<Simulation, EngineError> {
    let stimulus = Stimulus::shaped(unit, SEED);
    let mut batch = stimulus.empty_batch();
    let (mut emulator, mut expected) = (Emulator::new(unit), Vec::new());
    for chunk in 0..VECTORS / CHUNK as u64 {
        stimulus.fill(chunk, CHUNK, &mut batch);
        emulator.run(&batch, &mut expected)?;
        let answers = simulator(&batch)?;
        let differs = |(answer, expected): (&String, &u64)| u64::from_str_radix(answer, 16) != Ok(*expected);
        if let Some(place) = answers.iter().zip(&expected).position(differs) {
            return Ok(Simulation::Differs {
                version,
                index: chunk * CHUNK as u64 + place as u64,
                vector: Box::new(batch.vector(place)),
                answer: format!("0x{}", answers[place]),
                emulator: format!("{:#x}", expected[place]),
            });
        }
    }
    Ok(Simulation::Agrees { version, vectors: VECTORS })
}
