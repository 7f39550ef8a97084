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

/// 1 and four small terms in all five places, for accumulators with 0, 1 and 2 more bits, that number
/// as the parameter.
pub(super) fn orders(bench: &Bench) -> Questions {
    let mut questions = Questions::default();
    for extra in 0..3 {
        for large in 0..5 {
            let value = |place: usize| match place == large {
                true => Value::power(0),
                false => Value::power(-bench.precision() - extra),
            };
            let sum = in_places(&[0, 1, 2, 3].map(value)).addend(value(4));
            let label = format!("1 in place {large}, and 4 times 2^-{extra} of half a unit in its last place");
            questions.add(label, extra, bench.vector(&sum, Fit::EXACT));
        }
    }
    questions
}

/// Whether the result is a number other than zero.
pub(super) fn remains(answered: &Answered) -> bool {
    answered.number.value().is_some_and(|value| !value.is_zero())
}

/// Extra bits of an accumulator below the result's last place, and numbers of small terms that show a single normalisation.
const EXTRA_BITS: [(i32, usize); 3] = [(0, 4), (1, 6), (2, 12)];

/// Parameter of the vectors that show the order of additions.
const ORDER: i32 = -1;

/// An addend just below 1, then 1, each beside small terms: for accumulators with 0, 1 and 2 more bits; with equal terms, and with
/// a greater last one, which takes fewer of them. Then 1, 1/2 and 3/4 of a unit in its last place in all three places.
pub(super) fn carried(bench: &Bench) -> Questions {
    let mut questions = Questions::default();
    let power = Value::power;
    let last = -bench.precision();
    let addends = [("just below 1", power(0) - power(last)), ("1", power(0))];
    for (extra, count) in EXTRA_BITS {
        let small = power(last - extra);
        let equal = vec![small; count];
        let fewer = [vec![small; (1 << extra) + 1], vec![small * Value::of((2 << extra) - 1, 0)]].concat();
        for terms in [equal, fewer] {
            let vectors = addends.map(|(_, addend)| bench.vector(&in_places(&terms).addend(addend), Fit::EXACT));
            let whole = vectors.iter().all(Option::is_some);
            for ((name, _), vector) in addends.into_iter().zip(vectors) {
                let label =
                    format!("c = {name}, and {} times 2^-{extra} of half a unit in its last place", terms.len());
                questions.add(label, extra, vector.filter(|_| whole));
            }
        }
    }
    let values = [power(0), power(last), Value::of(3, last - 1)];
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        let [first, second, addend] = order.map(|value| values[value]);
        let label = format!("1, 1/2 and 3/4 of a unit in its last place, in the order {order:?} of places");
        questions.add(label, ORDER, bench.vector(&in_places(&[first, second]).addend(addend), Fit::EXACT));
    }
    questions
}

/// Whether the result decreases while the addend grows, for any of the pairs; that it does not tells only of sums whose order
/// matters.
pub(super) fn decreases(answered: &[Answered]) -> Reading {
    let (order, pairs): (Vec<&Answered>, Vec<_>) = answered.iter().partition(|own| own.question.parameter == ORDER);
    let values = |pair: &[&Answered]| match pair {
        [below, one] => below.number.value().zip(one.number.value()),
        _ => None,
    };
    if pairs.chunks(2).filter_map(values).any(|(below, one)| (one - below).is_negative()) {
        return Reading::Truth(true);
    }
    match order.windows(2).all(|pair| pair[0].number == pair[1].number) {
        true => Reading::Undecided("an exact sum does not decrease, nor one of more bits than the vectors are for"),
        false => Reading::Truth(false),
    }
}
