//! Products that are nearly a tie between two results. Such a one, alone, shows the last bits of a window that ends far below the
//! result: they decide which of the two it is.

use std::ops::RangeInclusive;

use crate::describe::format::Format;
use crate::describe::unit::Formats;
use crate::infer::random::{any_bits, factors};

/// Factors whose product has one of these exponents, where the formats have such, and lies beside a tie: at any distance below
/// half of the result's last place, or at a larger one than wanted where that is not met soon. Any factors where results hold
/// their product, or nothing is met at all.
pub(super) fn near_tie(
    formats: &Formats,
    allowed: &RangeInclusive<i32>,
    below: &mut impl FnMut(usize) -> usize,
) -> [u64; 2] {
    /// Factors that are drawn at most. In the second half the distance grows with each.
    const DRAWN: u32 = 128;
    /// About two to this many are drawn for the least distance.
    const HARD: u32 = 5;
    let part = below(DRAWN as usize) as u32;
    for drawn in 0..DRAWN {
        let [one, other] = factors(formats, allowed, below);
        let factors = [with_any_fraction(&formats.a, one, below), with_any_fraction(&formats.b, other, below)];
        let Some(lost) = places_lost(formats, factors) else { return factors };
        // Bits of the distance. The multiples of a number have every end of as many bits as there are of them.
        let longer = significand(&formats.a, factors[0]).max(significand(&formats.b, factors[1]));
        let wanted = (lost * part / DRAWN).max(lost.saturating_sub(longer.ilog2() + HARD));
        let places = wanted + (lost - wanted) * drawn.saturating_sub(DRAWN / 2) / DRAWN;
        let distances = (1 << places) / 2..=(1 << places) - 1;
        let tie: u128 = 1 << (lost - 1);
        let last = match below(2) {
            0 => tie - distances.end()..=tie - distances.start(),
            _ => tie + distances.start()..=tie + distances.end(),
        };
        if let Some(factors) = with_last_places(formats, factors, lost, last) {
            return factors;
        }
    }
    factors(formats, allowed, below)
}

/// A finite number of the same binade.
fn with_any_fraction(format: &Format, bits: u64, below: &mut impl FnMut(usize) -> usize) -> u64 {
    let own = significand(format, bits);
    let Some(places) = own.checked_ilog2() else { return bits };
    replaced(format, bits, 1 << places | u128::from(any_bits(places, below))).unwrap_or(bits)
}

/// How many last places of the exact product of two finite numbers a result without subnormal numbers loses; none where it
/// loses less than two.
fn places_lost(Formats { a, b, d, .. }: &Formats, [one, other]: [u64; 2]) -> Option<u32> {
    let product = significand(a, one) * significand(b, other);
    product.checked_ilog2()?.checked_sub(d.fraction_bits).filter(|lost| *lost > 1)
}

fn significand(format: &Format, bits: u64) -> u128 {
    format.decode(bits).significand.into()
}

/// Factors of the same binades with these last places of their product, the longer one the least that has them; none where it
/// leaves its binade, or the product loses another number of places.
fn with_last_places(
    formats: &Formats,
    [one, other]: [u64; 2],
    lost: u32,
    last: RangeInclusive<u128>,
) -> Option<[u64; 2]> {
    let Formats { a, b, .. } = formats;
    let swap = significand(a, one) < significand(b, other);
    let [(long, own), (short, fixed)] = if swap { [(b, other), (a, one)] } else { [(a, one), (b, other)] };
    // Multiples of an odd number end in everything.
    let odd = significand(short, fixed) | 1;
    let (modulus, leading) = (1 << lost, 1 << significand(long, own).ilog2());
    let begin = leading * odd;
    let [start, end] = [last.start(), last.end()].map(|&end| end.wrapping_sub(begin) % modulus);
    let steps = if start > end { 0 } else { first_multiple(odd, modulus, start, end)? };
    let solved = replaced(long, own, steps.checked_add(leading)?)?;
    let fixed = replaced(short, fixed, odd)?;
    let factors = if swap { [fixed, solved] } else { [solved, fixed] };
    (places_lost(formats, factors) == Some(lost)).then_some(factors)
}

/// The least x with start <= factor * x mod modulus <= end, for start <= end < modulus; none where there is none, or where
/// numbers become too large. Where no multiple below the modulus lies there, one above it does, and how many times the
/// modulus is to be taken from it is the same question of smaller numbers, as in Euclid's algorithm.
fn first_multiple(factor: u128, modulus: u128, start: u128, end: u128) -> Option<u128> {
    if start == 0 {
        return Some(0);
    }
    let factor = factor % modulus;
    if factor == 0 {
        return None;
    }
    let least = start.div_ceil(factor);
    if least * factor <= end {
        return Some(least);
    }
    let [start_below, end_below] = [end, start].map(|bound| (factor - bound % factor) % factor);
    let times = first_multiple(modulus, factor, start_below, end_below)?;
    Some(modulus.checked_mul(times)?.checked_add(start)?.div_ceil(factor))
}

/// A finite number with another significand, where that ends in the same binade and is finite.
fn replaced(format: &Format, bits: u64, significand: u128) -> Option<u64> {
    let (own, significand) = (format.decode(bits), u64::try_from(significand).ok()?);
    let magnitude = format.magnitude(bits) ^ own.significand ^ significand;
    let allowed = significand.checked_ilog2() == own.significand.checked_ilog2() && magnitude <= format.magnitude_max();
    allowed.then(|| format.assemble(own.negative, magnitude))
}

#[cfg(test)]
mod tests {
    use rand_xoshiro::Xoshiro256PlusPlus;
    use rand_xoshiro::rand_core::SeedableRng;

    use super::*;
    use crate::infer::random;

    /// Of 4096 products, how many lie so many places nearer to a tie than half of the result's last place.
    fn nearness(a: Format, b: Format, d: Format) -> Vec<usize> {
        let formats = Formats { a, b, c: Format::absent(), d };
        let mut generator = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut below = |count| random::below(&mut generator, count);
        let mut counts = vec![0; 128];
        for _ in 0..4096 {
            let [one, other] = near_tie(&formats, &(i32::MIN..=i32::MAX), &mut below);
            let Some(lost) = places_lost(&formats, [one, other]) else { continue };
            let last = significand(&formats.a, one) * significand(&formats.b, other) % (1 << lost);
            if let Some(places) = last.abs_diff(1 << (lost - 1)).checked_ilog2() {
                counts[(lost - 1 - places) as usize] += 1;
            }
        }
        counts
    }

    #[test]
    fn products_lie_at_every_distance_from_a_tie() {
        // As many places as the longer factor has, and some more by chance.
        for (a, b, d, places) in [
            (Format::binary64(), Format::binary64(), Format::binary64(), 1..=51),
            (Format::tf32(), Format::tf32(), Format::bfloat16(), 1..=12),
            (Format::bfloat16(), Format::tf32(), Format::bfloat16(), 1..=9),
        ] {
            let counts = nearness(a, b, d);
            assert!(counts[places].iter().all(|&count| count > 40), "{counts:?}");
        }
    }

    #[test]
    fn first_multiple_is_the_first() {
        for modulus in 1..20_u128 {
            for factor in 0..25 {
                for start in 0..modulus {
                    for end in start..modulus {
                        let first = (0..modulus).find(|times| (start..=end).contains(&(factor * times % modulus)));
                        assert_eq!(
                            first_multiple(factor, modulus, start, end),
                            first,
                            "{factor} {modulus} {start}..{end}"
                        );
                    }
                }
            }
        }
    }
}
