//! Generators for units of integers. Each fills a and b and returns c.

use super::draw::Draw;
use super::{Operand, Shape};

/// An integer of `low..=high`.
#[inline]
fn between(low: i64, high: i64, draw: &mut Draw) -> i64 {
    let count = (high - low + 1) as u128;
    low + ((u128::from(draw.word()) * count) >> 64) as i64
}

/// Any integer of a format.
#[inline]
fn any(operand: &Operand, draw: &mut Draw) -> i64 {
    between(operand.least, operand.greatest, draw)
}

/// An end of a format, a neighbour of one, or next to zero.
#[inline]
fn extreme(operand: &Operand, draw: &mut Draw) -> i64 {
    match draw.bits(3) {
        0 => operand.least,
        1 => operand.least + 1,
        2 => -1,
        3 => 0,
        4 => 1,
        5 => operand.greatest - 1,
        6 => operand.greatest,
        _ => any(operand, draw),
    }
}

/// Either end of a format, now and then its neighbour.
#[inline]
fn end(operand: &Operand, least: bool, draw: &mut Draw) -> i64 {
    let inwards = i64::from(draw.rarely(4));
    if least { operand.least + inwards } else { operand.greatest - inwards }
}

/// The addend that brings the products' sum to `target`, as near as the format allows.
#[inline]
fn addend_for(shape: &Shape, target: i64, products: i128) -> u64 {
    let wanted = i128::from(target) - products;
    shape.c.integer(wanted.clamp(i128::from(shape.c.least), i128::from(shape.c.greatest)) as i64)
}

pub(super) fn small(shape: &Shape, draw: &mut Draw, a: &mut [u64], b: &mut [u64]) -> u64 {
    for (a, b) in a.iter_mut().zip(b) {
        *a = shape.a.integer(between(-3, 3, draw));
        *b = shape.b.integer(between(-3, 3, draw));
    }
    shape.c.integer(between(-20, 20, draw))
}

pub(super) fn extremes(shape: &Shape, draw: &mut Draw, a: &mut [u64], b: &mut [u64]) -> u64 {
    for (a, b) in a.iter_mut().zip(b) {
        *a = shape.a.integer(extreme(&shape.a, draw));
        *b = shape.b.integer(extreme(&shape.b, draw));
    }
    shape.c.integer(extreme(&shape.c, draw))
}

pub(super) fn cancellation(shape: &Shape, draw: &mut Draw, a: &mut [u64], b: &mut [u64]) -> u64 {
    let in_pairs = draw.flip();
    let mut sum = 0;
    let mut last = (0, 0);
    for (i, (a, b)) in a.iter_mut().zip(b).enumerate() {
        // The second of a pair is the first with the sign of a changed, where a's format has that integer.
        let opposite = (-last.0).clamp(shape.a.least, shape.a.greatest);
        let factors =
            if in_pairs && i % 2 == 1 { (opposite, last.1) } else { (any(&shape.a, draw), any(&shape.b, draw)) };
        (*a, *b) = (shape.a.integer(factors.0), shape.b.integer(factors.1));
        sum += i128::from(factors.0) * i128::from(factors.1);
        last = factors;
    }
    addend_for(shape, between(-1, 1, draw), sum)
}

pub(super) fn overflow(shape: &Shape, draw: &mut Draw, a: &mut [u64], b: &mut [u64]) -> u64 {
    let mut sum = 0;
    for (a, b) in a.iter_mut().zip(b) {
        let factors = (any(&shape.a, draw), any(&shape.b, draw));
        (*a, *b) = (shape.a.integer(factors.0), shape.b.integer(factors.1));
        sum += i128::from(factors.0) * i128::from(factors.1);
    }
    let edge = if draw.flip() { shape.d.greatest } else { shape.d.least };
    addend_for(shape, edge + between(-2, 2, draw), sum)
}

pub(super) fn largest(shape: &Shape, draw: &mut Draw, a: &mut [u64], b: &mut [u64]) -> u64 {
    let (a_least, b_least, c_least) = (draw.flip(), draw.flip(), draw.flip());
    for (a, b) in a.iter_mut().zip(b) {
        *a = shape.a.integer(end(&shape.a, a_least, draw));
        *b = shape.b.integer(end(&shape.b, b_least, draw));
    }
    shape.c.integer(end(&shape.c, c_least, draw))
}
