//! What a unit is: number formats, descriptions of units, instructions and devices, the catalogue, and the plan derived from a
//! description.
//!
//! Architecture invariant: nothing here computes a dot product.

pub mod arithmetic;
pub mod catalogue;
mod check;
pub mod defaults;
pub mod device;
pub mod file;
pub mod format;
pub mod fragment;
pub mod instruction;
pub mod interface;
pub mod plan;
pub mod subject;
pub mod text;
pub mod unit;
mod words;
