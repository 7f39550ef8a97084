//! The result does not depend on the order of the products: shown of each exchange of two neighbours, which make every order.

use super::{Expected, Property, Subject, own_widths};
use crate::compute::word::term::{Term, TermFlag};
use crate::compute::word::{Flag, Word};
use crate::describe::plan::Plan;
use crate::prove::question::Cut;
use crate::prove::settle::Questions;
use crate::prove::{InputTerms, Question, UnitTerms};

pub(super) fn properties() -> Vec<Property> {
    vec![Property {
        name: "operand-order",
        statement: "the result is the same in whatever order the products stand",
        expected: Expected::None,
        inapplicable: |subject| {
            let reason = match subject.unit.products {
                1 => Some("it has one product"),
                _ if subject.unit.scales.is_some() => Some("products belong to the scales of their blocks"),
                _ => None,
            };
            reason.map(str::to_owned)
        },
        questions,
        premises: own_widths,
    }]
}

fn questions(subject: &std::sync::Arc<Subject>) -> Questions {
    let products = subject.unit.products as usize;
    let mut questions: Questions = Vec::new();
    let stages: &[Stage] = match subject.plan {
        Plan::Fused(_) => &[Stage::Anchor, Stage::Aligned, Stage::Sum, Stage::ResultOfSum],
        _ => &[Stage::Result],
    };
    for first in 0..products - 1 {
        let mut order: Vec<usize> = (0..products).collect();
        order.swap(first, first + 1);
        for stage in stages.iter().copied() {
            let (own, order) = (std::sync::Arc::clone(subject), order.clone());
            let text = format!("products {first} and {} exchanged: the same {}", first + 1, stage.name());
            questions.push((text, Box::new(move || differs(&own, &order, stage))));
        }
    }
    questions
}

/// What is compared. Each stage is asked first of equal numbers of the stages before it, which other questions show.
#[derive(Clone, Copy)]
enum Stage {
    Anchor,
    Aligned,
    Sum,
    ResultOfSum,
    /// Without stages.
    Result,
}

impl Stage {
    fn name(self) -> &'static str {
        match self {
            Stage::Anchor => "anchor",
            Stage::Aligned => "aligned terms",
            Stage::Sum => "sum",
            Stage::ResultOfSum | Stage::Result => "result",
        }
    }
}

fn differs(subject: &Subject, order: &[usize], stage: Stage) -> Question {
    let mut runs = None;
    let mut question = Question::new(|| {
        let inputs = InputTerms::new(&subject.unit);
        let permuted = |list: &[Term]| order.iter().map(|index| list[*index]).collect();
        let mut other = inputs.clone();
        (other.a, other.b) = (permuted(&inputs.a), permuted(&inputs.b));
        let both = [subject.run(&inputs), subject.run(&other)];
        let mut differ = TermFlag::constant(false);
        for (one, other) in compared(&both, order, stage) {
            differ = differ | !one.equals(other);
        }
        let parts = both.iter().flat_map(|run| subject.parts(run)).collect();
        runs = Some(both);
        (differ, parts)
    });
    let runs = runs.expect("the text has run");
    let known: &[Stage] = match stage {
        Stage::Anchor => return question.or_wider(exponents(&runs[0])),
        Stage::Aligned => &[Stage::Anchor],
        Stage::Sum => &[Stage::Aligned],
        Stage::ResultOfSum => &[Stage::Anchor, Stage::Sum],
        Stage::Result => return question,
    };
    let mut equal = Cut::new();
    for (index, (one, other)) in known.iter().flat_map(|stage| compared(&runs, order, *stage)).enumerate() {
        equal.insert(one.node(), format!("equal[{index}]"));
        equal.insert(other.node(), format!("equal[{index}]"));
    }
    question.wider.push(equal);
    question
}

/// What corresponds in two runs, the second with its products in that order.
fn compared(runs: &[UnitTerms; 2], order: &[usize], stage: Stage) -> Vec<(Term, Term)> {
    let one = |name: &str| vec![(runs[0].signal(name)[0], runs[1].signal(name)[0])];
    match stage {
        Stage::Anchor => one("anchor"),
        Stage::Sum => one("sum"),
        Stage::ResultOfSum | Stage::Result => vec![(runs[0].answer, runs[1].answer)],
        Stage::Aligned => {
            let [first, second] = runs.each_ref().map(|run| run.signal("aligned"));
            let products = order.iter().enumerate().map(|(place, index)| (first[*index], second[place]));
            let addend = first.iter().zip(second).skip(order.len()).map(|(one, other)| (*one, *other));
            products.chain(addend).collect()
        }
    }
}

/// Exponents of all terms.
fn exponents(run: &UnitTerms) -> Vec<Term> {
    let names = ["product_exponent", "addend_exponent"];
    let of_terms = run.signals.iter().filter(|(signal, _)| names.contains(&signal.name));
    of_terms.flat_map(|(_, terms)| terms.clone()).collect()
}
