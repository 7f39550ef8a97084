//! For all inputs: what testing cannot settle.

mod ask;
pub mod difference;
mod numbers;
pub mod property;
mod question;
pub mod settle;
pub mod smt;
pub mod solver;
mod terms;
pub mod valpey;

pub use ask::{Asked, Prover, cache_folder};
pub use question::{Confirmed, Cut, Found, Outcome, Part, Question, Unconfirmed, any_broken_claim};
pub use terms::{InputTerms, UnitTerms};
