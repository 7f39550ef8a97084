//! Keeps the library in memory: its worker threads outlive the caller's dlclose, as those of the real driver may.

use std::ffi::{c_char, c_int, c_void};

/// Flags of dlopen in glibc: the library is there already, and stays.
const RTLD_NOW: c_int = 0x2;
const RTLD_NOLOAD: c_int = 0x4;
const RTLD_NODELETE: c_int = 0x1000;

/// Dl_info of glibc.
#[repr(C)]
struct Information {
    file: *const c_char,
    base: *mut c_void,
    symbol: *const c_char,
    address: *mut c_void,
}

unsafe extern "C" {
    fn dladdr(address: *const c_void, information: *mut Information) -> c_int;
    fn dlopen(file: *const c_char, flags: c_int) -> *mut c_void;
}

/// Marks the library that holds this function as one that is never unloaded.
pub fn pin() {
    let null = std::ptr::null_mut();
    let mut information = Information { file: null, base: null.cast(), symbol: null, address: null.cast() };
    // SAFETY: the address lies in this library, and dladdr fills the structure with texts of the loader's own.
    unsafe {
        if dladdr(pin as fn() as *const c_void, &mut information) != 0 {
            dlopen(information.file, RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE);
        }
    }
}
