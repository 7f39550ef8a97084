//! Whole matrices on the matrix kernel against the scalar emulator, bit for bit: every unit and instruction that it serves.

use crate::support;

mod catalogue;
mod chain;
mod faults;
mod promoted;
