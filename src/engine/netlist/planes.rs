//! Bit planes: bit j of 512 words as one plane of 512 bits, and back. Moves bits; computes nothing.
//!
//! Bits are moved in blocks of 64 vectors: with instructions of AVX-512 where the processor has them (`registers`), by halves
//! in words elsewhere.

#[cfg(target_arch = "x86_64")]
use super::registers;
#[cfg(target_arch = "x86_64")]
use crate::isa::Isa;

/// Vectors that are evaluated at a time.
pub const LANES: usize = 512;
/// Bits of a word, vectors of a block.
pub(super) const BITS: usize = 64;
/// Blocks of 64 vectors.
pub(super) const BLOCKS: usize = LANES / BITS;

/// One bit of 512 vectors, of a vector in a bit that `lane` tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[repr(C, align(64))]
pub struct Plane(pub [u64; BLOCKS]);

/// The bit of a vector within its block's word: the upper and the lower three bits of its number have changed places, which
/// saves registers a step. It is the vector of a bit too.
pub fn lane(vector: usize) -> usize {
    vector % 8 * 8 + vector / 8 % 8
}

/// How operands of one kind, some to a vector, lie in planes: element i's bit j is plane `8 bytes i + j`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Layout {
    elements: usize,
    /// The next power of two.
    padded: usize,
    /// Bytes of an element: 1, 2, 4 or 8.
    bytes: usize,
}

/// Which instructions transpose.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Means {
    /// AVX-512 with VBMI and GFNI.
    Registers,
    /// Words of 64 bits.
    Words,
}

impl Means {
    /// The fastest that the processor has.
    pub fn best() -> Means {
        #[cfg(target_arch = "x86_64")]
        if Isa::best() == Isa::Avx512 && registers::are_there() {
            return Means::Registers;
        }
        Means::Words
    }
}

impl Layout {
    /// For 1 to 64 words of 1 to 64 bits in each vector.
    pub fn new(elements: usize, width: u32) -> Layout {
        assert!((1..=64).contains(&elements) && (1..=64).contains(&width), "{elements} operands of {width} bits");
        let (padded, bytes) = (elements.next_power_of_two(), (width as usize).div_ceil(8).next_power_of_two());
        Layout { elements, padded, bytes }
    }

    /// Number of planes.
    pub fn planes(&self) -> usize {
        8 * self.bytes * self.padded
    }

    /// The plane of a bit of an element.
    pub fn plane(&self, element: usize, bit: usize) -> usize {
        8 * self.bytes * element + bit
    }

    /// Fills the planes from operands, vector by vector, of at most 512 vectors; the others are zeros. Bits above the
    /// element's bytes are dropped. `room` is room for operands with zeros between them.
    pub fn fill(&self, means: Means, operands: &[u64], room: &mut Vec<u64>, planes: &mut [Plane]) {
        assert!(operands.len() <= LANES * self.elements && planes.len() == self.planes());
        let padded = if operands.len() == LANES * self.padded { operands } else { self.padded(operands, room) };
        for (block, operands) in padded.chunks_exact(BITS * self.padded).enumerate() {
            match means {
                #[cfg(target_arch = "x86_64")]
                Means::Registers => registers::planes_of_block(operands, self.padded, self.bytes, block, planes),
                _ => self.planes_of_block(operands, block, planes),
            }
        }
        #[cfg(target_arch = "x86_64")]
        if means == Means::Registers {
            registers::join_blocks(planes);
        }
    }

    /// Operands of 512 vectors, with zeros where there are none.
    fn padded<'a>(&self, operands: &[u64], room: &'a mut Vec<u64>) -> &'a [u64] {
        room.clear();
        room.resize(LANES * self.padded, 0);
        for (room, operands) in room.chunks_exact_mut(self.padded).zip(operands.chunks(self.elements)) {
            room[..operands.len()].copy_from_slice(operands);
        }
        room
    }

    /// Transposes the operands of a block into its word of each plane.
    fn planes_of_block(&self, operands: &[u64], block: usize, planes: &mut [Plane]) {
        let bits = 8 * self.bytes;
        for (element, planes) in planes.chunks_exact_mut(bits).enumerate() {
            let mut words: [u64; BITS] = std::array::from_fn(|place| operands[lane(place) * self.padded + element]);
            transpose(&mut words);
            planes.iter_mut().zip(words).for_each(|(plane, word)| plane.0[block] = word);
        }
    }
}

/// The first planes, as many as `width`, into a word a vector: plane j is bit j. Those behind them are zeros.
pub fn words_of_planes(means: Means, planes: &[Plane; BITS], width: usize, words: &mut [u64; LANES]) {
    #[cfg(target_arch = "x86_64")]
    if means == Means::Registers {
        return registers::words_of_planes(planes, width, words);
    }
    let _ = (means, width);
    for (block, words) in words.as_chunks_mut::<BITS>().0.iter_mut().enumerate() {
        let mut lanes: [u64; BITS] = std::array::from_fn(|bit| planes[bit].0[block]);
        transpose(&mut lanes);
        words.iter_mut().enumerate().for_each(|(vector, word)| *word = lanes[lane(vector)]);
    }
}

/// Transposes a block by halves: of 32, 16, 8, 4, 2 and 1 bits (Warren, Hacker's Delight, 7-3).
fn transpose(words: &mut [u64; BITS]) {
    let (mut width, mut mask) = (32, 0xffff_ffff_u64);
    while width > 0 {
        for first in (0..BITS).filter(|row| row & width == 0) {
            let (low, high) = (words[first], words[first + width]);
            words[first] = low & mask | (high & mask) << width;
            words[first + width] = high & !mask | (low & !mask) >> width;
        }
        width /= 2;
        mask ^= mask << width;
    }
}
