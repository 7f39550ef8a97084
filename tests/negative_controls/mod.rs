//! Planted faults, each a unit or an emitted file that differs from the right one in one place: the default stimulus must
//! catch every one within a million vectors. Where a change is provably without effect, that is asserted instead.

use crate::support;

mod additions;
mod emitted;
mod exact;
mod fma;
mod harness;
mod integers;
mod late_addend;
mod operations;
mod riscv;
mod scales;
mod units;
