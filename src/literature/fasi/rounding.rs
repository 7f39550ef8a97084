//! Section 3.1.3, rounding modes; and the rounding of the normalised sum in section 3.1.4.

use super::*;
use crate::literature::run::results;

/// Four times 1, and as c 1 and 3 units in its last place; all of that sign.
pub(super) fn four_and_behind_one(bench: &Bench, sign: i128) -> Sum {
    let (own, addend) = (Value::of(sign, 0), Value::power(0) + half_unit(bench, -1) + half_unit(bench, -2));
    products_of(bench, &[own; 4]).addend(own * addend)
}

pub(super) fn experiments() -> Vec<Experiment> {
    let two = Value::power(1);
    let nearest = two + Value::power(-51);
    vec![
        Experiment {
            name: "rounding-of-additions",
            question: "Which way are additions rounded: 2, and -2, if toward zero?",
            source: "section 3.1.3: 2 + (2^-23 + 2^-24), and negated",
            products: 2,
            whole: true,
            fits: any,
            vectors: |bench| {
                let small = half_unit(bench, 0) + half_unit(bench, -1);
                let sum = |sign: i128| {
                    let sign = Value::of(sign, 0);
                    products_of(bench, &[sign * Value::power(1), sign * small])
                };
                let label = |sign: &str| format!("{sign}2 and 3/4 of a unit in its last place");
                Questions::of(bench, [(label(""), sum(1)), (label("-"), sum(-1))])
            },
            read: results,
            published: [
                everywhere(&Reading::numbers([two, -two]), "section 3.1.3"),
                expected(&[BINARY64], &Reading::numbers([nearest, -nearest])),
            ]
            .concat(),
        },
        Experiment {
            name: "rounding-to-narrow-result",
            question: "Is the sum rounded to nearest, or upward, to a result of the operands' format?",
            source: "section 3.1.3: 2^-24 * 2^-1 + 2^-24 * 2^-2 to binary16",
            products: 2,
            whole: true,
            fits: |bench| bench.d == bench.a,
            vectors: |bench| {
                let least = Value::power(bench.a.exponent_min() - bench.a.fraction_bits as i32);
                let product = |exponent: i32| Term::Factors(least, Value::power(exponent));
                one(bench, "3/4 of the least subnormal", Sum::default().at(0, product(-1)).at(1, product(-2)))
            },
            read: results,
            published: everywhere_narrow(&Reading::number(Value::power(-24)), "section 3.1.3"),
        },
        Experiment {
            name: "final-rounding",
            question: "Which way is the normalised sum rounded: 5 if toward zero?",
            source: "section 3.1.4: c = 1 + 2^-22 + 2^-23, and 1, 1, 1, 1",
            products: 4,
            whole: true,
            fits: with_addend,
            vectors: |bench| {
                one(bench, "c = 1 and 3 units in its last place, and 4 times 1", four_and_behind_one(bench, 1))
            },
            read: results,
            published: everywhere(&Reading::number(Value::of(5, 0)), "section 3.1.4"),
        },
    ]
}
