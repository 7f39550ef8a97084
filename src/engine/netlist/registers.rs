//! Transposition of bits in registers of AVX-512, with VBMI and GFNI. Moves bits; computes nothing.
//!
//! A register holds eight rows of 64 bits. Where a bit of a block of 64 x 64 lies, from the outermost: in which register, which
//! quadword, which byte, which bit. R and r are the upper and the lower three bits of its row's number, C and c of its column's:
//!
//! ```text
//!   rows               R r C c     register R, quadword r, byte C, bit c
//!   bytes turned       R C r c     a permutation in each register
//!   bits turned        R C c r     an affine product in each register
//!   quadwords turned   C R c r     between the eight registers
//!   bytes turned       C c R r     the transposed block
//! ```
//!
//! Loops, not closures, take the registers: a closure that is called by a function of the library would be no part of one for
//! processors that have them, as the compiler pleases, and four times as slow.

#![allow(
    unsafe_code,
    reason = "rows are read from memory into registers, and instructions are used once they are found"
)]

use std::arch::x86_64::*;
use std::sync::LazyLock;

use super::planes::{BITS, BLOCKS, LANES, Plane};

/// Whether the processor has the instructions.
pub(super) fn are_there() -> bool {
    static THERE: LazyLock<bool> = LazyLock::new(|| {
        is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("avx512vbmi")
            && is_x86_feature_detected!("gfni")
    });
    *THERE
}

/// Packs the lowest 1, 2, 4 or 8 bytes of each operand side by side; there are as many as fill the rows.
pub(super) fn narrow(operands: &[u64], bytes: usize, rows: &mut [u64]) {
    assert!(are_there() && operands.len() * bytes == rows.len() * 8 && operands.len().is_multiple_of(8));
    // SAFETY: the processor has the instructions.
    unsafe {
        match bytes {
            1 => narrow_to_1(operands, rows),
            2 => narrow_to_2(operands, rows),
            4 => narrow_to_4(operands, rows),
            _ => rows.copy_from_slice(operands),
        }
    }
}

#[target_feature(enable = "avx512f")]
fn narrow_to_1(operands: &[u64], rows: &mut [u64]) {
    for (operands, row) in operands.as_chunks().0.iter().zip(rows) {
        *row = _mm_cvtsi128_si64(_mm512_cvtepi64_epi8(load(operands))) as u64;
    }
}

#[target_feature(enable = "avx512f")]
fn narrow_to_2(operands: &[u64], rows: &mut [u64]) {
    for (operands, rows) in operands.as_chunks().0.iter().zip(rows.as_chunks_mut::<2>().0) {
        let packed = _mm512_cvtepi64_epi16(load(operands));
        // SAFETY: two words are 128 bits.
        unsafe { _mm_storeu_si128(rows.as_mut_ptr().cast(), packed) };
    }
}

#[target_feature(enable = "avx512f")]
fn narrow_to_4(operands: &[u64], rows: &mut [u64]) {
    for (operands, rows) in operands.as_chunks().0.iter().zip(rows.as_chunks_mut::<4>().0) {
        let packed = _mm512_cvtepi64_epi32(load(operands));
        // SAFETY: four words are 256 bits.
        unsafe { _mm256_storeu_si256(rows.as_mut_ptr().cast(), packed) };
    }
}

/// Transposes a block of rows of some words, a power of two up to 64. Its word of plane `8 m + c` waits in word c of plane
/// `8 m + block`; `join_blocks` turns that when all blocks are there.
pub(super) fn transpose_rows(rows: &[u64], words: usize, block: usize, planes: &mut [Plane]) {
    assert!(are_there() && rows.len() == BITS * words && planes.len() == BITS * words && block < BLOCKS);
    // SAFETY: the processor has the instructions.
    unsafe {
        match words {
            1 => transpose_rows_of::<1>(rows, block, planes),
            2 => transpose_rows_of::<2>(rows, block, planes),
            4 => transpose_rows_of::<4>(rows, block, planes),
            8 => transpose_rows_of::<8>(rows, block, planes),
            16 => transpose_rows_of::<16>(rows, block, planes),
            32 => transpose_rows_of::<32>(rows, block, planes),
            64 => transpose_rows_of::<64>(rows, block, planes),
            _ => panic!("{words} words of a row are no power of two up to 64"),
        }
    }
}

#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
fn transpose_rows_of<const WORDS: usize>(rows: &[u64], block: usize, planes: &mut [Plane]) {
    let mut columns = [[_mm512_setzero_si512(); 8]; WORDS];
    for (group, rows) in rows.chunks_exact(8 * WORDS).enumerate() {
        let mut eight_rows = [_mm512_setzero_si512(); WORDS];
        for (register, row) in eight_rows.iter_mut().zip(rows.as_chunks::<8>().0) {
            *register = load(row);
        }
        for (column, words) in columns.iter_mut().zip(split(eight_rows)) {
            column[group] = words;
        }
    }
    for (column, planes) in columns.into_iter().zip(planes.chunks_exact_mut(BITS)) {
        for (m, words) in transposed(column).into_iter().enumerate() {
            store(words, &mut planes[8 * m + block].0);
        }
    }
}

/// Turns what `transpose_rows` left of all blocks into planes.
pub(super) fn join_blocks(planes: &mut [Plane]) {
    assert!(are_there());
    for eight in planes.as_chunks_mut().0 {
        // SAFETY: the processor has the instructions.
        unsafe { turn(eight) };
    }
}

#[target_feature(enable = "avx512f")]
fn turn(planes: &mut [Plane; 8]) {
    let turned = split(loaded(planes));
    for (plane, words) in planes.iter_mut().zip(turned) {
        store(words, &mut plane.0);
    }
}

/// 64 planes into a word a vector: plane j is bit j.
pub(super) fn words_of_planes(planes: &[Plane; BITS], words: &mut [u64; LANES]) {
    assert!(are_there());
    // SAFETY: the processor has the instructions.
    unsafe { words_of(planes, words) }
}

#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
fn words_of(planes: &[Plane; BITS], words: &mut [u64; LANES]) {
    let mut blocks = [[_mm512_setzero_si512(); 8]; BLOCKS];
    for (m, planes) in planes.as_chunks::<8>().0.iter().enumerate() {
        for (block, words) in blocks.iter_mut().zip(split(loaded(planes))) {
            block[m] = words;
        }
    }
    for (block, words) in blocks.into_iter().zip(words.as_chunks_mut::<BITS>().0) {
        for (rows, words) in transposed(block).into_iter().zip(words.as_chunks_mut().0) {
            store(rows, words);
        }
    }
}

/// The transposed block of 64 x 64 bits.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512vbmi,gfni")]
fn transposed(rows: [__m512i; 8]) -> [__m512i; 8] {
    let (bytes, turned) = (load(&TURNED_REVERSED), load(&TURNED));
    // Byte j of each quadword is 1 << j: the product's byte j collects bit j of every byte.
    let unit = _mm512_set1_epi64(0x8040_2010_0804_0201_u64 as i64);
    let mut bits = rows;
    for rows in &mut bits {
        *rows = _mm512_gf2p8affine_epi64_epi8::<0>(unit, _mm512_permutexvar_epi8(bytes, *rows));
    }
    let mut columns = split(bits);
    for rows in &mut columns {
        *rows = _mm512_permutexvar_epi8(turned, *rows);
    }
    columns
}

/// Where each byte of a register comes from, to turn quadwords and bytes: byte j of quadword i is byte i of quadword j.
const TURNED: [u64; 8] = turned(false);
/// The same with the bytes of a quadword from the last to the first, as the affine product reads them.
const TURNED_REVERSED: [u64; 8] = turned(true);

const fn turned(reversed: bool) -> [u64; 8] {
    let mut places = [0; 8];
    let mut place = 0;
    while place < 64 {
        let (quadword, byte) = (place / 8, place % 8);
        let source = 8 * if reversed { 7 - byte } else { byte } + quadword;
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
    for (words, plane) in words.iter_mut().zip(planes) {
        *words = load(&plane.0);
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
