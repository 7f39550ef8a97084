//! Bit planes: bit j of 512 words as one plane of 512 bits, and back. Moves bits; computes nothing.
//!
//! Bits are moved in blocks of 64 vectors: with instructions of AVX-512 where the processor has them (`registers`), by halves
//! in quadwords elsewhere (`quadwords`).

use super::quadwords;
#[cfg(target_arch = "x86_64")]
use super::registers;
use crate::isa::Isa;

/// Vectors that are evaluated at a time.
pub const LANES: usize = 512;
/// Bits of a word, vectors of a block.
pub(super) const BITS: usize = 64;
/// Blocks of 64 vectors.
pub(super) const BLOCKS: usize = LANES / BITS;

/// One bit of 512 vectors. Vector v has bit `v / 8 % 8` of byte `v % 8` of word `v / 64`: this order saves a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[repr(C, align(64))]
pub struct Plane(pub [u64; BLOCKS]);

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
    /// Words of 64 bits.
    Words,
    /// NEON.
    Neon,
    /// AVX2.
    Avx2,
    /// AVX-512 with VBMI and GFNI.
    Avx512,
}

impl Means {
    /// All of them, the least able first.
    pub const ALL: [Means; 4] = [Means::Words, Means::Neon, Means::Avx2, Means::Avx512];

    /// Those that the processor has, whatever the limit.
    pub fn supported() -> impl Iterator<Item = Means> {
        Means::ALL.into_iter().filter(|means| means.is_supported())
    }

    /// The fastest that the processor has and the limit allows.
    pub fn best() -> Means {
        let best = Isa::best();
        Means::supported().filter(|means| means.isa() <= best).last().unwrap_or(Means::Words)
    }

    fn isa(self) -> Isa {
        match self {
            Means::Words => Isa::Portable,
            Means::Neon => Isa::Neon,
            Means::Avx2 => Isa::Avx2,
            Means::Avx512 => Isa::Avx512,
        }
    }

    fn is_supported(self) -> bool {
        #[cfg(target_arch = "x86_64")]
        if self == Means::Avx512 {
            return registers::are_there();
        }
        self.isa().is_supported()
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
        match (means, self.bytes) {
            #[cfg(target_arch = "x86_64")]
            (Means::Avx512, _) => self.planes_of_blocks(padded, planes),
            (_, 1) => planes_of::<1>(means, padded, self.padded, planes),
            (_, 2) => planes_of::<2>(means, padded, self.padded, planes),
            (_, 4) => planes_of::<4>(means, padded, self.padded, planes),
            _ => planes_of::<8>(means, padded, self.padded, planes),
        }
    }

    #[cfg(target_arch = "x86_64")]
    fn planes_of_blocks(&self, operands: &[u64], planes: &mut [Plane]) {
        for (block, operands) in operands.chunks_exact(BITS * self.padded).enumerate() {
            registers::planes_of_block(operands, self.padded, self.bytes, block, planes);
        }
        registers::join_blocks(planes);
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
}

fn planes_of<const BYTES: usize>(means: Means, operands: &[u64], elements: usize, planes: &mut [Plane]) {
    match means {
        #[cfg(target_arch = "x86_64")]
        Means::Avx2 => quadwords::avx2::planes_of::<BYTES>(operands, elements, planes),
        #[cfg(target_arch = "aarch64")]
        Means::Neon => quadwords::planes_of::<BYTES, std::arch::aarch64::uint64x2_t>(operands, elements, planes),
        _ => quadwords::planes_of::<BYTES, u64>(operands, elements, planes),
    }
}

/// The first planes, as many as `width`, into a word a vector: plane j is bit j. Those behind them are zeros.
pub fn words_of_planes(means: Means, planes: &[Plane; BITS], width: usize, words: &mut [u64; LANES]) {
    match (means, width) {
        #[cfg(target_arch = "x86_64")]
        (Means::Avx512, _) => registers::words_of_planes(planes, width, words),
        (_, 0..=16) => words_of::<2>(means, planes, words),
        (_, 17..=32) => words_of::<4>(means, planes, words),
        _ => words_of::<8>(means, planes, words),
    }
}

fn words_of<const BYTES: usize>(means: Means, planes: &[Plane; BITS], words: &mut [u64; LANES]) {
    match means {
        #[cfg(target_arch = "x86_64")]
        Means::Avx2 => quadwords::avx2::words_of::<BYTES>(planes, words),
        #[cfg(target_arch = "aarch64")]
        Means::Neon => quadwords::words_of::<BYTES, std::arch::aarch64::uint64x2_t>(planes, words),
        _ => quadwords::words_of::<BYTES, u64>(planes, words),
    }
}
