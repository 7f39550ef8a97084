//! Infinities and NaN of a block, decided from the operands alone as IEEE 754-2019, 7.2 says. Touches no finite result.

use std::arch::x86_64::*;

use super::constants::Constants;

/// What the products of a block have shown so far, in lanes of 16 bits.
#[derive(Clone, Copy)]
pub(super) struct Found {
    /// The greatest magnitude of an operand: NaN is greater than infinity.
    greatest: __m512i,
    /// The least significand beside an infinite one: 0 where infinity was multiplied by zero.
    least: __m512i,
    /// In the top bit: whether any infinite product is below zero, and whether all of them are.
    any_below: __m512i,
    all_below: __m512i,
}

impl Found {
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512cd,bmi2")]
    pub fn new() -> Found {
        let (none, all) = (_mm512_setzero_si512(), _mm512_set1_epi16(-1));
        Found { greatest: none, least: all, any_below: none, all_below: all }
    }

    /// Adds one product of every vector: the greater magnitude of its operands, the lesser significand, and its sign.
    #[inline]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512cd,bmi2")]
    pub fn add(&mut self, greater: __m512i, lesser: __m512i, sign: __m512i, infinity: __m512i) {
        let infinite = _mm512_cmpge_epu16_mask(greater, infinity);
        self.greatest = _mm512_max_epu16(self.greatest, greater);
        self.least = _mm512_mask_min_epu16(self.least, infinite, self.least, lesser);
        self.any_below = or_where(infinite, self.any_below, sign);
        self.all_below = and_where(infinite, self.all_below, sign);
    }
}

/// Lanes of 16 bits have no instruction of their own for this: what is masked is the second operand.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512cd,bmi2")]
fn or_where(lanes: u32, value: __m512i, other: __m512i) -> __m512i {
    _mm512_or_si512(value, _mm512_maskz_mov_epi16(lanes, other))
}

#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512cd,bmi2")]
fn and_where(lanes: u32, value: __m512i, other: __m512i) -> __m512i {
    _mm512_and_si512(value, _mm512_mask_mov_epi16(_mm512_set1_epi16(-1), lanes, other))
}

/// Puts infinities and NaN in the place of results.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512cd,bmi2")]
pub(super) fn replace(constants: &Constants, found: &Found, addends: &[__m512i; 2], results: &mut [__m512i; 2]) {
    let (infinity, sums, d) = (constants.columns.infinity, &constants.sums, &constants.d);
    let any_infinite = _mm512_cmpge_epu16_mask(found.greatest, infinity);
    let least_zero = _mm512_testn_epi16_mask(found.least, found.least);
    let product_nan = _mm512_cmpgt_epu16_mask(found.greatest, infinity) | least_zero;
    let product_minus = _mm512_movepi16_mask(found.any_below);
    let product_plus = any_infinite & !_mm512_movepi16_mask(found.all_below);
    for (half, result) in results.iter_mut().enumerate() {
        let lanes = 0x5555_5555 << half;
        let of_products = |vectors: u32| _pext_u32(vectors, lanes) as u16;
        let magnitude = _mm512_and_si512(addends[half], sums.c_magnitude_mask);
        let infinite = _mm512_cmpeq_epu32_mask(magnitude, sums.c_special_from);
        let below = _mm512_test_epi32_mask(addends[half], sums.c_sign);
        let plus = of_products(product_plus) | (infinite & !below);
        let minus = of_products(product_minus) | (infinite & below);
        let nan = of_products(product_nan) | _mm512_cmpgt_epu32_mask(magnitude, sums.c_special_from) | (plus & minus);
        *result = _mm512_mask_mov_epi32(*result, plus, d.plus_infinity);
        *result = _mm512_mask_mov_epi32(*result, minus, d.minus_infinity);
        *result = _mm512_mask_mov_epi32(*result, nan, d.nan);
    }
}
