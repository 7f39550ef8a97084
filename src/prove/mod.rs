//! For all inputs: what testing cannot settle.

mod terms;

pub use terms::{InputTerms, UnitTerms};
