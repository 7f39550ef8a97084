//! Monotonicity: whether d never becomes less while c grows. Units that lose no bit are shown to be so by their steps; of
//! others two runs are compared, and those that cut their terms are not (Fasi et al. 2021, section 3.1.4).

use super::conversion::{bit_lost, inapplicable, rounded_wrong, thresholds_wrong};
use super::stages::count;
use super::{Expected, Property, Subject, finite, own_widths};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use crate::compute::word::Word;
use crate::compute::word::term::Term;
use crate::describe::format::{Format, Overflow, Rounding};
use crate::describe::interface::Interface;
use crate::describe::plan::Plan;
use crate::describe::unit::Formats;
use crate::engine::{Emulator, Vector};
use crate::prove::numbers::Number;
use crate::prove::settle::Questions;
use crate::prove::sum::Sum;
use crate::prove::{InputTerms, Part, Question};

pub(super) fn properties() -> Vec<Property> {
    vec![Property {
        name: "monotone",
        statement: "d never becomes less while c grows and all else stays, if all operands are numbers",
        expected: Expected::None,
        inapplicable: |subject| says_nothing(&subject.unit.interface()),
        questions,
        premises: own_widths,
        check: None,
    }]
}

/// Why it says nothing of what has this interface, if so.
pub(super) fn says_nothing(interface: &Interface) -> Option<String> {
    let reason = match interface.has_addend() {
        _ if interface.scales.is_some() => Some("operands with scales are not asked"),
        _ if interface.formats.c.is_integer() => Some("it is a property of floating-point units"),
        true => None,
        false => Some("it has no addend"),
    };
    reason.map(str::to_owned)
}

fn questions(subject: &std::sync::Arc<Subject>) -> Questions {
    let share = || std::sync::Arc::clone(subject);
    // A sum with too few carry bits wraps.
    let exact = matches!(&subject.plan, Plan::Fused(plan) if plan.loses_no_bit().is_some() && plan.carry_bits >= plan.carry_bits_derived);
    if !exact || inapplicable(subject).is_some() {
        let own = share();
        return vec![(String::new(), Box::new(move || decreases(&own)))];
    }
    let mut questions: Questions = Vec::new();
    for index in 0..count(subject) {
        let own = share();
        questions.push((format!("term {index} loses no bit"), Box::new(move || bit_lost(&own, index))));
    }
    let (own, other) = (share(), share());
    questions.push(("the exact sum is rounded correctly".to_owned(), Box::new(move || rounded_wrong(&own))));
    questions.push(("thresholds of rounding grow".to_owned(), Box::new(move || thresholds_wrong(&other))));
    questions
}

/// Two runs of a unit, the second with a greater c.
fn decreases(subject: &Subject) -> Question {
    let run = |inputs: &InputTerms| {
        let terms = subject.run(inputs);
        (terms.answer, subject.parts(&terms))
    };
    let mut emulator = Emulator::uncounted(&subject.unit);
    let mut evaluate = |vector: &Vector| emulator.evaluate(vector.inputs()).expect("a vector of the unit");
    compared(&subject.unit.interface(), &run, &mut evaluate)
}

/// Two runs of a sum, the second with a greater c.
pub(super) fn decreases_in(sum: &Sum) -> Question {
    let run = |inputs: &InputTerms| {
        let part = Part::of_sum(sum, inputs);
        (part.terms.answer, vec![part])
    };
    compared(&sum.interface(), &run, &mut sum.emulated())
}

/// The answer to operands and those who can confirm it, as terms.
type Run<'a> = &'a dyn Fn(&InputTerms) -> (Term, Vec<Part>);

/// The answer to a vector.
type Evaluate<'a> = &'a mut dyn FnMut(&Vector) -> u64;

fn compared(interface: &Interface, run: Run, evaluate: Evaluate) -> Question {
    let formats = &interface.formats;
    let (mut alike, mut both) = (None, None);
    let mut question = Question::new(|| {
        let inputs = InputTerms::of(interface);
        let mut greater = inputs.clone();
        greater.c = Term::variable("greater_c", inputs.c.range());
        let runs = [run(&inputs), run(&greater)];
        let number = |encoding| Number::decoded(&formats.c, encoding);
        let grows = number(inputs.c).less_than(number(greater.c));
        let [less, more] = runs.each_ref().map(|(answer, _)| Number::decoded(&formats.d, *answer));
        // Products of one number are enough for a decrease, if there is one in a sum of many.
        let mut same = inputs.a[0].equals(inputs.a[0]);
        for list in [&inputs.a, &inputs.b] {
            for operand in &list[1..] {
                same = same & operand.equals(list[0]);
            }
        }
        alike = Some(same.node());
        both = Some([inputs.clone(), greater.clone()]);
        let parts = runs.into_iter().flat_map(|(_, parts)| parts).collect();
        (grows & more.less_than(less) & finite(formats, &inputs) & finite(formats, &greater), parts)
    });
    question.narrower.extend(alike.filter(|_| interface.products > 1));
    if let (Some([inputs, greater]), Some([vector, more])) = (both, probe(interface, evaluate)) {
        let mut numbers = inputs.numbers(&question.graph, &vector);
        let variables = question.graph.variables();
        if let Some(place) = variables.iter().position(|variable| variable.node == greater.c.node()) {
            numbers[place] = more.c.into();
        }
        question.known.push(numbers);
    }
    question
}

/// Sums that are tried by [`probe`].
const TRIED: usize = 4000;

/// The sums of Fasi et al. 2021 (section 3.1.4; section 4, point 6, for an accumulator with one more bit): c just below 1, then 1, and four
/// terms that carry it to 1 + 2^-23, but not beyond 1 where they are cut beside 1: 2^-24 four times; with one more bit half of that three
/// times, and 3/2 of it. In formats of other precision the same with their last places.
fn published(interface: &Interface) -> Vec<[Vector; 2]> {
    const TERMS: usize = 4;
    let Formats { a, b, c, d } = &interface.formats;
    let to = |format: &Format, number: f64| {
        let bits = format.from_f64(number, Rounding::TowardZero, Overflow::Saturate);
        (format.to_f64(bits) == number).then_some(bits)
    };
    let sums = |more: i32| {
        let small = -(d.precision() as i32) - more;
        let half = (small / 2).max(a.exponent_min() - a.fraction_bits as i32);
        let mut vector = Vector { c: c.next_down(to(c, 1.0)?), ..Vector::default() };
        for index in 0..interface.products as usize {
            let significand = match index {
                _ if index >= TERMS => 0.0,
                3 if more == 1 => 3.0,
                _ => 1.0,
            };
            vector.a.push(to(a, significand * 2f64.powi(half))?);
            vector.b.push(to(b, 2f64.powi(small - half))?);
        }
        Some([vector.clone(), Vector { c: to(c, 1.0)?, ..vector }])
    };
    [0, 1].into_iter().filter_map(sums).collect()
}

/// A vector and the same with a greater c, whose d is less on the emulator: published ones, or c just below a power of two and that
/// power, and products near the last places of the sum.
fn probe(interface: &Interface, evaluate: Evaluate) -> Option<[Vector; 2]> {
    let Formats { a, b, c, d } = &interface.formats;
    let places = d.precision() as i32;
    // The power of two is so large that products of normal numbers reach below the last place.
    let power = (places + 2 + a.exponent_min() + b.exponent_min()).max(0);
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let held = |format: &Format, exponent: i32| {
        exponent.clamp(format.exponent_min(), format.exponent_max().max(format.exponent_min() + 1) - 1)
    };
    let encoded = |format: &Format, exponent: i32, significand: f64| {
        let exponent = held(format, exponent);
        format.from_f64(significand * 2f64.powi(exponent), Rounding::TowardZero, Overflow::Saturate)
    };
    let more = encoded(c, power, 1.0);
    let tried = (0..TRIED).map(|_| {
        let mut vector = Vector { c: c.next_down(more), ..Vector::default() };
        for _ in 0..interface.products {
            let exponent = power - places + (random.next_u64() % 5) as i32 - 2;
            let half = held(a, exponent.div_euclid(2));
            let significand = [1.0, 1.25, 1.5, 1.75][(random.next_u64() % 4) as usize];
            vector.a.push(encoded(a, half, significand));
            vector.b.push(encoded(b, exponent - half, 1.0));
        }
        [vector.clone(), Vector { c: more, ..vector }]
    });
    let mut decreases = |both: &[Vector; 2]| {
        let [less, more] = both.each_ref().map(|vector| d.to_f64(evaluate(vector)));
        more < less
    };
    published(interface).into_iter().chain(tried).find(|both| decreases(both))
}
