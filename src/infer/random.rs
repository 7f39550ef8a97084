//! Random numbers: of a range, and of formats. What draws them is a function of how many there are.

use std::ops::RangeInclusive;

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::Rng;

use crate::describe::format::Format;
use crate::describe::unit::Formats;

/// Any exponent.
pub(super) const ANY: RangeInclusive<i32> = i32::MIN..=i32::MAX;

/// A number of 0 .. count.
pub(super) fn below(random: &mut Xoshiro256PlusPlus, count: usize) -> usize {
    (((random.next_u64() >> 32) * count as u64) >> 32) as usize
}

/// Factors whose product has one of these exponents, where the formats have such.
pub(super) fn factors(
    Formats { a, b, .. }: &Formats,
    allowed: &RangeInclusive<i32>,
    below: &mut impl FnMut(usize) -> usize,
) -> [u64; 2] {
    let (least, most) = (*allowed.start(), *allowed.end());
    let all = exponents(b);
    let one = anywhere(a, &(least.saturating_sub(*all.end())..=most.saturating_sub(*all.start())), below);
    let own = a.decode(one);
    let exponent = own.exponent + own.significand.checked_ilog2().unwrap_or(0) as i32 - a.fraction_bits as i32;
    [one, anywhere(b, &(least.saturating_sub(exponent)..=most.saturating_sub(exponent)), below)]
}

/// Exponents that the leading bit of a finite number can have.
pub(super) fn exponents(format: &Format) -> RangeInclusive<i32> {
    let subnormal = if format.subnormals { format.fraction_bits as i32 } else { 0 };
    format.exponent_min() - subnormal..=format.exponent_max()
}

/// A finite number, each place of its leading bit as likely as any other, with any bits below it or none. Its exponent is one of
/// those allowed, if the format has such.
pub(super) fn anywhere(format: &Format, allowed: &RangeInclusive<i32>, below: &mut impl FnMut(usize) -> usize) -> u64 {
    let (all, fraction_bits) = (exponents(format), format.fraction_bits);
    let (low, high) = (*all.start().max(allowed.start()), *all.end().min(allowed.end()));
    let (low, high) = if low > high { (*all.start(), *all.end()) } else { (low, high) };
    let exponent = low + below((high - low + 1) as usize) as i32;
    // Leading bits of subnormal numbers lie within the fraction.
    let (leading, bits_below) = match u64::try_from(exponent - format.exponent_min()) {
        Err(_) => {
            let place = (exponent - all.start()) as u32;
            (1 << place, place)
        }
        Ok(above) => ((u64::from(format.subnormals) + above) << fraction_bits, fraction_bits),
    };
    let magnitude = (leading | rest(bits_below, below)).min(format.magnitude_max());
    format.assemble(format.signed && below(2) == 0, magnitude)
}

/// Any bits, or none.
pub(super) fn rest(bits: u32, below: &mut impl FnMut(usize) -> usize) -> u64 {
    if below(2) == 0 { any_bits(bits, below) } else { 0 }
}

pub(super) fn any_bits(bits: u32, below: &mut impl FnMut(usize) -> usize) -> u64 {
    let (upper, lower) = (bits / 2, bits.div_ceil(2));
    (below(1 << upper) << lower | below(1 << lower)) as u64
}
