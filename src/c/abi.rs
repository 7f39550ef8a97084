//! The version of the interface, apart from that of the library: functions, and what structures mean. The build script reads it
//! too.

/// Grows where something changes that programs were built for; the shared library has it in its name for loaders.
pub const TENSORSMITH_ABI_MAJOR: u32 = 1;

/// Grows where something is added.
pub const TENSORSMITH_ABI_MINOR: u32 = 1;
