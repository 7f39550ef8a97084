//! What a dot-product unit is and what it answers, bit for bit: everything of tensorsmith that is computed often, as a library
//! of its own, because it is optimised where the rest need not be and changes seldom.
//!
//! [`isa`] tells which instructions the processor has, [`lanes`] are its registers, [`describe`] says what a unit is, [`compute`]
//! what it answers, [`engine`] answers many vectors, [`stimulus`] draws them. Each uses only those before it. The library `tensorsmith` shows all of them under its own name.

pub mod isa;

pub mod lanes;

pub mod describe;

pub mod compute;

pub mod engine;

pub mod stimulus;

/// What tests inside the library share with those beside it.
#[cfg(test)]
#[path = "../../tests/support/skip.rs"]
mod skip;
