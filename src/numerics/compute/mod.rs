//! What a unit answers: the datapath text over machine words or solver terms, and the reference that shares nothing with it.

pub mod datapath;
mod inputs;
pub mod reference;
pub mod signals;
pub mod word;

pub use inputs::Inputs;
