//! A solver for the tests.

use std::time::Duration;

use tensorsmith::prove::Prover;
use tensorsmith::prove::settle::{Statement, Task, settle};
use tensorsmith::prove::solver::{Limits, Program, Solver};

use crate::prove::shared::needed;

/// The default solver, which asks everything anew; where there is none, the check is skipped.
pub fn prover() -> Option<Prover> {
    prover_of(Program::Bitwuzla)
}

pub fn prover_of(program: Program) -> Option<Prover> {
    let solver = needed(&format!("prove-{}", program.name()), Solver::find(program))?;
    Some(Prover::new(solver, Limits { time: Duration::from_secs(600), memory_bytes: 4 << 30 }))
}

/// One statement, settled, with its time.
pub fn settled(task: Task, prover: &Prover) -> Statement {
    let mut statements = settle(&[task], prover, 1, &|| ()).unwrap_or_else(|error| panic!("{error}"));
    let statement = statements.remove(0);
    println!("{}: {}, {:.2} s", statement.name, statement.verdict().name(), statement.seconds());
    statement
}
