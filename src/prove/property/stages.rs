//! Products, anchor and alignment: what each stage makes of the one before.

use super::{Expected, Property, Subject, any, not_fused, one, own_widths};
use crate::compute::word::term::{Term, TermFlag};
use crate::compute::word::{Flag, Word};
use crate::describe::format::Format;
use crate::describe::unit::AlignmentRounding;
use crate::prove::numbers::{Number, magnitudes};
use crate::prove::settle::Questions;
use crate::prove::{Question, UnitTerms};

pub(super) fn properties() -> Vec<Property> {
    vec![
        Property {
            name: "products-exact",
            statement: "every product of the unit is the exact product of its two operands, if they are numbers",
            expected: Expected::None,
            inapplicable: not_fused,
            questions: products_exact,
            premises: own_widths,
            check: None,
        },
        Property {
            name: "anchor-greatest",
            statement: "the anchor is the greatest exponent of a term that is not zero, or the floor where that is greater",
            expected: Expected::None,
            inapplicable: |subject| {
                let normalised = || subject.unit.alignment().normalise_products;
                let reason = || "exponents of normalised products are not those of their operands".to_owned();
                not_fused(subject).or_else(|| normalised().then(reason))
            },
            questions: |subject| one(subject, anchor_greatest),
            premises: own_widths,
            check: None,
        },
        Property {
            name: "truncation-error",
            statement: "every aligned term is its term cut toward zero by less than 2^(anchor - F), and their sum is exact: so the \
                        sum of n terms lies within n * 2^(anchor - F) of the exact one, on either side",
            expected: Expected::None,
            inapplicable: |subject| {
                let cut = || subject.unit.alignment().rounding == AlignmentRounding::TowardZero;
                let reason = || "its alignment does not cut toward zero".to_owned();
                not_fused(subject).or_else(|| (!cut()).then(reason))
            },
            questions: truncation_error,
            premises: own_widths,
            check: None,
        },
    ]
}

/// An operand as its format defines it, subnormals zero where the unit flushes them.
pub(super) fn operand(format: &Format, encoding: Term, flushed: bool) -> Number {
    let number = Number::decoded(format, encoding);
    let hidden = Term::literal(1).shift_left(format.fraction_bits);
    match flushed {
        true => {
            let subnormal = number.significand.less_than(hidden);
            Number { significand: Term::select(subnormal, Term::literal(0), number.significand), ..number }
        }
        false => number,
    }
}

/// A term or an operand as the signals of that name have it.
fn signalled(terms: &UnitTerms, name: &str, index: usize, fraction_bits: u32) -> Number {
    let signal = |what: &str| terms.signal(&format!("{name}_{what}"))[index];
    Number {
        negative: signal("negative").bit(0),
        significand: signal("significand"),
        place: signal("exponent") - Term::literal(i64::from(fraction_bits)),
        finite: TermFlag::constant(true),
        nan: TermFlag::constant(false),
    }
}

/// Product i of the text, or the addend where i is their number.
pub(super) fn term(subject: &Subject, terms: &UnitTerms, index: usize) -> Number {
    let plan = subject.fused();
    match index < subject.unit.products as usize {
        true => signalled(terms, "product", index, plan.terms.fraction_bits),
        false => signalled(terms, "unpacked_c", 0, subject.unit.formats.c.fraction_bits),
    }
}

/// Products and the addend.
pub(super) fn count(subject: &Subject) -> usize {
    subject.unit.products as usize + usize::from(subject.unit.has_addend())
}

/// What terms are made of: cut there, a question is about alignment and what follows.
pub(super) fn term_signals(subject: &Subject, terms: &UnitTerms) -> Vec<Term> {
    let mut cut = Vec::new();
    for name in ["product_negative", "product_exponent", "product_significand"] {
        cut.extend(terms.signal(name));
    }
    if subject.unit.has_addend() {
        for name in ["unpacked_c_negative", "unpacked_c_exponent", "unpacked_c_significand"] {
            cut.extend(terms.signal(name));
        }
    }
    cut
}

fn products_exact(subject: &std::sync::Arc<Subject>) -> Questions {
    let (unpacked, multiplied) = (std::sync::Arc::clone(subject), std::sync::Arc::clone(subject));
    vec![
        ("operands are unpacked as their formats define them".to_owned(), Box::new(move || unpacked_wrong(&unpacked))),
        ("products of unpacked operands are exact".to_owned(), Box::new(move || product_wrong(&multiplied))),
    ]
}

pub(super) fn unpacked_wrong(subject: &Subject) -> Question {
    let unit = &subject.unit;
    let (question, _) = subject.question(|terms| {
        let mut wrong = TermFlag::constant(false);
        for index in 0..unit.products as usize {
            let operands = [
                ("unpacked_a", &unit.formats.a, terms.inputs.a[index], unit.flush.operands),
                ("unpacked_b", &unit.formats.b, terms.inputs.b[index], unit.flush.operands),
            ];
            for (name, format, encoding, flushed) in operands {
                let defined = operand(format, encoding, flushed);
                let own = signalled(terms, name, index, format.fraction_bits);
                let same = own.equals(defined) & !(own.negative ^ defined.negative);
                wrong = wrong | (defined.finite & !same);
            }
        }
        wrong
    });
    question
}

pub(super) fn product_wrong(subject: &Subject) -> Question {
    let formats = &subject.unit.formats;
    let (question, terms) = subject.question(|terms| {
        any((0..subject.unit.products as usize).map(|index| {
            let a = signalled(terms, "unpacked_a", index, formats.a.fraction_bits);
            let b = signalled(terms, "unpacked_b", index, formats.b.fraction_bits);
            let (own, exact) = (term(subject, terms, index), a.times(b));
            !own.equals(exact) | (own.negative ^ exact.negative)
        }))
    });
    let mut cut = terms.signal("product_significand").to_vec();
    if !subject.unit.alignment().normalise_products {
        cut.extend(terms.signal("unpacked_a_exponent"));
        cut.extend(terms.signal("unpacked_b_exponent"));
        return question.or_wider(cut);
    }
    question
}

fn anchor_greatest(subject: &Subject) -> Question {
    let unit = &subject.unit;
    let formats = &unit.formats;
    let lowest = formats.a.exponent_min() + formats.b.exponent_min();
    let lowest = if unit.has_addend() { lowest.min(formats.c.exponent_min()) } else { lowest };
    let floor = Term::literal;
    let given = i64::from(unit.alignment().exponent_floor.unwrap_or(lowest).max(lowest));
    let (question, terms) = subject.question(|terms| {
        let anchor = terms.signal("anchor")[0];
        let (mut below, mut found) = (anchor.less_than(floor(given)), anchor.equals(floor(given)));
        for index in 0..count(subject) {
            let products = unit.products as usize;
            let (exponent, significand) = match index < products {
                true => (terms.signal("product_exponent")[index], terms.signal("product_significand")[index]),
                false => (terms.signal("unpacked_c_exponent")[0], terms.signal("unpacked_c_significand")[0]),
            };
            let counts = !significand.is_zero();
            below = below | (counts & anchor.less_than(exponent));
            found = found | (counts & anchor.equals(exponent));
        }
        below | !found
    });
    let cut = term_signals(subject, &terms);
    question.or_wider(cut)
}

fn truncation_error(subject: &std::sync::Arc<Subject>) -> Questions {
    let mut questions: Questions = Vec::new();
    for index in 0..count(subject) {
        let own = std::sync::Arc::clone(subject);
        questions.push((format!("term {index}"), Box::new(move || cut_wrong(&own, index))));
    }
    let own = std::sync::Arc::clone(subject);
    questions.push(("the sum of the aligned terms is exact".to_owned(), Box::new(move || sum_wrong(&own))));
    questions
}

/// Whether an aligned term is not the whole part of its term, in units of 2^(anchor - F) by the unit's description.
fn cut_wrong(subject: &Subject, index: usize) -> Question {
    let fraction_bits = Term::literal;
    let given = i64::from(subject.unit.alignment().fraction_bits);
    let (question, terms) = subject.question(|terms| {
        let exact = term(subject, terms, index);
        let aligned = terms.signal("aligned")[index];
        let negative = aligned.less_than(Term::literal(0));
        let kept = aligned.negate_if(negative);
        let place = terms.signal("anchor")[0] - fraction_bits(given);
        let whole = |significand| Number { significand, place, negative, ..exact };
        let above = magnitudes(exact, whole(kept)).less;
        let below = !magnitudes(exact, whole(kept + Term::literal(1))).less;
        above | below | (!kept.is_zero() & (negative ^ exact.negative))
    });
    let cut = term_signals(subject, &terms);
    question.or_wider(cut)
}

pub(super) fn sum_wrong(subject: &Subject) -> Question {
    let (question, terms) = subject.question(|terms| {
        let mut total = Term::literal(0);
        for term in terms.signal("aligned") {
            total = total + *term;
        }
        !total.equals(terms.signal("sum")[0])
    });
    let cut = terms.signal("aligned").to_vec();
    question.or_wider(cut)
}
