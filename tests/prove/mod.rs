//! What is proved: terms that stand for a unit are that unit, solver text means what terms mean, solvers are believed only where
//! they are right, properties hold, and units that are broken on purpose are refuted.

mod brute_force;
mod difference;
mod inference;
mod properties;
mod slices;
mod smt;
#[cfg(unix)]
mod solvers;
mod sums;
mod support;
mod terms;
mod valpey;
mod witnesses;

use crate::support as shared;
use crate::support::random_unit;
