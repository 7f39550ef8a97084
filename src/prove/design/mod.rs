//! A design of a user's own against the datapath text of the unit that it should equal, for all operands.
//!
//! The two share no names but those of operands and result. Both become one and-inverter graph over the operands, equal nodes are
//! found by simulation and proved from the inputs on, and at last every bit of the result.
//!
//! Architecture invariant: what is proved follows from a proof that was checked; what is refuted was answered otherwise by the
//! simulated design.

mod both;
mod clocks;
mod run;
mod simulators;

pub use both::Both;
pub use clocks::{Setting, Timed, Unsupported, timed};
pub use run::{DesignProof, DesignProofError, Means, Refuted, Stage, Verdict, prove};
