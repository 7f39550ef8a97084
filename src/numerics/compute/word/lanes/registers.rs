//! Integers of several words in two's complement, one a lane: arithmetic on their registers, the least significant first.
//!
//! ```text
//!   register      N-1  ...  1   0     bits 64 i to 64 i + 63 of every integer in register i
//!   lane            7 6 5 4 3 2 1 0   one integer each
//!   left by 70      w2 << 6 | w1 >> 58   w1 << 6 | w0 >> 58   w0 << 6   0     from words w3 w2 w1 w0
//! ```

use std::marker::PhantomData;

use crate::lanes::{Lanes, Mask, Work};

/// A function of registers, inlined for integers of up to so many words. A unit's text has hundreds of each: copies of longer
/// ones would cost more time of compiling than a call costs in the text.
///
/// Loops are over indices: the compiler leaves zipped iterators as calls, with the registers in memory, and that is five times as slow.
macro_rules! registers {
    (inlined up to $words:literal: $($(#[$doc:meta])* fn $name:ident($($argument:ident: $type:ty),*) -> $result:ty $body:block)*) => {
        $(
            $(#[$doc])*
            #[inline(always)]
            pub(super) fn $name<L: Lanes, const N: usize>($($argument: $type),*) -> $result {
                #[inline(always)]
                fn body<L: Lanes, const N: usize>($($argument: $type),*) -> $result $body

                struct Apart<L, const N: usize>(PhantomData<L>);

                impl<L: Lanes, const N: usize> Work<Option<$result>, ($($type,)*)> for Apart<L, N> {
                    #[inline(always)]
                    fn run(result: &mut Option<$result>, &mut ($($argument,)*): &mut ($($type,)*)) {
                        *result = Some(body::<L, N>($($argument),*));
                    }
                }

                if N <= $words {
                    return body::<L, N>($($argument),*);
                }
                let mut result = None;
                L::call::<_, _, Apart<L, N>>(&mut result, &mut ($($argument,)*));
                result.expect("the work has left its result")
            }
        )*
    };
}

registers! {
    inlined up to 4:

    fn add(a: &[L; N], b: &[L; N]) -> [L; N] {
        let ones = L::of(-1);
        let (mut sums, mut carry) = (*a, L::Mask::all(false));
        for i in 0..N {
            let plain = a[i] + b[i];
            sums[i] = L::select(carry, plain - ones, plain);
            carry = plain.is_below(a[i]) | carry & plain.equals(ones);
        }
        sums
    }

    fn subtract(a: &[L; N], b: &[L; N]) -> [L; N] {
        let ones = L::of(-1);
        let (mut differences, mut borrow) = (*a, L::Mask::all(false));
        for i in 0..N {
            let plain = a[i] - b[i];
            differences[i] = L::select(borrow, plain + ones, plain);
            borrow = a[i].is_below(b[i]) | borrow & plain.equals(L::of(0));
        }
        differences
    }

    fn low_field(a: &[L; N], width: u32) -> [L; N] {
        let mut field = *a;
        for (i, word) in field.iter_mut().enumerate() {
            let bits = width.saturating_sub(64 * i as u32).min(64);
            let mask = if bits == 64 { u64::MAX } else { (1 << bits) - 1 };
            *word = *word & L::of(mask as i64);
        }
        field
    }

    fn equal(a: &[L; N], b: &[L; N]) -> L::Mask {
        let mut equal = L::Mask::all(true);
        for i in 0..N {
            equal = equal & a[i].equals(b[i]);
        }
        equal
    }

    fn select(flags: L::Mask, yes: &[L; N], no: &[L; N]) -> [L; N] {
        let mut selected = *no;
        for i in 0..N {
            selected[i] = L::select(flags, yes[i], no[i]);
        }
        selected
    }

    /// Integers of one word.
    fn extended(low: L) -> [L; N] {
        let mut words = [low.shift_right_signed(63); N];
        words[0] = low;
        words
    }
}

registers! {
    inlined up to 2:

    /// How many digits of 32 bits are not zero in all lanes and above.
    fn digits(a: &[L; N]) -> usize {
        for digit in (0..2 * N).rev() {
            if (!(a[digit / 2] & half_mask(digit % 2)).equals(L::of(0))).any() {
                return digit + 1;
            }
        }
        0
    }

    /// Digit by digit, of 32 bits each.
    fn multiply(a: &[L; N], b: &[L; N]) -> [L; N] {
        let low = half_mask::<L>(0);
        let (digits_a, digits_b) = (digits(a), digits(b));
        let mut sums = [[L::of(0); 2]; N];
        for i in 0..digits_a {
            let mut carry = L::of(0);
            for j in 0..=digits_b {
                let place = i + j;
                if place >= 2 * N {
                    break;
                }
                let sum = &mut sums[place / 2][place % 2];
                let product = if j < digits_b { digit(a, i).times_short(digit(b, j)) } else { carry };
                let rest = if j < digits_b { carry } else { L::of(0) };
                let all = product + rest + *sum;
                *sum = all & low;
                carry = all.shift_right(32);
            }
        }
        let mut product = [L::of(0); N];
        for i in 0..N {
            let [low, high] = sums[i];
            product[i] = low | high.shift_left(32);
        }
        product
    }

    fn shift_left(a: &[L; N], amount: u32) -> [L; N] {
        let (words, bits) = (amount as usize / 64, amount % 64);
        let mut shifted = [L::of(0); N];
        for i in words..N {
            let below = if i > words && bits > 0 { a[i - words - 1].shift_right(64 - bits) } else { L::of(0) };
            shifted[i] = a[i - words].shift_left(bits) | below;
        }
        shifted
    }

    fn shift_right(a: &[L; N], amount: u32) -> [L; N] {
        let (words, bits) = (amount as usize / 64, amount % 64);
        let mut shifted = [L::of(0); N];
        for i in words..N {
            let above = if i + 1 < N && bits > 0 { a[i + 1].shift_left(64 - bits) } else { L::of(0) };
            shifted[i - words] = a[i].shift_right(bits) | above;
        }
        shifted
    }

    /// By an amount of each lane: bits within words first, then whole words by powers of two.
    fn shift_left_by(a: &[L; N], amount: &[L; N]) -> [L; N] {
        let (bits, words) = (amount[0] & L::of(63), amount[0].shift_right(6));
        let rest = L::of(64) - bits;
        let mut shifted = *a;
        for i in (0..N).rev() {
            let below = if i > 0 { a[i - 1] } else { L::of(0) };
            shifted[i] = a[i].shift_left_by(bits) | below.shift_right_by(rest);
        }
        let mut step = 1;
        while step < N {
            let moves = words.bit(step.trailing_zeros());
            for i in (0..N).rev() {
                let from = if i >= step { shifted[i - step] } else { L::of(0) };
                shifted[i] = L::select(moves, from, shifted[i]);
            }
            step *= 2;
        }
        within(words, &shifted)
    }

    /// The same to the right.
    fn shift_right_by(a: &[L; N], amount: &[L; N]) -> [L; N] {
        let (bits, words) = (amount[0] & L::of(63), amount[0].shift_right(6));
        let rest = L::of(64) - bits;
        let mut shifted = *a;
        for i in 0..N {
            let above = if i + 1 < N { a[i + 1] } else { L::of(0) };
            shifted[i] = a[i].shift_right_by(bits) | above.shift_left_by(rest);
        }
        let mut step = 1;
        while step < N {
            let moves = words.bit(step.trailing_zeros());
            for i in 0..N {
                let from = if i + step < N { shifted[i + step] } else { L::of(0) };
                shifted[i] = L::select(moves, from, shifted[i]);
            }
            step *= 2;
        }
        within(words, &shifted)
    }

    /// Zero in lanes that were shifted by all words or more.
    fn within(words: L, shifted: &[L; N]) -> [L; N] {
        let kept = words.is_below(L::of(N as i64));
        let mut within = *shifted;
        for word in &mut within {
            *word = L::select(kept, *word, L::of(0));
        }
        within
    }

    fn less_than(a: &[L; N], b: &[L; N]) -> L::Mask {
        let mut less = L::Mask::all(false);
        for i in 0..N {
            let own = if i == N - 1 { a[i].less_than(b[i]) } else { a[i].is_below(b[i]) };
            less = own | less & a[i].equals(b[i]);
        }
        less
    }

    fn leading_zeros(a: &[L; N], width: u32) -> [L; N] {
        let mut zeros = L::of(i64::from(width) - 64 * N as i64);
        let mut empty = L::Mask::all(true);
        for &word in a.iter().rev() {
            zeros = L::select(empty, zeros + word.leading_zeros(), zeros);
            empty = empty & word.equals(L::of(0));
        }
        extended(zeros)
    }

    fn wrap(a: &[L; N], width: u32) -> [L; N] {
        let top = (width as usize - 1) / 64;
        let unused = 63 - (width - 1) % 64;
        let mut wrapped = *a;
        wrapped[top] = a[top].shift_left(unused).shift_right_signed(unused);
        let sign = wrapped[top].shift_right_signed(63);
        for above in &mut wrapped[top + 1..] {
            *above = sign;
        }
        wrapped
    }
}

/// The low or the high 32 bits of every word.
#[inline(always)]
fn half_mask<L: Lanes>(half: usize) -> L {
    L::of(if half == 0 { u32::MAX.into() } else { -1 << 32 })
}

/// A digit of 32 bits.
#[inline(always)]
fn digit<L: Lanes, const N: usize>(words: &[L; N], place: usize) -> L {
    match place % 2 {
        0 => words[place / 2] & half_mask(0),
        _ => words[place / 2].shift_right(32),
    }
}
