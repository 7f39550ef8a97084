//! The fake's global memory: allocations at made-up addresses that are never used twice, so that every access outside of a
//! live allocation is seen. Nothing here is an address of the process.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU8, Ordering};

/// Addresses start here; each allocation is followed by a gap.
const FIRST: u64 = 0x7f3a_0000_0000;
/// Alignment of allocations, as cuMemAlloc promises.
const ALIGNMENT: u64 = 256;
const GAP: u64 = 4096;
/// Bytes that the fake has.
const CAPACITY: u64 = 4 << 30;
/// What nobody has written holds this.
const GARBAGE: u8 = 0xa5;

/// Global memory. CTAs run in parallel, so bytes are atomic.
#[derive(Default)]
pub struct Memory {
    live: BTreeMap<u64, Box<[AtomicU8]>>,
    issued: u64,
    used: u64,
}

impl Memory {
    /// The address of a new allocation, if there is room for it.
    pub fn allocate(&mut self, bytes: u64) -> Option<u64> {
        if self.used.checked_add(bytes)? > CAPACITY {
            return None;
        }
        let address = FIRST + self.issued;
        self.issued += bytes.next_multiple_of(ALIGNMENT) + GAP;
        self.used += bytes;
        self.live.insert(address, (0..bytes).map(|_| AtomicU8::new(GARBAGE)).collect());
        Some(address)
    }

    /// Gives an allocation back; none if the address is not the start of a live one.
    pub fn free(&mut self, address: u64) -> Option<()> {
        let bytes = self.live.remove(&address)?;
        self.used -= bytes.len() as u64;
        Some(())
    }

    /// Number of live allocations.
    pub fn live(&self) -> usize {
        self.live.len()
    }

    /// Gives everything back.
    pub fn clear(&mut self) {
        self.live.clear();
        self.used = 0;
    }

    /// The bytes at an address, if all of them lie in one live allocation.
    pub fn bytes(&self, address: u64, length: usize) -> Option<&[AtomicU8]> {
        let (base, bytes) = self.live.range(..=address).next_back()?;
        let start = usize::try_from(address - base).ok()?;
        bytes.get(start..start.checked_add(length)?)
    }

    /// Copies out of the memory; none if the range is not within a live allocation.
    pub fn read(&self, address: u64, to: &mut [u8]) -> Option<()> {
        let bytes = self.bytes(address, to.len())?;
        to.iter_mut().zip(bytes).for_each(|(to, from)| *to = from.load(Ordering::Relaxed));
        Some(())
    }

    /// Copies into the memory; none if the range is not within a live allocation.
    pub fn write(&self, address: u64, from: &[u8]) -> Option<()> {
        let bytes = self.bytes(address, from.len())?;
        bytes.iter().zip(from).for_each(|(to, from)| to.store(*from, Ordering::Relaxed));
        Some(())
    }
}
