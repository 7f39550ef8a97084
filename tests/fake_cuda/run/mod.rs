//! Execution of a kernel: the threads of a block go through the statements together, blocks run side by side. Nothing is
//! forgiven: whatever PTX leaves undefined ends the launch with an error.

mod access;
mod compute;
mod cta;
mod hazards;
mod shared;

pub use cta::Cta;

use rayon::prelude::*;

use crate::driver::codes::{self, Code};
use crate::driver::config::Fault;
use crate::driver::memory::Memory;
use crate::ptx::program::Kernel;

/// Threads of a warp.
pub const LANES: usize = 32;
/// First address of static shared memory: not 0, so that a forgotten base is seen.
pub const SHARED_BASE: u64 = 1024;
/// Most threads of a block.
const MOST_THREADS: u32 = 1024;

/// Why a launch ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KernelError {
    pub code: Code,
    pub message: String,
}

impl KernelError {
    pub fn new(code: Code, message: impl Into<String>) -> KernelError {
        KernelError { code, message: message.into() }
    }
}

/// What came of a part of a launch.
pub type Outcome<T> = Result<T, KernelError>;

/// A kernel with everything that it needs.
pub struct Launch<'a> {
    pub kernel: &'a Kernel,
    pub memory: &'a Memory,
    /// The bytes of the parameters, as the kernel lays them out.
    pub parameters: &'a [u8],
    pub grid: [u32; 3],
    pub block: [u32; 3],
    pub fault: Option<Fault>,
}

impl Launch<'_> {
    /// Whether the block has a size that the device and the kernel allow.
    pub fn check(&self) -> Result<(), Code> {
        let threads = self.threads();
        let sizes = self.grid.iter().chain(&self.block).all(|size| *size > 0);
        let required = self.kernel.required_block.is_none_or(|required| required == self.block);
        let largest = self.kernel.largest_block.is_none_or(|largest| threads.is_some_and(|threads| threads <= largest));
        match sizes && threads.is_some_and(|threads| threads <= MOST_THREADS) {
            false => Err(codes::INVALID_VALUE),
            true if required && largest => Ok(()),
            true => Err(codes::LAUNCH_OUT_OF_RESOURCES),
        }
    }

    fn threads(&self) -> Option<u32> {
        self.block.iter().try_fold(1_u32, |product, size| product.checked_mul(*size))
    }

    /// Runs every block.
    pub fn run(&self) -> Outcome<()> {
        let [x, y, z] = self.grid.map(u64::from);
        (0..x * y * z).into_par_iter().try_for_each(|number| {
            let id = [number % x, number / x % y, number / x / y].map(|index| index as u32);
            Cta::new(self, id).run()
        })
    }
}
