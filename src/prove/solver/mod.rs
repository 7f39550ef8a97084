//! Solvers of queries: programs of their own, each question a process with a limit of time and of memory.
//!
//! What comes back is never believed without need: a witness is checked on the graph before it is an answer, and anything
//! but a clear answer is `Unknown` with its reason.

mod answer;
mod find;
mod process;

use std::time::Duration;

use dashu_int::IBig;

use super::smt::Query;

pub use find::Missing;

/// The solvers that can be asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, clap::ValueEnum)]
pub enum Program {
    Bitwuzla,
    Z3,
    Cvc5,
}

/// What a question may cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    pub time: Duration,
    pub memory_bytes: u64,
}

impl Limits {
    /// Memory of a question where no other limit is asked for.
    pub const MEMORY_BYTES: u64 = 4096 << 20;
}

/// Why a solver gave no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reason {
    Time(Duration),
    Memory(u64),
    /// It ended without an answer: what it said last.
    Crashed(String),
    /// Its answer is none, or not true.
    Nonsense(String),
    /// It says that it does not know.
    GaveUp,
    /// What it found may be none: why.
    Open(String),
}

impl std::fmt::Display for Reason {
    fn fmt(&self, text: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            Reason::Time(limit) => write!(text, "no answer within {} s", limit.as_secs_f64()),
            Reason::Memory(limit) => write!(text, "no answer within {} MiB of memory", limit >> 20),
            Reason::Crashed(what) => write!(text, "the solver crashed: {what}"),
            Reason::Nonsense(what) => write!(text, "the solver answered nonsense: {what}"),
            Reason::GaveUp => write!(text, "the solver gave up"),
            Reason::Open(why) => write!(text, "{why}"),
        }
    }
}

/// An answer to a query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// There are such values: here they are, one for each variable of the graph, and the graph agrees.
    Satisfiable(Vec<IBig>),
    Unsatisfiable,
    Unknown(Reason),
}

/// A solver that is there.
#[derive(Debug, Clone)]
pub struct Solver {
    program: Program,
    /// The program and what stands before the file.
    command: Vec<std::ffi::OsString>,
    version: String,
}

impl Solver {
    /// Name and version.
    pub fn identity(&self) -> String {
        format!("{} {}", self.program.name(), self.version)
    }

    /// Asks, and returns the answer with the processor time of the solver, or the time that passed where the system tells
    /// nothing else. The limit of time is one of time that passes.
    pub fn ask(&self, query: &Query, limits: Limits) -> (Answer, Duration) {
        let run = process::run(&self.command, &query.text(), limits);
        (answer::of(query, run.outcome, limits), run.time)
    }
}
