//! Rows of operands become columns: one operand of 32 vectors in a register of 32 lanes of 16 bits. Reads memory and moves
//! bits; computes nothing. Which vector has which place of a column:
//!
//! ```text
//!   places            4 i   4 i + 1   4 i + 2   4 i + 3     lanes of quadword i
//!   eight or more     4 i   4 i + 1   4 i + 2   4 i + 3     a register holds operands of one vector
//!   four products       k     k + 2     k + 4     k + 6     a register holds two vectors; k = 8 (i / 2) + i % 2
//! ```

#![allow(unsafe_code, reason = "rows are read from memory into registers")]

use std::arch::x86_64::*;

use super::super::super::gather;
use super::super::numbers::BLOCK;
use super::assembly;
use super::numbers::{NARROW_INFINITY, Operand};

/// Word `word` of operands `first` to `first + G - 1` of a block: operand i of vector v is `rows[v * N + i]`. G is 8, or 4
/// where N is 4.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512cd")]
pub(super) fn words<const N: usize, const G: usize>(rows: &[u64], word: usize, first: usize) -> [__m512i; G] {
    const { assert!(G == 8 || N == 4 && G == 4) };
    assert!(rows.len() == BLOCK * N && first + G <= N);
    let start = rows.as_ptr().wrapping_add(first).cast::<u8>().wrapping_add(2 * word);
    let mut columns = [_mm512_setzero_si512(); G];
    if G == 8 {
        let mut packed = [_mm512_setzero_si512(); 8];
        for (j, packed) in packed.iter_mut().enumerate() {
            // SAFETY: eight operands of vectors 4 j to 4 j + 3 lie in the rows. Those of 4 j are read whole, a word further where
            // the second word is asked for: there the next vector's lie.
            *packed = unsafe { gather::fields::<2>(start.wrapping_add(32 * N * j), 8 * N as isize) };
        }
        columns.copy_from_slice(&transposed_eight(packed));
    } else {
        let mut packed = [_mm512_setzero_si512(); 4];
        for (j, packed) in packed.iter_mut().enumerate() {
            // SAFETY: all operands of vectors 8 j to 8 j + 7 lie in the rows.
            *packed = unsafe { gather::fields::<2>(start.wrapping_add(256 * j), 64) };
        }
        columns.copy_from_slice(&transposed_four(packed));
    }
    columns
}

/// Quadword j of register i becomes quadword i of register j.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512cd")]
fn transposed_eight(rows: [__m512i; 8]) -> [__m512i; 8] {
    let [r0, r1, r2, r3, r4, r5, r6, r7] = rows;
    let [c0, c2, c4, c6] = gather::quarters_turned([
        _mm512_unpacklo_epi64(r0, r1),
        _mm512_unpacklo_epi64(r2, r3),
        _mm512_unpacklo_epi64(r4, r5),
        _mm512_unpacklo_epi64(r6, r7),
    ]);
    let [c1, c3, c5, c7] = gather::quarters_turned([
        _mm512_unpackhi_epi64(r0, r1),
        _mm512_unpackhi_epi64(r2, r3),
        _mm512_unpackhi_epi64(r4, r5),
        _mm512_unpackhi_epi64(r6, r7),
    ]);
    [c0, c1, c2, c3, c4, c5, c6, c7]
}

/// Quadwords j and j + 4 of register i become quadwords 2 i and 2 i + 1 of register j.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512cd")]
fn transposed_four([p, q, r, s]: [__m512i; 4]) -> [__m512i; 4] {
    let first = _mm512_setr_epi64(0, 4, 1, 5, 8, 12, 9, 13);
    let second = _mm512_setr_epi64(2, 6, 3, 7, 10, 14, 11, 15);
    let (low, low_high) = (_mm512_unpacklo_epi64(p, q), _mm512_unpacklo_epi64(r, s));
    let (high, high_high) = (_mm512_unpackhi_epi64(p, q), _mm512_unpackhi_epi64(r, s));
    [
        _mm512_permutex2var_epi64(low, first, low_high),
        _mm512_permutex2var_epi64(high, first, high_high),
        _mm512_permutex2var_epi64(low, second, low_high),
        _mm512_permutex2var_epi64(high, second, high_high),
    ]
}

/// Fraction bits below the columns of operands wider than these come to lie at the bottom; a NaN that only they show becomes
/// one of the column.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512cd")]
pub(super) fn place_low<const N: usize>(operand: &Operand, columns: &mut [__m512i; N], low: &mut [__m512i; N]) {
    let special_from = _mm512_set1_epi16(operand.special_from as i16);
    let magnitude_mask = _mm512_set1_epi16(i16::MAX);
    for (i, column) in columns.iter_mut().enumerate() {
        let low = &mut low[i];
        *low = _mm512_srli_epi16::<13>(*low);
        let infinite = _mm512_cmpeq_epu16_mask(_mm512_and_si512(*column, magnitude_mask), special_from);
        let nan = _mm512_mask_test_epi16_mask(infinite, *low, *low);
        *column = _mm512_mask_add_epi16(*column, nan, *column, _mm512_set1_epi16(1));
    }
}

/// Operands as the kernel takes them: NaN is greater than infinity, and both have the same magnitude in every format of the
/// kernel's columns.
///
/// ```text
///   encoding         s eeee fff
///   column   s 0000 eeee fff000     the sign on top, zeros below the fraction up to the column's fraction bits
/// ```
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512cd")]
pub(super) fn place<const N: usize>(operand: &Operand, columns: &mut [__m512i; N]) {
    if operand.unchanged {
        return;
    }
    let special_from = _mm512_set1_epi16(operand.special_from as i16);
    let magnitude_mask = _mm512_set1_epi16(i16::MAX);
    let sign_left = _mm512_set1_epi16(operand.sign_left as i16);
    let magnitude_left = _mm512_set1_epi16(operand.magnitude_left as i16);
    let own_mask = _mm512_set1_epi16(operand.magnitude_mask as i16);
    for column in columns {
        let magnitude = _mm512_and_si512(*column, own_mask);
        let mut placed = assembly::left_16(magnitude, magnitude_left);
        let nan = _mm512_cmpge_epu16_mask(magnitude, special_from);
        placed = _mm512_mask_mov_epi16(placed, nan, magnitude_mask);
        if let Some(infinity) = operand.infinity {
            let infinite = _mm512_cmpeq_epu16_mask(magnitude, _mm512_set1_epi16(infinity as i16));
            placed = _mm512_mask_mov_epi16(placed, infinite, _mm512_set1_epi16(NARROW_INFINITY as i16));
        }
        let sign = _mm512_andnot_si512(magnitude_mask, assembly::left_16(*column, sign_left));
        *column = _mm512_or_si512(sign, placed);
    }
}

/// Asks for what the next block reads while product `i` of this one is computed: four lines of 64 bytes.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512cd")]
pub(super) fn prefetch(rows: &[u64], i: usize) {
    let next = rows.as_ptr().wrapping_add(rows.len() + BLOCK * i).cast::<i8>();
    for line in 0..4 {
        #[allow(unused_unsafe, reason = "it is no longer unsafe in later releases of Rust")]
        // SAFETY: a prefetch reads nothing, wherever it points.
        unsafe {
            _mm_prefetch::<_MM_HINT_T0>(next.wrapping_add(64 * line));
        }
    }
}

/// Addends of a block, of even and of odd places of a column: 16 lanes of 32 bits each.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512cd")]
pub(super) fn addends<const N: usize>(c: &[u64; BLOCK]) -> [__m512i; 2] {
    // Low halves of quadwords, of even places and then of odd ones.
    let order = if N == 4 {
        _mm512_setr_epi32(0, 8, 2, 10, 16, 24, 18, 26, 4, 12, 6, 14, 20, 28, 22, 30)
    } else {
        _mm512_setr_epi32(0, 4, 8, 12, 16, 20, 24, 28, 2, 6, 10, 14, 18, 22, 26, 30)
    };
    let mut rows = [_mm512_setzero_si512(); 4];
    for (row, c) in c.as_chunks::<8>().0.iter().enumerate() {
        // SAFETY: eight quadwords are a register.
        rows[row] = unsafe { _mm512_loadu_si512(c.as_ptr().cast()) };
    }
    let [p, q, r, s] = rows;
    let (first, second) = (_mm512_permutex2var_epi32(p, order, q), _mm512_permutex2var_epi32(r, order, s));
    [_mm512_shuffle_i64x2::<0x44>(first, second), _mm512_shuffle_i64x2::<0xee>(first, second)]
}

/// Results of even and of odd places of a column, in the order of vectors.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512cd")]
pub(super) fn store_results<const N: usize>([even, odd]: [__m512i; 2], results: &mut [u64; BLOCK]) {
    let low = if N == 4 {
        _mm512_setr_epi32(0, 2, 16, 18, 1, 3, 17, 19, 4, 6, 20, 22, 5, 7, 21, 23)
    } else {
        _mm512_setr_epi32(0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)
    };
    let high = _mm512_add_epi32(low, _mm512_set1_epi32(8));
    let halves = [_mm512_permutex2var_epi32(even, low, odd), _mm512_permutex2var_epi32(even, high, odd)];
    for (i, half) in halves.into_iter().enumerate() {
        let first = _mm512_cvtepu32_epi64(_mm512_castsi512_si256(half));
        let second = _mm512_cvtepu32_epi64(_mm512_extracti64x4_epi64::<1>(half));
        // SAFETY: 32 quadwords are four registers.
        unsafe {
            _mm512_storeu_si512(results.as_mut_ptr().add(16 * i).cast(), first);
            _mm512_storeu_si512(results.as_mut_ptr().add(16 * i + 8).cast(), second);
        }
    }
}
