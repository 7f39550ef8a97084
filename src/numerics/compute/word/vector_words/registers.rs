//! Integers of several words in two's complement, eight at a time: arithmetic on their registers, the least significant first.
//!
//! ```text
//!   register      N-1  ...  1   0     bits 64 i to 64 i + 63 of every integer in register i
//!   lane            7 6 5 4 3 2 1 0   one integer each
//!   left by 70      w2 << 6 | w1 >> 58   w1 << 6 | w0 >> 58   w0 << 6   0     from words w3 w2 w1 w0
//! ```

#![allow(unsafe_code, reason = "the instructions of the processor")]

use std::arch::x86_64::*;

use crate::compute::word::vector::Encodings;

/// A function of registers for processors with AVX-512, inlined for integers of up to so many words. A unit's text has
/// hundreds of each: copies of longer ones would cost more time of compiling than a call costs in the text.
macro_rules! registers {
    (inlined up to $words:literal: $($(#[$doc:meta])* fn $name:ident($($argument:ident: $type:ty),*) -> $result:ty $body:block)*) => {
        $(
            $(#[$doc])*
            #[inline]
            #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512cd")]
            pub(super) fn $name<const N: usize>($($argument: $type),*) -> $result {
                #[inline]
                #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512cd")]
                fn body<const N: usize>($($argument: $type),*) -> $result $body

                #[inline(never)]
                #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx512cd")]
                fn call<const N: usize>($($argument: $type),*) -> $result {
                    body::<N>($($argument),*)
                }

                if N > $words { call::<N>($($argument),*) } else { body::<N>($($argument),*) }
            }
        )*
    };
}

registers! {
    inlined up to 4:

    fn add(a: &[__m512i; N], b: &[__m512i; N]) -> [__m512i; N] {
        let ones = _mm512_set1_epi64(-1);
        let (mut sums, mut carry) = (*a, 0);
        for (sum, &b) in sums.iter_mut().zip(b) {
            let a = *sum;
            let plain = _mm512_add_epi64(a, b);
            let full = _mm512_cmpeq_epi64_mask(plain, ones);
            *sum = _mm512_mask_sub_epi64(plain, carry, plain, ones);
            carry = _mm512_cmplt_epu64_mask(plain, a) | carry & full;
        }
        sums
    }

    fn subtract(a: &[__m512i; N], b: &[__m512i; N]) -> [__m512i; N] {
        let ones = _mm512_set1_epi64(-1);
        let (mut differences, mut borrow) = (*a, 0);
        for (difference, &b) in differences.iter_mut().zip(b) {
            let a = *difference;
            let plain = _mm512_sub_epi64(a, b);
            let empty = _mm512_testn_epi64_mask(plain, plain);
            *difference = _mm512_mask_add_epi64(plain, borrow, plain, ones);
            borrow = _mm512_cmplt_epu64_mask(a, b) | borrow & empty;
        }
        differences
    }

    fn low_field(a: &[__m512i; N], width: u32) -> [__m512i; N] {
        let mut field = *a;
        for (i, word) in field.iter_mut().enumerate() {
            let bits = width.saturating_sub(64 * i as u32).min(64);
            let mask = if bits == 64 { u64::MAX } else { (1 << bits) - 1 };
            *word = _mm512_and_si512(*word, _mm512_set1_epi64(mask as i64));
        }
        field
    }

    fn bit(a: &[__m512i; N], index: u32) -> __mmask8 {
        _mm512_test_epi64_mask(a[index as usize / 64], _mm512_set1_epi64(1 << (index % 64)))
    }

    fn equal(a: &[__m512i; N], b: &[__m512i; N]) -> __mmask8 {
        a.iter().zip(b).fold(0xff, |equal, (a, b)| equal & _mm512_cmpeq_epi64_mask(*a, *b))
    }

    fn select(flags: __mmask8, yes: &[__m512i; N], no: &[__m512i; N]) -> [__m512i; N] {
        let mut selected = *no;
        selected.iter_mut().zip(yes).for_each(|(no, yes)| *no = _mm512_mask_blend_epi64(flags, *no, *yes));
        selected
    }

    /// Integers of one word.
    fn extended(low: __m512i) -> [__m512i; N] {
        let mut words = [_mm512_srai_epi64::<63>(low); N];
        words[0] = low;
        words
    }

    fn encoded(encoding: &Encodings) -> [__m512i; N] {
        let mut words = [_mm512_setzero_si512(); N];
        // SAFETY: eight encodings are a register.
        words[0] = unsafe { _mm512_load_si512(encoding.0.as_ptr().cast()) };
        words
    }
}

registers! {
    inlined up to 2:

    /// How many digits of 32 bits are not zero in all lanes and above.
    fn digits(a: &[__m512i; N]) -> usize {
        let used = |digit: &usize| _mm512_test_epi64_mask(a[digit / 2], half_mask(digit % 2)) != 0;
        (0..2 * N).rev().find(used).map_or(0, |digit| digit + 1)
    }

    /// Digit by digit, of 32 bits each.
    fn multiply(a: &[__m512i; N], b: &[__m512i; N]) -> [__m512i; N] {
        let low = half_mask(0);
        let digit = |words: &[__m512i; N], place: usize| match place % 2 {
            0 => _mm512_and_si512(words[place / 2], low),
            _ => _mm512_srli_epi64::<32>(words[place / 2]),
        };
        let (digits_a, digits_b) = (digits(a), digits(b));
        let mut sums = [[_mm512_setzero_si512(); 2]; N];
        for i in 0..digits_a {
            let mut carry = _mm512_setzero_si512();
            for j in 0..=digits_b {
                let place = i + j;
                if place >= 2 * N {
                    break;
                }
                let sum = &mut sums[place / 2][place % 2];
                let product = if j < digits_b { _mm512_mul_epu32(digit(a, i), digit(b, j)) } else { carry };
                let rest = if j < digits_b { carry } else { _mm512_setzero_si512() };
                let all = _mm512_add_epi64(_mm512_add_epi64(product, rest), *sum);
                *sum = _mm512_and_si512(all, low);
                carry = _mm512_srli_epi64::<32>(all);
            }
        }
        sums.map(|[low, high]| _mm512_or_si512(low, _mm512_slli_epi64::<32>(high)))
    }

    fn shift_left(a: &[__m512i; N], amount: u32) -> [__m512i; N] {
        let (words, bits) = (amount as usize / 64, amount as i32 % 64);
        let (left, right) = (_mm_cvtsi32_si128(bits), _mm_cvtsi32_si128(64 - bits));
        let mut shifted = [_mm512_setzero_si512(); N];
        for i in words..N {
            let below = if i > words { a[i - words - 1] } else { _mm512_setzero_si512() };
            shifted[i] = _mm512_or_si512(_mm512_sll_epi64(a[i - words], left), _mm512_srl_epi64(below, right));
        }
        shifted
    }

    fn shift_right(a: &[__m512i; N], amount: u32) -> [__m512i; N] {
        let (words, bits) = (amount as usize / 64, amount as i32 % 64);
        let (left, right) = (_mm_cvtsi32_si128(64 - bits), _mm_cvtsi32_si128(bits));
        let mut shifted = [_mm512_setzero_si512(); N];
        for i in words..N {
            let above = a.get(i + 1).copied().unwrap_or(_mm512_setzero_si512());
            shifted[i - words] = _mm512_or_si512(_mm512_srl_epi64(a[i], right), _mm512_sll_epi64(above, left));
        }
        shifted
    }

    /// By an amount of each lane: bits within words first, then whole words by powers of two.
    fn shift_left_by(a: &[__m512i; N], amount: &[__m512i; N]) -> [__m512i; N] {
        let (bits, words) = (_mm512_and_si512(amount[0], _mm512_set1_epi64(63)), _mm512_srli_epi64::<6>(amount[0]));
        let rest = _mm512_sub_epi64(_mm512_set1_epi64(64), bits);
        let mut shifted = *a;
        for i in (0..N).rev() {
            let below = if i > 0 { a[i - 1] } else { _mm512_setzero_si512() };
            shifted[i] = _mm512_or_si512(_mm512_sllv_epi64(a[i], bits), _mm512_srlv_epi64(below, rest));
        }
        let mut step = 1;
        while step < N {
            let moves = _mm512_test_epi64_mask(words, _mm512_set1_epi64(step as i64));
            for i in (0..N).rev() {
                let from = if i >= step { shifted[i - step] } else { _mm512_setzero_si512() };
                shifted[i] = _mm512_mask_blend_epi64(moves, shifted[i], from);
            }
            step *= 2;
        }
        within::<N>(words, &mut shifted);
        shifted
    }

    /// The same to the right.
    fn shift_right_by(a: &[__m512i; N], amount: &[__m512i; N]) -> [__m512i; N] {
        let (bits, words) = (_mm512_and_si512(amount[0], _mm512_set1_epi64(63)), _mm512_srli_epi64::<6>(amount[0]));
        let rest = _mm512_sub_epi64(_mm512_set1_epi64(64), bits);
        let mut shifted = *a;
        for i in 0..N {
            let above = a.get(i + 1).copied().unwrap_or(_mm512_setzero_si512());
            shifted[i] = _mm512_or_si512(_mm512_srlv_epi64(a[i], bits), _mm512_sllv_epi64(above, rest));
        }
        let mut step = 1;
        while step < N {
            let moves = _mm512_test_epi64_mask(words, _mm512_set1_epi64(step as i64));
            for i in 0..N {
                let from = shifted.get(i + step).copied().unwrap_or(_mm512_setzero_si512());
                shifted[i] = _mm512_mask_blend_epi64(moves, shifted[i], from);
            }
            step *= 2;
        }
        within::<N>(words, &mut shifted);
        shifted
    }

    /// Zero in lanes that were shifted by all words or more.
    fn within(words: __m512i, shifted: &mut [__m512i; N]) -> () {
        let kept = _mm512_cmplt_epu64_mask(words, _mm512_set1_epi64(N as i64));
        shifted.iter_mut().for_each(|word| *word = _mm512_maskz_mov_epi64(kept, *word));
    }

    fn less_than(a: &[__m512i; N], b: &[__m512i; N]) -> __mmask8 {
        let mut less = 0;
        for i in 0..N {
            let own = match i == N - 1 {
                true => _mm512_cmplt_epi64_mask(a[i], b[i]),
                false => _mm512_cmplt_epu64_mask(a[i], b[i]),
            };
            less = own | less & _mm512_cmpeq_epi64_mask(a[i], b[i]);
        }
        less
    }

    fn leading_zeros(a: &[__m512i; N], width: u32) -> [__m512i; N] {
        let mut zeros = _mm512_set1_epi64(i64::from(width) - 64 * N as i64);
        let mut empty = 0xff;
        for &word in a.iter().rev() {
            zeros = _mm512_mask_add_epi64(zeros, empty, zeros, _mm512_lzcnt_epi64(word));
            empty &= _mm512_testn_epi64_mask(word, word);
        }
        extended(zeros)
    }

    fn wrap(a: &[__m512i; N], width: u32) -> [__m512i; N] {
        let top = (width as usize - 1) / 64;
        let unused = _mm_cvtsi32_si128(63 - (width as i32 - 1) % 64);
        let mut wrapped = *a;
        wrapped[top] = _mm512_sra_epi64(_mm512_sll_epi64(a[top], unused), unused);
        let sign = _mm512_srai_epi64::<63>(wrapped[top]);
        wrapped[top + 1..].fill(sign);
        wrapped
    }
}

/// The low or the high 32 bits of every word.
#[inline]
#[target_feature(enable = "avx512f")]
fn half_mask(half: usize) -> __m512i {
    _mm512_set1_epi64(if half == 0 { u32::MAX.into() } else { -1 << 32 })
}
