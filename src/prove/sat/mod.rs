//! Questions about graphs answered by search: a solver for clauses, sweeping for equal nodes, and proofs that are checked.
//!
//! A refutation counts only after its LRAT proof was checked, a model only after it was simulated.

pub mod lrat;

mod analyse;
mod equal;
mod numbers;
mod order;
mod search;
mod solver;
mod sweep;

pub use equal::{Found, Limits, Progress, Swept, none_hold};
pub use numbers::{Known, Number};
pub use solver::{Answer, Solver};
pub use sweep::{Outcome, Refutation, Verdict, clauses, prove_never};
