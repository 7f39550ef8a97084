//! The exported functions: pointers of the caller in and out, and nothing else. Each takes what CUDA's header declares, and
//! answers a CUresult.

#![allow(non_snake_case, reason = "the names are those of the CUDA Driver API")]

mod context;
mod memory;
mod module;

use crate::driver::Answer;
use crate::driver::codes;

/// Writes a result where the caller wants it.
///
/// # Safety
/// `to` is null or valid for a write.
unsafe fn give<T>(to: *mut T, value: T) -> Answer {
    if to.is_null() {
        return Err(codes::INVALID_VALUE);
    }
    // SAFETY: not null, and valid as the caller promises.
    unsafe { to.write_unaligned(value) };
    Ok(())
}
