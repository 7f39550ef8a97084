//! Single machine instructions that the compiler would make several of. Shifts of each lane by its own amount: amounts beyond
//! the lane give 0; the compiler's own text for these compares every amount with the lane's width first. Tests, which it turns
//! round, so that what is masked by them takes an instruction more.

#![allow(unsafe_code, reason = "single instructions of the processor")]

use std::arch::asm;
use std::arch::x86_64::__m512i;

macro_rules! shift {
    ($(#[$doc:meta])* $name:ident, $instruction:literal) => {
        $(#[$doc])*
        #[inline]
        #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512cd")]
        pub(super) fn $name(value: __m512i, amount: __m512i) -> __m512i {
            let shifted;
            // SAFETY: the instruction reads and writes registers only, and the processor has it.
            unsafe {
                asm!(
                    concat!($instruction, " {shifted}, {value}, {amount}"),
                    shifted = lateout(zmm_reg) shifted,
                    value = in(zmm_reg) value,
                    amount = in(zmm_reg) amount,
                    options(pure, nomem, nostack, preserves_flags)
                );
            }
            shifted
        }
    };
}

shift! {
    /// Lanes of 16 bits to the right.
    right_16, "vpsrlvw"
}
shift! {
    /// Lanes of 16 bits to the left.
    left_16, "vpsllvw"
}
shift! {
    /// Lanes of 32 bits to the right.
    right_32, "vpsrlvd"
}
shift! {
    /// Lanes of 32 bits to the left.
    left_32, "vpsllvd"
}

/// Lanes of 16 bits to the left where the mask says so; others are 0.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512cd")]
pub(super) fn left_16_where(mask: u32, value: __m512i, amount: __m512i) -> __m512i {
    let shifted;
    // SAFETY: the instruction reads and writes registers only, and the processor has it.
    unsafe {
        asm!(
            "vpsllvw {shifted} {{{mask}}} {{z}}, {value}, {amount}",
            shifted = lateout(zmm_reg) shifted,
            mask = in(kreg) mask,
            value = in(zmm_reg) value,
            amount = in(zmm_reg) amount,
            options(pure, nomem, nostack, preserves_flags)
        );
    }
    shifted
}

/// The lanes of 16 bits that are not 0.
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512cd")]
pub(super) fn nonzero_16(value: __m512i) -> u32 {
    let mask;
    // SAFETY: the instruction reads and writes registers only, and the processor has it.
    unsafe {
        asm!(
            "vptestmw {mask}, {value}, {value}",
            mask = lateout(kreg) mask,
            value = in(zmm_reg) value,
            options(pure, nomem, nostack, preserves_flags)
        );
    }
    mask
}
