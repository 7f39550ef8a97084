//! AMD's compiler of HIP text at run time, `hiprtc`, loaded like a driver.
//!
//! Architecture invariant: the only unsafe code of this engine; text in, code out.

use std::ffi::{CString, c_char, c_int};
use std::path::Path;

use libloading::Library;

use crate::describe::text::Foreign;
use crate::engine::gpu::DriverError;

type Program = *mut std::ffi::c_void;

/// Compiles a text for the GPU that is current.
///
/// # Errors
/// The library cannot be loaded, or the compiler refuses the text; then the message holds what it says.
pub(super) fn compile(path: &Path, text: &str) -> Result<Vec<u8>, DriverError> {
    // SAFETY: loading runs the library's initialisers; it is the machine's own compiler, or what the user names.
    let library = unsafe { Library::new(path) }
        .map_err(|error| DriverError::Library { library: path.shown(), message: error.to_string() })?;
    // Never unloaded: AMD's libraries do not survive being loaded again and again in one process.
    let library = std::mem::ManuallyDrop::new(library);
    let text = CString::new(text).expect("a kernel's text has no zero in it");
    let mut program: Program = std::ptr::null_mut();
    type Create =
        unsafe extern "C" fn(*mut Program, *const c_char, *const c_char, c_int, *const (), *const ()) -> c_int;
    let create: Create = symbol(&library, path, "hiprtcCreateProgram")?;
    let name = c"tensorsmith.hip";
    // SAFETY: both texts end with a zero; there are no headers.
    let code = unsafe { create(&raw mut program, text.as_ptr(), name.as_ptr(), 0, std::ptr::null(), std::ptr::null()) };
    check("hiprtcCreateProgram", code, String::new)?;
    let compiled = code_of(&library, path, program);
    let destroy: unsafe extern "C" fn(*mut Program) -> c_int = symbol(&library, path, "hiprtcDestroyProgram")?;
    // SAFETY: created above, and used no more.
    let code = unsafe { destroy(&raw mut program) };
    let compiled = compiled?;
    check("hiprtcDestroyProgram", code, String::new)?;
    Ok(compiled)
}

fn code_of(library: &Library, path: &Path, program: Program) -> Result<Vec<u8>, DriverError> {
    let compile: unsafe extern "C" fn(Program, c_int, *const *const c_char) -> c_int =
        symbol(library, path, "hiprtcCompileProgram")?;
    // SAFETY: a program that was created; no options.
    let code = unsafe { compile(program, 0, std::ptr::null()) };
    check("hiprtcCompileProgram", code, || {
        let log = bytes(library, path, program, ["hiprtcGetProgramLogSize", "hiprtcGetProgramLog"]).unwrap_or_default();
        let log = String::from_utf8_lossy(&log).trim_end_matches('\0').trim().to_owned();
        if log.is_empty() { log } else { format!(": {log}") }
    })?;
    bytes(library, path, program, ["hiprtcGetCodeSize", "hiprtcGetCode"])
}

/// What a pair of functions tells: a size, then as many bytes.
fn bytes(
    library: &Library,
    path: &Path,
    program: Program,
    [size_of, get]: [&'static str; 2],
) -> Result<Vec<u8>, DriverError> {
    let size_function: unsafe extern "C" fn(Program, *mut usize) -> c_int = symbol(library, path, size_of)?;
    let get_function: unsafe extern "C" fn(Program, *mut c_char) -> c_int = symbol(library, path, get)?;
    let mut size = 0;
    // SAFETY: the compiler writes one size.
    check(size_of, unsafe { size_function(program, &raw mut size) }, String::new)?;
    let mut bytes = vec![0u8; size];
    // SAFETY: the buffer has the size that the compiler asked for.
    check(get, unsafe { get_function(program, bytes.as_mut_ptr().cast()) }, String::new)?;
    Ok(bytes)
}

fn symbol<T: Copy>(library: &Library, path: &Path, function: &'static str) -> Result<T, DriverError> {
    // SAFETY: the types given are the signatures that AMD documents for these names.
    let found = unsafe { library.get::<T>(function.as_bytes()) };
    found.map(|symbol| *symbol).map_err(|_| DriverError::Function { library: path.shown(), function })
}

fn check(function: &'static str, code: c_int, detail: impl Fn() -> String) -> Result<(), DriverError> {
    match code {
        0 => Ok(()),
        _ => Err(DriverError::Call { function, code, name: "of hiprtcResult".to_owned(), detail: detail() }),
    }
}
