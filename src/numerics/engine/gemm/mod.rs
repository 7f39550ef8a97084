//! Whole matrices, D = A B + C, as an instruction computes them, at speed: operands are decoded once, tiles of D go to all
//! threads, and a kernel by hand computes as many elements at a time as a register has lanes: `singles` on every level of
//! instructions, `avx512` with what only that level has. K is taken in blocks as the
//! instruction takes it, and each block adds to the result of the one before. Chains of IEEE 754 operations are left to the
//! processor, which has them: `chain`.
//!
//! Architecture invariant: answers are the emulator's, bit for bit.

#[cfg(target_arch = "x86_64")]
mod avx512;
mod chain;
mod decode;
mod elements;
mod kernel;
mod numbers;
mod panel;
mod singles;
mod store;
mod tiles;

pub use chain::Chain;
pub use elements::{Elements, Matrix};
pub use numbers::{Exponents, Numbers, Scale, Target};
pub use store::{Lent, Store};
pub use tiles::Gemm;
