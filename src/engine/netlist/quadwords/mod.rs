//! Transposition of bits in quadwords, one or several side by side: one text for words of 64 bits, for registers of AVX2 and for
//! those of NEON. Moves bits; computes nothing.
//!
//! Where a bit lies, from the outermost: in which of eight rows, which byte of its quadword, which bit of that. v, w and x are
//! the upper, the middle and the lower three bits of a vector's number, B is a byte of its operand and b a bit of that byte:
//!
//! ```text
//!   operands of eight vectors     x  B  b     for each v and w
//!   bytes exchanged               B  x  b
//!   other rows taken together     w  x  b     for each v and B
//!   bits exchanged                b  x  w     planes of a block
//!
//!   planes of a block             b  x  w     for each v and B
//!   bits exchanged                w  x  b
//!   other rows taken together     B  x  b     for each v and w
//!   bytes exchanged               x  B  b     words of eight vectors
//! ```
//!
//! Quadwords side by side are those of neighbouring operands, and planes want neighbouring blocks side by side: they are turned
//! in between.
//!
//! Loops over numbers, not closures and iterators, take the rows: what is called by a function of the library would be no part
//! of one for processors that have the registers, and iterators are not inlined where this is compiled in parts.

#![allow(clippy::needless_range_loop, reason = "iterators are several times as slow here, see above")]

#[cfg(target_arch = "x86_64")]
pub(super) mod avx2;
#[cfg(target_arch = "aarch64")]
pub(super) mod neon;

use super::planes::{BITS, BLOCKS, LANES, Plane};

/// Quadwords that registers hold side by side at most.
const WIDEST: usize = 4;

/// Some quadwords side by side.
pub(super) trait Quadwords: Copy {
    /// How many: 1, 2 or 4.
    const COUNT: usize;

    fn zeros() -> Self;

    /// The first words.
    fn load(words: &[u64]) -> Self;

    /// The first word, and others so far behind the one before each.
    fn gather(words: &[u64], distance: usize) -> Self;

    /// Into the first words.
    fn store(self, words: &mut [u64]);

    /// The upper half of each field of 2 WIDTH bits of `low` changes places with the lower half of that of `high`.
    fn exchanged<const WIDTH: u32>(low: Self, high: Self) -> (Self, Self);

    /// Quadword j of row i becomes quadword i of row j, of as many rows as there are quadwords; others stay.
    fn turned(rows: [Self; WIDEST]) -> [Self; WIDEST];
}

/// Fields in whose lower half all bits are ones.
const fn lower_halves(width: u32) -> u64 {
    u64::MAX / ((1 << width) + 1)
}

impl Quadwords for u64 {
    const COUNT: usize = 1;

    fn zeros() -> u64 {
        0
    }

    #[inline(always)]
    fn load(words: &[u64]) -> u64 {
        words[0]
    }

    #[inline(always)]
    fn gather(words: &[u64], _: usize) -> u64 {
        words[0]
    }

    #[inline(always)]
    fn store(self, words: &mut [u64]) {
        words[0] = self;
    }

    #[inline(always)]
    fn exchanged<const WIDTH: u32>(low: u64, high: u64) -> (u64, u64) {
        let changed = (low >> WIDTH ^ high) & const { lower_halves(WIDTH) };
        (low ^ changed << WIDTH, high ^ changed)
    }

    #[inline(always)]
    fn turned(rows: [u64; WIDEST]) -> [u64; WIDEST] {
        rows
    }
}

/// Exchanges halves of fields between rows so many apart.
#[inline(always)]
fn exchange<const WIDTH: u32, Q: Quadwords>(rows: &mut [Q; 8], apart: usize) {
    for first in 0..8 {
        if first & apart == 0 {
            (rows[first], rows[first + apart]) = Q::exchanged::<WIDTH>(rows[first], rows[first + apart]);
        }
    }
}

/// Byte i of row j becomes byte j of row i.
#[inline(always)]
fn exchange_bytes<Q: Quadwords>(rows: &mut [Q; 8]) {
    exchange::<32, Q>(rows, 4);
    exchange::<16, Q>(rows, 2);
    exchange::<8, Q>(rows, 1);
}

/// Bit i of each byte of row j becomes bit j of that byte of row i.
#[inline(always)]
fn exchange_bits<Q: Quadwords>(rows: &mut [Q; 8]) {
    exchange::<4, Q>(rows, 4);
    exchange::<2, Q>(rows, 2);
    exchange::<1, Q>(rows, 1);
}

/// Fills planes from the operands of 512 vectors: `elements` to a vector, a power of two, of each the lowest BYTES bytes.
#[inline(always)]
pub(super) fn planes_of<const BYTES: usize, Q: Quadwords>(operands: &[u64], elements: usize, planes: &mut [Plane]) {
    assert!(operands.len() == LANES * elements && planes.len() == 8 * BYTES * elements);
    let beside = if elements < Q::COUNT { 1 } else { Q::COUNT };
    for column in 0..elements / beside {
        let operands = &operands[beside * column..];
        let planes = &mut planes[8 * BYTES * beside * column..][..8 * BYTES * beside];
        for row in 0..BLOCKS / Q::COUNT {
            let first = Q::COUNT * row;
            match beside {
                1 => single::<BYTES, Q>(operands, elements, first, planes),
                _ => several::<BYTES, Q>(operands, elements, first, planes),
            }
        }
    }
}

/// Operands of one number in each vector: blocks are side by side as they are read.
#[inline(always)]
fn single<const BYTES: usize, Q: Quadwords>(operands: &[u64], elements: usize, first: usize, planes: &mut [Plane]) {
    let bits = block::<BYTES, true, Q>(&operands[BITS * elements * first..], elements);
    for bit in 0..8 * BYTES {
        bits[bit / 8][bit % 8].store(&mut planes[bit].0[first..]);
    }
}

/// As many neighbouring operands as a register has quadwords.
#[inline(always)]
fn several<const BYTES: usize, Q: Quadwords>(operands: &[u64], elements: usize, first: usize, planes: &mut [Plane]) {
    let mut blocks = [[[Q::zeros(); 8]; BYTES]; WIDEST];
    for number in 0..Q::COUNT {
        blocks[number] = block::<BYTES, false, Q>(&operands[BITS * elements * (first + number)..], elements);
    }
    for bit in 0..8 * BYTES {
        let (byte, place) = (bit / 8, bit % 8);
        let rows =
            Q::turned([blocks[0][byte][place], blocks[1][byte][place], blocks[2][byte][place], blocks[3][byte][place]]);
        for number in 0..Q::COUNT {
            rows[number].store(&mut planes[8 * BYTES * number + bit].0[first..]);
        }
    }
}

/// The bits of 64 vectors, by bytes and bits of those: of neighbouring operands, or of one in neighbouring blocks.
#[inline(always)]
fn block<const BYTES: usize, const OF_BLOCKS: bool, Q: Quadwords>(
    operands: &[u64],
    elements: usize,
) -> [[Q; 8]; BYTES] {
    let mut bits = [[Q::zeros(); 8]; BYTES];
    for eight in 0..8 {
        let mut rows = [Q::zeros(); 8];
        for row in 0..8 {
            let operands = &operands[(8 * eight + row) * elements..];
            rows[row] = if OF_BLOCKS { Q::gather(operands, BITS * elements) } else { Q::load(operands) };
        }
        exchange_bytes(&mut rows);
        for byte in 0..BYTES {
            bits[byte][eight] = rows[byte];
        }
    }
    for byte in 0..BYTES {
        exchange_bits(&mut bits[byte]);
    }
    bits
}

/// The first 8 BYTES planes into a word a vector: plane j is bit j.
#[inline(always)]
pub(super) fn words_of<const BYTES: usize, Q: Quadwords>(planes: &[Plane; BITS], words: &mut [u64; LANES]) {
    for row in 0..BLOCKS / Q::COUNT {
        let first = Q::COUNT * row;
        let mut bits = [[Q::zeros(); 8]; BYTES];
        for bit in 0..8 * BYTES {
            bits[bit / 8][bit % 8] = Q::load(&planes[bit].0[first..]);
        }
        for byte in 0..BYTES {
            exchange_bits(&mut bits[byte]);
        }
        for eight in 0..8 {
            let mut rows = [Q::zeros(); 8];
            for byte in 0..BYTES {
                rows[byte] = bits[byte][eight];
            }
            exchange_bytes(&mut rows);
            let words = &mut words[BITS * first + 8 * eight..];
            for row in 0..8 / Q::COUNT {
                store(&rows, Q::COUNT * row, words);
            }
        }
    }
}

/// Stores rows of neighbouring vectors, in each the words of neighbouring blocks: as many rows as there are quadwords.
#[inline(always)]
fn store<Q: Quadwords>(rows: &[Q; 8], first: usize, words: &mut [u64]) {
    // Those behind the last quadword do not matter.
    let turned = Q::turned([rows[first], rows[(first + 1) % 8], rows[(first + 2) % 8], rows[(first + 3) % 8]]);
    for block in 0..Q::COUNT {
        turned[block].store(&mut words[BITS * block + first..]);
    }
}
