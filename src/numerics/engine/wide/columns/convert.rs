//! The sums of 16 vectors become encodings: normalised, rounded and packed in lanes of 32 bits. Knows no infinite operand.

use std::arch::x86_64::*;

use super::super::numbers;
use super::constants::Conversion;
use super::{Sums, assembly};

/// Results of 16 vectors.
///
/// ```text
///   magnitude   000001ffff|rrr00
///   normal      1ffff|rrr0000000     the lowest `discarded` bits are rounded away
///   kept               000001ffff     with its hidden bit, which raises the exponent field by one
/// ```
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512cd")]
pub(super) fn packed(sums: &Sums, numbers: &numbers::Conversion, d: &Conversion) -> __m512i {
    let positive = _mm512_sub_epi32(sums.all, sums.negative);
    let below = _mm512_cmplt_epu32_mask(positive, sums.negative);
    let sum = _mm512_sub_epi32(positive, sums.negative);
    let magnitude = _mm512_mask_sub_epi32(sum, below, _mm512_setzero_si512(), sum);
    let nonzero = _mm512_test_epi32_mask(magnitude, magnitude);

    let leading = _mm512_lzcnt_epi32(magnitude);
    let normal = assembly::left_32(magnitude, leading);
    let top = _mm512_sub_epi32(_mm512_add_epi32(sums.anchor, d.top_offset), leading);
    let exponent = _mm512_max_epi32(top, d.exponent_min);
    let discarded = _mm512_add_epi32(_mm512_sub_epi32(exponent, top), d.below_fraction);
    let kept = if numbers.nearest_even { rounded(normal, discarded) } else { assembly::right_32(normal, discarded) };

    let fields = assembly::left_32(_mm512_sub_epi32(exponent, d.exponent_min), d.fraction_bits);
    let result = _mm512_maskz_add_epi32(nonzero, fields, kept);
    let mut result = _mm512_min_epu32(result, d.overflow);
    if numbers.padding_bits > 0 {
        result = assembly::left_32(result, d.padding_bits);
    }
    let negative =
        if numbers.rounded_zero_positive { _mm512_mask_test_epi32_mask(below, result, result) } else { below };
    _mm512_mask_or_epi32(result, negative, result, d.sign)
}

/// The kept bits, rounded to nearest, ties to even.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512cd")]
fn rounded(normal: __m512i, discarded: __m512i) -> __m512i {
    let one = _mm512_set1_epi32(1);
    let below_half = _mm512_sub_epi32(discarded, one);
    let halves = assembly::right_32(normal, below_half);
    let kept = _mm512_srli_epi32::<1>(halves);
    let half = _mm512_test_epi32_mask(halves, one);
    let rest = _mm512_sub_epi32(assembly::left_32(one, below_half), one);
    let up = half & (_mm512_test_epi32_mask(normal, rest) | _mm512_test_epi32_mask(kept, one));
    _mm512_mask_add_epi32(kept, up, kept, one)
}
