//! What a user's design may use while it is simulated. What uses more is ended, and named.

use std::time::Duration;

/// Limits of one simulation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Time without the end of a clock in Verilator, or without a result in Icarus.
    pub time: Duration,
    /// Bytes of address space.
    pub memory: u64,
    /// Bytes that it may print in all.
    pub output: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { time: Duration::from_secs(30), memory: 4 << 30, output: 64 << 20 }
    }
}
