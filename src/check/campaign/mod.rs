//! Campaigns: subjects times engines times vectors, cut into pieces that any machines run in any order.
//!
//! A piece is a pure function of the campaign's file and its number, so that what one machine did needs no word with
//! another. Each shard appends one line a finished piece to a file of its own; merging adds the lines of all.
//!
//! Architecture invariant: nothing of time or machine enters a merged result, but the engines' versions.

mod file;
mod maker;
mod merge;
mod piece;
mod results;
mod run;
mod signed;

pub use file::{Campaign, Run};
pub use maker::{Maker, MakerError};
pub use merge::{EngineTotal, Merged, RunTotal, merge};
pub use piece::{EngineCount, First, Made, Outcome, Piece, PieceError};
pub use results::{Header, Results, ResultsError, Shard, read};
pub use run::{Ended, run};
