//! For all inputs: what testing cannot settle.
//!
//! Architecture invariant: a verdict is *proved*, *refuted* with a witness that was run again, or *unknown* with the limit
//! that was met; never anything in between.

pub mod aig;
mod ask;
pub mod certificate;
#[cfg(feature = "rtl")]
pub mod design;
pub mod difference;
pub mod hypotheses;
pub mod netlist;
mod numbers;
mod order;
pub mod property;
mod question;
pub mod reading;
pub mod rtl;
pub mod sat;
pub mod settle;
pub mod smt;
pub mod solver;
pub mod sum;
mod terms;
pub mod valpey;

pub use ask::{Asked, Prover};
pub use question::{Confirmed, Cut, Found, Outcome, Part, Question, Unconfirmed, any_broken_claim};
pub use terms::{InputTerms, UnitTerms};
