//! Which of two vectors is the smaller one, and making a vector smaller while engines still differ on it.
//!
//! All single and paired changes of a vector are answered in one batch and the smallest that still differs is taken, until
//! none is smaller. Unlike the shrinking of a mismatch, which clears bits whatever they mean, it looks for simple numbers.

use super::Panel;
use crate::check::probe::Value;
use crate::describe::format::{Class, Format};
use crate::describe::interface::Interface;
use crate::engine::{Batch, EngineError, Vector};

/// The order of vectors: the first field that differs decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
pub struct Size {
    /// Operands that are infinite or NaN.
    pub non_finite: u32,
    /// Operands that are not zero, and scales that are not 1.
    pub nonzero: u32,
    /// Bits of all significands between the first and the last that is 1.
    pub significand_bits: u32,
    /// Distances of all exponents from 0, added.
    pub exponents: u32,
    /// Operands with a minus sign.
    pub negatives: u32,
    /// Positions of products that are not zero, added.
    pub positions: u32,
}

/// A simpler number in place of an operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Change {
    Zero,
    One,
    Negate,
    /// Without the last bit of the significand.
    DropLast,
    /// The power of two below, or above.
    Leading,
    Above,
    /// So many binades up.
    Shift(i32),
}

/// The formats of a vector's operands, in the order of [`Vector::operands`]: a, b, scales of a and b, c.
pub(super) fn formats(frame: &Interface) -> Vec<&Format> {
    let (products, scales) = (frame.products as usize, frame.scale_count() as usize);
    let mut all = vec![&frame.formats.a; products];
    all.extend(vec![&frame.formats.b; products]);
    if let Some(formats) = &frame.scales {
        all.extend(vec![&formats.a; scales]);
        all.extend(vec![&formats.b; scales]);
    }
    all.push(&frame.formats.c);
    all
}

/// The operand at a position, in the order of [`formats`].
pub(super) fn operand(vector: &mut Vector, position: usize) -> &mut u64 {
    let factors = vector.a.iter_mut().chain(&mut vector.b).chain(&mut vector.scale_a).chain(&mut vector.scale_b);
    factors.chain([&mut vector.c]).nth(position).expect("a position within the vector")
}

/// The size of a vector.
pub(in crate::infer) fn size(frame: &Interface, vector: &Vector) -> Size {
    let mut size = Size { non_finite: 0, nonzero: 0, significand_bits: 0, exponents: 0, negatives: 0, positions: 0 };
    let products = frame.products as usize;
    let scale_places = 2 * products..2 * products + 2 * frame.scale_count() as usize;
    for (place, (format, bits)) in formats(frame).into_iter().zip(vector.operands()).enumerate() {
        if format.is_absent() {
            continue;
        }
        size.negatives += u32::from(format.decode(bits).negative);
        let Some(value) = Value::decoded(format, bits) else {
            size.non_finite += 1;
            size.nonzero += 1;
            continue;
        };
        let plain = if scale_places.contains(&place) { value == Value::power(0) } else { value.is_zero() };
        if plain {
            continue;
        }
        size.nonzero += 1;
        size.significand_bits += (value.leading() - value.last()) as u32;
        size.exponents += value.leading().unsigned_abs();
        size.positions += if place < 2 * products { (place % products) as u32 } else { 0 };
    }
    size
}

/// The encoding after a change; `None` where it is none of the format, or the same.
pub(super) fn changed(format: &Format, bits: u64, change: Change) -> Option<u64> {
    if format.is_absent() {
        return None;
    }
    let value = || Value::decoded(format, bits).filter(|value| !value.is_zero());
    let sign = |value: Value, power: Value| if value.is_negative() { -power } else { power };
    let new = match change {
        Change::Zero if format.decode(format.zero(false)).class == Class::Zero => format.zero(false),
        Change::Zero => return None,
        Change::One => Value::power(0).encoding(format, true)?,
        Change::Negate if format.signed && !format.is_integer() => bits ^ format.sign_bit(),
        Change::Negate => (-value()?).encoding(format, true)?,
        Change::DropLast => {
            let value = value()?;
            (value - sign(value, Value::power(value.last()))).encoding(format, true)?
        }
        Change::Leading => {
            let value = value()?;
            sign(value, Value::power(value.leading())).encoding(format, true)?
        }
        Change::Above => {
            let value = value()?;
            sign(value, Value::power(value.leading() + 1)).encoding(format, true)?
        }
        Change::Shift(binades) => value()?.shifted(binades).encoding(format, true)?,
    };
    (new != bits).then_some(new)
}

const SIMPLER: [Change; 14] = [
    Change::Zero,
    Change::One,
    Change::Negate,
    Change::Leading,
    Change::Above,
    Change::DropLast,
    Change::Shift(1),
    Change::Shift(-1),
    Change::Shift(2),
    Change::Shift(-2),
    Change::Shift(5),
    Change::Shift(-5),
    Change::Shift(14),
    Change::Shift(-14),
];

/// The vector with changes at several positions; none where one of them is impossible.
fn with(frame: &Interface, vector: &Vector, changes: &[(usize, Change)]) -> Option<Vector> {
    let formats = formats(frame);
    let mut new = vector.clone();
    for &(position, change) in changes {
        let bits = operand(&mut new, position);
        *bits = changed(formats[position], *bits, change)?;
    }
    Some(new)
}

/// The changes that a vector may take: of one operand, of two, of a whole side with the addend, of places.
fn neighbours(frame: &Interface, vector: &Vector, pairs: bool) -> Vec<Vector> {
    let products = frame.products as usize;
    let operands: Vec<u64> = vector.operands().collect();
    let count = operands.len();
    let zero = |position: usize| operands[position] == 0;
    let used: Vec<usize> = (0..count).filter(|&position| !zero(position)).collect();
    let mut edits: Vec<Vec<(usize, Change)>> = Vec::new();
    for &position in &used {
        edits.extend(SIMPLER.map(|change| vec![(position, change)]));
    }
    for change in SIMPLER.into_iter().filter(|change| matches!(change, Change::Shift(_) | Change::Negate)) {
        // All terms together.
        for side in [0..products, products..2 * products] {
            let whole = side.chain([count - 1]).filter(|position| !zero(*position));
            edits.push(whole.map(|position| (position, change)).collect());
        }
    }
    for (index, &first) in used.iter().enumerate().filter(|_| pairs) {
        for &second in &used[index + 1..] {
            for change in SIMPLER {
                edits.push(vec![(first, change), (second, change)]);
                if let Change::Shift(binades) = change {
                    edits.push(vec![(first, change), (second, Change::Shift(-binades))]);
                }
            }
        }
    }
    let mut all: Vec<Vector> = edits.iter().filter_map(|edit| with(frame, vector, edit)).collect();
    for product in (0..products).filter(|&place| frame.scales.is_none() && !(zero(place) && zero(products + place))) {
        if zero(product) || zero(products + product) {
            all.extend(with(frame, vector, &[(product, Change::Zero)]));
            all.extend(with(frame, vector, &[(products + product, Change::Zero)]));
        }
        all.extend(with(frame, vector, &[(product, Change::Zero), (products + product, Change::Zero)]));
        for free in (0..product).filter(|&place| zero(place) && zero(products + place)) {
            let mut moved = vector.clone();
            moved.a.swap(free, product);
            moved.b.swap(free, product);
            all.push(moved);
        }
        let mut exchanged = vector.clone();
        if frame.formats.a == frame.formats.b {
            std::mem::swap(&mut exchanged.a[product], &mut exchanged.b[product]);
            all.extend(with(frame, &exchanged, &[(product, Change::One)]));
        }
    }
    all
}

/// The smallest vector that changes lead to and on which `keeps` holds, which answers for many at a time.
pub(super) fn smallest(
    frame: &Interface,
    vector: &Vector,
    keeps: &mut dyn FnMut(&Batch) -> Result<Vec<bool>, EngineError>,
) -> Result<(Size, Vector), EngineError> {
    let (mut best_size, mut best) = (size(frame, vector), vector.clone());
    let mut pairs = false;
    loop {
        let mut smaller: Vec<(Size, Vector)> = neighbours(frame, &best, pairs)
            .into_iter()
            .map(|vector| (size(frame, &vector), vector))
            .filter(|(size, _)| *size < best_size)
            .collect();
        smaller.sort_by_key(|(size, _)| *size);
        let mut found = None;
        for some in smaller.chunks(64) {
            let mut batch = Batch::of_interface(frame);
            some.iter().for_each(|(_, vector)| batch.push(vector));
            if let Some(index) = keeps(&batch)?.iter().position(|kept| *kept) {
                found = Some(some[index].clone());
                break;
            }
        }
        match found {
            Some(found) => (best_size, best) = found,
            None if pairs => return Ok((best_size, best)),
            None => pairs = true,
        }
    }
}

/// The smallest vector on which two of the panel still differ.
pub(super) fn differing(
    panel: &mut Panel,
    [left, right]: [usize; 2],
    vector: &Vector,
) -> Result<(Size, Vector), EngineError> {
    let frame = panel.frame().clone();
    smallest(&frame, vector, &mut |batch| {
        let answers = panel.answers(batch, &[left, right])?;
        Ok((0..batch.len()).map(|v| answers[0][v] != answers[1][v]).collect())
    })
}
