//! Section 3.1.4, features of the accumulator: guard digits, normalisation, carry out, monotonicity; and of section 3.2 the
//! same for an accumulator with one more bit.

use super::*;
use crate::literature::run::{Answered, decreases, results};

/// The largest addend below 1.
pub(super) fn below_one(bench: &Bench) -> Value {
    Value::power(0) - half_unit(bench, 0)
}

/// Four terms that carry an addend just below 1 to 1 + 2^-23, but not beyond 1 where they are cut beside 1: 2^-24 four times;
/// with one more bit half of that three times, and 3/2 of it.
fn carrying(bench: &Bench, next_bit: i32) -> [Value; 4] {
    let small = half_unit(bench, next_bit);
    let last = if next_bit == 0 { small } else { small + small.shifted(1) };
    [small, small, small, last]
}

fn beside(bench: &Bench, next_bit: i32, addend: Value) -> Sum {
    products_of(bench, &carrying(bench, next_bit)).addend(addend)
}

fn monotonicity(bench: &Bench, next_bit: i32) -> Questions {
    let sums = [
        ("c just below 1, and 4 small terms".to_owned(), beside(bench, next_bit, below_one(bench))),
        ("c = 1, and the same terms".to_owned(), beside(bench, next_bit, Value::power(0))),
    ];
    Questions::of(bench, sums)
}

fn subtraction(bench: &Bench, next_bit: i32) -> Questions {
    let values = [Value::power(0), -half_unit(bench, next_bit)];
    one(bench, "c just above -1, 1, and a small negative term", products_of(bench, &values).addend(-below_one(bench)))
}

pub(super) fn experiments() -> Vec<Experiment> {
    [bottom_bits(), normalisation(), carries(), monotonic()].concat()
}

/// Extra bits from which four terms are less than a unit of the result: then they are lost in it, kept or not.
const BITS_SHOWN: i32 = 2;

/// The fewest bits below which all terms are lost, wherever 1 stands.
fn bits_kept(answered: &[Answered]) -> Reading {
    let lost = |own: &Answered| own.number == Value::power(0).into();
    for places in answered.chunk_by(|own, next| own.question.parameter == next.question.parameter) {
        let bits = places[0].question.parameter;
        if places.iter().any(|own| own.number != places[0].number) {
            return Reading::Undecided("the result depends on where 1 stands: sums are rounded one after the other");
        }
        match (lost(&places[0]), bits) {
            (true, BITS_SHOWN..) => return Reading::AtLeast(BITS_SHOWN),
            (true, _) => return Reading::Count(Some(bits)),
            (false, BITS_SHOWN..) => {
                return Reading::Undecided("terms leave a trace that are too small for a unit of the result");
            }
            _ => (),
        }
    }
    let asked = answered.iter().map(|own| own.question.parameter + 1).max();
    asked.map_or(Reading::Undecided("the formats do not have its terms"), Reading::AtLeast)
}

fn bottom_bits() -> Vec<Experiment> {
    vec![guard_digit(), extra_bits()]
}

fn extra_bits() -> Experiment {
    Experiment {
        name: "extra-bits",
        question: "How many bits are kept below the last place of 1?",
        source: "section 3.2, constants that depend on the number of extra bits; here 1 and 4 times 2^-24, 2^-25 and \
                 2^-26, all five places",
        products: 4,
        whole: false,
        fits: with_addend,
        vectors: features::orders,
        read: bits_kept,
        published: [
            on_volta(Reading::Count(Some(0)), "sections 3.1.4 and 3.2, {3.23}"),
            on_turing(Reading::Count(Some(1)), "section 3.2, {3.24}"),
            vec![in_valpey(Reading::Count(Some(0)), Reading::Count(Some(1)))],
        ]
        .concat(),
    }
}

fn guard_digit() -> Experiment {
    Experiment {
        name: "guard-digit",
        question: "Is a bit kept below the last place of the larger term?",
        source: "section 3.1.4, extra bits in the alignment of significands: 1 and c = -1 + 2^-24; section 3.2: {3.24} on T4",
        products: 1,
        whole: true,
        fits: with_addend,
        vectors: |bench| {
            one(bench, "1, and c just above -1", products_of(bench, &[Value::power(0)]).addend(-below_one(bench)))
        },
        read: results,
        published: [
            on_volta(Reading::number(Value::power(-23)), "section 3.1.4"),
            on_turing(Reading::number(Value::power(-24)), "section 3.2"),
            vec![in_valpey(Reading::number(Value::power(-23)), Reading::number(Value::power(-24)))],
            expected_of_both(Value::power(-24), Value::power(-53)),
        ]
        .concat(),
    }
}

fn normalisation() -> Vec<Experiment> {
    let carried = Value::power(0) + Value::power(-23);
    vec![
        Experiment {
            name: "normalisation-in-addition",
            question: "Do terms still count after the sum has passed 1, because it is not normalised before the end?",
            source: "section 3.1.4, normalization in addition: c = 1 - 2^-24 and 4 times 2^-24",
            products: 4,
            whole: true,
            fits: with_addend,
            vectors: |bench| one(bench, "c just below 1, and 4 small terms", beside(bench, 0, below_one(bench))),
            read: results,
            published: [
                on_volta(Reading::number(carried), "section 3.1.4"),
                expected(&SINGLE, &Reading::number(carried)),
            ]
            .concat(),
        },
        Experiment {
            name: "normalisation-in-addition-next-bit",
            question: "The same with smaller terms, for an accumulator with one more bit: is the result above 1?",
            source: "section 3.2; here c = 1 - 2^-24, and 2^-25, 2^-25, 2^-25, 3 * 2^-25",
            products: 4,
            whole: true,
            fits: with_addend,
            vectors: |bench| one(bench, "c just below 1, and 4 small terms", beside(bench, 1, below_one(bench))),
            read: |answered| {
                let above = |value: Value| !(value - Value::power(0)).is_negative() && value != Value::power(0);
                Reading::Truth(answered.iter().all(|answered| answered.number.value().is_some_and(above)))
            },
            published: on_turing(Reading::Truth(true), "section 3.2"),
        },
        Experiment {
            name: "normalisation-in-subtraction",
            question: "Is a term lost after 1 and c have cancelled, because the difference is not normalised before the end?",
            source: "section 3.1.4, normalization in subtraction: c = -1 + 2^-24, 1 and -2^-24",
            products: 2,
            whole: true,
            fits: with_addend,
            vectors: |bench| subtraction(bench, 0),
            read: results,
            published: [
                on_volta(Reading::number(Value::power(-23)), "section 3.1.4"),
                expected_of_both(Value::ZERO, Value::ZERO),
            ]
            .concat(),
        },
        Experiment {
            name: "normalisation-in-subtraction-next-bit",
            question: "The same with a term of half that size, for an accumulator with one more bit: is it lost?",
            source: "section 3.2; here c = -1 + 2^-24, 1 and -2^-25",
            products: 2,
            whole: true,
            fits: with_addend,
            vectors: |bench| {
                let mut questions = subtraction(bench, 1);
                let without = products_of(bench, &[Value::power(0)]).addend(-below_one(bench));
                questions.asked.extend(one(bench, "the same without that term", without).asked);
                questions
            },
            read: |answered| Reading::Truth(matches!(answered, [with, without] if with.number == without.number)),
            published: on_turing(Reading::Truth(true), "section 3.2"),
        },
    ]
}

fn carries() -> Vec<Experiment> {
    let place = "section 3.1.4";
    let exact = Value::power(2) + Value::power(-21);
    vec![
        Experiment {
            name: "carry-second-bit",
            question: "Are the last bits of c kept while the sum grows beyond 4, so that a carry out of them is not lost?",
            source: "section 3.1.4, extra bits for carry out: c = 1 + 2^-22 + 2^-23, and 1, 1, 1, 2^-23 in any order",
            products: 4,
            whole: true,
            fits: with_addend,
            vectors: |bench| {
                let (one_of, unit) = (Value::power(0), half_unit(bench, -1));
                let sums = (0..4).map(|small| {
                    let value = |place: usize| if place == small { unit } else { one_of };
                    let sum = products_of(bench, &[0, 1, 2, 3].map(value)).addend(one_of + unit + unit.shifted(1));
                    (format!("c = 1 and 3 units in its last place, 3 times 1, and one such unit as b[{small}]"), sum)
                });
                Questions::of(bench, sums)
            },
            read: results,
            published: everywhere(&Reading::all(4, exact), place),
        },
        Experiment {
            name: "carry-third-bit",
            question: "Is the sum right where every addition carries?",
            source: "section 3.1.4, extra bits for carry out: c = 1.875, and 1, 1.5, 1.75, 1.875",
            products: 4,
            whole: true,
            fits: with_addend,
            vectors: |bench| {
                let values = [8, 12, 14, 15].map(|eighths| Value::of(eighths, -3));
                one(bench, "c = 1.875, and 1, 1.5, 1.75, 1.875", products_of(bench, &values).addend(values[3]))
            },
            read: results,
            published: everywhere(&Reading::number(Value::power(3)), place),
        },
    ]
}

fn monotonic() -> Vec<Experiment> {
    let carried = Value::power(0) + Value::power(-23);
    vec![
        Experiment {
            name: "monotonicity",
            question: "Does the result decrease while c grows from just below 1 to 1?",
            source: "section 3.1.4, monotonicity of dot product: c = 1 - 2^-24, then 1, and 4 times 2^-24",
            products: 4,
            whole: true,
            fits: with_addend,
            vectors: |bench| monotonicity(bench, 0),
            read: results,
            published: on_volta(Reading::numbers([carried, Value::power(0)]), "section 3.1.4"),
        },
        Experiment {
            name: "monotonicity-next-bit",
            question: "The same with smaller terms, for an accumulator with one more bit: does the result decrease?",
            source: "section 4, point 6; here c = 1 - 2^-24, then 1, and 2^-25, 2^-25, 2^-25, 3 * 2^-25",
            products: 4,
            whole: true,
            fits: with_addend,
            vectors: |bench| monotonicity(bench, 1),
            read: decreases,
            published: [on_turing(Reading::Truth(true), "section 4"), expected(&SINGLE, &Reading::Truth(true))]
                .concat(),
        },
    ]
}
