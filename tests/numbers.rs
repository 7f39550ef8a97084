//! What units answer: number formats, the emulator against the definition, whole matrices.

mod formats;
mod gemm;
mod random_units;
mod steps;
mod study;
mod support;
