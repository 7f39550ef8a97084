//! Section 6, table 5: inputs for which the sum is more accurate with c inside the unit than with c added to its result.

use super::*;
use crate::literature::run::results;

/// The products of the table; the exponent of b1 is printed as -7.
fn products(exponent: i32) -> Sum {
    let tenth = |significand: i128, exponent: i32| Value::of(significand, exponent - 10);
    let small = Term::Factors(Value::power(-12), Value::power(-12));
    let factors = [
        // 1.0009765625 and 1.998046875; 1.326171875 * 2^-14 and 1.4443359375 * 2^-7.
        Term::Factors(tenth(1025, -8), tenth(2046, exponent)),
        Term::Factors(tenth(1358, -14), tenth(1479, -7)),
        small,
        small,
    ];
    factors.into_iter().enumerate().fold(Sum::default(), |sum, (position, term)| sum.at(position, term))
}

pub(super) fn experiments() -> Vec<Experiment> {
    let above = Value::power(0) + Value::power(-23);
    let erratum = "with the printed b1, 1.998046875 * 2^-7, the first product is about 2^-14 and the sum far below 1: it must be 2^7";
    // 68309649 * 2^-40, cut to 24 bits.
    let printed = Value::of(8_538_706, -37);
    vec![
        Experiment {
            name: "addend-inside-or-outside",
            question: "Is 1 + 2^-23 reached with c inside, and 1 with c left out, to which 2^-24 then adds nothing?",
            source: "table 5 and its steps 1 to 7, with b1 = 1.998046875 * 2^7",
            products: 4,
            whole: true,
            fits: with_addend,
            vectors: |bench| {
                let sums = [
                    ("the products of table 5, c = 2^-24".to_owned(), products(7).addend(Value::power(-24))),
                    ("the products of table 5, c = 0".to_owned(), products(7)),
                ];
                Questions::of(bench, sums)
            },
            read: results,
            published: on_all(&WIDE, &Reading::numbers([above, Value::power(0)]), "table 5"),
        },
        Experiment {
            name: "table-5-as-printed",
            question: "Does table 5 give 1 + 2^-23 with the numbers that are printed?",
            source: "table 5, with b1 = 1.998046875 * 2^-7",
            products: 4,
            whole: true,
            fits: with_addend,
            vectors: |bench| {
                let sum = products(-7).addend(Value::power(-24));
                one(bench, "table 5 as printed, c = 2^-24", sum)
            },
            read: results,
            published: on_all(&WIDE, &Reading::number(above), "table 5")
                .into_iter()
                .map(|published| published.instead(Reading::number(printed), erratum))
                .collect(),
        },
    ]
}
