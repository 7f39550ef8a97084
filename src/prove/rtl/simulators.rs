//! What was proved of files, run in simulators: they read the files by themselves, and may read them otherwise than Yosys.
//!
//! Shaped vectors, the same ones each time. It proves nothing: it may only refute.

use super::unit::{Files, UnitProofError};
use crate::check::stimulus::{CHUNK, Stimulus};
use crate::describe::unit::Unit;
use crate::emit::SourceFile;
use crate::engine::{Batch, Emulator, Engine, EngineError, Icarus, Opened, Vector, verilated};

/// Vectors that Verilator runs: every class of shaped vectors, many times. Building the model takes longer.
pub(in crate::prove) const VERILATOR_VECTORS: u64 = 4 * CHUNK as u64;
/// Vectors that Icarus runs, which takes some milliseconds a vector.
pub(in crate::prove) const ICARUS_VECTORS: u64 = CHUNK as u64;
/// Vectors that Icarus runs on the clocked wrapper.
const WRAPPER_VECTORS: u64 = CHUNK as u64 / 4;

/// The seed of the vectors.
pub const SEED: u64 = 1;

/// What became of a module in a simulator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Simulated {
    pub simulator: &'static str,
    /// The combinational module or its clocked wrapper.
    pub module: String,
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
    /// The simulator, or the design in it, fails while it runs.
    Fails {
        version: String,
        why: String,
    },
    Skipped(String),
}

/// Runs files that are proved on shaped vectors in Verilator and Icarus.
///
/// # Errors
/// A simulator refuses the files. What Icarus does not read is skipped where Verilator reads it.
pub fn simulate(unit: &Unit, files: &Files) -> Result<Vec<Simulated>, UnitProofError> {
    let refused = |error: EngineError| UnitProofError::Files(error.to_string());
    let verilator = match verilated(unit, &files.core).map_err(refused)? {
        Opened::Ready(mut engine) => {
            let version = engine.identity().version;
            run(unit, version, VERILATOR_VECTORS, &mut |batch| answers(&mut *engine, batch)).map_err(refused)?
        }
        Opened::Absent(reason) => Simulation::Skipped(reason.to_string()),
    };
    let in_icarus =
        |files: &[SourceFile], wrapper: Option<&str>, vectors: u64| match Icarus::of_files(unit, files, wrapper) {
            Ok(Ok(mut icarus)) => {
                let version = icarus.identity().version;
                run(unit, version, vectors, &mut |batch| icarus.answers(batch)).map_err(refused)
            }
            Ok(Err(reason)) => Ok(Simulation::Skipped(reason.to_string())),
            Err(error) if matches!(verilator, Simulation::Skipped(_)) => Err(refused(error)),
            // Behind the command line stands what it first objects to.
            Err(error) => {
                let why = error.message.lines().nth(1).unwrap_or(&error.message);
                Ok(Simulation::Skipped(format!("it does not read the files: {why}")))
            }
        };
    let icarus = in_icarus(&files.core, None, ICARUS_VECTORS)?;
    let (module, wrapper) = (unit.module_name(), files.wrapper.name.trim_end_matches(".sv"));
    let with_wrapper = [&files.core[..], std::slice::from_ref(&files.wrapper)].concat();
    let clocked = in_icarus(&with_wrapper, Some(wrapper), WRAPPER_VECTORS)?;
    let simulated =
        |simulator, module: &str, simulation| Simulated { simulator, module: module.to_owned(), simulation };
    Ok(vec![
        simulated("verilator", &module, verilator),
        simulated("icarus", &module, icarus),
        simulated("icarus", wrapper, clocked),
    ])
}

/// An engine's results as hexadecimal digits.
pub(in crate::prove) fn answers(engine: &mut dyn Engine, batch: &Batch) -> Result<Vec<String>, EngineError> {
    let results = engine.answers(batch)?;
    Ok(results.into_iter().map(|result| format!("{result:x}")).collect())
}

/// Compares a simulator's answers with the emulator's; the same vectors in one row, since stale values show on a change.
pub(in crate::prove) fn run(
    unit: &Unit,
    version: String,
    vectors: u64,
    simulator: &mut dyn FnMut(&Batch) -> Result<Vec<String>, EngineError>,
) -> Result<Simulation, EngineError> {
    let stimulus = Stimulus::shaped(unit, SEED);
    let mut batch = stimulus.empty_batch();
    let (mut emulator, mut expected) = (Emulator::uncounted(unit), Vec::new());
    for chunk in 0..vectors.div_ceil(CHUNK as u64) {
        stimulus.fill(chunk, CHUNK.min(vectors as usize), &mut batch);
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
    Ok(Simulation::Agrees { version, vectors })
}
