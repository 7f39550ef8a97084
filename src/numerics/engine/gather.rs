//! Narrow numbers in quadwords of memory, put side by side in registers of AVX-512. Moves bits; computes nothing.

#![allow(unsafe_code, reason = "rows are read from memory into registers")]

use std::arch::x86_64::*;

/// The lowest FIELD bytes, 1, 2, 4 or 8, of each quadword of `8 / FIELD` registers of memory, each so many bytes behind the
/// one before. All but the first are read early, by a field more each, so that their fields come to lie where the mask takes
/// them.
///
/// ```text
///   quadword i, FIELD 2   fourth.i | third.i | second.i | first.i
/// ```
///
/// # Safety
/// The processor has AVX-512BW; memory holds all of the first register, and those fields of the others.
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
pub unsafe fn fields<const FIELD: usize>(first: *const u8, behind: isize) -> __m512i {
    // One bit a byte.
    let lowest = ((1_u64 << FIELD) - 1) * 0x0101_0101_0101_0101;
    // SAFETY: the register is there.
    let mut gathered = unsafe { _mm512_loadu_si512(first.cast()) };
    for number in 1..8 / FIELD {
        let early = first.wrapping_offset(behind * number as isize).wrapping_sub(FIELD * number);
        // SAFETY: what the mask takes is there.
        gathered = unsafe { _mm512_mask_loadu_epi8(gathered, lowest << (FIELD * number), early.cast()) };
    }
    gathered
}

/// Quarter j of register i becomes quarter i of register j.
///
/// # Safety
/// The processor has AVX-512F.
#[inline]
#[target_feature(enable = "avx512f")]
pub fn quarters_turned([p, q, r, s]: [__m512i; 4]) -> [__m512i; 4] {
    let (even, odd) = (_mm512_shuffle_i64x2::<0x88>(p, q), _mm512_shuffle_i64x2::<0xdd>(p, q));
    let (even_high, odd_high) = (_mm512_shuffle_i64x2::<0x88>(r, s), _mm512_shuffle_i64x2::<0xdd>(r, s));
    [
        _mm512_shuffle_i64x2::<0x88>(even, even_high),
        _mm512_shuffle_i64x2::<0x88>(odd, odd_high),
        _mm512_shuffle_i64x2::<0xdd>(even, even_high),
        _mm512_shuffle_i64x2::<0xdd>(odd, odd_high),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::isa::Isa;

    /// # Safety
    /// The processor has AVX-512BW.
    #[target_feature(enable = "avx512f,avx512bw")]
    unsafe fn check<const FIELD: usize>() {
        let registers = 8 / FIELD;
        let words: Vec<u64> = (0..8 * registers as u64).map(|word| (word + 1) * 0x0123_4567_89ab_cdef).collect();
        let mut found = [0_u64; 8];
        // SAFETY: the words are those of the registers, which are 64 bytes each, and no more; eight words are a register.
        unsafe { _mm512_storeu_si512(found.as_mut_ptr().cast(), fields::<FIELD>(words.as_ptr().cast(), 64)) };
        for (quadword, found) in found.iter().enumerate() {
            for (number, field) in found.to_le_bytes().chunks(FIELD).enumerate() {
                assert_eq!(
                    field,
                    &words[8 * number + quadword].to_le_bytes()[..FIELD],
                    "field {number} of {FIELD} bytes"
                );
            }
        }
    }

    #[test]
    fn fields_of_registers_that_fill_their_memory() {
        if Isa::Avx512.is_supported() {
            // SAFETY: the processor has the instructions.
            unsafe {
                check::<1>();
                check::<2>();
                check::<4>();
                check::<8>();
            }
        }
    }
}
