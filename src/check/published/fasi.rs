//! Fasi, Higham, Mikaitis, Pranesh: Numerical behavior of NVIDIA tensor cores. Section 3.1 was measured on V100, and again on
//! T4 for section 3.2; A100 was not measured.
//!
//! Where the text has the constants of a format of its table 3 they are taken from the subject's formats: the least
//! subnormal and the least normal operand, and units in the last place of results.

use super::{Experiment, Published, Questions, Reading};
use crate::check::probe::{Bench, Sum, Term, Value};

const WIDE: [(&str, &str); 2] = [("V100", "volta-fp16-fp32"), ("T4", "turing-fp16-fp32")];
const NARROW: [(&str, &str); 2] = [("V100", "volta-fp16-fp16"), ("T4", "turing-fp16-fp16")];

/// Of T4 the work says that all conclusions remain valid but for one more bit at the bottom of the accumulator.
const AGAIN: &str = "section 3.2";

pub(super) fn experiments() -> Vec<Experiment> {
    subnormals()
}

/// The same reading on V100 and, as section 3.2 says, on T4.
fn on(units: &[[(&'static str, &'static str); 2]], reading: &Reading, place: &'static str) -> Vec<Published> {
    let both = |[volta, turing]: &[(&'static str, &'static str); 2]| {
        [(volta, place), (turing, AGAIN)]
            .map(|((device, unit), place)| Published::new(device, unit, reading.clone(), place))
    };
    units.iter().flat_map(both).collect()
}

fn all_formats(_: &Bench) -> bool {
    true
}

/// The one result.
fn result(answered: &[super::Answered]) -> Reading {
    Reading::Numbers(answered.iter().map(|answered| answered.number).collect())
}

/// A single vector.
fn one(bench: &Bench, label: &str, sum: Sum) -> Questions {
    Questions::of(bench, [(label.to_owned(), sum)])
}

fn subnormals() -> Vec<Experiment> {
    let power = Value::power;
    vec![
        Experiment {
            name: "subnormal-operand",
            question: "Do subnormal operands count as what they are?",
            source: "section 3.1.1: a = 2^-24, b = 2^2",
            products: 1,
            whole: true,
            fits: |bench| bench.a.subnormals,
            vectors: |bench| {
                let least = Value::power(bench.a.exponent_min() - bench.a.fraction_bits as i32);
                one(
                    bench,
                    "the least subnormal a, times 4",
                    Sum::default().at(0, Term::Factors(least, Value::power(2))),
                )
            },
            read: result,
            published: on(&[WIDE, NARROW], &Reading::number(power(-22)), "section 3.1.1"),
        },
        Experiment {
            name: "subnormal-addend",
            question: "Does a subnormal addend count as what it is?",
            source: "section 3.1.1: c = 2^-149",
            products: 1,
            whole: true,
            fits: |bench| bench.has_addend && bench.c.subnormals,
            vectors: |bench| {
                let least = Value::power(bench.c.exponent_min() - bench.c.fraction_bits as i32);
                one(bench, "the least subnormal c", Sum::default().addend(least))
            },
            read: result,
            published: on(&[WIDE], &Reading::number(power(-149)), "section 3.1.1"),
        },
        Experiment {
            name: "subnormal-result",
            question: "Do normal operands give subnormal results?",
            source: "section 3.1.1: 2^-14 * 2^-1, and 2^-14 * 1 with c = -2^-15",
            products: 1,
            whole: true,
            fits: all_formats,
            vectors: |bench| {
                let least = bench.a.exponent_min();
                let product = |b: i32| Sum::default().at(0, Term::Factors(Value::power(least), Value::power(b)));
                let sums = [
                    ("the least normal a, times 1/2".to_owned(), product(-1)),
                    (
                        "the least normal a, less half of it as c".to_owned(),
                        product(0).addend(-Value::power(least - 1)),
                    ),
                ];
                Questions::of(bench, sums)
            },
            read: result,
            published: on(&[WIDE, NARROW], &Reading::all(2, power(-15)), "section 3.1.1"),
        },
    ]
}
