//! Memory, modules and planted faults.

use std::collections::BTreeMap;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::matrix;

const GUARD_BYTES: usize = 64;
const GUARD: u8 = 0xa5;

/// What the library holds.
#[derive(Default)]
pub struct State {
    pub memories: BTreeMap<u64, Memory>,
    environment: BTreeMap<String, String>,
}

static STATE: Mutex<Option<State>> = Mutex::new(None);

/// The state, for one call.
pub struct Held(MutexGuard<'static, Option<State>>);

impl std::ops::Deref for Held {
    type Target = State;

    fn deref(&self) -> &State {
        self.0.as_ref().expect("made when held")
    }
}

impl std::ops::DerefMut for Held {
    fn deref_mut(&mut self) -> &mut State {
        self.0.as_mut().expect("made when held")
    }
}

pub fn state() -> Held {
    let mut held = STATE.lock().unwrap_or_else(PoisonError::into_inner);
    held.get_or_insert_default();
    Held(held)
}

/// Reads the environment.
pub fn begin() {
    state().environment = std::env::vars().filter(|(name, _)| name.starts_with("FAKE_HIP_")).collect();
}

fn variable(name: &str, default: &str) -> String {
    state().environment.get(name).cloned().unwrap_or_else(|| default.to_owned())
}

/// Number of devices.
pub fn devices() -> c_int {
    variable("FAKE_HIP_DEVICES", "1").parse().expect("FAKE_HIP_DEVICES is a number")
}

/// The architecture.
pub fn architecture() -> String {
    variable("FAKE_HIP_ARCH", "gfx942")
}

/// Whether a fault is planted.
pub fn fault(name: &str) -> bool {
    variable("FAKE_HIP_FAULT", "") == name
}

/// The code that a function is to answer without doing anything.
pub fn planned(function: &str) -> Option<c_int> {
    let planned = std::env::var("FAKE_HIP_FAIL").ok()?;
    let (name, code) = planned.split_once('=')?;
    (name == function).then(|| code.parse().expect("FAKE_HIP_FAIL ends with a code"))
}

/// Writes an answer.
///
/// # Safety
/// The caller's pointer is valid.
pub unsafe fn answer<T>(place: *mut T, value: T) -> c_int {
    // SAFETY: as the function's.
    unsafe { place.write(value) };
    0
}

/// Memory with guards before and behind it.
pub struct Memory {
    bytes: Box<[u8]>,
}

impl Memory {
    pub fn new(bytes: usize) -> Memory {
        Memory { bytes: vec![GUARD; bytes + 2 * GUARD_BYTES].into_boxed_slice() }
    }

    pub fn address(&self) -> u64 {
        self.bytes.as_ptr() as u64 + GUARD_BYTES as u64
    }

    /// Whether both guards are as they were made.
    pub fn whole(&self) -> bool {
        // SAFETY: within the box; kernels write there behind the compiler's back.
        let byte = |index: usize| unsafe { self.bytes.as_ptr().add(index).read_volatile() };
        let last = self.bytes.len() - GUARD_BYTES;
        (0..GUARD_BYTES).all(|index| byte(index) == GUARD && byte(last + index) == GUARD)
    }
}

/// Whether an allocation begins there and has so many bytes.
pub fn holds(address: u64, bytes: usize) -> bool {
    state().memories.get(&address).is_some_and(|memory| bytes + 2 * GUARD_BYTES <= memory.bytes.len())
}

type Launch = unsafe extern "C" fn(u32, u32, *mut *mut c_void);
type Matrix = extern "C" fn(*const c_char, *const u8, usize, *const u8, usize, *const u8, *mut u8, usize);

/// A loaded kernel.
pub struct Module {
    library: libloading::Library,
}

/// Bytes of a shared object of 64 bits: where its section table ends, which the linker puts last.
unsafe fn image_bytes(image: *const u8) -> Option<usize> {
    // SAFETY: the caller's image begins with a header of 64 bytes, if it is one at all.
    let header = unsafe { std::slice::from_raw_parts(image, 64) };
    if !header.starts_with(b"\x7fELF\x02") {
        return None;
    }
    let word = |at: usize, bytes: usize| (0..bytes).rev().fold(0, |sum, i| sum << 8 | usize::from(header[at + i]));
    Some(word(0x28, 8) + word(0x3a, 2) * word(0x3c, 2))
}

impl Module {
    /// Loads what the compiler made.
    ///
    /// # Safety
    /// The image is what the compiler made, or at least 64 bytes of anything else.
    pub unsafe fn load(image: *const u8) -> Option<Module> {
        // SAFETY: as the function's.
        let bytes = unsafe { std::slice::from_raw_parts(image, image_bytes(image)?) };
        let folder = tempfile::tempdir().ok()?;
        let path = folder.path().join("kernel.so");
        std::fs::write(&path, bytes).ok()?;
        // SAFETY: the compiler's own library; the place of the function's address is part of it.
        unsafe {
            let library = libloading::Library::new(&path).ok()?;
            **library.get::<*mut Matrix>(b"fake_hip_matrix").ok()? = multiply;
            Some(Module { library })
        }
    }

    /// Runs a kernel.
    ///
    /// # Safety
    /// The parameters are those of the kernel.
    pub unsafe fn launch(&self, groups: u32, threads: u32, parameters: *mut *mut c_void) {
        // SAFETY: the compiler's own function; the parameters are the caller's.
        unsafe {
            let launch = self.library.get::<Launch>(b"fake_hip_launch").expect("every kernel has one");
            launch(groups, threads, parameters);
        }
    }
}

/// What a kernel calls for a matrix instruction: operands of all 64 lanes.
extern "C" fn multiply(
    name: *const c_char,
    a: *const u8,
    a_bytes: usize,
    b: *const u8,
    b_bytes: usize,
    c: *const u8,
    d: *mut u8,
    d_bytes: usize,
) {
    const LANES: usize = 64;
    // SAFETY: the shim's vectors hold that many bytes for each lane.
    let (name, a, b, c, d) = unsafe {
        (
            CStr::from_ptr(name).to_string_lossy(),
            std::slice::from_raw_parts(a, LANES * a_bytes),
            std::slice::from_raw_parts(b, LANES * b_bytes),
            std::slice::from_raw_parts(c, LANES * d_bytes),
            std::slice::from_raw_parts_mut(d, LANES * d_bytes),
        )
    };
    d.copy_from_slice(&matrix::multiply(&architecture(), &name, a, b, c));
    if fault("swapped") {
        let (first, rest) = d.split_at_mut(d_bytes);
        first.swap_with_slice(&mut rest[..d_bytes]);
    }
    if fault("wrong-bit") {
        d[0] ^= 1;
    }
}
