//! cuInit, devices, contexts and error names.

use std::ffi::{CString, c_char, c_int, c_uint};

use super::give;
use crate::driver::{call, call_in_context, codes};
use crate::ptx;

/// CUdevice_attribute numbers that are answered.
const MAX_THREADS_PER_BLOCK: c_int = 1;
const MAX_SHARED_MEMORY_PER_BLOCK: c_int = 8;
const WARP_SIZE: c_int = 10;
const MULTIPROCESSOR_COUNT: c_int = 16;
const COMPUTE_CAPABILITY_MAJOR: c_int = 75;
const COMPUTE_CAPABILITY_MINOR: c_int = 76;

#[unsafe(no_mangle)]
pub extern "C" fn cuInit(flags: c_uint) -> c_int {
    call("cuInit", |driver| match flags {
        0 => driver.initialise(),
        _ => Err(codes::INVALID_VALUE),
    })
}

/// # Safety
/// `version` is null or valid for a write.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDriverGetVersion(version: *mut c_int) -> c_int {
    // SAFETY: as the caller promises.
    call("cuDriverGetVersion", |_| unsafe { give(version, ptx::DRIVER_VERSION) })
}

/// # Safety
/// `count` is null or valid for a write.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDeviceGetCount(count: *mut c_int) -> c_int {
    call("cuDeviceGetCount", |driver| {
        let devices = driver.config()?.devices;
        // SAFETY: as the caller promises.
        unsafe { give(count, devices) }
    })
}

/// # Safety
/// `device` is null or valid for a write.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDeviceGet(device: *mut c_int, ordinal: c_int) -> c_int {
    call("cuDeviceGet", |driver| {
        driver.device(ordinal)?;
        // SAFETY: as the caller promises.
        unsafe { give(device, ordinal) }
    })
}

/// # Safety
/// `name` is null or valid for `length` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDeviceGetName(name: *mut c_char, length: c_int, device: c_int) -> c_int {
    call("cuDeviceGetName", |driver| {
        driver.device(device)?;
        let full = CString::new(format!("Fake {}", driver.config()?.device.name)).map_err(|_| codes::UNKNOWN)?;
        let room = usize::try_from(length).ok().filter(|room| *room > 0).ok_or(codes::INVALID_VALUE)?;
        if name.is_null() {
            return Err(codes::INVALID_VALUE);
        }
        let text = full.as_bytes();
        let shown = text.len().min(room - 1);
        // SAFETY: `shown` and the final zero are at most `length` bytes.
        unsafe {
            name.cast::<u8>().copy_from_nonoverlapping(text.as_ptr(), shown);
            name.add(shown).write(0);
        }
        Ok(())
    })
}

/// # Safety
/// `value` is null or valid for a write.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDeviceGetAttribute(value: *mut c_int, attribute: c_int, device: c_int) -> c_int {
    call("cuDeviceGetAttribute", |driver| {
        driver.device(device)?;
        let arch = driver.config()?.arch as c_int;
        let answer = match attribute {
            MAX_THREADS_PER_BLOCK => 1024,
            MAX_SHARED_MEMORY_PER_BLOCK => 48 << 10,
            WARP_SIZE => 32,
            MULTIPROCESSOR_COUNT => 4,
            COMPUTE_CAPABILITY_MAJOR => arch / 10,
            COMPUTE_CAPABILITY_MINOR => arch % 10,
            _ => return Err(codes::INVALID_VALUE),
        };
        // SAFETY: as the caller promises.
        unsafe { give(value, answer) }
    })
}

/// # Safety
/// `context` is null or valid for a write.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuDevicePrimaryCtxRetain(context: *mut u64, device: c_int) -> c_int {
    call("cuDevicePrimaryCtxRetain", |driver| {
        let handle = driver.retain(device)?;
        // SAFETY: as the caller promises.
        unsafe { give(context, handle) }
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn cuDevicePrimaryCtxRelease_v2(device: c_int) -> c_int {
    call("cuDevicePrimaryCtxRelease_v2", |driver| driver.release(device))
}

#[unsafe(no_mangle)]
pub extern "C" fn cuCtxSetCurrent(context: u64) -> c_int {
    call("cuCtxSetCurrent", |driver| driver.set_current(context))
}

#[unsafe(no_mangle)]
pub extern "C" fn cuCtxSynchronize() -> c_int {
    call_in_context("cuCtxSynchronize", |_| Ok(()))
}

/// # Safety
/// `name` is null or valid for a write.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuGetErrorName(error: c_int, name: *mut *const c_char) -> c_int {
    call("cuGetErrorName", |_| {
        let text = codes::describe(error).map(|(name, _)| name);
        // SAFETY: as the caller promises.
        unsafe { give(name, text.map_or(std::ptr::null(), std::ffi::CStr::as_ptr)) }?;
        text.map(|_| ()).ok_or(codes::INVALID_VALUE)
    })
}

/// # Safety
/// `text` is null or valid for a write.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cuGetErrorString(error: c_int, text: *mut *const c_char) -> c_int {
    call("cuGetErrorString", |_| {
        let found = codes::describe(error).map(|(_, text)| text);
        // SAFETY: as the caller promises.
        unsafe { give(text, found.map_or(std::ptr::null(), std::ffi::CStr::as_ptr)) }?;
        found.map(|_| ()).ok_or(codes::INVALID_VALUE)
    })
}
