//! Summation schemes: each composes the stages in its own order.

pub mod fma_chain;
pub mod fused;
pub mod integer;
