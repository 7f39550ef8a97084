//! Bytes of a recording: counted and summed on the way in and out, and arrays of elements as planes of bytes.

use std::io::{self, Read, Write};

use crc32fast::Hasher;

/// Bytes that an element of so many bits needs.
fn bytes_of(width: u32) -> usize {
    width.div_ceil(8) as usize
}

/// Bytes that an array needs.
pub(super) fn length(elements: usize, width: u32) -> usize {
    elements * bytes_of(width)
}

/// Appends an array: the lowest bytes of all elements, then the next ones.
pub(super) fn append(elements: &[u64], width: u32, data: &mut Vec<u8>) {
    for byte in 0..bytes_of(width) {
        data.extend(elements.iter().map(|element| (element >> (8 * byte)) as u8));
    }
}

/// Takes an array off the front of the data, which is long enough.
pub(super) fn take(data: &mut &[u8], count: usize, width: u32, elements: &mut Vec<u64>) {
    elements.clear();
    elements.resize(count, 0);
    for byte in 0..bytes_of(width) {
        let (plane, rest) = data.split_at(count);
        *data = rest;
        elements.iter_mut().zip(plane).for_each(|(element, &part)| *element |= u64::from(part) << (8 * byte));
    }
}

/// A stream with its position and the checksum of everything up to there.
#[derive(Debug)]
pub(super) struct Summed<S> {
    pub stream: S,
    pub position: u64,
    pub sum: Hasher,
}

impl<S> Summed<S> {
    pub fn new(stream: S) -> Summed<S> {
        Summed { stream, position: 0, sum: Hasher::new() }
    }

    pub fn checksum(&self) -> u32 {
        self.sum.clone().finalize()
    }

    fn passed(&mut self, bytes: &[u8]) {
        self.position += bytes.len() as u64;
        self.sum.update(bytes);
    }
}

impl<S: Write> Summed<S> {
    pub fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.stream.write_all(bytes)?;
        self.passed(bytes);
        Ok(())
    }

    pub fn write_checksum(&mut self) -> io::Result<()> {
        let sum = self.checksum();
        self.write(&sum.to_le_bytes())
    }
}

impl<S: Read> Summed<S> {
    /// Fills the buffer.
    pub fn read(&mut self, buffer: &mut [u8]) -> io::Result<()> {
        self.stream.read_exact(buffer)?;
        self.passed(buffer);
        Ok(())
    }
}
