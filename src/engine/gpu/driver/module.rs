//! A loaded kernel.

use std::ffi::c_void;
use std::sync::Arc;

use super::functions::Handle;
use super::{Driver, DriverError, Memory};

/// A loaded kernel.
pub struct Module {
    pub(super) driver: Arc<Driver>,
    pub(super) module: Handle,
    pub(super) function: Handle,
    /// HIP reads the code until it is unloaded.
    pub(super) _image: Vec<u8>,
}

// SAFETY: the handles belong to the driver's context, which every function here makes the calling thread's current one.
unsafe impl Send for Module {}

impl Module {
    /// Starts groups of threads: `pointers`, then `steps`, are the kernel's parameters.
    ///
    /// # Errors
    /// The driver refuses the launch.
    pub fn launch(&self, groups: u32, threads: u32, memory: [&Memory; 4], steps: u32) -> Result<(), DriverError> {
        self.driver.enter()?;
        let mut addresses = memory.map(|memory| memory.address);
        let mut steps = steps;
        let [a, b, c, d] = addresses.each_mut().map(|address| (&raw mut *address).cast::<c_void>());
        let mut parameters: [Handle; 5] = [a, b, c, d, (&raw mut steps).cast()];
        // SAFETY: the kernels of this program take four addresses and a 32-bit number, which the driver copies at once.
        let code = unsafe {
            let (none, parameters) = (std::ptr::null_mut(), parameters.as_mut_ptr());
            (self.driver.functions.launch)(self.function, groups, 1, 1, threads, 1, 1, 0, none, parameters, none.cast())
        };
        self.driver.functions.check(self.driver.names.launch, code)
    }
}

impl Drop for Module {
    fn drop(&mut self) {
        // What fails here harms nothing that is still used.
        let _ = self.driver.enter();
        // SAFETY: loaded when this was made, and no launch is under way: results were read back.
        unsafe { (self.driver.functions.unload)(self.module) };
    }
}
