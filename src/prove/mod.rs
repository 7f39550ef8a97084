//! For all inputs: what testing cannot settle.
//!
//! Architecture invariant: a verdict is *proved*, *refuted* with a witness that was run again, or *unknown* with the limit
//! that was met; never anything in between.

pub mod aig;
pub mod certificate;
pub mod netlist;
pub mod rtl;
pub mod sat;
mod terms;

pub use terms::{InputTerms, UnitTerms};
