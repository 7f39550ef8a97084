//! The functions of a driver's library, looked up once.

use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::path::Path;

use crate::describe::text::Foreign;
use libloading::Library;
use thiserror::Error;

/// Why a driver did not do as it was told.
#[derive(Debug, Error)]
pub enum DriverError {
    #[error("{library}: cannot be loaded: {message}")]
    Library { library: String, message: String },
    #[error("{library}: has no function {function}")]
    Function { library: String, function: &'static str },
    #[error("{function} failed with code {code} ({name}){detail}")]
    Call { function: &'static str, code: i32, name: String, detail: String },
    #[error("there is no GPU {number}: the driver counts {count} from 0 on")]
    Number { number: u8, count: i32 },
    #[error("the driver counts {count} GPUs; allowed: 0 and more")]
    Count { count: i32 },
}

/// Names of the functions in one library; their signatures are those of the CUDA driver API.
#[derive(Debug, Clone, Copy)]
pub struct Names {
    pub initialise: &'static str,
    pub version: &'static str,
    pub count: &'static str,
    pub device: &'static str,
    pub device_name: &'static str,
    pub attribute: &'static str,
    /// Makes the device's own context and makes it current: (device) -> handle, then (handle).
    pub retain: Option<[&'static str; 3]>,
    /// Makes a device current, where there are no contexts.
    pub set_device: Option<&'static str>,
    pub load: &'static str,
    pub unload: &'static str,
    pub function: &'static str,
    pub allocate: &'static str,
    pub free: &'static str,
    pub to_device: &'static str,
    pub to_host: &'static str,
    pub fill: &'static str,
    pub launch: &'static str,
    pub synchronise: &'static str,
    pub error_name: &'static str,
}

pub(super) type Handle = *mut c_void;
/// An address on the device.
pub(super) type Address = u64;

/// The functions, looked up once. `Library` keeps them valid.
pub(super) struct Functions {
    pub version: unsafe extern "C" fn(*mut c_int) -> c_int,
    pub count: unsafe extern "C" fn(*mut c_int) -> c_int,
    pub device: unsafe extern "C" fn(*mut c_int, c_int) -> c_int,
    pub device_name: unsafe extern "C" fn(*mut c_char, c_int, c_int) -> c_int,
    pub attribute: unsafe extern "C" fn(*mut c_int, c_int, c_int) -> c_int,
    pub load: unsafe extern "C" fn(*mut Handle, *const c_void, c_uint, *mut c_int, *mut Handle) -> c_int,
    pub unload: unsafe extern "C" fn(Handle) -> c_int,
    pub function: unsafe extern "C" fn(*mut Handle, Handle, *const c_char) -> c_int,
    pub allocate: unsafe extern "C" fn(*mut Address, usize) -> c_int,
    pub free: unsafe extern "C" fn(Address) -> c_int,
    pub to_device: unsafe extern "C" fn(Address, *const c_void, usize) -> c_int,
    pub to_host: unsafe extern "C" fn(*mut c_void, Address, usize) -> c_int,
    pub fill: unsafe extern "C" fn(Address, c_uint, usize) -> c_int,
    pub launch: unsafe extern "C" fn(
        Handle,
        c_uint,
        c_uint,
        c_uint,
        c_uint,
        c_uint,
        c_uint,
        c_uint,
        Handle,
        *mut Handle,
        *mut Handle,
    ) -> c_int,
    pub synchronise: unsafe extern "C" fn() -> c_int,
    pub error_name: unsafe extern "C" fn(c_int, *mut *const c_char) -> c_int,
}

pub(super) fn symbol<T: Copy>(library: &Library, path: &Path, function: &'static str) -> Result<T, DriverError> {
    // SAFETY: every field of `Functions` has the signature that the driver documents for the name given for it.
    let found = unsafe { library.get::<T>(function.as_bytes()) };
    found.map(|symbol| *symbol).map_err(|_| DriverError::Function { library: path.shown(), function })
}

impl Functions {
    pub fn of(library: &Library, path: &Path, names: &Names) -> Result<Functions, DriverError> {
        Ok(Functions {
            version: symbol(library, path, names.version)?,
            count: symbol(library, path, names.count)?,
            device: symbol(library, path, names.device)?,
            device_name: symbol(library, path, names.device_name)?,
            attribute: symbol(library, path, names.attribute)?,
            load: symbol(library, path, names.load)?,
            unload: symbol(library, path, names.unload)?,
            function: symbol(library, path, names.function)?,
            allocate: symbol(library, path, names.allocate)?,
            free: symbol(library, path, names.free)?,
            to_device: symbol(library, path, names.to_device)?,
            to_host: symbol(library, path, names.to_host)?,
            fill: symbol(library, path, names.fill)?,
            launch: symbol(library, path, names.launch)?,
            synchronise: symbol(library, path, names.synchronise)?,
            error_name: symbol(library, path, names.error_name)?,
        })
    }

    pub fn check(&self, function: &'static str, code: c_int) -> Result<(), DriverError> {
        self.check_with(function, code, String::new)
    }

    pub fn check_with(
        &self,
        function: &'static str,
        code: c_int,
        detail: impl Fn() -> String,
    ) -> Result<(), DriverError> {
        if code == 0 {
            return Ok(());
        }
        let mut text: *const c_char = std::ptr::null();
        // SAFETY: the driver sets the pointer to a string of its own, or leaves it.
        let named = unsafe { (self.error_name)(code, &raw mut text) } == 0 && !text.is_null();
        // SAFETY: a string of the driver's, ended by zero, which lives as long as the library.
        let name =
            if named { unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned() } else { "unknown".to_owned() };
        Err(DriverError::Call { function, code, name, detail: detail() })
    }
}
