//! Whether what lies far below the last place of a sum leaves a trace: in results that are cut, and in such that are rounded to
//! nearest.

use super::terms::products_of;
use super::{Answered, Number, Questions, Reading};
use crate::check::probe::{Bench, Fit, Sum, Value};

/// 2 and 3/2 of a unit in its last place, which a carry shifts out after all terms are added: cut or rounded to nearest.
pub(super) fn carry(bench: &Bench) -> (String, Sum) {
    let addend = Value::power(0) + Value::of(3, 1 - bench.precision());
    ("1, and c = 1 and 3 units in its last place".to_owned(), products_of(bench, &[Value::power(0)]).addend(addend))
}

/// A unit in the last place of 2, as an exponent: the parameter of that vector.
pub(super) fn carry_parameter(bench: &Bench) -> i32 {
    2 - bench.precision()
}

/// Whether 2 and so many of those units came out of that vector.
fn carried(answered: &Answered, units: i128) -> bool {
    answered.number == Number::from(Value::power(1) + Value::of(units, answered.question.parameter))
}

/// Whether the result is cut.
pub(super) fn is_cut(answered: &Answered) -> bool {
    carried(answered, 1)
}

/// A term far below the last place of 1: twice the precision of results and more, if c has it.
pub(super) fn far(bench: &Bench) -> Value {
    Value::power(-(2 * bench.precision() + 10).min(-bench.c.exponent_min()))
}

/// Whether the result is below 1.
pub(super) fn below_one(answered: &Answered) -> bool {
    answered.number.value().is_some_and(|value| (value - Value::power(0)).is_negative())
}

/// Whether the result is above 1.
fn above_one(answered: &Answered) -> bool {
    answered.number.value().is_some_and(|value| (Value::power(0) - value).is_negative())
}

/// 1 less a far term; how results are rounded; 1 and a little more than half a unit. Then, with the exponent of its last bit as the
/// parameter, each of the two terms as c and as a product beside 1 and -1: where it comes out whole, nothing was lost.
pub(super) fn sticky(bench: &Bench) -> Questions {
    let mut questions = Questions::default();
    let one = Value::power(0);
    let half = Value::power(-bench.precision());
    let terms = [-far(bench), half + half.shifted(1 - bench.precision())];
    let mut add = |label: String, parameter: i32, sum: Sum| {
        questions.add(label, parameter, bench.vector(&sum, Fit::EXACT));
    };
    add(format!("1, and c = {}", Number::from(terms[0])), terms[0].last(), products_of(bench, &[one]).addend(terms[0]));
    let (label, sum) = carry(bench);
    add(label, carry_parameter(bench), sum);
    let label = "1, and c = half a unit and its last place".to_owned();
    add(label, terms[1].last(), products_of(bench, &[one]).addend(terms[1]));
    if !questions.left_out.is_empty() {
        questions.asked.clear();
        return questions;
    }
    let mut add = |label: String, parameter: i32, sum: Sum| {
        questions.add(label, parameter, bench.vector(&sum, Fit::EXACT));
    };
    for term in terms {
        let name = Number::from(term);
        add(format!("1, -1, and c = {name}"), term.last(), Sum::default().at(0, one).at(1, -one).addend(term));
        add(format!("c = 1, {name}, and -1"), term.last(), Sum::default().at(0, term).at(1, -one).addend(one));
    }
    questions
}

/// Whether there is a trace of what is lost.
pub(super) fn sticky_read(answered: &[Answered]) -> Reading {
    let [below, carry, tie, rest @ ..] = answered else {
        return Reading::Undecided("the formats do not have its terms");
    };
    let half = |last: i32| Value::power((last - 1) / 2) + Value::power(last);
    let (seen, term) = match (below_one(below), is_cut(carry), carried(carry, 2)) {
        (true, ..) => (below, -Value::power(below.question.parameter)),
        (_, true, _) => return Reading::Truth(false),
        (_, _, true) if above_one(tie) => (tie, half(tie.question.parameter)),
        (_, _, true) => return Reading::Truth(false),
        _ => return Reading::Undecided("the result is neither cut nor rounded to nearest"),
    };
    let mut same = rest.iter().filter(|own| own.question.parameter == seen.question.parameter);
    match same.all(|own| own.number.value() == Some(term)) {
        true => {
            Reading::Undecided("the far term comes out whole beside 1 and -1, as in an exact sum or a wider window")
        }
        false => Reading::Truth(true),
    }
}
