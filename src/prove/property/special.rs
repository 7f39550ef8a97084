//! Infinities and NaN, by the definition of the operation.

use super::stages::operand;
use super::{Expected, Property, Subject, is_infinite, not_fused, one, own_widths};
use crate::compute::word::term::{Term, TermFlag};
use crate::compute::word::{Flag, Word};
use crate::describe::format::{Format, NonFinite};
use crate::prove::Question;

pub(super) fn properties() -> Vec<Property> {
    vec![Property {
        name: "special-values",
        statement: "the result is the unit's NaN if an operand is NaN, infinity meets zero in a product, or infinities of both signs \
                    meet; otherwise that infinity, if there is one; and no NaN if there is none",
        expected: Expected::None,
        inapplicable: |subject| {
            let reason = (subject.unit.formats.d.non_finite != NonFinite::Ieee).then(|| "d has no infinity".to_owned());
            not_fused(subject).or(reason)
        },
        questions: |subject| one(subject, wrong),
        premises: own_widths,
        check: None,
    }]
}

/// Classes of a datum.
struct Class {
    negative: TermFlag,
    zero: TermFlag,
    infinite: TermFlag,
    nan: TermFlag,
}

fn class(format: &Format, encoding: Term, flushed: bool) -> Class {
    let number = operand(format, encoding, flushed);
    Class {
        negative: number.negative,
        zero: number.finite & number.significand.is_zero(),
        infinite: is_infinite(format, encoding),
        nan: number.nan,
    }
}

fn wrong(subject: &Subject) -> Question {
    let unit = &subject.unit;
    let (formats, flush) = (&unit.formats, &unit.flush);
    let (question, terms) = subject.question(|terms| {
        let never = TermFlag::constant(false);
        let (mut nan, mut plus, mut minus) = (never, never, never);
        for (a, b) in terms.inputs.a.iter().zip(&terms.inputs.b) {
            let (a, b) = (class(&formats.a, *a, flush.operands), class(&formats.b, *b, flush.operands));
            nan = nan | a.nan | b.nan | (a.infinite & b.zero) | (a.zero & b.infinite);
            let negative = a.negative ^ b.negative;
            let infinite = (a.infinite | b.infinite) & !a.nan & !b.nan;
            (plus, minus) = (plus | (infinite & !negative), minus | (infinite & negative));
        }
        if unit.has_addend() {
            let c = class(&formats.c, terms.inputs.c, flush.addend);
            nan = nan | c.nan;
            (plus, minus) = (plus | (c.infinite & !c.negative), minus | (c.infinite & c.negative));
        }
        let nan = nan | (plus & minus);
        let word = terms.answer.field(0, formats.d.width());
        let is = |bits: u64| word.equals(Term::bits(bits));
        let infinity = |negative| formats.d.infinity(negative).expect("d has an infinity");
        let own = class(&formats.d, word, false);
        let wrong_infinity = (plus & !is(infinity(false))) | (minus & !is(infinity(true)));
        (nan & !is(unit.conversion.nan)) | (!nan & (wrong_infinity | own.nan))
    });
    question.or_wider([terms.signal("sum")[0], terms.signal("anchor")[0]])
}
