//! A fake of AMD's libraries `libamdhip64` and `libhiprtc`, for tests: kernels are compiled for this processor and really run, a
//! thread for each lane; a matrix instruction takes its lanes' elements as AMD's ISA documents say, and its arithmetic from the
//! catalogue's emulator. It never looks at the layouts of the engine that it tests.
//!
//! `cargo test` builds it as the example `fake_hip`. Environment, read by `hipInit`:
//!
//! | variable | meaning | default |
//! |---|---|---|
//! | FAKE_HIP_DEVICES | number of devices | 1 |
//! | FAKE_HIP_ARCH | gfx908, gfx90a, gfx942, or any other | gfx942 |
//! | FAKE_HIP_FAIL | `function=code`: that function does nothing and answers the code | none |
//! | FAKE_HIP_FAULT | `unwritten`: the first word of D of a wavefront stays as it was; `short-read`: half of D is copied; `swapped`: lanes 0 and 1 of a result change places; `wrong-bit`: the lowest bit of a result flips | none |
#![allow(unsafe_code, reason = "the functions of a C library take the caller's pointers")]
#![allow(unused_unsafe, reason = "some of them take none")]
#![allow(non_snake_case, reason = "their names are given")]

mod compiler;
mod driver;
mod matrix;

use std::ffi::{CStr, c_char, c_int, c_uint, c_void};

use compiler::Program;
use driver::{Memory, Module, answer, fault, state};

/// `hipErrorInvalidValue`, `hipErrorNoDevice`, `hipErrorInvalidImage`, `hipErrorIllegalAddress`.
const INVALID: c_int = 1;
const NO_DEVICE: c_int = 100;
const INVALID_IMAGE: c_int = 200;
const ILLEGAL_ADDRESS: c_int = 700;
/// `HIPRTC_ERROR_COMPILATION`.
const COMPILATION: c_int = 6;

macro_rules! exported {
    ($($(#[$doc:meta])* fn $name:ident($($argument:ident: $kind:ty),*) $body:block)*) => {
        $(
            $(#[$doc])*
            ///
            /// # Safety
            /// The caller's pointers are valid, as AMD's documents ask.
            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn $name($($argument: $kind),*) -> c_int {
                match driver::planned(stringify!($name)) {
                    Some(code) => code,
                    // SAFETY: as this function's.
                    None => unsafe { $body },
                }
            }
        )*
    };
}

exported! {
    /// Reads the environment.
    fn hipInit(_flags: c_uint) {
        driver::begin();
        if driver::devices() == 0 { NO_DEVICE } else { 0 }
    }
    /// A version of this library's own.
    fn hipDriverGetVersion(version: *mut c_int) { answer(version, 60_000_000) }
    /// As many as the environment says.
    fn hipGetDeviceCount(count: *mut c_int) { answer(count, driver::devices()) }
    /// A device is its number.
    fn hipDeviceGet(device: *mut c_int, number: c_int) { answer(device, number) }
    /// A name that no real device has.
    fn hipDeviceGetName(name: *mut c_char, length: c_int, _device: c_int) {
        let text = format!("Fake {}\0", driver::architecture());
        if text.len() > length as usize { return INVALID; }
        std::ptr::copy_nonoverlapping(text.as_ptr(), name.cast(), text.len());
        0
    }
    /// No attribute is asked for.
    fn hipDeviceGetAttribute(value: *mut c_int, _attribute: c_int, _device: c_int) { answer(value, 0) }
    /// Any device that was counted.
    fn hipSetDevice(device: c_int) { if (0..driver::devices()).contains(&device) { 0 } else { INVALID } }
    /// Code that the compiler of this library made.
    fn hipModuleLoadDataEx(module: *mut *mut c_void, image: *const c_void, _options: c_uint, _names: *mut c_int, _values: *mut *mut c_void) {
        match Module::load(image.cast()) {
            Some(loaded) => answer(module, Box::into_raw(Box::new(loaded)).cast()),
            None => INVALID_IMAGE,
        }
    }
    /// What was loaded.
    fn hipModuleUnload(module: *mut c_void) {
        drop(Box::from_raw(module.cast::<Module>()));
        0
    }
    /// A module has one function.
    fn hipModuleGetFunction(function: *mut *mut c_void, module: *mut c_void, name: *const c_char) {
        if CStr::from_ptr(name) == c"tensorsmith" { answer(function, module) } else { INVALID }
    }
    /// Memory of this process, with guards on both sides.
    fn hipMalloc(address: *mut u64, bytes: usize) {
        let memory = Memory::new(bytes);
        let at = memory.address();
        state().memories.insert(at, memory);
        answer(address, at)
    }
    /// What was allocated; its guards must be whole.
    fn hipFree(address: u64) {
        match state().memories.remove(&address) {
            None => INVALID,
            Some(memory) => if memory.whole() { 0 } else { ILLEGAL_ADDRESS },
        }
    }
    /// Copies, within what was allocated.
    fn hipMemcpyHtoD(address: u64, source: *const c_void, bytes: usize) {
        if !driver::holds(address, bytes) { return INVALID; }
        std::ptr::copy_nonoverlapping(source.cast::<u8>(), address as *mut u8, bytes);
        0
    }
    /// Copies, within what was allocated.
    fn hipMemcpyDtoH(target: *mut c_void, address: u64, bytes: usize) {
        if !driver::holds(address, bytes) { return INVALID; }
        let bytes = if fault("short-read") && bytes > 4 { bytes / 2 } else { bytes };
        std::ptr::copy_nonoverlapping(address as *const u8, target.cast::<u8>(), bytes);
        0
    }
    /// Fills, within what was allocated.
    fn hipMemsetD32(address: u64, word: c_uint, count: usize) {
        if !driver::holds(address, count * 4) { return INVALID; }
        (0..count).for_each(|index| (address as *mut c_uint).add(index).write_unaligned(word));
        0
    }
    /// Runs at once.
    fn hipModuleLaunchKernel(function: *mut c_void, x: c_uint, _y: c_uint, _z: c_uint, threads: c_uint, _ty: c_uint, _tz: c_uint, _shared: c_uint, _stream: *mut c_void, parameters: *mut *mut c_void, _extra: *mut *mut c_void) {
        let module = &*function.cast::<Module>();
        let result = **parameters.add(3).cast::<*const u64>() as *mut u32;
        let before = *result;
        module.launch(x, threads, parameters);
        if threads > 1 && fault("unwritten") { *result = before; }
        0
    }
    /// All is done; no launch may have written beyond its memory.
    fn hipDeviceSynchronize() {
        if state().memories.values().all(Memory::whole) { 0 } else { ILLEGAL_ADDRESS }
    }
    /// Names of the codes that this library answers.
    fn hipDrvGetErrorName(code: c_int, name: *mut *const c_char) {
        let text = match code {
            1 => c"hipErrorInvalidValue",
            2 => c"hipErrorOutOfMemory",
            100 => c"hipErrorNoDevice",
            200 => c"hipErrorInvalidImage",
            700 => c"hipErrorIllegalAddress",
            _ => return INVALID,
        };
        answer(name, text.as_ptr())
    }
    /// Keeps the text.
    fn hiprtcCreateProgram(program: *mut *mut Program, text: *const c_char, _name: *const c_char, _headers: c_int, _texts: *const c_void, _names: *const c_void) {
        let text = CStr::from_ptr(text).to_string_lossy().into_owned();
        answer(program, Box::into_raw(Box::new(Program { text, log: String::new(), code: Vec::new() })))
    }
    /// Compiles for this processor.
    fn hiprtcCompileProgram(program: *mut Program, _options: c_int, _names: *const *const c_char) {
        if (*program).compile(&driver::architecture()) { 0 } else { COMPILATION }
    }
    /// Size of what the compiler says, with a zero.
    fn hiprtcGetProgramLogSize(program: *mut Program, size: *mut usize) { answer(size, (&*program).log.len() + 1) }
    /// What the compiler says.
    fn hiprtcGetProgramLog(program: *mut Program, log: *mut c_char) {
        let text = format!("{}\0", (&*program).log);
        std::ptr::copy_nonoverlapping(text.as_ptr(), log.cast(), text.len());
        0
    }
    /// Size of the code.
    fn hiprtcGetCodeSize(program: *mut Program, size: *mut usize) { answer(size, (&*program).code.len()) }
    /// The code.
    fn hiprtcGetCode(program: *mut Program, code: *mut c_char) {
        let own = &(*program).code;
        std::ptr::copy_nonoverlapping(own.as_ptr(), code.cast(), own.len());
        0
    }
    /// Forgets the program.
    fn hiprtcDestroyProgram(program: *mut *mut Program) {
        drop(Box::from_raw(*program));
        0
    }
}
