//! Which of two vectors is the smaller one, and simpler numbers for one operand.

use crate::check::probe::Value;
use crate::describe::format::{Class, Format};
use crate::describe::interface::Interface;
use crate::engine::Vector;

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
