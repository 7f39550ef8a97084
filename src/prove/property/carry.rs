//! Carry bits: whether as many as the unit has are enough, and whether one fewer is not. In the count of unit files, above the
//! window of two integer bits, and in that of Valpey et al. (2025), above one, with products normalised to [1, 2).

use super::{Expected, Property, Subject, finite, no_overflow, not_only_fused, one};
use crate::compute::word::Word;
use crate::describe::plan::Plan;
use crate::describe::unit::Unit;
use crate::prove::settle::Questions;
use crate::prove::{InputTerms, Part, Question, UnitTerms};

pub(super) fn properties() -> Vec<Property> {
    vec![
        Property {
            name: "carry-bits-sufficient",
            statement: "with its carry bits, counted above the window of two integer bits, the unit answers as with more",
            expected: Expected::None,
            inapplicable: not_only_fused,
            questions: |subject| one(subject, |subject| compared(sufficient(subject))),
            premises: |subject| widths(sufficient(subject)),
        },
        Property {
            name: "carry-bits-necessary",
            statement: "with one carry bit fewer than ceil(log2(n)), counted above the window of two integer bits, an answer for n \
                        terms differs",
            expected: Expected::Witness,
            inapplicable: not_only_fused,
            questions: |subject| one(subject, |subject| compared(necessary(subject))),
            premises: |subject| widths(necessary(subject)),
        },
        Property {
            name: "carry-bits-sufficient-normalised",
            statement: "ceil(log2(n)) carry bits above one integer bit are enough for n terms, products normalised to [1, 2)",
            expected: Expected::None,
            inapplicable: too_few,
            questions: |subject| one(subject, |subject| compared(sufficient_normalised(subject))),
            premises: |subject| widths(sufficient_normalised(subject)),
        },
        Property {
            name: "carry-bits-necessary-normalised",
            statement: "with one carry bit fewer than ceil(log2(n)) above one integer bit, products normalised to [1, 2), an answer for \
                        n terms differs",
            expected: Expected::Witness,
            inapplicable: too_few,
            questions: |subject| one(subject, |subject| compared(necessary_normalised(subject))),
            premises: |subject| widths(necessary_normalised(subject)),
        },
    ]
}

/// Carry bits above the window that always suffice: ceil(log2(n)) for n terms cut toward zero.
fn derived(subject: &Subject) -> u32 {
    subject.fused().carry_bits_derived
}

/// In the paper's count the window has one integer bit less, so that unit files have one carry bit less.
fn too_few(subject: &Subject) -> Option<String> {
    not_only_fused(subject).or_else(|| {
        (derived(subject) < 2).then(|| "one carry bit above one integer bit is none to leave out".to_owned())
    })
}

fn normalised(unit: &Unit) -> Unit {
    let mut unit = Unit { name: format!("{}-normalised", unit.name), ..unit.clone() };
    unit.alignment.normalise_products = true;
    unit
}

/// A unit, and two numbers of carry bits with which it is compared.
type Compared = (Unit, [u32; 2]);

fn compared((unit, bits): Compared) -> Question {
    apart(&unit, bits)
}

/// The two units that are compared answer as their texts do only where no width of theirs overflows.
fn widths((unit, bits): Compared) -> Questions {
    let mut premises: Questions = Vec::new();
    for bits in bits {
        let unit = Unit { carry_bits: Some(bits), ..unit.clone() };
        let label = format!("no internal width overflows with {bits} carry bits");
        premises.push((label, Box::new(move || no_overflow(&Subject::of(&unit)))));
    }
    premises
}

fn sufficient(subject: &Subject) -> Compared {
    let (own, derived) = (subject.fused().carry_bits, derived(subject));
    let more = if own < derived { derived } else { derived + 1 };
    (subject.unit.clone(), [own, more])
}

fn necessary(subject: &Subject) -> Compared {
    let derived = derived(subject);
    (subject.unit.clone(), [derived, derived - 1])
}

fn sufficient_normalised(subject: &Subject) -> Compared {
    let derived = derived(subject);
    (normalised(&subject.unit), [derived - 1, derived])
}

fn necessary_normalised(subject: &Subject) -> Compared {
    let derived = derived(subject);
    (normalised(&subject.unit), [derived - 1, derived - 2])
}

/// Numbers on which a unit with so many carry bits answers otherwise than with so many others. Where no sum wraps in either,
/// both are asked of any sum and any anchor first.
pub(in crate::prove) fn apart(unit: &Unit, bits: [u32; 2]) -> Question {
    let with_bits =
        |bits: u32| Unit { name: format!("{}-carry-{bits}", unit.name), carry_bits: Some(bits), ..unit.clone() };
    let units = bits.map(with_bits);
    let question = Question::new(|| {
        let inputs = InputTerms::new(unit);
        let numbers = finite(unit, &inputs);
        let parts = units.map(|unit| Part { terms: UnitTerms::on(&Plan::of(&unit), inputs.clone()), unit });
        (!parts[0].terms.answer.equals(parts[1].terms.answer) & numbers, parts.into())
    });
    let parts = &question.parts;
    let cut = ["sum", "anchor", "special_nan", "special_infinite"].map(|name| parts[0].terms.signal(name)[0]);
    match parts[0].terms.signal("sum") == parts[1].terms.signal("sum") {
        true => question.or_wider(cut),
        false => question,
    }
}
