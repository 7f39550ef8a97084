//! Memory of a GPU.

use std::sync::Arc;

use super::functions::Address;
use super::{Driver, DriverError};

/// Memory of a GPU.
pub struct Memory {
    pub(super) driver: Arc<Driver>,
    pub(super) address: Address,
    pub(super) bytes: usize,
}

impl Memory {
    /// Bytes.
    pub fn len(&self) -> usize {
        self.bytes
    }

    /// Copies to the GPU.
    ///
    /// # Errors
    /// The driver failed.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), DriverError> {
        assert!(bytes.len() <= self.bytes, "the bytes fit the memory");
        self.driver.enter()?;
        let functions = &self.driver.functions;
        // SAFETY: both sides have that many bytes.
        let code = unsafe { (functions.to_device)(self.address, bytes.as_ptr().cast(), bytes.len()) };
        functions.check(self.driver.names.to_device, code)
    }

    /// Copies from the GPU.
    ///
    /// # Errors
    /// The driver failed.
    pub fn read(&self, bytes: &mut [u8]) -> Result<(), DriverError> {
        assert!(bytes.len() <= self.bytes, "the memory has the bytes");
        self.driver.enter()?;
        let functions = &self.driver.functions;
        // SAFETY: both sides have that many bytes.
        let code = unsafe { (functions.to_host)(bytes.as_mut_ptr().cast(), self.address, bytes.len()) };
        functions.check(self.driver.names.to_host, code)
    }

    /// Fills the memory, of whole words, with a word.
    ///
    /// # Errors
    /// The driver failed.
    pub fn fill(&mut self, word: u32) -> Result<(), DriverError> {
        self.driver.enter()?;
        let functions = &self.driver.functions;
        // SAFETY: the memory has that many words.
        let code = unsafe { (functions.fill)(self.address, word, self.bytes / 4) };
        functions.check(self.driver.names.fill, code)
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        // What fails here harms nothing that is still used.
        let _ = self.driver.enter();
        // SAFETY: allocated when this was made, and no launch is under way.
        unsafe { (self.driver.functions.free)(self.address) };
    }
}
