//! Bytes of operands, side by side in registers of AVX-512: from the rows of a batch, before their bits are transposed. Moves
//! bits; computes nothing.

#![allow(unsafe_code, reason = "rows are read from memory into registers")]

use std::arch::x86_64::*;

use super::super::gather;

/// Byte i of every quadword of eight registers in register i, those of the last register lowest. The first is the first of
/// the operands, and the others are so many registers behind the one before.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
pub(super) fn of_eight<const BYTES: usize>(operands: &[u64], eighth: usize) -> [__m512i; BYTES] {
    assert!(operands.len() >= 8 * (7 * eighth + 1));
    let register = |number: usize| operands.as_ptr().wrapping_add(8 * number * eighth).cast::<u8>();
    let mut fields = [_mm512_setzero_si512(); BYTES];
    // From the lowest, register p holds fields of register 7 - p, of 7 - p - BYTES and so on.
    for (place, fields) in fields.iter_mut().enumerate() {
        // SAFETY: the operands hold eight such registers.
        *fields = unsafe { gather::fields::<BYTES>(register(7 - place), -((64 * BYTES * eighth) as isize)) };
    }
    split(fields)
}

/// Fields of BYTES bytes become bytes.
///
/// ```text
///   77777777     quadwords, the lowest byte first
///   77773333     halves of two side by side
///   77553311     quarters of four
///   76543210     bytes of eight: fewer steps where fields are shorter, and what lies above in a second register each time
/// ```
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn split<const BYTES: usize>(mut fields: [__m512i; BYTES]) -> [__m512i; BYTES] {
    for width in [8, 4, 2] {
        let (before, half) = (fields, width / 2);
        for set in 0..BYTES / width {
            for place in 0..half {
                let (low, high) = (before[width * set + place], before[width * set + place + half]);
                // The upper halves of one moved down, the lower ones of the other moved up, and where the lower ones lie.
                let (down, up, lower) = match width {
                    8 => (_mm512_srli_epi64::<32>(low), _mm512_slli_epi64::<32>(high), 0xffff_ffff),
                    4 => (_mm512_srli_epi32::<16>(low), _mm512_slli_epi32::<16>(high), 0x0000_ffff_0000_ffff),
                    _ => (_mm512_srli_epi16::<8>(low), _mm512_slli_epi16::<8>(high), 0x00ff_00ff_00ff_00ff),
                };
                let lower = _mm512_set1_epi64(lower);
                fields[width * set + place] = _mm512_ternarylogic_epi64::<0xec>(low, up, lower);
                fields[width * set + half + place] = _mm512_ternarylogic_epi64::<0xf4>(down, high, lower);
            }
        }
    }
    fields
}
