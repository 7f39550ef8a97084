//! Sections 4.1 and 4.2: precision and rounding.

use super::*;
use crate::literature::run::results;

pub(super) fn experiments() -> Vec<Experiment> {
    [precision(), rounding()].concat()
}

fn precision() -> Vec<Experiment> {
    vec![
        Experiment {
            name: "exact-multiplication",
            question: "Is a product exact that the operands' format cannot hold?",
            source: "table 1; a, printed as 1.2587890625 * 2^-15, is the subnormal 0.2587890625 * 2^-14 (0x0109)",
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
            source: "section 4.1, property 1; authors' page, precision of accumulation",
            products: 2,
            whole: true,
            fits: |bench| bench.d == bench.a,
            vectors: |bench| {
                let product = |b: i128| Term::Factors(Value::of(-2047, -11), Value::of(b, -11));
                one(
                    bench,
                    "-2047 * 2^-11 times -2047 * 2^-11 and times 1535 * 2^-11",
                    Sum::default().at(0, product(-2047)).at(1, product(1535)),
                )
            },
            read: results,
            published: on_all(&NARROW, &Reading::number(Value::of(2047, -13)), "section 4.1; authors' page"),
        },
    ]
}

fn rounding() -> Vec<Experiment> {
    let two = Value::power(1);
    // What rounding toward zero of the exact sum would give.
    let toward_zero = |(device, unit): (&'static str, &'static str)| {
        let place = "if it were as Fasi et al. say, section 4, point 2";
        let reason = "Fasi et al. call it binary32 additions with round-towards-zero, and find no guard digits, section 3.1.4: \
                      without them terms are cut";
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
            source: "section 4.2, property 2; authors' page, rounding of final result to half-precision",
            products: 1,
            whole: true,
            fits: |bench| bench.d == bench.a,
            vectors: |bench| {
                let product = |a: Value, b: Value| Sum::default().at(0, Term::Factors(a, b));
                let sums = [
                    ("1365 * 2^-23 times -3/4".to_owned(), product(Value::of(1365, -23), Value::of(-3, -2))),
                    ("1365 * 2^-19 times 3/4".to_owned(), product(Value::of(1365, -19), Value::of(3, -2))),
                    ("985 * 2^-24 times -1817 * 2^-19".to_owned(), product(Value::of(985, -24), Value::of(-1817, -19))),
                ];
                Questions::of(bench, sums)
            },
            read: results,
            published: on_all(
                &NARROW,
                &Reading::numbers([-Value::power(-13), Value::power(-9), Value::of(-3, -24)]),
                "section 4.2; authors' page",
            ),
        },
    ]
}
