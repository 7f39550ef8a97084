//! Bit planes: bit j of 512 words as one plane of 512 bits, and back. Moves bits; computes nothing.
//!
//! Operands of a vector are packed side by side into a row of whole 64-bit words. Rows are transposed in blocks of 64 x 64
//! bits: with instructions of AVX-512 where the processor has them (`registers`), by halves in words elsewhere.

#[cfg(target_arch = "x86_64")]
use super::registers;

/// Vectors that are evaluated at a time.
pub const LANES: usize = 512;
/// Bits of a word, rows of a block.
pub(super) const BITS: usize = 64;
/// Blocks of 64 vectors.
pub(super) const BLOCKS: usize = LANES / BITS;

/// One bit of 512 vectors, vector v in bit v % 64 of word v / 64.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[repr(C, align(64))]
pub struct Plane(pub [u64; BLOCKS]);

/// How operands of one kind, some to a vector, lie in planes: element i's bit j is plane `8 bytes i + j`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Layout {
    elements: usize,
    /// Bytes of an element: 1, 2, 4 or 8.
    bytes: usize,
    /// Words of a row: a power of two.
    words: usize,
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
        if registers::are_there() {
            return Means::Registers;
        }
        Means::Words
    }
}

impl Layout {
    /// For 1 to 64 words of 1 to 64 bits in each vector.
    pub fn new(elements: usize, width: u32) -> Layout {
        assert!((1..=64).contains(&elements) && (1..=64).contains(&width), "{elements} operands of {width} bits");
        let padded = elements.next_power_of_two();
        let needed = (width as usize).div_ceil(8).next_power_of_two();
        let bytes = needed.max(8 / padded.min(8));
        Layout { elements, bytes, words: padded * bytes / 8 }
    }

    /// Number of planes.
    pub fn planes(&self) -> usize {
        BITS * self.words
    }

    /// The plane of a bit of an element.
    pub fn plane(&self, element: usize, bit: usize) -> usize {
        8 * self.bytes * element + bit
    }

    /// Fills the planes from operands, vector by vector, of at most 512 vectors; the others are zeros. Bits above the
    /// element's bytes are dropped. `rows` is room for the rows of a block.
    pub fn fill(&self, means: Means, operands: &[u64], rows: &mut Vec<u64>, planes: &mut [Plane]) {
        assert!(operands.len() <= LANES * self.elements && planes.len() == self.planes());
        rows.resize(BITS * self.words, 0);
        for block in 0..BLOCKS {
            let first = (block * BITS * self.elements).min(operands.len());
            let last = ((block + 1) * BITS * self.elements).min(operands.len());
            self.pack(means, &operands[first..last], rows);
            match means {
                #[cfg(target_arch = "x86_64")]
                Means::Registers => registers::transpose_rows(rows, self.words, block, planes),
                _ => transpose_rows(rows, self.words, block, planes),
            }
        }
        #[cfg(target_arch = "x86_64")]
        if means == Means::Registers {
            registers::join_blocks(planes);
        }
    }

    /// Packs the operands of a block side by side; rows that have none are zeros.
    fn pack(&self, means: Means, operands: &[u64], rows: &mut [u64]) {
        #[cfg(target_arch = "x86_64")]
        if means == Means::Registers && operands.len() * self.bytes == rows.len() * 8 {
            return registers::narrow(operands, self.bytes, rows);
        }
        let _ = means;
        rows.fill(0);
        let mask = u64::MAX >> (64 - 8 * self.bytes);
        for (row, elements) in rows.chunks_exact_mut(self.words).zip(operands.chunks(self.elements)) {
            for (i, element) in elements.iter().enumerate() {
                let bit = 8 * self.bytes * i;
                row[bit / BITS] |= (element & mask) << (bit % BITS);
            }
        }
    }
}

/// Transposes a block of rows into its word of each plane.
fn transpose_rows(rows: &[u64], words: usize, block: usize, planes: &mut [Plane]) {
    for (word, planes) in planes.chunks_exact_mut(BITS).enumerate() {
        let mut bits: [u64; BITS] = std::array::from_fn(|v| rows[v * words + word]);
        transpose(&mut bits);
        planes.iter_mut().zip(bits).for_each(|(plane, bits)| plane.0[block] = bits);
    }
}

/// 64 planes into a word a vector: plane j is bit j.
pub fn words_of_planes(means: Means, planes: &[Plane; BITS], words: &mut [u64; LANES]) {
    #[cfg(target_arch = "x86_64")]
    if means == Means::Registers {
        return registers::words_of_planes(planes, words);
    }
    let _ = means;
    for (block, words) in words.as_chunks_mut::<BITS>().0.iter_mut().enumerate() {
        words.iter_mut().zip(planes).for_each(|(word, plane)| *word = plane.0[block]);
        transpose(words);
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
