//! Summation schemes: each composes the stages in its own order.

pub mod block_scaled;
pub mod fused;
pub mod fused_then_add;
pub mod integer;
pub mod operations;
