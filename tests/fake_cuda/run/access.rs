//! Loads and stores of threads, each checked for alignment and bounds.

use super::{Cta, KernelError, Outcome};
use crate::driver::codes;
use crate::ptx::program::{Address, Operation, Space};
use crate::ptx::types::{Meaning, Type};

fn illegal(what: &str, address: u64, bytes: usize) -> KernelError {
    KernelError::new(codes::ILLEGAL_ADDRESS, format!("{what} of {bytes} bytes at {address:#x}"))
}

/// A value of up to eight bytes, low byte first.
fn assemble(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte))
}

impl Cta<'_> {
    /// ld and st, in every active thread.
    pub(super) fn access(&mut self, operation: &Operation) -> Outcome<()> {
        for thread in (0..self.threads()).filter(|thread| self.active[*thread]).collect::<Vec<_>>() {
            match operation {
                Operation::LoadParameter { d, kind, offset } => {
                    let bytes = &self.launch.parameters[*offset..][..kind.bytes()];
                    self.set(*d, thread, assemble(bytes));
                }
                Operation::Load { space, kind, d, address } => {
                    let place = self.resolve(*address, thread);
                    let mut bytes = vec![0; kind.bytes() * d.len()];
                    match space {
                        Space::Global => self.read_global(place, &mut bytes)?,
                        Space::Shared => self.shared.read(thread, place, &mut bytes)?,
                    }
                    for (register, bytes) in d.iter().zip(bytes.chunks(kind.bytes())) {
                        self.set(*register, thread, widened(assemble(bytes), *kind));
                    }
                }
                Operation::Store { space, kind, sources, address } => {
                    let place = self.resolve(*address, thread);
                    let value = |source| self.value(source, thread).to_le_bytes();
                    let words = sources.iter().map(|source| value(*source));
                    let bytes: Vec<u8> = words.flat_map(|word| word.into_iter().take(kind.bytes())).collect();
                    match space {
                        Space::Global => self.write_global(place, &bytes)?,
                        Space::Shared => self.shared.write(thread, place, &bytes)?,
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn resolve(&self, address: Address, thread: usize) -> u64 {
        self.value(address.base, thread).wrapping_add_signed(address.offset)
    }

    fn read_global(&self, address: u64, to: &mut [u8]) -> Outcome<()> {
        let aligned = address.is_multiple_of(to.len() as u64);
        let done = aligned.then(|| self.launch.memory.read(address, to)).flatten();
        done.ok_or_else(|| illegal("load", address, to.len()))
    }

    fn write_global(&mut self, address: u64, from: &[u8]) -> Outcome<()> {
        let fits = address.is_multiple_of(from.len() as u64) && self.launch.memory.bytes(address, from.len()).is_some();
        if !fits {
            return Err(illegal("store", address, from.len()));
        }
        if !std::mem::take(&mut self.drops_store) {
            self.launch.memory.write(address, from);
        }
        Ok(())
    }

    /// One element of a matrix in global memory.
    pub fn load_global(&self, address: u64, bytes: usize) -> Outcome<u64> {
        let mut read = [0; 8];
        self.read_global(address, &mut read[..bytes])?;
        Ok(assemble(&read))
    }

    pub fn store_global(&mut self, address: u64, bytes: usize, value: u64) -> Outcome<()> {
        self.write_global(address, &value.to_le_bytes()[..bytes])
    }

    /// One element of a matrix in shared memory, as the asynchronous proxy reads it.
    pub fn load_async(&self, address: u64, bytes: usize) -> Outcome<u64> {
        let mut read = [0; 8];
        self.shared.read_async(address, &mut read[..bytes])?;
        Ok(assemble(&read))
    }
}

/// A loaded value in a wider register: signed ones carry their sign there.
fn widened(value: u64, kind: Type) -> u64 {
    match kind.meaning == Meaning::Signed && value >> (kind.width - 1) == 1 {
        true => value | !kind.mask(),
        false => value,
    }
}
