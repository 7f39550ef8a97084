//! SystemVerilog against the datapath text, for all inputs: stage by stage, cut at the netlist's named signals.
//!
//! The statement: every named signal and every output of the netlist has, for all operands, the number that the text gives
//! it. It is proved by induction along the datapath. In each step the signals before it are free variables in the ranges
//! that the text's claims leave them, the same on both sides; what a step relies on was concluded before.
//!
//! Architecture invariant: obligations are cut out of the netlist that Yosys read, never out of what a generator meant.

mod answer;
mod composition;
mod delays;
mod discharge;
mod inner;
mod kept;
mod linear;
mod maximum;
mod miter;
mod named;
mod problem;
mod registers;
mod run;
pub(super) mod simulators;
mod unit;
mod verdict;
mod witness;

pub use answer::Method;
pub use composition::{Composition, Step, StepKind, check};
pub use delays::{check_wrapper, combinational};
pub use discharge::Means;
pub use kept::Kept;
pub use problem::{Cut, Lemma, Problem, pair, text};
pub use registers::{Registered, check as check_registers};
pub use run::{Progress, clauses, prove, prove_claims};
pub use simulators::{SEED, Simulated, Simulation, simulate};
pub use unit::{Answered, Files, UnitProof, UnitProofError, prove_unit};
pub use verdict::{Obligation, Outcome, RtlProof, Verdict};
pub use witness::{Settled, Whole, Witness, patterns, vector};
