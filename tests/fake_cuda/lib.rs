//! A fake of NVIDIA's driver library `libcuda.so.1`, for tests: it exports the functions of the CUDA Driver API and executes
//! the PTX that it is given, on a device of the catalogue. What it knows of PTX comes from NVIDIA's PTX ISA document, and
//! the arithmetic of each matrix instruction from the catalogue's emulator. It never looks at the engine that it tests.
//!
//! `cargo test` builds it as the example `fake_cuda`; `tests/support/library.rs` finds the library.
//!
//! # Environment
//! Read by cuInit; FAKE_CUDA_LOG by every call. A second cuInit reads again.
//!
//! | variable | meaning | default |
//! |---|---|---|
//! | FAKE_CUDA_DEVICES | number of devices; with 0, cuInit answers 100; less than 0 is said as it is | 1 |
//! | FAKE_CUDA_ARCH | compute capability x 10: 70 V100, 75 T4, 80 and 86 A100, 89 Ada, 90 H100, 100 B200, 120 RTX-PRO-6000 | 90 |
//! | FAKE_CUDA_FAIL | `function[:nth]=code`, several with commas: the nth call (first, if not said) of that function does nothing and answers the code | none |
//! | FAKE_CUDA_FAULT | one fault of the hardware, below | none |
//! | FAKE_CUDA_LOG | a file to which each call appends a line: the function's name and its result | none |
//!
//! Faults: `unwritten`, the first store of block (0, 0, 0) of each launch to global memory is dropped, in one thread;
//! `short-read`, cuMemcpyDtoH_v2 copies the first half only, and answers 0; `swapped`, after every matrix instruction the
//! result registers of lanes 0 and 1 of each warp (threads 0 and 1 of a warpgroup) change places; `wrong-bit`, the lowest
//! bit of the first result of thread 0 of block (0, 0, 0) is flipped by every matrix instruction; `transposed`, B is taken
//! as row-major.
//!
//! Further lines of the log: what a kernel did wrong, behind `error:`; at the last release of a context,
//! `released: N allocations and M modules left`.
//!
//! # What it checks beyond a real device
//! Accesses outside of live allocations, misaligned ones, reads of shared memory without a barrier, and wgmma without its
//! fences and waits are errors, never luck. A block whose threads part ways is refused (719). A kernel's error is answered by
//! every call in the context from the next one on, as the real driver does; cuMemFree_v2 and cuModuleUnload give back what
//! they are asked to even then. A .target newer than the device answers
//! 218, one with another architecture's features ("sm_90a" on another device) 209, a PTX version that is too new 222.
//! tcgen05, swizzled or transposed matrices in shared memory, and dynamic shared memory are not executed: 218, or 719.
#![allow(unsafe_code, reason = "the functions of a C library take the caller's pointers")]

mod api;
mod driver;
mod matrix;
mod ptx;
mod run;
