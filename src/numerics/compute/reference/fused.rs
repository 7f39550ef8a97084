//! The fused scheme by definition: terms as exact rationals m * 2^e, cut at the anchor, added, rounded once.

use dashu_int::ops::BitTest;
use dashu_int::{IBig, Sign, UBig};

use super::flags;
use crate::compute::Inputs;
use crate::describe::format::{Class, Decoded, Format};
use crate::describe::unit::{AlignmentRounding, Flags, Unit};

/// A finite term, nonzero where it takes part in a sum: (-1)^negative * significand * 2^scale, with the exponent that takes part in the anchor.
pub(super) struct Term {
    pub negative: bool,
    pub significand: UBig,
    pub scale: i64,
    pub exponent: i64,
}

/// Integer bits of the window where terms are products: those lie in [1, 4).
pub(super) const PRODUCT_INTEGER_BITS: u32 = 2;

/// The sums behind one evaluation of finite operands: values are integers times 2^scale.
pub struct Exact {
    /// The exact sum c + sum of a_i * b_i, in units of 2^exact_scale.
    pub exact: IBig,
    pub exact_scale: i64,
    /// The sum of the aligned terms, in units of 2^(anchor - F); wrapped if the unit has fixed carry bits.
    pub aligned: IBig,
    pub anchor: i64,
    /// Number of nonzero terms.
    pub terms: usize,
    /// Whether any term lost bits at alignment.
    pub lossy: bool,
}

/// An operand as the unit sees it: subnormals may count as zero.
pub(super) fn decode(format: &Format, bits: u64, flush: bool) -> Decoded {
    let mut value = format.decode(bits);
    if flush && value.class == Class::Subnormal {
        value.class = Class::Zero;
        value.significand = 0;
    }
    value
}

/// The operands of a unit, decoded.
pub(super) struct Operands {
    pub pairs: Vec<(Decoded, Decoded)>,
    pub c: Decoded,
}

impl Operands {
    pub fn decode(unit: &Unit, inputs: Inputs) -> Operands {
        let formats = &unit.formats;
        let pair = |(&a, &b): (&u64, &u64)| {
            (decode(&formats.a, a, unit.flush.operands), decode(&formats.b, b, unit.flush.operands))
        };
        Operands {
            pairs: inputs.a.iter().zip(inputs.b).map(pair).collect(),
            c: decode(&formats.c, inputs.c, unit.flush.addend),
        }
    }

    /// NaN, an infinity or `None` for finite arithmetic (IEEE 754-2019, 6.1 and 7.2).
    pub fn special(&self, unit: &Unit) -> Option<u64> {
        let mut infinities = [false; 2];
        let mut invalid = self.c.class == Class::Nan;
        if self.c.class == Class::Infinite {
            infinities[usize::from(self.c.negative)] = true;
        }
        for (a, b) in &self.pairs {
            match (a.class, b.class) {
                (Class::Nan, _) | (_, Class::Nan) => invalid = true,
                (Class::Infinite, Class::Zero) | (Class::Zero, Class::Infinite) => invalid = true,
                (Class::Infinite, _) | (_, Class::Infinite) => infinities[usize::from(a.negative != b.negative)] = true,
                _ => {}
            }
        }
        special_result(unit, invalid, infinities)
    }

    /// The nonzero products and, last, a nonzero addend.
    pub fn terms(&self, unit: &Unit) -> Vec<Term> {
        let mut terms: Vec<Term> = self.pairs.iter().map(|(a, b)| product(unit, a, b)).collect();
        terms.retain(|term| term.significand != UBig::ZERO);
        if self.c.significand != 0 {
            terms.push(addend(unit, &self.c));
        }
        terms
    }
}

/// The product of finite operands as a term.
pub(super) fn product(unit: &Unit, a: &Decoded, b: &Decoded) -> Term {
    let product_fraction = i64::from(unit.formats.a.fraction_bits + unit.formats.b.fraction_bits);
    let significand = UBig::from(a.significand) * UBig::from(b.significand);
    let unnormalised = i64::from(a.exponent) + i64::from(b.exponent);
    let scale = unnormalised - product_fraction;
    let leading = scale + significand.bit_len() as i64 - 1;
    let exponent = if unit.alignment.normalise_products { leading } else { unnormalised };
    Term { negative: a.negative != b.negative, significand, scale, exponent }
}

/// The addend as a term.
pub(super) fn addend(unit: &Unit, c: &Decoded) -> Term {
    let exponent = i64::from(c.exponent);
    let scale = exponent - i64::from(unit.formats.c.fraction_bits);
    Term { negative: c.negative, significand: UBig::from(c.significand), scale, exponent }
}

/// term / 2^last_place as a signed integer, rounded as the alignment says; and whether bits were lost.
pub(super) fn align(term: &Term, last_place: i64, rounding: AlignmentRounding) -> (IBig, bool) {
    let lost = last_place - term.scale;
    if lost <= 0 {
        return (signed(term.negative, &term.significand << lost.unsigned_abs() as usize), false);
    }
    let lost = lost as usize;
    let quotient = &term.significand >> lost;
    let remainder = &term.significand - (&quotient << lost);
    let twice = &remainder << 1;
    let unit = UBig::ONE << lost;
    let inexact = remainder != UBig::ZERO;
    let odd = quotient.bit(0);
    let up = match rounding {
        AlignmentRounding::TowardZero => false,
        AlignmentRounding::Downward => inexact && term.negative,
        AlignmentRounding::ToOdd => inexact && !odd,
        AlignmentRounding::NearestEven => twice > unit || (twice == unit && odd),
    };
    (signed(term.negative, if up { quotient + UBig::ONE } else { quotient }), inexact)
}

pub(super) fn signed(negative: bool, magnitude: UBig) -> IBig {
    if negative { -IBig::from(magnitude) } else { IBig::from(magnitude) }
}

/// The result where an operand is infinite or not a number, or a product invalid; infinities of plus and of minus.
pub(super) fn special_result(unit: &Unit, invalid: bool, infinities: [bool; 2]) -> Option<u64> {
    let infinity = |negative| unit.formats.d.infinity(negative).unwrap_or(unit.conversion.nan);
    match (invalid, infinities) {
        (true, _) | (_, [true, true]) => Some(unit.conversion.nan),
        (_, [true, false]) => Some(infinity(false)),
        (_, [false, true]) => Some(infinity(true)),
        _ => None,
    }
}

/// value modulo 2^width, as two's complement.
fn wrap(value: &IBig, width: usize) -> IBig {
    let modulus = IBig::ONE << width;
    let half = IBig::ONE << (width - 1);
    let shifted = (value + &half) & (&modulus - IBig::ONE);
    shifted - half
}

/// The sums of nonzero terms in a window of so many integer bits.
pub(super) fn sums(unit: &Unit, terms: &[Term], integer_bits: u32) -> Exact {
    let fraction_bits = i64::from(unit.alignment.fraction_bits);
    let greatest = terms.iter().map(|term| term.exponent).max();
    let anchor = match (greatest, unit.alignment.exponent_floor) {
        (Some(greatest), Some(floor)) => greatest.max(i64::from(floor)),
        (Some(greatest), None) => greatest,
        (None, floor) => i64::from(floor.unwrap_or(0)),
    };
    let exact_scale = terms.iter().map(|term| term.scale).min().unwrap_or(0);
    let mut exact = IBig::ZERO;
    let mut aligned = IBig::ZERO;
    let mut lossy = false;
    for term in terms {
        let (cut, lost) = align(term, anchor - fraction_bits, unit.alignment.rounding);
        exact += signed(term.negative, &term.significand << (term.scale - exact_scale) as usize);
        aligned += cut;
        lossy |= lost;
    }
    if let Some(carry_bits) = unit.carry_bits {
        let width = 1 + carry_bits as usize + integer_bits as usize + unit.alignment.fraction_bits as usize;
        aligned = wrap(&aligned, width);
    }
    Exact { exact, exact_scale, aligned, anchor, terms: terms.len(), lossy }
}

/// The sums behind an evaluation, or `None` where an operand makes the result NaN or infinite.
pub fn exact(unit: &Unit, inputs: Inputs) -> Option<Exact> {
    let operands = Operands::decode(unit, inputs);
    match operands.special(unit) {
        Some(_) => None,
        None => Some(sums(unit, &operands.terms(unit), PRODUCT_INTEGER_BITS)),
    }
}

/// Evaluates the fused scheme. Without an addend c is zero, which takes no part in a sum.
pub fn evaluate(unit: &Unit, inputs: Inputs) -> u64 {
    let operands = Operands::decode(unit, inputs);
    let has_flags = unit.conversion.flags;
    let invalid = has_flags && flags::invalid(unit, &operands, inputs);
    if let Some(result) = operands.special(unit) {
        return unit.answer(result, Flags { invalid, overflow: false });
    }
    let sums = sums(unit, &operands.terms(unit), PRODUCT_INTEGER_BITS);
    let scale = sums.anchor - i64::from(unit.alignment.fraction_bits);
    let (negative, magnitude) = sums.aligned.clone().into_parts();
    let overflow = has_flags && flags::overflow(unit, negative == Sign::Negative, &magnitude, scale);
    unit.answer(convert(unit, &sums.aligned, scale), Flags { invalid, overflow })
}

/// value * 2^scale, rounded once to the result format.
pub(super) fn convert(unit: &Unit, value: &IBig, scale: i64) -> u64 {
    let (format, conversion) = (&unit.formats.d, &unit.conversion);
    if *value == IBig::ZERO {
        return format.zero(conversion.zero_negative);
    }
    let negative = *value < IBig::ZERO;
    let magnitude = UBig::try_from(if negative { -value } else { value.clone() }).expect("not negative");
    let bits = format.encode(negative, &magnitude, scale, conversion.rounding, conversion.overflow);
    let zero = format.zero(negative && !conversion.rounded_zero_positive);
    match format.decode(bits).class {
        Class::Nan => conversion.nan,
        Class::Zero => zero,
        Class::Subnormal if unit.flush.result && !flags::overflow(unit, negative, &magnitude, scale) => zero,
        _ => bits,
    }
}
