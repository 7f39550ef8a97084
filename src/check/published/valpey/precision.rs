//! Sections 4.1 and 4.2: precision and rounding.

use super::*;
use crate::check::published::run::results;

/// 1 less a unit in the last place of a factor.
fn below_one(precision: u32) -> Value {
    Value::power(0) - Value::power(-(precision as i32))
}

pub(super) fn experiments() -> Vec<Experiment> {
    [precision(), rounding()].concat()
}

fn precision() -> Vec<Experiment> {
    vec![
        Experiment {
            name: "exact-multiplication",
            question: "Is a product exact that the operands' format cannot hold?",
            source: "table 1; a is 265 * 2^-24 (0x0109), whose product with b is the printed one: the printed a is no binary16 number",
            products: 1,
            whole: true,
            fits: any,
            vectors: |bench| {
                let factors = Term::Factors(Value::of(265, -24), Value::of(1401, -11));
                one(bench, "265 * 2^-24 times 1401 * 2^-11", Sum::default().at(0, factors))
            },
            read: results,
            published: on_all(&WIDE, &Reading::number(Value::of(265 * 1401, -35)), "table 1"),
        },
        Experiment {
            name: "accumulation-for-narrow-result",
            question: "Is the accumulation more precise than a result of the operands' format?",
            source: "section 4.1, property 1; vector chosen here: (1 - 2^-11)^2 + (1 - 2^-11) * 2^-11",
            products: 2,
            whole: true,
            fits: |bench| bench.d == bench.a,
            vectors: |bench| {
                let (a, b) = (below_one(bench.a.precision()), below_one(bench.b.precision()));
                let rest = Term::Factors(a, Value::power(-(bench.b.precision() as i32)));
                one(bench, "(1 - 2^-p)^2 + (1 - 2^-p) * 2^-p", Sum::default().at(0, Term::Factors(a, b)).at(1, rest))
            },
            read: results,
            published: on_all(&NARROW, &Reading::number(below_one(11)), "section 4.1"),
        },
    ]
}

fn rounding() -> Vec<Experiment> {
    let tenth = |count: i128| Value::of(count, -10);
    let two = Value::power(1);
    // What rounding toward zero of the exact sum would give.
    let toward_zero = |(device, unit): (&'static str, &'static str)| {
        let place = "Fasi et al. 2021, section 4, point 2";
        let reason = "Fasi et al. conclude that additions round toward zero, which their sums do not tell from cutting each term";
        on((device, unit), Reading::number(two - Value::power(-23)), place).instead(Reading::number(two), reason)
    };
    vec![
        Experiment {
            name: "truncated-not-toward-zero",
            question: "Are lost bits of a term cut, and not the exact sum rounded toward zero?",
            source: "table 3: a = 2, b = 1, c = -2^-40",
            products: 1,
            whole: true,
            fits: with_addend,
            vectors: |bench| {
                let sum = products_of(bench, &[Value::power(1)]).addend(-Value::power(-40));
                one(bench, "2, and c = -2^-40", sum)
            },
            read: results,
            published: [
                on_all(&[VOLTA, TURING], &Reading::number(two), "table 3"),
                [VOLTA, TURING].map(toward_zero).to_vec(),
            ]
            .concat(),
        },
        Experiment {
            name: "rounding-to-narrow-result",
            question: "Is a result of the operands' format rounded to nearest, ties to even?",
            source: "section 4.2, property 2; vectors chosen here: single products half way between two numbers of binary16",
            products: 1,
            whole: true,
            fits: |bench| bench.d == bench.a,
            vectors: |bench| {
                let tenth = |count: i128| Value::of(count, -10);
                let product = |a: i128, b: i128| Sum::default().at(0, Term::Factors(tenth(a), tenth(b)));
                let sums = [
                    ("(1 + 2^-10) * 1.5".to_owned(), product(1025, 1536)),
                    ("-(1 + 2^-10) * 1.5".to_owned(), product(-1025, 1536)),
                    ("(1 + 2^-9) * 1.25".to_owned(), product(1026, 1280)),
                ];
                Questions::of(bench, sums)
            },
            read: results,
            published: on_all(
                &NARROW,
                &Reading::numbers([tenth(1538), -tenth(1538), tenth(1282)]),
                "section 4.2; algorithm 1, step 8",
            ),
        },
    ]
}
