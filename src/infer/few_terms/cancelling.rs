//! Products that cancel, or nearly do.

use std::ops::RangeInclusive;

use super::{ANY, anywhere, factors, near_tie, rest};
use crate::describe::interface::Frame;
use crate::describe::unit::{Addition, Formats, ProductOverflow, Scales};
use crate::engine::Vector;

/// Makes two products of a vector of zeros cancel, and beside them two more that nearly do, one that is nearly a tie, or nothing, at
/// some of these places, which are then taken; and says how many others stand beside them.
pub(super) fn cancelling(
    frame: &Frame,
    vector: &mut Vector,
    places: &mut Vec<usize>,
    shown: &RangeInclusive<i32>,
    below: &mut impl FnMut(usize) -> usize,
) -> usize {
    let products = frame.products as usize;
    let large = match below(2) {
        0 => large_factors(frame, below),
        _ => factors(&frame.formats, shown, below),
    };
    let pair = [places.remove(below(products)), places.remove(below(products - 1))];
    cancel(vector, &frame.formats, pair, large);
    if below(2) == 0 {
        without_last_bits(vector, &frame.formats, pair[1], below);
    }
    if let Some(scales) = frame.scales.as_ref().filter(|_| below(2) == 0) {
        scale_elsewhere(vector, scales, pair, below);
    }
    // Of one scale: others do not cancel.
    let scaled = frame.scales.is_some();
    if products >= 4 && !scaled && below(3) == 0 {
        let small = factors(&frame.formats, shown, below);
        let pair = [places.remove(below(products - 2)), places.remove(below(products - 3))];
        cancel(vector, &frame.formats, pair, small);
        without_last_bits(vector, &frame.formats, pair[below(2)], below);
        0
    } else if products >= 3 && !scaled && below(3) == 0 {
        let place = places.remove(below(products - 2));
        [vector.a[place], vector.b[place]] = near_tie(&frame.formats, shown, below);
        below(2)
    } else {
        1 + below(2)
    }
}

/// Two products that cancel.
fn cancel(vector: &mut Vector, Formats { a, b, .. }: &Formats, [first, second]: [usize; 2], [one_a, one_b]: [u64; 2]) {
    (vector.a[first], vector.b[first]) = (one_a, one_b);
    vector.a[second] = one_a ^ a.sign_bit();
    vector.b[second] = one_b ^ if a.signed { 0 } else { b.sign_bit() };
}

/// A product without the last bits of one of its factors.
fn without_last_bits(
    vector: &mut Vector,
    Formats { a, b, .. }: &Formats,
    place: usize,
    below: &mut impl FnMut(usize) -> usize,
) {
    let (format, factor) = if below(2) == 0 { (a, &mut vector.a[place]) } else { (b, &mut vector.b[place]) };
    let bits = below(format.fraction_bits as usize + 1) as u32;
    *factor &= !((1 << bits | rest(bits, below)) << format.padding_bits);
}

/// Factors of the largest product, or of one that is nearly as large: with any significand, and one that does not overflow where
/// others do.
fn large_factors(frame: &Frame, below: &mut impl FnMut(usize) -> usize) -> [u64; 2] {
    /// Exponents of products that are nearly as large.
    const NEARLY: i32 = 4;
    let Formats { a, b, d, .. } = &frame.formats;
    let overflow = |addition: &Addition| addition.product_overflow == ProductOverflow::Infinity;
    let overflows = frame.unit.addition.as_ref().is_some_and(overflow);
    let all = a.exponent_max() + b.exponent_max();
    let most = if overflows { all.min(d.exponent_max() - 1) } else { all };
    match overflows || (frame.scales.is_none() && below(2) == 0) {
        true => factors(&frame.formats, &(most + 1 - NEARLY..=most), below),
        false => [a, b].map(|format| format.largest(false)),
    }
}

/// Other scales where neither of two products is, so that what stands beside them lies any number of places below.
fn scale_elsewhere(vector: &mut Vector, scales: &Scales, kept: [usize; 2], below: &mut impl FnMut(usize) -> usize) {
    let kept = kept.map(|place| place / scales.block as usize);
    for (own, format) in [(&mut vector.scale_a, &scales.a), (&mut vector.scale_b, &scales.b)] {
        let elsewhere = own.iter_mut().enumerate().filter(|(block, _)| !kept.contains(block));
        elsewhere.for_each(|(_, scale)| *scale = anywhere(format, &ANY, below));
    }
}
