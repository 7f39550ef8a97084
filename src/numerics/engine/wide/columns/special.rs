//! Infinities and NaN of a block, decided from the operands alone as IEEE 754-2019, 7.2 says. Touches no finite result.

use std::arch::x86_64::*;

use super::constants::{Columns, Constants};

/// What the products of a block have shown so far, in the top bits of lanes of 16 bits.
#[derive(Clone, Copy)]
pub(super) struct Found {
    /// Whether an operand is NaN, or infinity was multiplied by zero.
    nan: __m512i,
    /// Whether an infinite product is below zero, and whether one is above.
    below: __m512i,
    above: __m512i,
}

impl Found {
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512cd")]
    pub fn new() -> Found {
        let none = _mm512_setzero_si512();
        Found { nan: none, below: none, above: none }
    }

    /// Adds one product of every vector: the greater magnitude of its operands, where neither is zero, and its sign.
    ///
    /// ```text
    ///                 greater        from_top   less one where neither is zero
    ///   finite        < infinity     < 0x8000   < 0x8000
    ///   infinity      = infinity       0x8000     0x7fff    times zero 0x8000
    ///   NaN           > infinity     > 0x8000   >= 0x8000
    /// ```
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512cd")]
    pub fn add(&mut self, greater: __m512i, nonzero: u32, sign: __m512i, columns: &Columns) {
        /// a | (b & c), and a | (b & !c).
        const OR_AND: i32 = 0xf8;
        const OR_AND_NOT: i32 = 0xf4;
        let infinite = _mm512_add_epi16(greater, columns.infinity_to_top);
        let nan = _mm512_mask_sub_epi16(infinite, nonzero, infinite, columns.one);
        self.nan = _mm512_or_si512(self.nan, nan);
        self.below = _mm512_ternarylogic_epi32::<OR_AND>(self.below, infinite, sign);
        self.above = _mm512_ternarylogic_epi32::<OR_AND_NOT>(self.above, infinite, sign);
    }

    /// What vectors of even places have found, in the order of the addends, and those of odd ones: NaN, below, above.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512cd")]
    fn halves(&self, even_sign: __m512i) -> [[u16; 3]; 2] {
        // Not mapped: the functions of arrays that map them are not inlined.
        let Found { nan, below, above, .. } = self;
        let even = [
            _mm512_test_epi32_mask(*nan, even_sign),
            _mm512_test_epi32_mask(*below, even_sign),
            _mm512_test_epi32_mask(*above, even_sign),
        ];
        [even, [_mm512_movepi32_mask(*nan), _mm512_movepi32_mask(*below), _mm512_movepi32_mask(*above)]]
    }
}

/// Puts infinities and NaN in the place of results.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512cd")]
pub(super) fn replace(constants: &Constants, found: &Found, addends: &[__m512i; 2], results: &mut [__m512i; 2]) {
    let (sums, d) = (&constants.sums, &constants.d);
    let halves = found.halves(sums.even_sign);
    for (half, &[nan, below, above]) in halves.iter().enumerate() {
        let (addend, result) = (addends[half], &mut results[half]);
        let magnitude = _mm512_and_si512(addend, sums.c_magnitude_mask);
        let infinite = _mm512_cmpeq_epu32_mask(magnitude, sums.c_special_from);
        let negative = _mm512_test_epi32_mask(addend, sums.c_sign);
        let plus = above | (infinite & !negative);
        let minus = below | (infinite & negative);
        let nan = nan | _mm512_cmpgt_epu32_mask(magnitude, sums.c_special_from) | (plus & minus);
        *result = _mm512_mask_mov_epi32(*result, plus, d.plus_infinity);
        *result = _mm512_mask_mov_epi32(*result, minus, d.minus_infinity);
        *result = _mm512_mask_mov_epi32(*result, nan, d.nan);
    }
}
