//! What a unit answers: the datapath text over machine words or solver terms, and the reference that shares nothing with it.

pub mod datapath;
pub mod events;
mod inputs;
pub mod record;
pub mod reference;
pub mod word;

pub use inputs::Inputs;
