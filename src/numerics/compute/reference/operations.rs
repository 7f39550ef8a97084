//! Rounded operations by definition: exact products and sums as integers, each rounded once, one operation after the other.

use dashu_int::ops::BitTest;
use dashu_int::{IBig, UBig};

use super::flags;
use super::fused::{decode, signed};
use crate::compute::Inputs;
use crate::describe::format::{Class, Decoded, Format, Overflow, Rounding};
use crate::describe::unit::{ProductOrder, Scheme, Unit};

/// Evaluates d as the scheme defines it.
pub fn evaluate(unit: &Unit, inputs: Inputs) -> u64 {
    match unit.scheme {
        Scheme::FmaChain => chain(unit, inputs),
        Scheme::EvenOddChain => even_odd_chain(unit, inputs),
        Scheme::Pairwise => pairwise(unit, inputs),
        Scheme::PairChain => pair_chain(unit, inputs),
        other => unreachable!("{} is no scheme of rounded operations", other.name()),
    }
}

/// Evaluates d = fma(a[L-1], b[L-1], ... fma(a[0], b[0], c)), or in descending order.
fn chain(unit: &Unit, inputs: Inputs) -> u64 {
    let mut pairs: Vec<(u64, u64)> = inputs.a.iter().copied().zip(inputs.b.iter().copied()).collect();
    if unit.order == ProductOrder::Descending {
        pairs.reverse();
    }
    pairs.into_iter().fold(inputs.c, |addend, (a, b)| sum(unit, product(unit, a, b), number(unit, addend)))
}

/// Evaluates the chain of products of even index from +0, that of odd index, their sum, and that sum plus c.
fn even_odd_chain(unit: &Unit, inputs: Inputs) -> u64 {
    let chain = |first: usize| {
        let mut result = unit.formats.d.zero(false);
        for index in (first..inputs.a.len()).step_by(2) {
            result = sum(unit, product(unit, inputs.a[index], inputs.b[index]), number(unit, result));
        }
        result
    };
    let both = sum(unit, number(unit, chain(0)), number(unit, chain(1)));
    sum(unit, number(unit, both), number(unit, inputs.c))
}

/// Evaluates rounded products, a tree of rounded sums, and its root plus c. In the tree the two oldest values that wait
/// are added next: (p0 + p1) + (p2 + p3).
fn pairwise(unit: &Unit, inputs: Inputs) -> u64 {
    let rounded = |(&a, &b): (&u64, &u64)| rounded(unit, &product(unit, a, b));
    let mut waiting: std::collections::VecDeque<u64> = inputs.a.iter().zip(inputs.b).map(rounded).collect();
    while waiting.len() > 1 {
        let oldest: Vec<u64> = waiting.drain(..2).collect();
        waiting.push_back(sum(unit, number(unit, oldest[0]), number(unit, oldest[1])));
    }
    sum(unit, number(unit, waiting[0]), number(unit, inputs.c))
}

/// Evaluates, from c on, the sum with the next two products' sum, which is rounded before: d = round(.. + round(p2 + p3)).
fn pair_chain(unit: &Unit, inputs: Inputs) -> u64 {
    let mut products = inputs.a.iter().zip(inputs.b).map(|(&a, &b)| product(unit, a, b));
    let mut result = inputs.c;
    while let (Some(first), Some(second)) = (products.next(), products.next()) {
        let dot = sum(unit, first, second);
        result = sum(unit, number(unit, dot), number(unit, result));
    }
    result
}

/// An exact value: NaN, an infinity, or (-1)^negative * magnitude * 2^scale.
enum Exact {
    Nan,
    Infinite { negative: bool },
    Finite { negative: bool, magnitude: UBig, scale: i64 },
}

/// An operand as the unit sees it: subnormals may count as zero, of their sign or not.
fn flushed(unit: &Unit, format: &Format, bits: u64, flush: bool) -> Decoded {
    let mut value = decode(format, bits, flush);
    let was_subnormal = format.decode(bits).class == Class::Subnormal;
    if flush && was_subnormal && unit.flush.to_plus_zero {
        value.negative = false;
    }
    value
}

/// c, or the result of an operation.
fn number(unit: &Unit, bits: u64) -> Exact {
    let format = &unit.formats.c;
    let value = flushed(unit, format, bits, unit.flush.addend);
    match value.class {
        Class::Nan => Exact::Nan,
        Class::Infinite => Exact::Infinite { negative: value.negative },
        _ => Exact::Finite {
            negative: value.negative,
            magnitude: UBig::from(value.significand),
            scale: i64::from(value.exponent) - i64::from(format.fraction_bits),
        },
    }
}

/// The exact product of two operands.
fn product(unit: &Unit, a: u64, b: u64) -> Exact {
    let formats = &unit.formats;
    let a = flushed(unit, &formats.a, a, unit.flush.operands);
    let b = flushed(unit, &formats.b, b, unit.flush.operands);
    let negative = a.negative != b.negative;
    match (a.class, b.class) {
        (Class::Nan, _) | (_, Class::Nan) => Exact::Nan,
        (Class::Infinite, Class::Zero) | (Class::Zero, Class::Infinite) => Exact::Nan,
        (Class::Infinite, _) | (_, Class::Infinite) => Exact::Infinite { negative },
        _ => Exact::Finite {
            negative,
            magnitude: UBig::from(a.significand) * UBig::from(b.significand),
            scale: i64::from(a.exponent + b.exponent) - i64::from(formats.a.fraction_bits + formats.b.fraction_bits),
        },
    }
}

/// The sum of two exact values, rounded once. NaN and infinities as IEEE 754-2019, 7.2, has them.
fn sum(unit: &Unit, left: Exact, right: Exact) -> u64 {
    let exact = match (left, right) {
        (Exact::Nan, _) | (_, Exact::Nan) => Exact::Nan,
        (Exact::Infinite { negative }, Exact::Infinite { negative: other }) if negative != other => Exact::Nan,
        (Exact::Infinite { negative }, _) | (_, Exact::Infinite { negative }) => Exact::Infinite { negative },
        (
            Exact::Finite { negative, magnitude, scale },
            Exact::Finite { negative: other_negative, magnitude: other_magnitude, scale: other_scale },
        ) => {
            let lowest = scale.min(other_scale);
            let first = signed(negative, magnitude << (scale - lowest) as usize);
            let second = signed(other_negative, other_magnitude << (other_scale - lowest) as usize);
            let total: IBig = first + second;
            // IEEE 754-2019, 6.3: terms of one sign keep it, terms of both give plus, or minus where rounding is downward.
            let downward = unit.conversion.rounding == Rounding::TowardNegative;
            let zero_negative = if negative == other_negative { negative } else { downward };
            let negative = if total == IBig::ZERO { zero_negative } else { total < IBig::ZERO };
            let magnitude = UBig::try_from(if total < IBig::ZERO { -total } else { total }).expect("not negative");
            Exact::Finite { negative, magnitude, scale: lowest }
        }
    };
    rounded(unit, &exact)
}

/// An exact value in the format of d, rounded once and flushed as the unit says. A zero keeps its sign.
fn rounded(unit: &Unit, exact: &Exact) -> u64 {
    let (format, conversion) = (&unit.formats.d, &unit.conversion);
    match exact {
        Exact::Nan => conversion.nan,
        Exact::Infinite { negative } => format.infinity(*negative).unwrap_or(conversion.nan),
        Exact::Finite { negative, magnitude, .. } if *magnitude == UBig::ZERO => format.zero(*negative),
        Exact::Finite { negative, magnitude, scale } => {
            if unit.flush.tiny_result && is_tiny(unit, *negative, magnitude, *scale) {
                return format.zero(*negative);
            }
            let bits = format.encode(*negative, magnitude, *scale, conversion.rounding, conversion.overflow);
            match format.decode(bits).class {
                Class::Nan => conversion.nan,
                Class::Subnormal if unit.flush.result && !flags::overflow(unit, *negative, magnitude, *scale) => {
                    format.zero(*negative)
                }
                _ => bits,
            }
        }
    }
}

/// Whether a nonzero value is below the least normal number of d when it is rounded as if exponents had no bound (IEEE
/// 754-2019, 7.5, tininess after rounding): it is brought to [1, 2), and rounded in a format with room around 1.
fn is_tiny(unit: &Unit, negative: bool, magnitude: &UBig, scale: i64) -> bool {
    let format = &unit.formats.d;
    let leading = magnitude.bit_len() as i64 - 1;
    let roomy = Format { exponent_bits: 11, bias: 1023, padding_bits: 0, ..format.clone() };
    let bits = roomy.encode(negative, magnitude, -leading, unit.conversion.rounding, Overflow::Saturate);
    scale + leading + i64::from(roomy.decode(bits).exponent) < i64::from(format.exponent_min())
}
