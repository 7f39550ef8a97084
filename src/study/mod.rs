//! How far whole products are from the truth: a study draws matrices, multiplies them as an algorithm on a matrix unit does,
//! and gives the error as a curve over their size, beside what was published.
//!
//! The TOML form is documented in `STUDY_FILE.md` beside this file; [`Study::from_toml`] reads it.

#![doc = include_str!("STUDY_FILE.md")]

mod check;
mod curve;
mod devices;
mod entries;
mod error;
mod file;
mod matrices;
mod norms;
mod presets;
mod run;
mod trace;
mod truth;
mod words;

pub use curve::Computed;
pub use devices::OnDevice;
pub use entries::Entries;
pub use error::StudyError;
pub use file::{Arithmetic, Claim, Combination, Curve, Distribution, Drawn, Parts, Rounded, Said, Study, Truth, Words};
pub use matrices::Given;
pub use norms::{Errors, Norm};
pub use presets::{PRESETS, Preset, preset};
pub use run::{Point, Run};
pub use trace::{Trace, TracedProduct};
