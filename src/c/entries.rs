//! What a library and a handle say of themselves.
#![allow(unsafe_code, reason = "C functions are exported, and take the caller's pointers")]

use std::ffi::{CString, c_char};
use std::sync::LazyLock;
use std::sync::atomic::Ordering;

use crate::abi::{TENSORSMITH_ABI_MAJOR, TENSORSMITH_ABI_MINOR};
use crate::memory::{give, shared};
use crate::open::names;
use crate::status::{Failure, Status, entry};
use crate::unit::{Shape, Unit};

/// Number of the operand a.
pub const TENSORSMITH_A: u32 = 0;
/// Number of the operand b.
pub const TENSORSMITH_B: u32 = 1;
/// Number of the addend c.
pub const TENSORSMITH_C: u32 = 2;
/// Number of the result d.
pub const TENSORSMITH_D: u32 = 3;
/// Number of the scales of a.
pub const TENSORSMITH_SCALE_A: u32 = 4;
/// Number of the scales of b.
pub const TENSORSMITH_SCALE_B: u32 = 5;

/// In an element of flags: the largest finite number is exceeded.
pub const TENSORSMITH_OVERFLOW: u8 = 1;
/// In an element of flags: a signalling NaN, infinity times zero, or infinite terms of both signs.
pub const TENSORSMITH_INVALID: u8 = 2;

static NAMES: LazyLock<Vec<CString>> =
    LazyLock::new(|| names().into_iter().map(|name| CString::new(name).unwrap_or_default()).collect());

/// The version of the library, such as "0.1.0".
#[unsafe(no_mangle)]
pub extern "C" fn tensorsmith_version() -> *const c_char {
    const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "\0");
    VERSION.as_ptr().cast()
}

/// The version of the interface: 65536 * TENSORSMITH_ABI_MAJOR + TENSORSMITH_ABI_MINOR of the library that is loaded. A program
/// runs with one of the same major and of the same or a greater minor version than it was built for.
#[unsafe(no_mangle)]
pub extern "C" fn tensorsmith_abi_version() -> u32 {
    TENSORSMITH_ABI_MAJOR << 16 | TENSORSMITH_ABI_MINOR
}

/// The name of a unit or an instruction of the catalogue, from 0 on; null behind the last.
#[unsafe(no_mangle)]
pub extern "C" fn tensorsmith_catalogue_name(index: usize) -> *const c_char {
    let mut name = std::ptr::null();
    entry(|| {
        name = NAMES.get(index).map_or(name, |found| found.as_ptr());
        Ok(())
    });
    name
}

/// Sizes of a unit or an instruction.
///
/// # Safety
/// `unit` is open; `shape` points to room.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tensorsmith_shape_of(unit: *const Unit, shape: *mut Shape) -> Status {
    // SAFETY: the caller's promise.
    entry(|| unsafe { give("shape", shape, shared("unit", unit)?.shape()) })
}

/// The name of a unit or an instruction. It lives until the unit is closed; null after an error.
///
/// # Safety
/// `unit` is open.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tensorsmith_name_of(unit: *const Unit) -> *const c_char {
    let mut name = std::ptr::null();
    entry(|| {
        // SAFETY: the caller's promise.
        name = unsafe { shared("unit", unit)? }.name.as_ptr();
        Ok(())
    });
    name
}

/// The name of the format of TENSORSMITH_A and so on, such as "binary16"; empty where there is no such operand. It lives until the
/// unit is closed; null after an error.
///
/// # Safety
/// `unit` is open.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tensorsmith_format_of(unit: *const Unit, operand: u32) -> *const c_char {
    let mut name = std::ptr::null();
    entry(|| {
        // SAFETY: the caller's promise.
        let formats = unsafe { &shared("unit", unit)?.formats };
        let found = formats.get(operand as usize);
        name =
            found.ok_or_else(|| Failure::value("operand", operand, "TENSORSMITH_A to TENSORSMITH_SCALE_B"))?.as_ptr();
        Ok(())
    });
    name
}

/// An event of the datapath that a unit can show, from 0 on, and in how many of the vectors of tensorsmith_run_counted it happened.
/// Behind the last one *name is null and *count is how many vectors that were. Instructions have no events.
///
/// # Safety
/// `unit` is open; `name` and `count` point to room.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn tensorsmith_event(
    unit: *const Unit,
    index: usize,
    name: *mut *const c_char,
    count: *mut u64,
) -> Status {
    entry(|| {
        // SAFETY: the caller's promise.
        let unit = unsafe { shared("unit", unit)? };
        let found = unit.events.get(index);
        let named = found.map_or(std::ptr::null(), |event| event.name.as_ptr());
        let counted = found.map_or_else(|| unit.vectors(), |event| event.count.load(Ordering::Relaxed));
        // SAFETY: the caller's promise.
        unsafe {
            give("name", name, named)?;
            give("count", count, counted)
        }
    })
}

/// Panics, so that a test sees what becomes of that.
#[cfg(feature = "planted-panic")]
#[unsafe(no_mangle)]
pub extern "C" fn tensorsmith_planted_panic() -> Status {
    entry(|| panic!("planted"))
}
