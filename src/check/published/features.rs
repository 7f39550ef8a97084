//! Questions that several works ask of every format, with parameters instead of constants: which way a sum is rounded, how
//! many products are summed together, whether a sum is normalised once.

use super::{Answered, Questions, Reading};
use crate::check::probe::{Bench, Fit, Sum, Value};

/// Quarters of a unit in the last place above an even number: the neighbours 0, 4 and 8, and what is rounded to one of them.
const QUARTERS: [i128; 7] = [0, 1, 2, 3, 4, 6, 8];

/// Products of these values in the first positions, each split between both factors: no operand is subnormal that need not be.
pub(super) fn in_places(values: &[Value]) -> Sum {
    values.iter().enumerate().fold(Sum::default(), |sum, (position, value)| sum.at(position, *value))
}

/// Vectors that show the direction of rounding: a sum with so many quarters, for both signs.
pub(super) fn quarters(bench: &Bench, sum: impl Fn(Value, i128) -> Sum) -> Questions {
    let mut questions = Questions::default();
    for (name, sign) in [("", 1), ("-", -1)] {
        for count in QUARTERS {
            let label = format!("{name}(an even number + {count}/4 of a unit)");
            questions.add(label, count as i32, bench.vector(&sum(Value::of(sign, 0), count), Fit::EXACT));
        }
    }
    questions
}

/// For 1, 2, 3 and 6 quarters of one sign: whether the magnitude grew; none where a result is neither neighbour.
fn grows(answered: &[Answered]) -> Option<[bool; 4]> {
    let [zero, one, two, three, four, six, eight] = answered else { return None };
    let between = |low: &Answered, own: &Answered, high: &Answered| match own.number {
        number if low.number == high.number || ![low.number, high.number].contains(&number) => None,
        number => Some(number == high.number),
    };
    Some([
        between(zero, one, four)?,
        between(zero, two, four)?,
        between(zero, three, four)?,
        between(four, six, eight)?,
    ])
}

/// The direction of rounding that the quarters show.
pub(super) fn direction(answered: &[Answered]) -> Reading {
    let (positive, negative) = answered.split_at(answered.len() / 2);
    let (never, always) = ([false; 4], [true; 4]);
    Reading::Name(match (grows(positive), grows(negative)) {
        (Some(positive), Some(negative)) => match (positive, negative) {
            both if both == (never, never) => "toward zero",
            both if both == (always, always) => "away from zero",
            both if both == (never, always) => "downward",
            both if both == (always, never) => "upward",
            (one, other) if one == other && one == [false, false, true, true] => "to nearest, ties to even",
            (one, other) if one == other && one == [false, true, true, true] => "to nearest, ties away",
            (one, other) if one == other && one == [true, true, true, false] => "to odd",
            _ => "otherwise",
        },
        _ => "otherwise",
    })
}

/// Exponents of a large and a small term that no window holds together, and that all formats of a and b have.
pub(super) const LARGE: i32 = 15;
pub(super) const SMALL: i32 = -18;

/// A large addend, its negative as the first product, and a small product in each other position up to the last.
pub(super) fn block_width(bench: &Bench, last: usize) -> Questions {
    let mut questions = Questions::default();
    for position in 1..=last {
        let sum =
            Sum::default().at(0, -Value::power(LARGE)).at(position, Value::power(SMALL)).addend(Value::power(LARGE));
        let label = format!("c = 2^{LARGE}, -2^{LARGE}, and 2^{SMALL} in position {position}");
        questions.add(label, position as i32, bench.vector(&sum, Fit::EXACT));
    }
    questions
}

/// Whether the result is a number other than zero.
pub(super) fn remains(answered: &Answered) -> bool {
    answered.number.value().is_some_and(|value| !value.is_zero())
}

/// The first parameter from which the result is not zero.
pub(super) fn first_kept(answered: &[Answered]) -> Reading {
    Reading::Count(answered.iter().find(|own| remains(own)).map(|answered| answered.question.parameter))
}

/// Numbers of small terms that show a single normalisation of an accumulator with 0, 1 and 2 bits below the result's last place.
const COUNTS: [usize; 3] = [4, 6, 12];

/// An addend just below 1, then 1, each beside small terms: for accumulators with 0, 1 and 2 more bits.
pub(super) fn carried(bench: &Bench) -> Questions {
    let below = Value::power(0) - Value::power(-bench.precision());
    let mut questions = Questions::default();
    for (extra, count) in COUNTS.into_iter().enumerate() {
        for (name, addend) in [("just below 1", below), ("1", Value::power(0))] {
            let small = Value::power(-bench.precision() - extra as i32);
            let sum = in_places(&vec![small; count]).addend(addend);
            let label = format!("c = {name}, and {count} times 2^-{extra} of half a unit in its last place");
            questions.add(label, extra as i32, bench.vector(&sum, Fit::EXACT));
        }
    }
    questions
}

/// Whether the result decreases while the addend grows, for any of the pairs.
pub(super) fn decreases(answered: &[Answered]) -> Reading {
    let values = |pair: &[Answered]| match pair {
        [below, one] => below.number.value().zip(one.number.value()),
        _ => None,
    };
    let pairs = answered.chunks(2).filter_map(values);
    Reading::Truth(pairs.into_iter().any(|(below, one)| (one - below).is_negative()))
}
