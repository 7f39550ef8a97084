//! Registers of AVX2 as four quadwords side by side.

#![allow(
    unsafe_code,
    reason = "words are read from memory into registers, and instructions are used once they are found"
)]

use std::arch::x86_64::*;

use super::{Quadwords, WIDEST, lower_halves};
use crate::engine::netlist::planes::{BITS, LANES, Plane};
use crate::isa::Isa;

/// Only functions for processors that have AVX2 are made with it: what it says is inlined there.
#[derive(Clone, Copy)]
struct Register(__m256i);

// SAFETY, here and below: the functions that use it are called where the processor has AVX2.
impl Quadwords for Register {
    const COUNT: usize = 4;

    #[inline(always)]
    fn zeros() -> Register {
        // SAFETY: see above.
        Register(unsafe { _mm256_setzero_si256() })
    }

    #[inline(always)]
    fn load(words: &[u64]) -> Register {
        let words = &words[..4];
        // SAFETY: four words are 256 bits; see above.
        Register(unsafe { _mm256_loadu_si256(words.as_ptr().cast()) })
    }

    #[inline(always)]
    fn gather(words: &[u64], distance: usize) -> Register {
        let (p, q, r, s) = (words[0], words[distance], words[2 * distance], words[3 * distance]);
        // SAFETY: see above.
        Register(unsafe { _mm256_set_epi64x(s as i64, r as i64, q as i64, p as i64) })
    }

    #[inline(always)]
    fn store(self, words: &mut [u64]) {
        let words = &mut words[..4];
        // SAFETY: four words are 256 bits; see above.
        unsafe { _mm256_storeu_si256(words.as_mut_ptr().cast(), self.0) }
    }

    #[inline(always)]
    fn exchanged<const WIDTH: u32>(Register(low): Register, Register(high): Register) -> (Register, Register) {
        // SAFETY: see above.
        let (low, high) = unsafe {
            match WIDTH {
                32 => (
                    _mm256_blend_epi32::<0b1010_1010>(low, _mm256_slli_epi64::<32>(high)),
                    _mm256_blend_epi32::<0b1010_1010>(_mm256_srli_epi64::<32>(low), high),
                ),
                16 => (
                    _mm256_blend_epi16::<0b1010_1010>(low, _mm256_slli_epi32::<16>(high)),
                    _mm256_blend_epi16::<0b1010_1010>(_mm256_srli_epi32::<16>(low), high),
                ),
                8 => {
                    let lower = _mm256_set1_epi64x(const { lower_halves(8) as i64 });
                    (
                        _mm256_or_si256(_mm256_and_si256(lower, low), _mm256_slli_epi16::<8>(high)),
                        _mm256_or_si256(_mm256_srli_epi16::<8>(low), _mm256_andnot_si256(lower, high)),
                    )
                }
                _ => {
                    let lower = _mm256_set1_epi64x(const { lower_halves(WIDTH) as i64 });
                    let width = _mm_cvtsi32_si128(WIDTH as i32);
                    let changed = _mm256_and_si256(_mm256_xor_si256(_mm256_srl_epi64(low, width), high), lower);
                    (_mm256_xor_si256(low, _mm256_sll_epi64(changed, width)), _mm256_xor_si256(high, changed))
                }
            }
        };
        (Register(low), Register(high))
    }

    #[inline(always)]
    fn turned(rows: [Register; WIDEST]) -> [Register; WIDEST] {
        let [Register(p), Register(q), Register(r), Register(s)] = rows;
        // SAFETY: see above.
        unsafe {
            let (even, odd) = (_mm256_unpacklo_epi64(p, q), _mm256_unpackhi_epi64(p, q));
            let (even_high, odd_high) = (_mm256_unpacklo_epi64(r, s), _mm256_unpackhi_epi64(r, s));
            [
                Register(_mm256_permute2x128_si256::<0x20>(even, even_high)),
                Register(_mm256_permute2x128_si256::<0x20>(odd, odd_high)),
                Register(_mm256_permute2x128_si256::<0x31>(even, even_high)),
                Register(_mm256_permute2x128_si256::<0x31>(odd, odd_high)),
            ]
        }
    }
}

/// See [`planes_of`](super::planes_of).
pub fn planes_of<const BYTES: usize>(operands: &[u64], elements: usize, planes: &mut [Plane]) {
    #[target_feature(enable = "avx2")]
    fn inner<const BYTES: usize>(operands: &[u64], elements: usize, planes: &mut [Plane]) {
        super::planes_of::<BYTES, Register>(operands, elements, planes);
    }
    assert!(Isa::Avx2.is_supported());
    // SAFETY: the processor has the instructions.
    unsafe { inner::<BYTES>(operands, elements, planes) }
}

/// See [`words_of`](super::words_of).
pub fn words_of<const BYTES: usize>(planes: &[Plane; BITS], words: &mut [u64; LANES]) {
    #[target_feature(enable = "avx2")]
    fn inner<const BYTES: usize>(planes: &[Plane; BITS], words: &mut [u64; LANES]) {
        super::words_of::<BYTES, Register>(planes, words);
    }
    assert!(Isa::Avx2.is_supported());
    // SAFETY: the processor has the instructions.
    unsafe { inner::<BYTES>(planes, words) }
}
