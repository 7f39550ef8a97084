//! Transposition of bits in registers of AVX-512, with VBMI and GFNI. Moves bits; computes nothing.
//!
//! Where a bit lies, from the outermost: in which register, which quadword of it, which byte of that, which bit of that. v, w
//! and x are the upper, the middle and the lower three bits of a vector's number, e is an element, B a byte of its and b a bit
//! of that byte:
//!
//! ```text
//!   operands             vwx   e  B  b
//!   bytes gathered       vxB   e  w  b    of every eight registers
//!   quadwords turned     veB   x  w  b    between eight registers
//!   bits turned          veB   x  b  w    an affine product in each register
//!   bytes turned         veB   b  x  w    a permutation in each register
//!   quadwords turned     eBb   v  x  w    between eight registers, once all blocks are there: planes
//!
//!   planes                Bb   v  x  w
//!   quadwords turned      Bv   b  x  w
//!   bits turned           Bv   b  w  x
//!   bytes turned          Bv   w  b  x
//!   bits turned           Bv   w  x  b
//!   quadwords turned      vw   B  x  b
//!   bytes turned          vw   x  B  b    words
//! ```
//!
//! Loops, not closures, take the registers: a closure that is called by a function of the library would be no part of one for
//! processors that have them, as the compiler pleases, and four times as slow.

#![allow(
    clippy::needless_range_loop,
    reason = "what iterators of arrays drop by value is a call, for which registers go to memory"
)]
#![allow(
    unsafe_code,
    reason = "rows are read from memory into registers, and instructions are used once they are found"
)]

use std::arch::x86_64::*;
use std::sync::LazyLock;

use super::super::gather;
use super::bytes;
use super::planes::{BITS, BLOCKS, LANES, Plane};
use crate::isa::Isa;

/// Whether the processor has the instructions.
pub(super) fn are_there() -> bool {
    static THERE: LazyLock<bool> = LazyLock::new(|| {
        Isa::Avx512.is_supported() && is_x86_feature_detected!("avx512vbmi") && is_x86_feature_detected!("gfni")
    });
    *THERE
}

/// Transposes the operands of one kind of 64 vectors, block `block` of a batch: `elements` to a vector, a power of two, of
/// each the lowest 1, 2, 4 or 8 bytes. Its word of plane `8 m + c` waits in word c of plane `8 m + block`; `join_blocks` turns
/// that when all blocks are there.
pub(super) fn planes_of_block(operands: &[u64], elements: usize, bytes: usize, block: usize, planes: &mut [Plane]) {
    assert!(are_there() && block < BLOCKS && elements.is_power_of_two());
    assert!(operands.len() == BITS * elements && planes.len() == 8 * bytes * elements);
    macro_rules! of_sizes {
        ($($elements:literal)*) => {
            match (elements, bytes) {
                // SAFETY: the processor has the instructions.
                $(
                    ($elements, 1) => unsafe { planes_of::<$elements, { words($elements) }, 1>(operands, block, planes) },
                    ($elements, 2) => unsafe { planes_of::<$elements, { words($elements) }, 2>(operands, block, planes) },
                    ($elements, 4) => unsafe { planes_of::<$elements, { words($elements) }, 4>(operands, block, planes) },
                    ($elements, 8) => unsafe { planes_of::<$elements, { words($elements) }, 8>(operands, block, planes) },
                )*
                _ => panic!("{elements} operands of {bytes} bytes; allowed: at most 64, of 1, 2, 4 or 8 bytes"),
            }
        };
    }
    of_sizes!(1 2 4 8 16 32 64);
}

/// Operands side by side that are turned together.
const fn words(elements: usize) -> usize {
    if elements < 8 { elements } else { 8 }
}

/// The same for WORDS operands of each vector, and as many times as there are more.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
fn planes_of<const ELEMENTS: usize, const WORDS: usize, const BYTES: usize>(
    operands: &[u64],
    block: usize,
    planes: &mut [Plane],
) {
    let (turned, unit) = (load(&TURNED), unit());
    // In registers: from a vector to the eighth after it, and from one of the rows that are turned together to the next.
    let (eighth, next) = (ELEMENTS, ELEMENTS.div_ceil(8));
    assert!(operands.len() == BITS * ELEMENTS && planes.len() == 8 * BYTES * ELEMENTS && block < BLOCKS);
    for group in 0..next {
        let mut rows = [[_mm512_setzero_si512(); WORDS]; BYTES];
        for row in 0..WORDS {
            let first = &operands[8 * (row * next + group)..];
            let registers = bytes::of_eight::<BYTES>(first, eighth);
            for byte in 0..BYTES {
                rows[byte][row] = registers[byte];
            }
        }
        for byte in 0..BYTES {
            let columns = split(rows[byte]);
            for word in 0..WORDS {
                let bits = _mm512_gf2p8affine_epi64_epi8::<0>(unit, columns[word]);
                let place = BYTES * (WORDS * group + word) + byte;
                store(_mm512_permutexvar_epi8(turned, bits), &mut planes[8 * place + block].0);
            }
        }
    }
}

/// Turns what `planes_of_block` left of all blocks into planes.
pub(super) fn join_blocks(planes: &mut [Plane]) {
    assert!(are_there());
    for eight in planes.as_chunks_mut().0 {
        // SAFETY: the processor has the instructions.
        unsafe { turn(eight) };
    }
}

/// Word j of plane i becomes word i of plane j. Words of two neighbours are brought together as they are read: the odd ones
/// of one are read a word early, the even ones of the other a word late.
#[target_feature(enable = "avx512f,avx512bw")]
fn turn(planes: &mut [Plane; 8]) {
    let words: *const i64 = planes.as_ptr().cast();
    let (mut even, mut odd) = ([_mm512_setzero_si512(); 4], [_mm512_setzero_si512(); 4]);
    for pair in 0..4 {
        let (first, second) = (words.wrapping_add(16 * pair), words.wrapping_add(16 * pair + 8));
        // SAFETY: both planes are there; the masks take words of the planes only.
        unsafe {
            let own = _mm512_loadu_si512(first.cast());
            even[pair] = _mm512_mask_loadu_epi64(own, 0b1010_1010, second.wrapping_sub(1));
            let own = _mm512_loadu_si512(second.cast());
            odd[pair] = _mm512_mask_loadu_epi64(own, 0b0101_0101, first.wrapping_add(1));
        }
    }
    let (even, odd) = (gather::quarters_turned(even), gather::quarters_turned(odd));
    for (pair, planes) in planes.as_chunks_mut::<2>().0.iter_mut().enumerate() {
        store(even[pair], &mut planes[0].0);
        store(odd[pair], &mut planes[1].0);
    }
}

/// The first planes, as many as `width`, into a word a vector: plane j is bit j.
pub(super) fn words_of_planes(planes: &[Plane; BITS], width: usize, words: &mut [u64; LANES]) {
    assert!(are_there() && width <= BITS);
    // SAFETY: the processor has the instructions.
    unsafe {
        match width {
            0..=32 => words_of::<4>(planes, words),
            _ => words_of::<8>(planes, words),
        }
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
fn words_of<const BYTES: usize>(planes: &[Plane; BITS], words: &mut [u64; LANES]) {
    let mut blocks = [[_mm512_setzero_si512(); 8]; BLOCKS];
    for (m, planes) in planes.as_chunks::<8>().0.iter().take(BYTES).enumerate() {
        let words = split(loaded(planes));
        for block in 0..BLOCKS {
            blocks[block][m] = words[block];
        }
    }
    let (before, after, unit) = (load(&TURNED_FOR_PRODUCT), load(&TURNED_AFTER_TWO), unit());
    for (block, words) in words.as_chunks_mut::<BITS>().0.iter_mut().enumerate() {
        let mut bits = blocks[block];
        for rows in bits.iter_mut().take(BYTES) {
            let turned = _mm512_permutexvar_epi8(before, _mm512_gf2p8affine_epi64_epi8::<0>(unit, *rows));
            *rows = _mm512_gf2p8affine_epi64_epi8::<0>(unit, turned);
        }
        let columns = split(bits);
        for (row, words) in words.as_chunks_mut().0.iter_mut().enumerate() {
            store(_mm512_permutexvar_epi8(after, columns[row]), words);
        }
    }
}

/// What an affine product takes to turn bytes and bits of quadwords whose bytes stand from the last to the first: byte j is
/// 1 << j, and the product's byte j collects bit j of every byte.
#[inline]
#[target_feature(enable = "avx512f")]
fn unit() -> __m512i {
    _mm512_set1_epi64(0x8040_2010_0804_0201_u64 as i64)
}

/// Where each byte of a register comes from, to turn quadwords and bytes: byte j of quadword i is byte i of quadword j.
const TURNED: [u64; 8] = turned(0, 0);
/// The same with the bytes from the last to the first, as the affine product reads them.
const TURNED_FOR_PRODUCT: [u64; 8] = turned(7, 0);
/// The same from bytes from the last to the first, as a first affine product that read them otherwise left them.
const TURNED_AFTER_TWO: [u64; 8] = turned(0, 7);

/// `changed`: 7 where bytes, or quadwords, of the result are counted from the last.
const fn turned(changed_byte: usize, changed_quadword: usize) -> [u64; 8] {
    let mut places = [0; 8];
    let mut place = 0;
    while place < 64 {
        let (quadword, byte) = (place / 8, place % 8);
        let source = 8 * (byte ^ changed_byte) + (quadword ^ changed_quadword);
        places[quadword] |= (source as u64) << (8 * byte);
        place += 1;
    }
    places
}

/// Eight rows of WORDS words, one after the other, into columns: register g is word g of the rows. Eight registers of one row
/// each are turned by that.
///
/// ```text
///   even quadwords of two neighbours to the lower half of the registers, odd ones to the upper half; once for each bit of g
/// ```
#[inline]
#[target_feature(enable = "avx512f")]
fn split<const WORDS: usize>(mut rows: [__m512i; WORDS]) -> [__m512i; WORDS] {
    let even = _mm512_set_epi64(14, 12, 10, 8, 6, 4, 2, 0);
    let odd = _mm512_set_epi64(15, 13, 11, 9, 7, 5, 3, 1);
    for _ in 0..WORDS.ilog2() {
        let before = rows;
        for (register, row) in rows.iter_mut().enumerate() {
            let pair = 2 * (register % (WORDS / 2));
            let chosen = if register < WORDS / 2 { even } else { odd };
            *row = _mm512_permutex2var_epi64(before[pair], chosen, before[pair + 1]);
        }
    }
    rows
}

#[inline]
#[target_feature(enable = "avx512f")]
fn loaded(planes: &[Plane; 8]) -> [__m512i; 8] {
    let mut words = [_mm512_setzero_si512(); 8];
    for (word, plane) in planes.iter().enumerate() {
        words[word] = load(&plane.0);
    }
    words
}

#[inline]
#[target_feature(enable = "avx512f")]
fn load(words: &[u64; 8]) -> __m512i {
    // SAFETY: eight words are 512 bits.
    unsafe { _mm512_loadu_si512(words.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx512f")]
fn store(register: __m512i, words: &mut [u64; 8]) {
    // SAFETY: eight words are 512 bits.
    unsafe { _mm512_storeu_si512(words.as_mut_ptr().cast(), register) }
}
