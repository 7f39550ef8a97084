//! Proofs of the emitted SystemVerilog: graphs, the solver and its proofs, netlists, obligations, and faults that each of
//! them must catch.

mod certificates;
mod command;
mod composition;
#[cfg(feature = "rtl")]
mod design_traps;
#[cfg(feature = "rtl")]
mod designs;
mod faults;
mod graphs;
mod interrupted;
mod lists;
mod mutants;
mod mutation;
mod netlists;
mod outside;
mod pipelines;
mod reading;
mod registers;
mod solver;
use crate::support::{self, unit};
mod targets;
mod terms;
mod traps;
mod twins;
mod units;

use std::sync::OnceLock;
use std::time::Duration;

use tensorsmith::describe::unit::Unit;
use tensorsmith::emit::{self, SourceFile};
use tensorsmith::prove::netlist::{self, Netlist};
use tensorsmith::prove::rtl::{self, Means, Problem, RtlProof};

/// Of one proof, and of Yosys' reading.
const LIMIT: Duration = Duration::from_secs(300);

/// Yosys, as the prover finds it; without it the check is skipped.
fn needs_yosys(check: &str) -> Option<()> {
    support::needed(&format!("{check}-yosys"), netlist::version()).map(drop)
}

/// The files of a unit's combinational module, its leaves first.
fn files(unit: &Unit) -> Vec<SourceFile> {
    emit::module(unit).expect("it is emitted")
}

fn read(unit: &Unit) -> Netlist {
    netlist::read(&unit.module_name(), &files(unit), LIMIT).expect("yosys reads it")
}

fn problem(unit: &Unit) -> Problem {
    rtl::pair(unit, read(unit)).expect("netlist and text have the same signals")
}

/// Volta's unit as Yosys reads it, and its proof, made once for all tests that begin with them.
struct Volta {
    unit: Unit,
    problem: Problem,
    proof: RtlProof,
}

fn volta() -> &'static Volta {
    static VOLTA: OnceLock<Volta> = OnceLock::new();
    VOLTA.get_or_init(|| {
        let unit = unit("volta-fp16-fp32");
        let problem = problem(&unit);
        let proof = prove(&unit, &problem);
        Volta { unit, problem, proof }
    })
}

fn prove(unit: &Unit, problem: &Problem) -> RtlProof {
    rtl::prove(unit, problem, &Means::within(LIMIT), &|_| {})
}
