//! Sections 4.2 and 4.3: sums that solvers found, as the authors' page prints them with the hardware's results.

use super::*;
use crate::literature::run::results;

/// A product and c.
fn sum(a: Value, b: Value, c: Value) -> Sum {
    Sum::default().at(0, Term::Factors(a, b)).addend(c)
}

pub(super) fn experiments() -> Vec<Experiment> {
    vec![intermediate(), below_power(), order()]
}

fn intermediate() -> Experiment {
    Experiment {
        name: "rounding-of-sums",
        question: "Which of the IEEE 754 roundings, no one of which fits all, does each sum agree with?",
        source: "section 4.2; authors' page, rounding of intermediate sums, with b = 1.5 * 2^14 in the first, where it prints \
                 2^-4: only that gives its results",
        products: 1,
        whole: true,
        fits: with_addend,
        vectors: |bench| {
            let tenth = |significand: i128, exponent: i32| Value::of(significand, exponent - 10);
            let sums = [
                ("1.5 * 2^15 times 1.5 * 2^14", tenth(1536, 15), tenth(1536, 14), tenth(-1027, 15)),
                ("1055 * 2^5 times 1790 * 2^5", tenth(1055, 15), tenth(1790, 15), tenth(1537, 8)),
                ("1810 * 2^5 times -1141 * 2^5", tenth(1810, 15), tenth(-1141, 15), tenth(1683, 2)),
                ("1825 * 2^-13 times 5 * 2^-24", tenth(1825, -3), tenth(5, -14), tenth(2043, -8)),
                ("1747 * 2^5 times -1807 * 2^3", tenth(1747, 15), tenth(-1807, 13), tenth(2045, 8)),
            ];
            Questions::of(bench, sums.map(|(label, a, b, c)| (format!("{label}, and c"), sum(a, b, c))))
        },
        read: results,
        published: vec![on(
            VOLTA,
            Reading::numbers([
                Value::of(9_436_927, 7),
                Value::of(15_107_603, 7),
                Value::of(-16_521_680, 7),
                Value::of(16_736_398, -31),
                Value::of(-12_627_308, 6),
            ]),
            "section 4.2; authors' page",
        )],
    }
}

fn below_power() -> Experiment {
    let reason = "the page marks rounding toward zero; the term is cut at 2^-10 where 23 fraction bits are kept, as its order of \
                  accumulation shows, and then no rounding of IEEE 754 fits";
    Experiment {
        name: "rounding-below-a-power-of-two",
        question: "Is a term cut that brings a sum below a power of two?",
        source: "section 4.2; authors' page, rounding of intermediate sums, the last of them",
        products: 1,
        whole: true,
        fits: with_addend,
        vectors: |bench| {
            let terms = sum(Value::power(1), Value::of(2047, -19), -Value::power(13));
            one(bench, "2 times 2047 * 2^-19, and c = -2^13", terms)
        },
        read: results,
        published: vec![
            on(VOLTA, Reading::number(Value::of(-16_777_200, -11)), "section 4.2; authors' page")
                .instead(Reading::number(Value::of(-16_777_202, -11)), reason),
        ],
    }
}

fn order() -> Experiment {
    Experiment {
        name: "order-of-two-products",
        question: "Is the sum of two products and c that which rounds c and one of them first?",
        source: "section 4.3, property 3; authors' page, accumulation order, with a = 1.9990234375 * 2^-1, of which it leaves out \
                 a digit",
        products: 2,
        whole: true,
        fits: with_addend,
        vectors: |bench| {
            let below_one = Value::of(2047, -11);
            let product = |a: Value| Term::Factors(a, below_one);
            let sum = Sum::default().at(0, product(below_one.shifted(-8))).at(1, product(below_one));
            one(
                bench,
                "2047 * 2^-19 and 2047 * 2^-11, both times 2047 * 2^-11, and c = 8406533 * 2^-8",
                sum.addend(Value::of(8_406_533, -8)),
            )
        },
        read: results,
        published: vec![on(VOLTA, Reading::number(Value::of(8_406_788, -8)), "section 4.3; authors' page")],
    }
}
