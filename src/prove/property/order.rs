//! The result does not depend on the order of the products: shown of each exchange of two neighbours, which make every order.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use super::{Expected, Property, Subject, own_widths};
use crate::compute::word::term::{Term, TermFlag};
use crate::compute::word::{Flag, Word};
use crate::describe::format::{Format, Overflow, Rounding};
use crate::describe::interface::Interface;
use crate::describe::plan::Plan;
use crate::describe::unit::Formats;
use crate::engine::Vector;
use crate::prove::question::Cut;
use crate::prove::settle::Questions;
use crate::prove::sum::Sum;
use crate::prove::{InputTerms, Part, Question, UnitTerms};

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
        check: None,
    }]
}

fn questions(subject: &std::sync::Arc<Subject>) -> Questions {
    let products = subject.unit.products as usize;
    let mut questions: Questions = Vec::new();
    for first in 0..products - 1 {
        let order = exchanged(products, first, first + 1);
        for stage in stages(subject).iter().copied() {
            let (own, order) = (std::sync::Arc::clone(subject), order.clone());
            let text = format!("products {first} and {} exchanged: the same {}", first + 1, stage.name());
            questions.push((text, Box::new(move || differs(&own, &order, stage))));
        }
    }
    questions
}

/// What is shown of an exchange, one after the other.
fn stages(subject: &Subject) -> &'static [Stage] {
    match subject.plan {
        Plan::Fused(_) => &[Stage::Anchor, Stage::Aligned, Stage::Sum, Stage::ResultOfSum],
        _ => &[Stage::Result],
    }
}

/// The order of so many products, two of them exchanged.
fn exchanged(products: usize, first: usize, second: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..products).collect();
    order.swap(first, second);
    order
}

/// Whether a sum answers otherwise where two of its products are exchanged; where both stand in one block, side by side from that
/// place on, first whether its unit does.
pub(super) fn differs_in(sum: &Sum, pair: [usize; 2], place_in_block: Option<usize>) -> Question {
    let interface = sum.interface();
    let order = exchanged(interface.products as usize, pair[0], pair[1]);
    let mut both = None;
    let mut question = Question::new(|| {
        let inputs = InputTerms::of(&interface);
        let mut other = inputs.clone();
        other.a = order.iter().map(|index| inputs.a[*index]).collect();
        other.b = order.iter().map(|index| inputs.b[*index]).collect();
        let parts = [Part::of_sum(sum, &inputs), Part::of_sum(sum, &other)];
        both = Some(inputs);
        (!parts[0].terms.answer.equals(parts[1].terms.answer), parts.into())
    });
    match place_in_block {
        Some(first) => {
            let subject = Subject::of(sum.unit());
            let order = exchanged(sum.unit().products as usize, first, first + 1);
            question.steps = stages(&subject).iter().map(|stage| differs(&subject, &order, *stage)).collect();
        }
        None => {
            let vector = probe(&interface, &order, &mut sum.emulated());
            question.known =
                both.zip(vector).map(|(inputs, vector)| inputs.numbers(&question.graph, &vector)).into_iter().collect();
        }
    }
    question
}

/// Vectors that are tried by [`probe`].
const TRIED: usize = 2000;

/// A vector that is answered otherwise in that order of its products: numbers of few sizes and both signs, which cancel and round.
fn probe(interface: &Interface, order: &[usize], evaluate: &mut dyn FnMut(&Vector) -> u64) -> Option<Vector> {
    let Formats { a, b, c, d } = &interface.formats;
    if a.is_integer() || interface.scales.is_some() {
        return None;
    }
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let small = -(d.precision() as i32);
    let encoded = |format: &Format, number: f64| format.from_f64(number, Rounding::TowardZero, Overflow::Saturate);
    let mut drawn = |format: &Format, sizes: [i32; 3]| {
        let size = sizes[(random.next_u64() % 3) as usize];
        let significand = [1.0, -1.0, 1.5, -1.5][(random.next_u64() % 4) as usize];
        encoded(format, significand * 2f64.powi(size))
    };
    let half = (small / 2).max(a.exponent_min());
    let mut tried = (0..TRIED).map(|_| {
        let mut list = |format: &Format, sizes| (0..interface.products).map(|_| drawn(format, sizes)).collect();
        let (a, b) = (list(a, [0, half, 1]), list(b, [0, half, 0]));
        let c = if interface.has_addend() { drawn(c, [0, small, 1]) } else { 0 };
        Vector { a, b, c, ..Vector::default() }
    });
    tried.find(|vector| {
        let permuted = |list: &[u64]| order.iter().map(|index| list[*index]).collect();
        let other = Vector { a: permuted(&vector.a), b: permuted(&vector.b), ..vector.clone() };
        evaluate(vector) != evaluate(&other)
    })
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
