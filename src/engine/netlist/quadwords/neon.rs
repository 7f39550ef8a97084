//! Registers of NEON as two quadwords side by side.

#![allow(unsafe_code, reason = "words are read from memory into registers, by instructions that 64-bit Arm has")]

use std::arch::aarch64::*;

use super::{Quadwords, WIDEST, lower_halves};

// SAFETY, here and below: NEON is a part of every processor that this file is compiled for.
impl Quadwords for uint64x2_t {
    const COUNT: usize = 2;

    #[inline(always)]
    fn zeros() -> uint64x2_t {
        // SAFETY: see above.
        unsafe { vdupq_n_u64(0) }
    }

    #[inline(always)]
    fn load(words: &[u64]) -> uint64x2_t {
        let words = &words[..2];
        // SAFETY: two words are 128 bits.
        unsafe { vld1q_u64(words.as_ptr()) }
    }

    #[inline(always)]
    fn gather(words: &[u64], distance: usize) -> uint64x2_t {
        let (first, second) = (words[0], words[distance]);
        // SAFETY: see above.
        unsafe { vcombine_u64(vcreate_u64(first), vcreate_u64(second)) }
    }

    #[inline(always)]
    fn store(self, words: &mut [u64]) {
        let words = &mut words[..2];
        // SAFETY: two words are 128 bits.
        unsafe { vst1q_u64(words.as_mut_ptr(), self) }
    }

    #[inline(always)]
    fn exchanged<const WIDTH: u32>(low: uint64x2_t, high: uint64x2_t) -> (uint64x2_t, uint64x2_t) {
        // SAFETY: see above.
        unsafe {
            let (left, right) = (vdupq_n_s64(i64::from(WIDTH)), vdupq_n_s64(-i64::from(WIDTH)));
            let lower = vdupq_n_u64(const { lower_halves(WIDTH) });
            let changed = vandq_u64(veorq_u64(vshlq_u64(low, right), high), lower);
            (veorq_u64(low, vshlq_u64(changed, left)), veorq_u64(high, changed))
        }
    }

    #[inline(always)]
    fn turned([first, second, third, fourth]: [uint64x2_t; WIDEST]) -> [uint64x2_t; WIDEST] {
        // SAFETY: see above.
        unsafe { [vtrn1q_u64(first, second), vtrn2q_u64(first, second), third, fourth] }
    }
}
