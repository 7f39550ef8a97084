//! Infinities, NaN and overflow of a block, decided from its operands as IEEE 754-2019, 7.2 and 7.4 say. Touches no result
//! that is none of these.

use std::arch::x86_64::*;

use super::super::numbers::{INFINITY, Numbers, Target};

/// What the terms of a block have shown so far: lanes with NaN or an invalid product, with plus and with minus infinity.
#[derive(Clone, Copy)]
pub(super) struct Found {
    nan: u16,
    plus: u16,
    minus: u16,
}

impl Found {
    /// What the addend shows.
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512cd")]
    pub fn of_addend(addend: __m512) -> Found {
        let mut found = Found { nan: 0, plus: 0, minus: 0 };
        found.add(_mm512_set1_ps(1.0), addend);
        found
    }

    /// What a product shows: zero times infinity is invalid.
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512cd")]
    pub fn add(&mut self, a: __m512, b: __m512) {
        let (a, b) = (_mm512_castps_si512(a), _mm512_castps_si512(b));
        let (mask, infinity) = (_mm512_set1_epi32(i32::MAX), _mm512_set1_epi32(INFINITY as i32));
        let (magnitude_a, magnitude_b) = (_mm512_and_si512(a, mask), _mm512_and_si512(b, mask));
        let (greater, lesser) =
            (_mm512_max_epu32(magnitude_a, magnitude_b), _mm512_min_epu32(magnitude_a, magnitude_b));
        let infinite = _mm512_cmpge_epu32_mask(greater, infinity);
        let zero = _mm512_testn_epi32_mask(lesser, lesser);
        let below = _mm512_movepi32_mask(_mm512_xor_si512(a, b));
        self.nan |= _mm512_cmpgt_epu32_mask(greater, infinity) | (infinite & zero);
        self.plus |= infinite & !below;
        self.minus |= infinite & below;
    }

    /// Puts infinities and NaN in the place of results.
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512cd")]
    pub fn replace(&self, numbers: &Numbers, result: __m512) -> __m512 {
        let nan = self.nan | (self.plus & self.minus);
        let single = |bits: u32| _mm512_set1_ps(f32::from_bits(bits));
        let result = _mm512_mask_mov_ps(result, self.plus, single(INFINITY));
        let result = _mm512_mask_mov_ps(result, self.minus, single(INFINITY | 1 << 31));
        _mm512_mask_mov_ps(result, nan, _mm512_castsi512_ps(_mm512_set1_epi32(numbers.nan_single as i32)))
    }
}

/// Puts what overflow gives in the place of results whose magnitude, times 2 to minus the distance, is too great.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512cd")]
pub(super) fn overflowed(
    numbers: &Numbers,
    result: __m512,
    magnitude: __m512i,
    sign: __m512i,
    distance: __m512,
) -> __m512 {
    let Target::Single { .. } = numbers.target else { return result };
    let truncated = _mm512_cvt_roundepu32_ps::<{ _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC }>(magnitude);
    // To nearest, what is too great becomes infinite; of 24 bits nothing is rounded.
    let scaled = _mm512_scalef_ps(truncated, _mm512_sub_ps(_mm512_setzero_ps(), distance));
    let overflows = _mm512_cmpeq_ps_mask(scaled, _mm512_set1_ps(f32::INFINITY));
    let overflow = _mm512_or_si512(_mm512_set1_epi32(numbers.overflow as i32), sign);
    _mm512_mask_mov_ps(result, overflows, _mm512_castsi512_ps(overflow))
}
