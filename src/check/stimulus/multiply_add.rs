//! Classes for units that round after every product: what a product keeps below the result's last place decides.

use super::Shape;
use super::classes::{common_exponent, factor_exponent, product};
use super::draw::Draw;

/// Nothing, or products up to `reach` binades below `exponent`.
fn small_products(shape: &Shape, exponent: i32, reach: i32, draw: &mut Draw, a: &mut [u64], b: &mut [u64]) {
    for (a, b) in a.iter_mut().zip(b) {
        (*a, *b) = match draw.flip() {
            true => (shape.a.zero(draw.flip()), shape.b.zero(false)),
            false => product(shape, exponent - draw.between(0, reach), draw),
        };
    }
}

/// The exact product of two binades' numbers against its own leading bits: c is minus the product cut to c's precision, or
/// its neighbour.
pub(super) fn residue(shape: &Shape, _index: u64, draw: &mut Draw, a: &mut [u64], b: &mut [u64]) -> u64 {
    let reach = 2 * shape.d.fraction_bits as i32 + 4;
    let base = match draw.rarely(2) {
        true => shape.d.exponent_min + draw.between(-2, reach),
        false => common_exponent(shape, draw),
    };
    let first = factor_exponent(shape, base, draw);
    let fraction = |bits: u32, word: u64| word >> 5 & ((1 << bits) - 1);
    let (word_a, word_b) = (draw.word(), draw.word());
    let (bits_a, bits_b) = (shape.a.fraction_bits, shape.b.fraction_bits);
    let (fraction_a, fraction_b) = (fraction(bits_a, word_a), fraction(bits_b, word_b));
    a[0] = shape.a.number(word_a & 1 == 1, first, fraction_a);
    b[0] = shape.b.number(word_b & 1 == 1, base - first, fraction_b);
    small_products(shape, base - shape.d.fraction_bits as i32, reach, draw, &mut a[1..], &mut b[1..]);

    let exact = u128::from(fraction_a | 1 << bits_a) * u128::from(fraction_b | 1 << bits_b);
    let top = exact.ilog2();
    let leading = match top.checked_sub(shape.c.fraction_bits) {
        Some(longer) => exact >> longer,
        None => exact << (shape.c.fraction_bits - top),
    };
    let neighbour = (leading as u64).wrapping_add(draw.bits(1)).wrapping_sub(draw.bits(1));
    let exponent = base - (bits_a + bits_b) as i32 + top as i32;
    shape.c.number((word_a ^ word_b) & 1 == 0, exponent, neighbour)
}

/// A product just beside half a unit in the last place of c: (1 + 2^-k) * (2 - 2^(1 - k)) = 2 - 2^(1 - 2k). Rounded by
/// itself it would be half a unit.
pub(super) fn double_rounding(shape: &Shape, _index: u64, draw: &mut Draw, a: &mut [u64], b: &mut [u64]) -> u64 {
    let top = common_exponent(shape, draw);
    let half = top - shape.d.fraction_bits as i32 - 1;
    let (bits_a, bits_b) = (shape.a.fraction_bits, shape.b.fraction_bits);
    let longest = bits_a.min(bits_b);
    let k = if draw.flip() { longest } else { draw.between(1, longest as i32) as u32 };
    let first = factor_exponent(shape, half - 1, draw);
    let ones = ((1u64 << (k - 1)) - 1) << (bits_b - (k - 1));
    a[0] = shape.a.number(draw.flip(), first, 1 << (bits_a - k));
    b[0] = shape.b.number(draw.flip(), half - 1 - first, ones);
    small_products(shape, half - 2 * k as i32, longest as i32, draw, &mut a[1..], &mut b[1..]);
    shape.c.in_binade(top, draw)
}

/// A product of one bit more than d's precision, where the factors have room for it: however small c is, its sign decides
/// where the sum is rounded to.
pub(super) fn tie_breaker(shape: &Shape, _index: u64, draw: &mut Draw, a: &mut [u64], b: &mut [u64]) -> u64 {
    let exponent = common_exponent(shape, draw);
    let first = factor_exponent(shape, exponent, draw);
    let (bits_a, bits_b, wanted) = (shape.a.fraction_bits, shape.b.fraction_bits, shape.d.fraction_bits + 2);
    // Significands of that many bits, the last one 1.
    let length_a = draw.between(1, (bits_a + 1).min(wanted) as i32) as u32;
    let length_b = (wanted - length_a).clamp(1, bits_b + 1);
    let mut odd = |length: u32, bits: u32| (draw.word() << 1 | 1) << (bits + 1 - length);
    let (fraction_a, fraction_b) = (odd(length_a, bits_a), odd(length_b, bits_b));
    a[0] = shape.a.number(draw.flip(), first, fraction_a);
    b[0] = shape.b.number(draw.flip(), exponent - first, fraction_b);
    let reach = 2 * shape.d.fraction_bits as i32;
    small_products(shape, exponent - reach, reach, draw, &mut a[1..], &mut b[1..]);
    match draw.bits(2) {
        0 => shape.c.subnormal(draw),
        1 => shape.c.in_binade(draw.between(shape.c.exponent_min, exponent.max(shape.c.exponent_min)), draw),
        _ => shape.c.in_binade(exponent - draw.between(0, 3 * reach), draw),
    }
}

/// A term at the least normal result, and another of the other sign that is some quarters of the last place below it;
/// or that one and half of it, so that results are subnormal.
pub(super) fn least_normal(shape: &Shape, _index: u64, draw: &mut Draw, a: &mut [u64], b: &mut [u64]) -> u64 {
    let least = shape.d.exponent_min;
    let last_place = least - shape.d.fraction_bits as i32;
    for (a, b) in a.iter_mut().zip(b.iter_mut()) {
        (*a, *b) = (shape.a.zero(draw.flip()), shape.b.zero(false));
    }
    let negative = draw.flip();
    let below = if draw.rarely(2) { least - draw.between(0, 2) } else { last_place - draw.between(-1, 3) };
    let (large, small) = (draw.below(a.len() + 1), draw.below(a.len() + 1));
    let mut c = shape.c.zero(draw.flip());
    for (place, negative, exponent) in [(large, negative, least + draw.bits(1) as i32), (small, !negative, below)] {
        if place == a.len() {
            c = shape.c.power(negative, exponent);
        } else {
            let first = factor_exponent(shape, exponent, draw);
            (a[place], b[place]) = (shape.a.power(negative, first), shape.b.power(false, exponent - first));
        }
    }
    if draw.rarely(2) && small < a.len() {
        let word = draw.word();
        a[small] ^= shape.a.fraction_bit(word as usize % shape.a.fraction_bits as usize);
    }
    c
}

/// Products of one sign around the largest finite result, and an infinity or the largest number for c: what an earlier
/// operation makes infinite may oppose it.
pub(super) fn overflow_beside_infinity(
    shape: &Shape,
    _index: u64,
    draw: &mut Draw,
    a: &mut [u64],
    b: &mut [u64],
) -> u64 {
    let negative = draw.flip();
    for (a, b) in a.iter_mut().zip(b) {
        let exponent = shape.d.exponent_max - draw.between(-2, 1);
        let first = factor_exponent(shape, exponent, draw);
        let word = draw.word();
        (*a, *b) = (shape.a.number(negative, first, word), shape.b.number(false, exponent - first, word >> 32));
    }
    match shape.c.non_finite.is_empty() || draw.flip() {
        true => shape.c.near_largest(draw.flip(), draw.bits(2)),
        false => shape.c.non_finite[draw.below(shape.c.non_finite.len())],
    }
}
