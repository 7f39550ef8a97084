//! Shared memory of a block. Besides bounds it keeps the order that PTX asks for: a thread reads what another one wrote
//! only behind a barrier, and wgmma reads only behind a barrier and a proxy fence.

use super::{KernelError, Outcome, SHARED_BASE};
use crate::driver::codes;

const GARBAGE: u8 = 0xa5;

/// Static shared memory.
pub struct Shared {
    bytes: Vec<u8>,
    /// Of each byte, 1 + the thread that wrote it since the last barrier; 0 for none.
    writers: Vec<u16>,
    /// Whether a store has had no proxy fence, or no barrier, after it.
    unfenced: bool,
    unsynchronised: bool,
}

impl Shared {
    pub fn new(bytes: usize) -> Shared {
        Shared { bytes: vec![GARBAGE; bytes], writers: vec![0; bytes], unfenced: false, unsynchronised: false }
    }

    pub fn barrier(&mut self) {
        self.writers.fill(0);
        self.unsynchronised = false;
    }

    pub fn fence(&mut self) {
        self.unfenced = false;
    }

    /// Index of an address that is aligned to the access and within the memory.
    fn place(&self, address: u64, length: usize) -> Outcome<usize> {
        let offset = address.checked_sub(SHARED_BASE).and_then(|offset| usize::try_from(offset).ok());
        let fits = |offset: &usize| offset.checked_add(length).is_some_and(|end| end <= self.bytes.len());
        let aligned = address.is_multiple_of(length as u64);
        offset.filter(|offset| aligned && fits(offset)).ok_or_else(|| {
            let message = format!("access of {length} bytes to shared memory at {address:#x}");
            KernelError::new(codes::ILLEGAL_ADDRESS, message)
        })
    }

    pub fn read(&self, thread: usize, address: u64, to: &mut [u8]) -> Outcome<()> {
        let place = self.place(address, to.len())?;
        let own = thread as u16 + 1;
        if self.writers[place..][..to.len()].iter().any(|writer| *writer != 0 && *writer != own) {
            let message = format!("shared memory at {address:#x} was written by another thread since the last barrier");
            return Err(KernelError::new(codes::LAUNCH_FAILED, message));
        }
        to.copy_from_slice(&self.bytes[place..][..to.len()]);
        Ok(())
    }

    pub fn write(&mut self, thread: usize, address: u64, from: &[u8]) -> Outcome<()> {
        let place = self.place(address, from.len())?;
        self.bytes[place..][..from.len()].copy_from_slice(from);
        self.writers[place..][..from.len()].fill(thread as u16 + 1);
        (self.unfenced, self.unsynchronised) = (true, true);
        Ok(())
    }

    /// A read through the asynchronous proxy.
    pub fn read_async(&self, address: u64, to: &mut [u8]) -> Outcome<()> {
        let missing = match (self.unfenced, self.unsynchronised) {
            (true, _) => "fence.proxy.async",
            (_, true) => "bar.sync",
            (false, false) => {
                let place = self.place(address, to.len())?;
                to.copy_from_slice(&self.bytes[place..][..to.len()]);
                return Ok(());
            }
        };
        let message = format!("the asynchronous proxy reads shared memory that was written without {missing} since");
        Err(KernelError::new(codes::LAUNCH_FAILED, message))
    }
}
