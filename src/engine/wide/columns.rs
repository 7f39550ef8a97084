//! Rows of operands become columns: one operand of 32 vectors in a register of 32 lanes of 16 bits. Reads memory and moves
//! bits; computes nothing.

#![allow(unsafe_code, reason = "rows are read from memory into registers")]

use std::arch::x86_64::*;

use super::numbers::{BLOCK, NARROW_INFINITY, Operand};
use super::shift;

/// Word `word` of operands `first` to `first + G - 1` of a block: operand i of vector v is `rows[v * N + i]`. G is 4 or 8.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512cd,bmi2")]
pub(super) fn words<const N: usize, const G: usize>(rows: &[u64], word: usize, first: usize) -> [__m512i; G] {
    assert!(rows.len() == BLOCK * N && first + G <= N);
    let start = rows.as_ptr().wrapping_add(first).cast::<u16>().wrapping_add(word);
    let mut columns = [_mm512_setzero_si512(); G];
    if G == 8 {
        let mut packed = [_mm512_setzero_si512(); 8];
        for (j, packed) in packed.iter_mut().enumerate() {
            // SAFETY: eight operands of vectors 0 to 31 lie in the rows.
            *packed = unsafe { four_rows(start, N, 4 * j) };
        }
        columns.copy_from_slice(&transposed_eight(packed));
    } else {
        let mut packed = [_mm512_setzero_si512(); 4];
        for (j, packed) in packed.iter_mut().enumerate() {
            // SAFETY: four operands of vectors 0 to 31 lie in the rows.
            *packed = unsafe { four_half_rows(start, N, 4 * j) };
        }
        columns.copy_from_slice(&transposed_four(packed));
    }
    columns
}

/// Eight operands of four vectors: each word of a quadword is the same operand of another vector. A row is read one, two
/// or three words early, so that its words come to lie where the mask takes them.
///
/// ```text
///   quadword i   v+3.i | v+2.i | v+1.i | v.i
/// ```
///
/// # Safety
/// Rows v to v + 3, each `products` quadwords after the other, hold eight operands from `first` on.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512cd,bmi2")]
unsafe fn four_rows(first: *const u16, products: usize, v: usize) -> __m512i {
    let row = |w: usize| first.wrapping_add(4 * products * (v + w)).wrapping_sub(w).cast::<i16>();
    // SAFETY: what the masks take lies in the rows.
    unsafe {
        let one = _mm512_maskz_loadu_epi16(0x1111_1111, row(0));
        let two = _mm512_mask_loadu_epi16(one, 0x2222_2222, row(1));
        let three = _mm512_mask_loadu_epi16(two, 0x4444_4444, row(2));
        _mm512_mask_loadu_epi16(three, 0x8888_8888, row(3))
    }
}

/// The same of four operands, of vectors v to v + 3 in the low half and v + 16 to v + 19 in the high one.
///
/// # Safety
/// The rows of these vectors hold four operands from `first` on.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512cd,bmi2")]
unsafe fn four_half_rows(first: *const u16, products: usize, v: usize) -> __m512i {
    let row = |v: usize, w: usize| first.wrapping_add(4 * products * (v + w)).wrapping_sub(w).cast::<i16>();
    let mut halves = [_mm256_setzero_si256(); 2];
    for (half, v) in halves.iter_mut().zip([v, v + 16]) {
        // SAFETY: what the masks take lies in the rows.
        *half = unsafe {
            let one = _mm256_maskz_loadu_epi16(0x1111, row(v, 0));
            let two = _mm256_mask_loadu_epi16(one, 0x2222, row(v, 1));
            let three = _mm256_mask_loadu_epi16(two, 0x4444, row(v, 2));
            _mm256_mask_loadu_epi16(three, 0x8888, row(v, 3))
        };
    }
    _mm512_inserti64x4::<1>(_mm512_castsi256_si512(halves[0]), halves[1])
}

/// Quadword j of register i becomes quadword i of register j.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512cd,bmi2")]
fn transposed_eight(rows: [__m512i; 8]) -> [__m512i; 8] {
    let [r0, r1, r2, r3, r4, r5, r6, r7] = rows;
    let [c0, c2, c4, c6] = transposed_quarters(
        [_mm512_unpacklo_epi64(r0, r1), _mm512_unpacklo_epi64(r2, r3)],
        [_mm512_unpacklo_epi64(r4, r5), _mm512_unpacklo_epi64(r6, r7)],
    );
    let [c1, c3, c5, c7] = transposed_quarters(
        [_mm512_unpackhi_epi64(r0, r1), _mm512_unpackhi_epi64(r2, r3)],
        [_mm512_unpackhi_epi64(r4, r5), _mm512_unpackhi_epi64(r6, r7)],
    );
    [c0, c1, c2, c3, c4, c5, c6, c7]
}

/// Quarter j of register i becomes quarter i of register j.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512cd,bmi2")]
fn transposed_quarters([p, q]: [__m512i; 2], [r, s]: [__m512i; 2]) -> [__m512i; 4] {
    let (even, odd) = (_mm512_shuffle_i64x2::<0x88>(p, q), _mm512_shuffle_i64x2::<0xdd>(p, q));
    let (even_high, odd_high) = (_mm512_shuffle_i64x2::<0x88>(r, s), _mm512_shuffle_i64x2::<0xdd>(r, s));
    [
        _mm512_shuffle_i64x2::<0x88>(even, even_high),
        _mm512_shuffle_i64x2::<0x88>(odd, odd_high),
        _mm512_shuffle_i64x2::<0xdd>(even, even_high),
        _mm512_shuffle_i64x2::<0xdd>(odd, odd_high),
    ]
}

/// The same of four quadwords in each half.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512cd,bmi2")]
fn transposed_four([p, q, r, s]: [__m512i; 4]) -> [__m512i; 4] {
    let first = _mm512_setr_epi64(0, 1, 8, 9, 4, 5, 12, 13);
    let second = _mm512_setr_epi64(2, 3, 10, 11, 6, 7, 14, 15);
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
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512cd,bmi2")]
pub(super) fn place_low<const N: usize>(operand: &Operand, columns: &mut [__m512i; N], low: &mut [__m512i; N]) {
    let special_from = _mm512_set1_epi16(operand.special_from as i16);
    let magnitude_mask = _mm512_set1_epi16(i16::MAX);
    for (column, low) in columns.iter_mut().zip(low) {
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
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512cd,bmi2")]
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
        let mut placed = shift::left_16(magnitude, magnitude_left);
        let nan = _mm512_cmpge_epu16_mask(magnitude, special_from);
        placed = _mm512_mask_mov_epi16(placed, nan, magnitude_mask);
        if let Some(infinity) = operand.infinity {
            let infinite = _mm512_cmpeq_epu16_mask(magnitude, _mm512_set1_epi16(infinity as i16));
            placed = _mm512_mask_mov_epi16(placed, infinite, _mm512_set1_epi16(NARROW_INFINITY as i16));
        }
        let sign = _mm512_andnot_si512(magnitude_mask, shift::left_16(*column, sign_left));
        *column = _mm512_or_si512(sign, placed);
    }
}

/// Asks for what the next block reads while product `i` of this one is computed: four lines of 64 bytes.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512cd,bmi2")]
pub(super) fn prefetch(rows: &[u64], i: usize) {
    let next = rows.as_ptr().wrapping_add(rows.len() + BLOCK * i).cast::<i8>();
    for line in 0..4 {
        _mm_prefetch::<_MM_HINT_T0>(next.wrapping_add(64 * line));
    }
}

/// Addends of a block, of even and of odd vectors: 16 lanes of 32 bits each.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512cd,bmi2")]
pub(super) fn addends(c: &[u64; BLOCK]) -> [__m512i; 2] {
    let order = _mm512_setr_epi32(0, 4, 8, 12, 16, 20, 24, 28, 2, 6, 10, 14, 18, 22, 26, 30);
    let mut rows = [_mm512_setzero_si512(); 4];
    for (row, c) in rows.iter_mut().zip(c.chunks_exact(8)) {
        // SAFETY: eight quadwords are a register.
        *row = unsafe { _mm512_loadu_si512(c.as_ptr().cast()) };
    }
    let [p, q, r, s] = rows;
    let (first, second) = (_mm512_permutex2var_epi32(p, order, q), _mm512_permutex2var_epi32(r, order, s));
    [_mm512_shuffle_i64x2::<0x44>(first, second), _mm512_shuffle_i64x2::<0xee>(first, second)]
}

/// Results of even and of odd vectors, in order.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512cd,bmi2")]
pub(super) fn store_results([even, odd]: [__m512i; 2], results: &mut [u64; BLOCK]) {
    let low = _mm512_setr_epi32(0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
    let high = _mm512_setr_epi32(8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
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
