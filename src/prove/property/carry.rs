//! Carry bits: whether as many as the unit has are enough, and whether one fewer is not. In the count of unit files, above the
//! window of two integer bits, and in that of Valpey et al. (2025), above one, with products normalised to [1, 2).

use super::{Expected, Property, Subject, finite, no_overflow, not_only_fused, one};
use crate::compute::word::Word;
use crate::describe::unit::Unit;
use crate::prove::settle::Questions;
use crate::prove::{InputTerms, Question};

pub(super) fn properties() -> Vec<Property> {
    vec![
        Property {
            name: "carry-bits-sufficient",
            statement: "with its carry bits, counted above the window of two integer bits, the unit answers as with more",
            expected: Expected::None,
            inapplicable: not_only_fused,
            questions: |subject| one(subject, |subject| apart(&sufficient(subject))),
            premises: |subject| widths(sufficient(subject)),
            check: None,
        },
        Property {
            name: "carry-bits-necessary",
            statement: "with one carry bit fewer than ceil(log2(n)), counted above the window of two integer bits, an answer for n \
                        terms differs",
            expected: Expected::Witness,
            inapplicable: not_only_fused,
            questions: |subject| one(subject, |subject| apart(&necessary(subject))),
            premises: |subject| widths(necessary(subject)),
            check: None,
        },
        Property {
            name: "carry-bits-sufficient-normalised",
            statement: "ceil(log2(n)) carry bits above one integer bit are enough for n terms, products normalised to [1, 2)",
            expected: Expected::None,
            inapplicable: too_few,
            questions: |subject| one(subject, |subject| apart(&sufficient_normalised(subject))),
            premises: |subject| widths(sufficient_normalised(subject)),
            check: None,
        },
        Property {
            name: "carry-bits-necessary-normalised",
            statement: "with one carry bit fewer than ceil(log2(n)) above one integer bit, products normalised to [1, 2), an answer for \
                        n terms differs",
            expected: Expected::Witness,
            inapplicable: too_few,
            questions: |subject| one(subject, |subject| apart(&necessary_normalised(subject))),
            premises: |subject| widths(necessary_normalised(subject)),
            check: None,
        },
    ]
}

/// Carry bits above the window that always suffice: ceil(log2(n)) for n terms cut toward zero.
fn derived(subject: &Subject) -> u32 {
    subject.fused().carry_bits_derived
}

/// In the paper's count the window has one integer bit less, so that unit files have one carry bit less. Its unit is another
/// one than the subject's, whose plan a subject cannot have.
fn too_few(subject: &Subject) -> Option<String> {
    let none = || (derived(subject) < 2).then(|| "one carry bit above one integer bit is none to leave out".to_owned());
    let other = || (!subject.genuine).then(|| "it is a property of units as they are described".to_owned());
    not_only_fused(subject).or_else(none).or_else(other)
}

fn normalised(unit: &Unit) -> Unit {
    let mut unit = Unit { name: format!("{}-normalised", unit.name), ..unit.clone() };
    unit.alignment_mut().normalise_products = true;
    unit
}

/// A unit with so many carry bits.
pub(in crate::prove) fn with_carry_bits(unit: &Unit, bits: u32) -> Subject {
    Subject::of(&Unit { name: format!("{}-carry-{bits}", unit.name), carry_bits: Some(bits), ..unit.clone() })
}

/// The subject with so many carry bits: itself, on its own plan, where it has as many.
fn with_bits(subject: &Subject, bits: u32) -> Subject {
    match !subject.genuine && subject.fused().carry_bits == bits {
        true => subject.clone(),
        false => with_carry_bits(&subject.unit, bits),
    }
}

/// The two that are compared answer as their texts do only where no width of theirs overflows.
fn widths(subjects: [Subject; 2]) -> Questions {
    let mut premises: Questions = Vec::new();
    for subject in subjects {
        let label = format!("no internal width overflows with {} carry bits", subject.fused().carry_bits);
        premises.push((label, Box::new(move || no_overflow(&subject))));
    }
    premises
}

fn sufficient(subject: &Subject) -> [Subject; 2] {
    let (own, derived) = (subject.fused().carry_bits, derived(subject));
    let more = if own < derived { derived } else { derived + 1 };
    [own, more].map(|bits| with_bits(subject, bits))
}

fn necessary(subject: &Subject) -> [Subject; 2] {
    let derived = derived(subject);
    [derived, derived - 1].map(|bits| with_bits(subject, bits))
}

fn sufficient_normalised(subject: &Subject) -> [Subject; 2] {
    let derived = derived(subject);
    [derived - 1, derived].map(|bits| with_carry_bits(&normalised(&subject.unit), bits))
}

fn necessary_normalised(subject: &Subject) -> [Subject; 2] {
    let derived = derived(subject);
    [derived - 1, derived - 2].map(|bits| with_carry_bits(&normalised(&subject.unit), bits))
}

/// Numbers that two subjects of the same operands answer differently. Where no sum wraps in either, both are asked of any sum and
/// any anchor first.
pub(in crate::prove) fn apart(subjects: &[Subject; 2]) -> Question {
    let mut runs = None;
    let question = Question::new(|| {
        let inputs = InputTerms::new(&subjects[0].unit);
        let numbers = finite(&subjects[0].unit.formats, &inputs);
        let [one, other] = subjects.each_ref().map(|subject| subject.run(&inputs));
        let parts = [subjects[0].parts(&one), subjects[1].parts(&other)].concat();
        let flag = !one.answer.equals(other.answer) & numbers;
        runs = Some([one, other]);
        (flag, parts)
    });
    let [one, other] = runs.expect("the texts have run");
    let cut = ["sum", "anchor", "special_nan", "special_infinite"].map(|name| one.signal(name)[0]);
    match one.signal("sum") == other.signal("sum") {
        true => question.or_wider(cut),
        false => question,
    }
}
