//! What is proved: the terms that stand for a unit are that unit.

mod terms;

#[path = "../support/random_unit.rs"]
mod random_unit;
#[path = "../support/mod.rs"]
mod shared;
