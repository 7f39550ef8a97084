//! Why neither rounding nor more bits of d act where every sum is a result as it is.

use super::*;

/// d with so many of the fraction bits of binary32.
fn shorter(fraction_bits: u32) -> Setting {
    let padding_bits = 23 - fraction_bits;
    let name = format!("e8m{fraction_bits}");
    Setting::Result(Box::new(Format { name, fraction_bits, padding_bits, ..Format::binary32() }))
}

/// Terms have 13 fraction bits and two before them, and there are four carry bits.
#[test]
fn windows_narrower_than_results() {
    let mut narrow = unit("ada-e4m3-fp32");
    with_result(&mut narrow, Format::binary32());
    for rounding in Rounding::ALL.into_iter().filter(|rounding| *rounding != narrow.unit.conversion.rounding) {
        holds(&Setting::Rounding(rounding), &narrow, "sums have at most");
    }
    holds(&shorter(20), &narrow, "sums have at most");
    acts(&shorter(12), &narrow);
    acts(&Setting::Rounding(Rounding::NearestEven), &unit("ampere-fp16-fp32"));
}

/// Sums of few small products, in a window that loses none.
#[test]
fn exact_sums_that_results_hold() {
    let mut exact = unit("tiny-exact");
    let d = Format::binary32();
    [exact.c, exact.unit.formats.c] = [&Format::e2m1(); 2].map(Format::clone);
    with_result(&mut exact, d);
    holds(&Setting::Rounding(Rounding::TowardPositive), &exact, "sums have at most");
    holds(&shorter(10), &exact, "sums have at most");
    acts(&shorter(2), &exact);
}

/// Overflow follows the rounding, and begins where the largest number ends.
#[test]
fn sums_beyond_the_largest_number() {
    let mut narrow = unit("ada-e4m3-fp32");
    narrow.unit.alignment.fraction_bits = 3;
    narrow.unit.conversion.overflow = Overflow::Ieee;
    narrow.unit.conversion.rounding = Rounding::NearestEven;
    let small = Format { name: "e4m11".to_owned(), exponent_bits: 4, fraction_bits: 11, bias: 7, ..Format::binary32() };
    [narrow.c, narrow.unit.formats.c] = [&small; 2].map(Format::clone);
    with_result(&mut narrow, small);
    acts(&Setting::Rounding(Rounding::TowardZero), &narrow);
    holds(&Setting::Rounding(Rounding::NearestAway), &narrow, "sums have at most");
    narrow.unit.conversion.overflow = Overflow::Saturate;
    holds(&Setting::Rounding(Rounding::TowardZero), &narrow, "sums have at most");
}
