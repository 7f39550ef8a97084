//! SystemVerilog against the datapath text, for all inputs: stage by stage, cut at the netlist's named signals.

pub mod discharge;
pub mod linear;
pub mod maximum;
pub mod miter;
pub mod order;
pub mod problem;
