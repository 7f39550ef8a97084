//! How far the C++ of models is optimised.

use super::Error;
use std::env;

/// The variable that says so for units built at run time; those linked into the program are always optimised, and so are designs.
const VARIABLE: &str = "TENSORSMITH_MODEL_OPTIMISATION";
/// By its number: options for what runs for every vector, and for what runs seldom.
const LEVELS: [(&str, Optimisation); 4] = [
    ("0", Optimisation { often: "-O0", seldom: "-O0" }),
    ("1", Optimisation { often: "-O1", seldom: "-O1" }),
    ("2", Optimisation { often: "-O2", seldom: "-O1" }),
    ("3", Optimisation { often: "-O3", seldom: "-O1" }),
];

/// Options of the C++ compiler.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Optimisation {
    /// Of units.
    pub often: &'static str,
    /// Of the run-time library, which is off every hot path and half of the time before a first user's vector; and of units with
    /// readable signals, which are asked for few vectors.
    pub seldom: &'static str,
}

impl Default for Optimisation {
    fn default() -> Self {
        LEVELS[2].1
    }
}

impl Optimisation {
    /// What the variable says; the default where it is not set.
    pub fn from_environment() -> Result<Self, Error> {
        let Some(named) = env::var_os(VARIABLE).filter(|named| !named.is_empty()) else {
            return Ok(Self::default());
        };
        let found = LEVELS.into_iter().find(|(level, _)| named == *level).map(|(_, optimisation)| optimisation);
        found.ok_or_else(|| {
            Error::Variable(format!("the variable {VARIABLE} is {}, allowed: 0, 1, 2 or 3", named.to_string_lossy()))
        })
    }
}
