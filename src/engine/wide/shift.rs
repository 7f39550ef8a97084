//! Shifts of each lane by its own amount, one machine instruction each: amounts beyond the lane give 0. The compiler's own
//! text for these compares every amount with the lane's width first.

#![allow(unsafe_code, reason = "single instructions of the processor")]

use std::arch::asm;
use std::arch::x86_64::__m512i;

macro_rules! shift {
    ($(#[$doc:meta])* $name:ident, $instruction:literal) => {
        $(#[$doc])*
        #[inline]
        #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512cd,bmi2")]
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
