//! Memory of the device: allocations, copies and fills. All of them take effect at once.

use std::ffi::{c_int, c_uint, c_void};

use super::give;
use crate::driver::config::Fault;
use crate::driver::{call, call_in_context, codes};

/// # Safety
/// `address` is null or valid for a write.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemAlloc_v2(address: *mut u64, bytes: usize) -> c_int {
    call_in_context("cuMemAlloc_v2", |driver| {
        if bytes == 0 || address.is_null() {
            return Err(codes::INVALID_VALUE);
        }
        let allocated = driver.memory.allocate(bytes as u64).ok_or(codes::OUT_OF_MEMORY)?;
        // SAFETY: as the caller promises.
        unsafe { give(address, allocated) }
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn cuMemFree_v2(address: u64) -> c_int {
    call("cuMemFree_v2", |driver| {
        driver.for_releases()?;
        driver.memory.free(address).ok_or(codes::INVALID_VALUE)?;
        driver.in_context()
    })
}

/// # Safety
/// `from` is valid for `bytes` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemcpyHtoD_v2(to: u64, from: *const c_void, bytes: usize) -> c_int {
    call_in_context("cuMemcpyHtoD_v2", |driver| {
        if bytes == 0 {
            return Ok(());
        }
        if from.is_null() {
            return Err(codes::INVALID_VALUE);
        }
        // SAFETY: not null, and valid for so many bytes as the caller promises.
        let source = unsafe { std::slice::from_raw_parts(from.cast::<u8>(), bytes) };
        driver.memory.write(to, source).ok_or(codes::ILLEGAL_ADDRESS)
    })
}

/// # Safety
/// `to` is valid for writes of `bytes` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuMemcpyDtoH_v2(to: *mut c_void, from: u64, bytes: usize) -> c_int {
    call_in_context("cuMemcpyDtoH_v2", |driver| {
        if bytes == 0 {
            return Ok(());
        }
        if to.is_null() {
            return Err(codes::INVALID_VALUE);
        }
        let mut read = vec![0; bytes];
        driver.memory.read(from, &mut read).ok_or(codes::ILLEGAL_ADDRESS)?;
        let copied = if driver.fault() == Some(Fault::ShortRead) { bytes / 2 } else { bytes };
        // SAFETY: at most `bytes` bytes, for which the caller promises room.
        unsafe { to.cast::<u8>().copy_from_nonoverlapping(read.as_ptr(), copied) };
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn cuMemsetD32_v2(to: u64, value: c_uint, words: usize) -> c_int {
    call_in_context("cuMemsetD32_v2", |driver| {
        if !to.is_multiple_of(4) {
            return Err(codes::INVALID_VALUE);
        }
        let bytes = value.to_le_bytes().repeat(words);
        driver.memory.write(to, &bytes).ok_or(codes::ILLEGAL_ADDRESS)
    })
}
