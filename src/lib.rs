//! tensorsmith: describe a multi-operand floating-point dot-product unit once; get SystemVerilog, a bit-exact emulator and
//! evidence that they agree with each other and with real matrix hardware.
//!
//! The folders tell the story in order; each depends only on those above it: [`describe`] says what a unit is,
//! [`compute`] what it answers, [`emit`] what it looks like, [`engine`] are the things that answer, [`check`] asks whether
//! they agree, [`infer`] finds a description from answers alone,
//! [`prove`] settles what testing cannot, [`report`] says what came of it. The command line, `src/cli`, belongs to the
//! program.

pub use tensorsmith_numerics::{compute, describe};

pub mod emit;

pub mod engine;

pub mod check;

pub mod infer;

pub mod prove;

pub mod report;

/// What tests inside the library share with those beside it.
#[cfg(test)]
#[path = "../tests/support/skip.rs"]
mod skip;
