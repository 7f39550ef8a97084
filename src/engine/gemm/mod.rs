//! Whole matrices, D = A B + C, as an instruction computes them, at speed: operands are decoded once, tiles of D go to all
//! threads, and a kernel by hand on registers of AVX-512 computes 16 elements at a time. K is taken in blocks as the
//! instruction takes it, and each block adds to the result of the one before.
//!
//! Architecture invariant: answers are the emulator's, bit for bit.

#[cfg(not(target_arch = "x86_64"))]
mod absent;
mod decode;
mod elements;
#[cfg(target_arch = "x86_64")]
mod kernel;
mod matrices;
mod numbers;
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "the kernel alone reads tiles"))]
mod panel;
mod product;
#[cfg(target_arch = "x86_64")]
mod special;
mod store;
mod tiles;

pub use elements::{Elements, Matrix};
pub(super) use matrices::with_matrices;
pub use numbers::{Exponents, Numbers, Scale, Target};
pub use product::{Answer, Multiplied, Operands};
pub use store::{Lent, Store};
pub use tiles::Gemm;
