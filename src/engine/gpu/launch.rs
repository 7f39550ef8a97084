//! Launches of a kernel on images of tiles, with proof that every word of the results was written.
//!
//! Before a launch the memory of D is filled with one word, and the host's copy of it with another. A word of the result that
//! still is one of them may be a result or may be unwritten: then everything runs again with other words, and what is one of
//! them again was never written.

use std::sync::Arc;

use super::driver::{Driver, DriverError, Memory, Module};

/// Words that stand for "not written", on the GPU and on the host, of the first and of the second run.
const UNWRITTEN: [[u32; 2]; 2] = [[0x5eed_dea1, 0x5eed_dea2], [0xa112_215e, 0xa112_215f]];

/// Images of tiles on the host.
#[derive(Default)]
pub struct Images {
    pub a: Vec<u8>,
    pub b: Vec<u8>,
    pub c: Vec<u8>,
    pub d: Vec<u8>,
}

/// What went wrong in a launch.
pub enum LaunchError {
    Driver(DriverError),
    /// A word of D that the kernel did not write.
    Unwritten {
        word: usize,
    },
}

impl From<DriverError> for LaunchError {
    fn from(error: DriverError) -> LaunchError {
        LaunchError::Driver(error)
    }
}

/// A kernel with its memory on the GPU.
pub struct Launcher {
    driver: Arc<Driver>,
    module: Module,
    threads: u32,
    /// A, B, C and D; kept as long as they are large enough.
    memory: Vec<Memory>,
}

impl Launcher {
    pub fn new(driver: Arc<Driver>, module: Module, threads: usize) -> Launcher {
        Launcher { driver, module, threads: threads as u32, memory: Vec::new() }
    }

    /// Computes D of all tiles.
    pub fn launch(&mut self, tiles: usize, steps: usize, images: &mut Images) -> Result<(), LaunchError> {
        self.reserve(images)?;
        let [a, b, c, _] = self.memory.as_mut_slice() else { unreachable!("four memories are reserved") };
        a.write(&images.a)?;
        b.write(&images.b)?;
        c.write(&images.c)?;
        let first = self.answer(tiles, steps, UNWRITTEN[0], &mut images.d)?;
        if first.is_empty() {
            return Ok(());
        }
        let second = self.answer(tiles, steps, UNWRITTEN[1], &mut images.d)?;
        match first.iter().find(|word| second.binary_search(word).is_ok()) {
            Some(&word) => Err(LaunchError::Unwritten { word }),
            None => Ok(()),
        }
    }

    /// One run; the words of D that look unwritten.
    fn answer(
        &mut self,
        tiles: usize,
        steps: usize,
        unwritten: [u32; 2],
        d: &mut [u8],
    ) -> Result<Vec<usize>, DriverError> {
        let [on_gpu, on_host] = unwritten;
        let [a, b, c, result] = self.memory.as_mut_slice() else { unreachable!("four memories are reserved") };
        result.fill(on_gpu)?;
        d.chunks_exact_mut(4).for_each(|word| word.copy_from_slice(&on_host.to_le_bytes()));
        self.module.launch(tiles as u32, self.threads, [a, b, c, result], steps as u32)?;
        self.driver.synchronise()?;
        result.read(d)?;
        let words = d.chunks_exact(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]));
        Ok(words.enumerate().filter(|(_, word)| unwritten.contains(word)).map(|(index, _)| index).collect())
    }

    /// Memory for these images, at least.
    fn reserve(&mut self, images: &Images) -> Result<(), DriverError> {
        let needed = [images.a.len(), images.b.len(), images.c.len(), images.d.len()];
        if self.memory.len() == needed.len() && self.memory.iter().zip(needed).all(|(own, needed)| own.len() >= needed)
        {
            return Ok(());
        }
        self.memory.clear();
        for bytes in needed {
            self.memory.push(self.driver.memory(bytes)?);
        }
        Ok(())
    }
}
