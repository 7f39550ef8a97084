//! Infinities and NaN, decided from the operands alone as IEEE 754-2019, 7.2 says. Touches no finite result.

use super::numbers::{Numbers, Operand};
use super::{magnitude, sign};
use crate::lanes::{Mask, Singles};

/// Where an operand is infinite or NaN.
#[inline(always)]
pub(super) fn is_special<L: Singles>(operand: &Operand, encoding: L) -> L::Mask {
    L::of(operand.finite_max.into()).less_than(magnitude(operand, encoding))
}

/// Where an operand is infinite.
#[inline(always)]
fn is_infinite<L: Singles>(operand: &Operand, magnitude: L) -> L::Mask {
    operand.infinity.map_or(L::Mask::all(false), |infinity| magnitude.equals(L::of(infinity.into())))
}

/// Where an operand is NaN.
#[inline(always)]
fn is_nan<L: Singles>(operand: &Operand, magnitude: L) -> L::Mask {
    L::of(operand.infinity.unwrap_or(operand.finite_max).into()).less_than(magnitude)
}

/// Puts infinities and NaN in the place of results.
#[inline(always)]
pub(super) fn replaced<L: Singles>(numbers: &Numbers, [a, b]: [&[u64]; 2], c: L, result: L) -> L {
    let zero = L::of(0);
    let none = L::Mask::all(false);
    let (mut nan, mut below, mut above) = (none, none, none);
    let fours = numbers.products / 4;
    for group in 0..fours {
        let rows_a = L::load_rows(a.as_chunks().0, group, fours);
        let rows_b = L::load_rows(b.as_chunks().0, group, fours);
        for i in 0..4 {
            let (magnitude_a, magnitude_b) = (magnitude(&numbers.a, rows_a[i]), magnitude(&numbers.b, rows_b[i]));
            let infinite_a = is_infinite(&numbers.a, magnitude_a);
            let infinite_b = is_infinite(&numbers.b, magnitude_b);
            let invalid = infinite_a & magnitude_b.equals(zero) | infinite_b & magnitude_a.equals(zero);
            nan = nan | is_nan(&numbers.a, magnitude_a) | is_nan(&numbers.b, magnitude_b) | invalid;
            let infinite = infinite_a | infinite_b;
            let negative = (sign(&numbers.a, rows_a[i]) ^ sign(&numbers.b, rows_b[i])).bit(31);
            below = below | infinite & negative;
            above = above | infinite & !negative;
        }
    }
    let magnitude_c = magnitude(&numbers.c, c);
    let (infinite, negative) = (is_infinite(&numbers.c, magnitude_c), sign(&numbers.c, c).bit(31));
    below = below | infinite & negative;
    above = above | infinite & !negative;
    nan = nan | is_nan(&numbers.c, magnitude_c) | above & below;

    let d = &numbers.d;
    let infinity = d.infinity << d.padding_bits;
    let result = L::select(above, L::of(infinity.into()), result);
    let result = L::select(below, L::of((infinity | d.sign).into()), result);
    L::select(nan, L::of(d.nan.into()), result)
}
