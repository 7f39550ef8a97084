//! Blind inference: what is found from answers alone is the unit that answered, or nothing is found.

mod compositions;
mod files;
mod hard_units;
mod last_look;
mod live;
mod no_effect;
mod otherwise;
mod public_recordings;
mod recorded;
mod recovery;
mod refusal;
mod support;

#[path = "../support/random_unit.rs"]
mod random_unit;
#[path = "../support/mod.rs"]
mod shared;
