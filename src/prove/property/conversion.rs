//! The result is the sum, rounded once as the unit's description says. Written with the thresholds of rounding: the numbers at
//! which one result gives way to the next.

use super::stages::{term, term_signals};
use super::{Expected, Property, Subject, finite, not_fused, one, own_widths};
use crate::compute::word::term::{Term, TermFlag};
use crate::compute::word::{Flag, Word};
use crate::describe::format::{Format, NonFinite, Overflow, Rounding};
use crate::describe::unit::Unit;
use crate::prove::numbers::{Number, magnitudes};
use crate::prove::{Question, UnitTerms};

pub(super) fn properties() -> Vec<Property> {
    vec![Property {
        name: "conversion-rounded",
        statement: "if all operands are numbers, the result is the unit's sum, rounded once and correctly to the format of d",
        expected: Expected::None,
        inapplicable,
        questions: |subject| one(subject, rounded_wrong),
        premises: own_widths,
        check: None,
    }]
}

pub(super) fn inapplicable(subject: &Subject) -> Option<String> {
    let unit = &subject.unit;
    let reason = match unit.conversion.rounding {
        _ if unit.formats.d.non_finite != NonFinite::Ieee => Some("d has no infinity"),
        _ if unit.flush.result || unit.flush.tiny_result => Some("subnormal results are flushed"),
        Rounding::ToOdd => Some("rounding to odd has no thresholds"),
        _ => None,
    };
    not_fused(subject).or(reason.map(str::to_owned))
}

/// The result's exponent and fraction fields, and its sign.
fn result(unit: &Unit, terms: &UnitTerms) -> (Term, TermFlag) {
    let d = &unit.formats.d;
    let magnitude = terms.answer.field(d.padding_bits, d.exponent_bits + d.fraction_bits);
    (magnitude, terms.answer.bit(d.width() - 1))
}

/// The sum as a number: a count of units of 2^(anchor - F).
pub(super) fn sum(unit: &Unit, terms: &UnitTerms) -> Number {
    let sum = terms.signal("sum")[0];
    let place = terms.signal("anchor")[0] - Term::literal(i64::from(unit.alignment().fraction_bits));
    counted(sum, place)
}

/// A count of units of 2^place.
fn counted(count: Term, place: Term) -> Number {
    let negative = count.less_than(Term::literal(0));
    let (finite, nan) = (TermFlag::constant(true), TermFlag::constant(false));
    Number { negative, significand: count.negate_if(negative), place, finite, nan }
}

/// How results of one sign are rounded.
#[derive(Clone, Copy)]
enum Direction {
    ToZero,
    FromZero,
    ToNearest { ties_even: bool },
}

fn direction(rounding: Rounding, negative: bool) -> Direction {
    match rounding {
        Rounding::NearestEven => Direction::ToNearest { ties_even: true },
        Rounding::NearestAway => Direction::ToNearest { ties_even: false },
        Rounding::TowardPositive if !negative => Direction::FromZero,
        Rounding::TowardNegative if negative => Direction::FromZero,
        _ => Direction::ToZero,
    }
}

/// The number at which a magnitude gives way to the next one above it.
fn threshold(direction: Direction, format: &Format, magnitude: Term) -> Number {
    let one = Term::literal(1);
    let number = Number::of_magnitude(format, magnitude);
    match direction {
        Direction::FromZero => number,
        Direction::ToZero => Number::of_magnitude(format, magnitude + one),
        Direction::ToNearest { .. } => {
            Number { significand: number.significand.shift_left(1) + one, place: number.place - one, ..number }
        }
    }
}

/// Whether a number is rounded to that magnitude, the last one of which stands for everything above it.
fn rounds_to(direction: Direction, format: &Format, number: Number, magnitude: Term, last: u64) -> TermFlag {
    let below = (magnitude - Term::literal(1)).maximum(Term::literal(0));
    let from = magnitudes(threshold(direction, format, below), number);
    let to = magnitudes(number, threshold(direction, format, magnitude));
    let even = !magnitude.bit(0);
    let (at_lower, at_upper) = match direction {
        Direction::ToZero => (TermFlag::constant(true), TermFlag::constant(false)),
        Direction::FromZero => (TermFlag::constant(false), TermFlag::constant(true)),
        Direction::ToNearest { ties_even: true } => (even, even),
        Direction::ToNearest { ties_even: false } => (TermFlag::constant(true), TermFlag::constant(false)),
    };
    let lower = magnitude.is_zero() | from.less | (from.equal & at_lower);
    let upper = magnitude.equals(Term::bits(last)) | to.less | (to.equal & at_upper);
    lower & upper & !Term::bits(last).less_than(magnitude)
}

/// The greatest magnitude of results of one sign: infinity's or the largest number's.
fn last(unit: &Unit, negative: bool) -> u64 {
    let d = &unit.formats.d;
    let to_infinity = match unit.conversion.overflow {
        Overflow::Infinity => true,
        Overflow::Ieee => unit.conversion.rounding.overflows_to_infinity(negative),
        Overflow::Saturate | Overflow::Wrap => false,
    };
    d.magnitude_max() + u64::from(to_infinity)
}

pub(super) fn rounded_wrong(subject: &Subject) -> Question {
    let unit = &subject.unit;
    let (question, terms) = subject.question(|terms| {
        let (magnitude, negative) = result(unit, terms);
        let sum = sum(unit, terms);
        let of_sign = |negative: bool| {
            let direction = direction(unit.conversion.rounding, negative);
            rounds_to(direction, &unit.formats.d, sum, magnitude, last(unit, negative))
        };
        let (plus, minus) = (of_sign(false), of_sign(true));
        let correct = (sum.negative & minus) | (!sum.negative & plus);
        let zero = sum.significand.is_zero();
        let zero_sign = TermFlag::constant(unit.conversion.zero_negative);
        let mut sum_sign = sum.negative;
        if unit.conversion.rounded_zero_positive {
            sum_sign = sum_sign & !magnitude.is_zero();
        }
        let sign = (zero & !(negative ^ zero_sign)) | (!zero & !(negative ^ sum_sign));
        finite(&unit.formats, &terms.inputs) & !(correct & sign)
    });
    question.or_wider([terms.signal("sum")[0], terms.signal("anchor")[0]])
}

/// Whether a threshold is not below the next one: then rounding would not be monotone.
pub(super) fn thresholds_wrong(subject: &Subject) -> Question {
    let unit = &subject.unit;
    Question::new(|| {
        let d = &unit.formats.d;
        let magnitude = Term::variable("magnitude", crate::compute::word::term::Interval::unsigned(d.width() - 1));
        let mut wrong = TermFlag::constant(false);
        for negative in [false, true] {
            let direction = direction(unit.conversion.rounding, negative);
            let next = threshold(direction, d, magnitude + Term::literal(1));
            let within = magnitude.less_than(Term::bits(last(unit, negative)));
            wrong = wrong | (within & !magnitudes(threshold(direction, d, magnitude), next).less);
        }
        (wrong, Vec::new())
    })
}

/// Whether an aligned term is not its term: a bit was lost.
pub(super) fn changed(subject: &Subject, terms: &UnitTerms, index: usize) -> TermFlag {
    let aligned = terms.signal("aligned")[index];
    let place = terms.signal("anchor")[0] - Term::literal(i64::from(subject.unit.alignment().fraction_bits));
    !counted(aligned, place).equals(term(subject, terms, index))
}

/// Whether there is an input of which an aligned term is not its term.
pub(super) fn bit_lost(subject: &Subject, index: usize) -> Question {
    let (question, terms) = subject.question(|terms| changed(subject, terms, index));
    let cut = term_signals(subject, &terms);
    question.or_wider(cut)
}
