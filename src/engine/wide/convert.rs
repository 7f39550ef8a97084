//! The sums of 16 vectors become encodings: normalised, rounded and packed in lanes of 32 bits. Knows no infinite operand.

use std::arch::x86_64::*;

use super::constants::Conversion;
use super::kernel::Sums;
use super::shift;

/// Results of 16 vectors.
///
/// ```text
///   magnitude   000001ffff|rrr     the lowest `discarded` bits are rounded away
///   kept              1ffff        with its hidden bit, which raises the exponent field by one
/// ```
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512cd,bmi2")]
pub(super) fn packed(sums: &Sums, nearest_even: bool, d: &Conversion) -> __m512i {
    let positive = _mm512_sub_epi32(sums.all, sums.negative);
    let below = _mm512_cmplt_epu32_mask(positive, sums.negative);
    let (greater, lesser) = (_mm512_max_epu32(positive, sums.negative), _mm512_min_epu32(positive, sums.negative));
    let magnitude = _mm512_sub_epi32(greater, lesser);
    let nonzero = _mm512_test_epi32_mask(magnitude, magnitude);

    let exponent_min = d.exponent_min;
    let top = _mm512_add_epi32(sums.anchor, d.top_offset);
    let exponent = _mm512_max_epi32(_mm512_sub_epi32(top, _mm512_lzcnt_epi32(magnitude)), exponent_min);
    let unit = _mm512_sub_epi32(sums.anchor, d.last_offset);
    let discarded = _mm512_sub_epi32(exponent, unit);
    let left = shift::left_32(magnitude, _mm512_sub_epi32(_mm512_setzero_si512(), discarded));
    let mut kept = _mm512_or_si512(shift::right_32(magnitude, discarded), left);
    if nearest_even {
        kept = rounded(magnitude, kept, discarded);
    }

    let binades = _mm512_sub_epi32(exponent, exponent_min);
    let fields = shift::left_32(binades, d.fraction_bits);
    let mut result = _mm512_maskz_add_epi32(nonzero, fields, kept);
    let overflows = _mm512_cmpgt_epu32_mask(result, d.magnitude_max);
    result = _mm512_mask_mov_epi32(result, overflows, d.overflow);
    result = shift::left_32(result, d.padding_bits);
    _mm512_mask_or_epi32(result, below, result, d.sign)
}

/// The kept bits, rounded to nearest, ties to even.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512cd,bmi2")]
fn rounded(magnitude: __m512i, kept: __m512i, discarded: __m512i) -> __m512i {
    let one = _mm512_set1_epi32(1);
    let unit = shift::left_32(one, _mm512_max_epi32(discarded, _mm512_setzero_si512()));
    let rest = _mm512_and_si512(magnitude, _mm512_sub_epi32(unit, one));
    // Where nothing is discarded, half of a unit would be 0.
    let half = _mm512_max_epu32(_mm512_srli_epi32::<1>(unit), one);
    let odd = _mm512_test_epi32_mask(kept, one);
    let up = _mm512_cmpgt_epu32_mask(rest, half) | (_mm512_mask_cmpeq_epu32_mask(odd, rest, half));
    _mm512_mask_add_epi32(kept, up, kept, one)
}
