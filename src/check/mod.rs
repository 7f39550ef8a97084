//! Do they agree? Stimulus, directed probes, comparison, shrinking and case files.

pub mod black_box;
pub mod campaign;
pub mod case;
pub mod compare;
pub mod golden;
pub mod matrices;
pub mod pairs;
pub mod probe;
pub mod replay;
mod shrink;
pub mod signature;
pub mod suite;

pub use tensorsmith_numerics::stimulus;
