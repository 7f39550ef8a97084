//! One generator a class. Each fills a and b and returns c.

use super::Shape;
use super::draw::Draw;

/// An exponent of a such that the rest of `exponent` is one of b, where the formats allow.
#[inline]
pub(super) fn factor_exponent(shape: &Shape, exponent: i32, draw: &mut Draw) -> i32 {
    let low = shape.a.exponent_min.max(exponent - shape.b.exponent_max);
    let high = shape.a.exponent_max.min(exponent - shape.b.exponent_min);
    if low <= high { draw.between(low, high) } else { exponent / 2 }
}

/// Sets one product to about 2^exponent with its scales, split at random between its factors.
#[inline]
pub(super) fn product(shape: &Shape, exponent: i32, draw: &mut Draw) -> (u64, u64) {
    let exponent = exponent - shape.scale;
    let first = factor_exponent(shape, exponent, draw);
    (shape.a.in_binade(first, draw), shape.b.in_binade(exponent - first, draw))
}

/// The same with both factors powers of two: the product is exactly 2^exponent where the formats allow.
#[inline]
fn power(shape: &Shape, negative: bool, exponent: i32, draw: &mut Draw) -> (u64, u64) {
    let exponent = exponent - shape.scale;
    let first = factor_exponent(shape, exponent, draw);
    (shape.a.power(negative, first), shape.b.power(false, exponent - first))
}

/// A binade in which products and addend can both lie.
#[inline]
pub(super) fn common_exponent(shape: &Shape, draw: &mut Draw) -> i32 {
    let low = (shape.a.exponent_min + shape.b.exponent_min + shape.scale).max(shape.c.exponent_min);
    let high = (shape.a.exponent_max + shape.b.exponent_max + shape.scale).min(shape.c.exponent_max);
    draw.between(low, high)
}

pub(super) fn uniform(shape: &Shape, _index: u64, draw: &mut Draw, a: &mut [u64], b: &mut [u64]) -> u64 {
    for (a, b) in a.iter_mut().zip(b) {
        *a = shape.a.any(draw);
        *b = shape.b.any(draw);
    }
    shape.c.any(draw)
}

pub(super) fn close(shape: &Shape, _index: u64, draw: &mut Draw, a: &mut [u64], b: &mut [u64]) -> u64 {
    let base = common_exponent(shape, draw);
    for (a, b) in a.iter_mut().zip(b) {
        (*a, *b) = product(shape, base + draw.bits(2) as i32 - 1, draw);
    }
    shape.c.in_binade(base + draw.bits(2) as i32 - 1, draw)
}

pub(super) fn window_edge(shape: &Shape, _index: u64, draw: &mut Draw, a: &mut [u64], b: &mut [u64]) -> u64 {
    let top = common_exponent(shape, draw);
    let edge = |draw: &mut Draw| match draw.bits(2) {
        0 => top - draw.bits(1) as i32,
        1 => top - draw.between(0, shape.fraction_bits + 2),
        _ => top - shape.fraction_bits + draw.between(-3, 3),
    };
    for (a, b) in a.iter_mut().zip(b) {
        let exponent = edge(draw);
        (*a, *b) = if draw.flip() { product(shape, exponent, draw) } else { power(shape, draw.flip(), exponent, draw) };
    }
    let exponent = edge(draw);
    shape.c.in_binade(exponent, draw)
}

pub(super) fn tie(shape: &Shape, _index: u64, draw: &mut Draw, a: &mut [u64], b: &mut [u64]) -> u64 {
    let top = common_exponent(shape, draw);
    let half = top - shape.d.fraction_bits as i32 - 1;
    for (i, (a, b)) in a.iter_mut().zip(b.iter_mut()).enumerate() {
        let exponent = match i {
            0 => half,
            1 if draw.flip() => half - draw.between(1, 4),
            _ => half + draw.between(1, shape.d.fraction_bits as i32),
        };
        let absent = i > 0 && draw.flip();
        (*a, *b) = if absent {
            (shape.a.zero(draw.flip()), shape.b.zero(false))
        } else {
            power(shape, draw.flip(), exponent, draw)
        };
    }
    // Only the bits that the result has, so that what lies below the half comes from the products.
    let word = draw.word();
    let coarse = shape.c.fraction_bits.saturating_sub(shape.d.fraction_bits);
    shape.c.number(word >> 63 == 1, top, word >> 5 >> coarse << coarse)
}

pub(super) fn cancellation(shape: &Shape, _index: u64, draw: &mut Draw, a: &mut [u64], b: &mut [u64]) -> u64 {
    let base = common_exponent(shape, draw);
    let pairs = a.len() / 2;
    for pair in 0..pairs {
        let (first, second) = product(shape, base, draw);
        (a[2 * pair], b[2 * pair]) = (first, second);
        (a[2 * pair + 1], b[2 * pair + 1]) = (shape.a.negated(first), second);
        if draw.rarely(2) {
            a[2 * pair + 1] ^= shape.a.fraction_bit(draw.below(shape.a.fraction_bits as usize));
        }
    }
    let rest = base - draw.between(0, shape.fraction_bits + 4);
    if a.len() % 2 == 1 {
        let last = a.len() - 1;
        let negative = draw.flip();
        (a[last], b[last]) = power(shape, negative, base, draw);
        return shape.c.power(!negative, base);
    }
    match draw.bits(2) {
        0 => {
            // One product against the addend.
            let negative = draw.flip();
            (a[0], b[0]) = power(shape, negative, base, draw);
            (a[1], b[1]) = power(shape, draw.flip(), rest, draw);
            shape.c.power(!negative, base)
        }
        1 => shape.c.zero(draw.flip()),
        _ => shape.c.in_binade(rest, draw),
    }
}

pub(super) fn subnormal(shape: &Shape, _index: u64, draw: &mut Draw, a: &mut [u64], b: &mut [u64]) -> u64 {
    if draw.rarely(2) {
        // One term alone. The addend: with fp16 operands nothing else gives a subnormal fp32 result. A product of two
        // subnormal factors: with fp8 operands nothing else is smaller than every fp16 number.
        for (a, b) in a.iter_mut().zip(b.iter_mut()) {
            (*a, *b) = (shape.a.zero(draw.flip()), shape.b.subnormal(draw));
        }
        if draw.rarely(2) {
            let alone = draw.below(a.len());
            (a[alone], b[alone]) = (shape.a.subnormal(draw), shape.b.subnormal(draw));
            return shape.c.zero(draw.flip());
        }
        return shape.c.subnormal(draw);
    }
    let small_results = draw.flip();
    let target = shape.d.exponent_min - draw.between(0, shape.d.fraction_bits as i32 + 2);
    for (a, b) in a.iter_mut().zip(b) {
        if small_results && draw.flip() {
            (*a, *b) = product(shape, target + draw.between(-2, 2), draw);
        } else {
            *a = if draw.flip() {
                shape.a.subnormal(draw)
            } else {
                shape.a.in_binade(shape.a.exponent_min + draw.bits(2) as i32, draw)
            };
            let exponent = shape.b.exponent(draw);
            *b = if draw.rarely(2) { shape.b.subnormal(draw) } else { shape.b.in_binade(exponent, draw) };
            if draw.rarely(2) && shape.a.shares_encodings(&shape.b) {
                std::mem::swap(a, b);
            }
        }
    }
    match draw.bits(2) {
        0 => shape.c.zero(draw.flip()),
        1 => shape.c.in_binade(target, draw),
        _ => shape.c.subnormal(draw),
    }
}

pub(super) fn zero(shape: &Shape, index: u64, draw: &mut Draw, a: &mut [u64], b: &mut [u64]) -> u64 {
    let c = close(shape, index, draw, a, b);
    let mostly = draw.flip();
    for (a, b) in a.iter_mut().zip(b) {
        if mostly || draw.flip() {
            let negative = draw.flip();
            match draw.bits(2) {
                0 => *a = shape.a.zero(negative),
                1 => *b = shape.b.zero(negative),
                _ => (*a, *b) = (shape.a.zero(negative), shape.b.zero(draw.flip())),
            }
        }
    }
    if draw.flip() { shape.c.zero(draw.flip()) } else { c }
}

pub(super) fn non_finite(shape: &Shape, index: u64, draw: &mut Draw, a: &mut [u64], b: &mut [u64]) -> u64 {
    let mut c = zero(shape, index, draw, a, b);
    for _ in 0..=draw.bits(1) {
        let position = draw.below(2 * a.len() + 1);
        let (values, place) = match position {
            _ if position < a.len() => (&shape.a.non_finite, &mut a[position]),
            _ if position < 2 * b.len() => (&shape.b.non_finite, &mut b[position - shape.products]),
            _ => (&shape.c.non_finite, &mut c),
        };
        if !values.is_empty() {
            *place = values[draw.below(values.len())];
        }
    }
    c
}

pub(super) fn overflow_edge(shape: &Shape, _index: u64, draw: &mut Draw, a: &mut [u64], b: &mut [u64]) -> u64 {
    let negative = draw.flip();
    let top = shape.d.exponent_max;
    for (a, b) in a.iter_mut().zip(b) {
        let step = draw.between(0, shape.d.fraction_bits as i32 + 3);
        let opposite = draw.rarely(2);
        (*a, *b) = power(shape, negative ^ opposite, top - step, draw);
    }
    match draw.bits(2) {
        0 => shape.c.in_binade(shape.d.exponent_max.min(shape.c.exponent_max), draw),
        1 => shape.c.zero(negative),
        _ => shape.c.near_largest(negative, draw.bits(3)),
    }
}

pub(super) fn carry_out(shape: &Shape, _index: u64, draw: &mut Draw, a: &mut [u64], b: &mut [u64]) -> u64 {
    let word = draw.word();
    let negative = word & 1 == 1;
    let base = common_exponent(shape, draw);
    let factors = base - shape.scale;
    let first = factor_exponent(shape, factors, draw);
    // All ones, or all ones with a few of the low bits cleared, so that truncation takes part.
    let clear = if word & 2 == 0 { 0 } else { draw.bits(2) };
    for (a, b) in a.iter_mut().zip(b) {
        let sign = draw.flip();
        *a = shape.a.number(negative ^ sign, first, u64::MAX - draw.bits(2) * clear);
        *b = shape.b.number(sign, factors - first, u64::MAX - draw.bits(2) * clear);
    }
    shape.c.number(negative, base, u64::MAX - clear)
}

pub(super) fn floor(shape: &Shape, _index: u64, draw: &mut Draw, a: &mut [u64], b: &mut [u64]) -> u64 {
    let (nearest, farthest) = match draw.bits(2) {
        0 => (-2, shape.fraction_bits + 2),
        1 => (shape.fraction_bits * 2 / 3, shape.fraction_bits + 2),
        _ => (0, 6),
    };
    let deep = nearest > 0;
    for (a, b) in a.iter_mut().zip(b) {
        let below = draw.between(nearest, farthest);
        (*a, *b) = match draw.bits(2) {
            0 => (shape.a.zero(false), shape.b.zero(draw.flip())),
            1 => power(shape, draw.flip(), shape.floor - shape.fraction_bits + draw.between(-2, 2), draw),
            _ if deep => power(shape, draw.flip(), shape.floor - below, draw),
            _ => product(shape, shape.floor - below, draw),
        };
    }
    shape.c.zero(draw.flip())
}

pub(super) fn simple(shape: &Shape, _index: u64, draw: &mut Draw, a: &mut [u64], b: &mut [u64]) -> u64 {
    for (a, b) in a.iter_mut().zip(b) {
        let word = draw.word();
        *a = shape.a.number(
            word & 1 == 1,
            (word >> 1 & 3) as i32,
            (word >> 3 & 3) << shape.a.fraction_bits.saturating_sub(2),
        );
        *b = shape.b.power(word >> 5 & 1 == 1, if word >> 6 & 3 == 0 { draw.between(-14, 14) } else { 0 });
        if word >> 8 & 3 == 0 {
            *a = shape.a.zero(false);
        }
    }
    let exponent = draw.between(-1, shape.fraction_bits + 2);
    if draw.rarely(2) { shape.c.zero(false) } else { shape.c.power(draw.flip(), exponent) }
}

pub(super) fn special_position(shape: &Shape, index: u64, draw: &mut Draw, a: &mut [u64], b: &mut [u64]) -> u64 {
    let mut c = match draw.bits(1) {
        0 => close(shape, index, draw, a, b),
        _ => simple(shape, index, draw, a, b),
    };
    let positions = 2 * shape.products as u64 + 1;
    let position = (index % positions) as usize;
    let turn = (index / positions) as usize;
    let (values, place) = match position {
        _ if position < a.len() => (&shape.a.specials, &mut a[position]),
        _ if position < 2 * b.len() => (&shape.b.specials, &mut b[position - shape.products]),
        _ => (&shape.c.specials, &mut c),
    };
    *place = values[turn % values.len()];
    c
}
