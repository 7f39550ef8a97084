//! A design that is proved, run in simulators: they read its files by themselves, and may read them otherwise than Yosys.
//!
//! Shaped vectors with gaps, stops and resets, the same ones each time. It proves nothing: it may only refute.

use crate::describe::unit::Unit;
use crate::design::{Design, Simulator, is_vhdl};
use crate::engine::{self, Opened};
use crate::prove::rtl::simulators::{ICARUS_VECTORS, VERILATOR_VECTORS, answers, run};
use crate::prove::rtl::{Simulated, Simulation};

/// Runs a design on shaped vectors in each simulator that reads its language.
pub fn simulate(unit: &Unit, design: &Design) -> Vec<Simulated> {
    let mut simulators =
        vec![("verilator", Simulator::Verilator, VERILATOR_VECTORS), ("icarus", Simulator::Icarus, ICARUS_VECTORS)];
    // The others run the Verilog that GHDL makes of VHDL.
    if is_vhdl(&design.said) {
        simulators.push(("ghdl", Simulator::Ghdl, ICARUS_VECTORS));
    }
    let simulated = simulators.into_iter().map(|(simulator, kind, vectors)| Simulated {
        simulator,
        module: design.said.top.clone(),
        simulation: simulation(unit, &Design { simulator: kind, ..design.clone() }, vectors),
    });
    simulated.collect()
}

fn simulation(unit: &Unit, design: &Design, vectors: u64) -> Simulation {
    let mut engine = match engine::Simulated::open(design, &unit.interface()) {
        Ok(Opened::Ready(engine)) => engine,
        Ok(Opened::Absent(reason)) => return Simulation::Skipped(reason.to_string()),
        Err(error) => {
            // Behind the design file stands what it first objects to.
            let why = error.message.lines().nth(1).unwrap_or(&error.message).trim();
            return Simulation::Skipped(format!("it does not read the files: {why}"));
        }
    };
    let version = engine.identity().version;
    let simulation = run(unit, version.clone(), vectors, &mut |batch| answers(&mut *engine, batch));
    simulation.unwrap_or_else(|error| Simulation::Fails { version, why: error.message })
}

/// Why a design is not proved after all: a simulator has another result, or none ran its source.
pub fn contradiction(simulated: &[Simulated]) -> Option<Contradiction> {
    let of = |one: &Simulated| match &one.simulation {
        Simulation::Differs { index, answer, emulator, .. } => {
            Some(format!("{} returns {answer} for vector {index}, the emulator {emulator}", one.simulator))
        }
        Simulation::Fails { why, .. } => Some(format!("in {}: {why}", one.simulator)),
        Simulation::Agrees { .. } | Simulation::Skipped(_) => None,
    };
    if let Some(what) = simulated.iter().find_map(of) {
        return Some(Contradiction::Otherwise(what));
    }
    let skipped = simulated.iter().filter_map(|one| match &one.simulation {
        Simulation::Skipped(why) => Some(format!("{}: {why}", one.simulator)),
        _ => None,
    });
    let skipped: Vec<String> = skipped.collect();
    // GHDL alone runs the source of VHDL.
    let is_source_run = simulated.last().is_some_and(|one| one.simulator != "ghdl" || ran(one));
    (!is_source_run || !simulated.iter().any(ran)).then(|| Contradiction::NotRun(skipped.join("; ")))
}

fn ran(simulated: &Simulated) -> bool {
    matches!(simulated.simulation, Simulation::Agrees { .. })
}

/// What simulators have against a proof.
pub enum Contradiction {
    Otherwise(String),
    NotRun(String),
}
