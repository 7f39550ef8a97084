//! The number formats against independent implementations and against their definitions.
//!
//! Every checker is one function that counts what it compared and what differed. Each runs on the real formats, where
//! nothing may differ, and on a deliberately wrong format or rounding, where something must.

mod apfloat;
mod classes;
mod decode;
mod definition;
mod encode;
mod encode_crates;
mod exact;
mod holds;
mod integers;
mod midpoints;
mod neighbours;
mod numbers_of_binary64;
mod random;
mod rounding;
mod tally;
mod wrong;
