//! A GPU's driver, loaded at run time: devices, memory, modules and launches, every return code checked.
//!
//! Chosen over a crate of bindings: one table serves CUDA and HIP, no version of either is fixed at build time, and the
//! tests load a library of their own through the same path.
//!
//! Architecture invariant: the only unsafe code of the GPU engines; knows nothing of matrices.

mod functions;
mod memory;
mod module;

pub use functions::{DriverError, Names};
pub use memory::Memory;
pub use module::Module;

use std::ffi::{CString, c_int, c_uint};
use std::mem::ManuallyDrop;
use std::path::Path;
use std::sync::Arc;

use crate::describe::text::Foreign;
use functions::{Functions, Handle, symbol};
use libloading::Library;

/// What makes a GPU the current one of a thread, and the function's name.
enum Current {
    /// Its context, of CUDA.
    Context(unsafe extern "C" fn(Handle) -> c_int, &'static str, Handle),
    /// Itself, of HIP.
    Device(unsafe extern "C" fn(c_int) -> c_int, &'static str),
}

/// One GPU of a driver. Each call that needs it makes it the calling thread's current one.
pub struct Driver {
    names: Names,
    functions: Functions,
    device: c_int,
    /// What gives the device's context back.
    release: Option<unsafe extern "C" fn(c_int) -> c_int>,
    current: Option<Current>,
    /// Never unloaded: drivers do not survive being loaded again and again in one process.
    library: ManuallyDrop<Library>,
}

// SAFETY: the only pointer is the context, which any thread can make its current one (CUDA Driver API, Context Management); the
// functions of CUDA and HIP can be called by several threads at a time.
unsafe impl Send for Driver {}
// SAFETY: as above; a Driver does not change after it was opened.
unsafe impl Sync for Driver {}

impl Driver {
    /// Loads the library and makes a GPU current.
    ///
    /// # Errors
    /// The library is there, but is not a driver or failed.
    pub fn open(path: &Path, names: Names, number: u8) -> Result<Driver, DriverError> {
        // SAFETY: loading runs the library's initialisers; it is the machine's own driver, or what the user names.
        let library = unsafe { Library::new(path) }
            .map_err(|error| DriverError::Library { library: path.shown(), message: error.to_string() })?;
        let functions = Functions::of(&library, path, &names)?;
        let initialise: unsafe extern "C" fn(c_uint) -> c_int = symbol(&library, path, names.initialise)?;
        // SAFETY: the flags must be 0.
        functions.check(names.initialise, unsafe { initialise(0) })?;
        let mut count = 0;
        // SAFETY: the driver writes one integer.
        functions.check(names.count, unsafe { (functions.count)(&raw mut count) })?;
        if count < 0 {
            return Err(DriverError::Count { count });
        }
        if c_int::from(number) >= count {
            return Err(DriverError::Number { number, count });
        }
        let mut device = 0;
        // SAFETY: the driver writes one integer.
        functions.check(names.device, unsafe { (functions.device)(&raw mut device, number.into()) })?;
        let library = ManuallyDrop::new(library);
        let mut driver = Driver { names, functions, device, release: None, current: None, library };
        driver.retain(path)?;
        driver.enter()?;
        Ok(driver)
    }

    /// Takes the device's own context, where there are contexts.
    fn retain(&mut self, path: &Path) -> Result<(), DriverError> {
        if let Some([retain_name, current_name, release_name]) = self.names.retain {
            let retain: unsafe extern "C" fn(*mut Handle, c_int) -> c_int = symbol(&self.library, path, retain_name)?;
            let current = symbol(&self.library, path, current_name)?;
            let release = symbol(&self.library, path, release_name)?;
            let mut context = std::ptr::null_mut();
            // SAFETY: the driver writes one handle.
            self.functions.check(retain_name, unsafe { retain(&raw mut context, self.device) })?;
            self.release = Some(release);
            self.current = Some(Current::Context(current, current_name, context));
        }
        if let Some(name) = self.names.set_device {
            self.current = Some(Current::Device(symbol(&self.library, path, name)?, name));
        }
        Ok(())
    }

    /// Makes this GPU the thread's current one: another engine of the same thread may have chosen another.
    fn enter(&self) -> Result<(), DriverError> {
        match self.current {
            // SAFETY: the handle is the driver's own, and is given back when this is dropped.
            Some(Current::Context(set, name, context)) => self.functions.check(name, unsafe { set(context) }),
            // SAFETY: a device that the driver counted.
            Some(Current::Device(set, name)) => self.functions.check(name, unsafe { set(self.device) }),
            None => Ok(()),
        }
    }

    /// Version of the driver.
    ///
    /// # Errors
    /// The driver failed.
    pub fn version(&self) -> Result<i32, DriverError> {
        let mut version = 0;
        // SAFETY: the driver writes one integer.
        self.functions.check(self.names.version, unsafe { (self.functions.version)(&raw mut version) })?;
        Ok(version)
    }

    /// Name of the GPU.
    ///
    /// # Errors
    /// The driver failed.
    pub fn name(&self) -> Result<String, DriverError> {
        let mut name = [0; 256];
        // SAFETY: the driver writes at most 255 bytes and a zero.
        let code = unsafe { (self.functions.device_name)(name.as_mut_ptr(), 255, self.device) };
        self.functions.check(self.names.device_name, code)?;
        let bytes: Vec<u8> = name.iter().take_while(|byte| **byte != 0).map(|byte| *byte as u8).collect();
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// An attribute of the GPU, by the driver's own number.
    ///
    /// # Errors
    /// The driver failed.
    pub fn attribute(&self, attribute: i32) -> Result<i32, DriverError> {
        let mut value = 0;
        // SAFETY: the driver writes one integer.
        let code = unsafe { (self.functions.attribute)(&raw mut value, attribute, self.device) };
        self.functions.check(self.names.attribute, code)?;
        Ok(value)
    }

    /// Loads a module, text or code, and finds its kernel.
    ///
    /// # Errors
    /// The driver refuses the module; the message holds what it says about it.
    pub fn module(self: &Arc<Driver>, image: &[u8], entry: &str) -> Result<Module, DriverError> {
        /// The driver's numbers of the options for its messages: buffer, and its size.
        const OPTIONS: [c_int; 2] = [5, 6];
        const LOG_BYTES: usize = 8192;
        self.enter()?;
        let mut image = image.to_vec();
        image.push(0);
        let (mut options, mut log) = (OPTIONS, vec![0u8; LOG_BYTES]);
        let mut values: [Handle; 2] = [log.as_mut_ptr().cast(), LOG_BYTES as Handle];
        let mut module = std::ptr::null_mut();
        // SAFETY: the image ends with a zero; both options have their values: a buffer, and its size.
        let code = unsafe {
            let (image, options, values) = (image.as_ptr().cast(), options.as_mut_ptr(), values.as_mut_ptr());
            (self.functions.load)(&raw mut module, image, 2, options, values)
        };
        self.functions.check_with(self.names.load, code, || {
            let text: Vec<u8> = log.iter().copied().take_while(|byte| *byte != 0).collect();
            let text = String::from_utf8_lossy(&text).trim().to_owned();
            if text.is_empty() { text } else { format!(": {text}") }
        })?;
        let mut module = Module { driver: self.clone(), module, function: std::ptr::null_mut(), _image: image };
        let entry = CString::new(entry).expect("a kernel's name has no zero in it");
        // SAFETY: the module is loaded, the name ends with a zero.
        let code = unsafe { (self.functions.function)(&raw mut module.function, module.module, entry.as_ptr()) };
        self.functions.check(self.names.function, code)?;
        Ok(module)
    }

    /// Memory of the GPU.
    ///
    /// # Errors
    /// The driver has no such amount.
    pub fn memory(self: &Arc<Driver>, bytes: usize) -> Result<Memory, DriverError> {
        self.enter()?;
        let mut address = 0;
        // SAFETY: the driver writes one address.
        let code = unsafe { (self.functions.allocate)(&raw mut address, bytes) };
        self.functions.check(self.names.allocate, code)?;
        Ok(Memory { driver: self.clone(), address, bytes })
    }

    /// Waits until all launches are done.
    ///
    /// # Errors
    /// A launch failed.
    pub fn synchronise(&self) -> Result<(), DriverError> {
        self.enter()?;
        // SAFETY: takes nothing.
        self.functions.check(self.names.synchronise, unsafe { (self.functions.synchronise)() })
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        if let Some(release) = self.release {
            // SAFETY: retained when this was made; a failure here harms nothing that is still used.
            unsafe { release(self.device) };
        }
    }
}
