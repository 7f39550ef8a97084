//! A100, as the authors' public programs ask it: github.com/north-numerical-computing/tensor-cores-numerical-behavior, one program
//! for each format of the operands, in parts A to D as section 3.1 has them. The journal's text (PeerJ Computer Science 7:e330)
//! reports A100 from them.
//!
//! What is compared is what a program expects, not what it printed. Two verdicts of the programs are overwritten before they are
//! printed, those of one exact product and of the second carry bit; they are compared all the same. The program for binary64 has
//! sums of two products, asks no subnormal addend, no exact product and no third carry bit, and takes either of two results after a
//! carry. Where a program has the vectors of an experiment of section 3.1 or 3.2, its reading stands there.

use super::accumulator::below_one;
use super::*;
use crate::literature::run::{Answered, decreases, results};

/// A program: the device, the unit that models what it tests, and its file.
pub(super) type Program = [&'static str; 3];

pub(super) const BINARY16: Program = ["A100", "ampere-fp16-fp32", "tc_test_numerics-T4-A100-binary16.cu"];
pub(super) const BINARY16_NARROW: Program = ["A100", "ampere-fp16-fp16", "tc_test_numerics-T4-A100-binary16.cu"];
const TURING: Program = ["T4", "turing-fp16-fp32", "tc_test_numerics-T4-A100-binary16.cu"];
const BFLOAT16: Program = ["A100", "ampere-bf16-fp32", "tc_test_numerics-A100-bf16.cu"];
const TF32: Program = ["A100", "ampere-tf32-fp32", "tc_test_numerics-A100-tf32.cu"];
pub(super) const BINARY64: Program = ["A100", "fma-fp64", "tc_test_numerics-A100-binary64.cu"];

/// Results of binary32.
pub(super) const SINGLE: [Program; 3] = [BINARY16, BFLOAT16, TF32];
/// The same with the range of binary32 for operands.
pub(super) const SINGLE_RANGE: [Program; 2] = [BFLOAT16, TF32];
/// Precision of the operands of [`SINGLE`].
pub(super) const PRECISIONS: [u32; 3] = [11, 8, 11];

/// What these programs expect.
pub(super) fn expected(programs: &[Program], reading: &Reading) -> Vec<Published> {
    let expect = |[device, unit, file]: &Program| Published::new(device, unit, reading.clone(), file);
    programs.iter().map(expect).collect()
}

/// What the programs for binary32 results expect, and what that for binary64 does.
pub(super) fn expected_of_both(single: Value, double: Value) -> Vec<Published> {
    [expected(&SINGLE, &Reading::number(single)), expected(&[BINARY64], &Reading::number(double))].concat()
}

pub(super) fn experiments() -> Vec<Experiment> {
    [single(), nearest(), of_two()].concat()
}

/// 1 and 4 small terms, 1 as c and then as each product: 2^-25 as products and 2^-24 as c, for binary32.
fn orders(bench: &Bench) -> Questions {
    let (one_of, small) = (Value::power(0), half_unit(bench, 1));
    let beside = products_of(bench, &[small; 4]).addend(one_of);
    let moved = (0..4).map(|large| {
        let value = |place: usize| if place == large { one_of } else { small };
        let sum = products_of(bench, &[0, 1, 2, 3].map(value)).addend(half_unit(bench, 0));
        (format!("1 as b[{large}], 3 times half of that, and c = half a unit in its last place"), sum)
    });
    let first = ("c = 1, and 4 times a quarter of a unit in its last place".to_owned(), beside);
    Questions::of(bench, std::iter::once(first).chain(moved))
}

/// What the programs ask beside the text's experiments; first where results are binary32.
fn single() -> Vec<Experiment> {
    vec![
        Experiment {
            name: "subnormal-operand-to-normal",
            question: "Does the least subnormal operand count, where the product is a normal number?",
            source: "programs for A100, part A: 2^-133 * 2^7 (bf16), 2^-136 * 2^10 (tf32), 2^-1074 * 2^52 (binary64)",
            products: 1,
            whole: true,
            fits: |bench| bench.a.subnormals,
            vectors: |bench| {
                let (least, bits) = (bench.a.exponent_min(), bench.a.fraction_bits as i32);
                let product = Term::Factors(Value::power(least - bits), Value::power(bits));
                one(bench, "the least subnormal a, times 2^f for f fraction bits", Sum::default().at(0, product))
            },
            read: results,
            published: [
                expected(&SINGLE_RANGE, &Reading::number(Value::power(-126))),
                expected(&[BINARY64], &Reading::number(Value::power(-1022))),
            ]
            .concat(),
        },
        Experiment {
            name: "order-of-additions-in-program",
            question: "Are small terms lost beside 1, wherever it stands, also where c is twice the other ones?",
            source: "programs for T4 and A100, part B: 1 as c and 4 times 2^-25; 1 as each product, 3 times 2^-25, c = 2^-24",
            products: 4,
            whole: true,
            fits: with_addend,
            vectors: orders,
            read: results,
            published: expected(&[TURING, BINARY16, BFLOAT16, TF32], &Reading::all(5, Value::power(0))),
        },
        Experiment {
            name: "final-rounding-below-zero",
            question: "Which way is the normalised sum rounded below zero: -5 if toward zero?",
            source: "programs, part D: c = -(1 + 2^-22 + 2^-23), and -1, -1, -1, -1",
            products: 4,
            whole: true,
            fits: with_addend,
            vectors: |bench| {
                let sum = rounding::four_and_behind_one(bench, -1);
                one(bench, "c = -1 less 3 units in its last place, and 4 times -1", sum)
            },
            read: results,
            published: expected(&[TURING, BINARY16, BFLOAT16, TF32], &Reading::number(Value::of(-5, 0))),
        },
    ]
}

/// Rounding to nearest, ties to even: the program for binary64, part C.
fn nearest() -> Vec<Experiment> {
    let (two, last) = (Value::power(1), Value::power(-51));
    vec![
        Experiment {
            name: "rounding-to-nearest",
            question: "Are additions rounded to nearest: is a quarter of a unit lost on both sides of 0?",
            source: "program for binary64 on A100, part C: 2 + 2^-53, and negated; 3/4 of a unit are rounding-of-additions",
            products: 2,
            whole: true,
            fits: any,
            vectors: |bench| {
                let small = half_unit(bench, 0);
                let sum = |sign: i128| products_of(bench, &[Value::of(2 * sign, 0), Value::of(sign, 0) * small]);
                let label = |sign: &str| format!("{sign}2 and 1/4 of a unit in its last place");
                Questions::of(bench, [(label(""), sum(1)), (label("-"), sum(-1))])
            },
            read: results,
            published: expected(&[BINARY64], &Reading::numbers([two, -two])),
        },
        Experiment {
            name: "ties-to-even",
            question: "Are ties rounded to even?",
            source: "program for binary64 on A100, part C: 2 + 2^-52, and (2 + 2^-51) + 2^-52",
            products: 2,
            whole: true,
            fits: any,
            vectors: |bench| {
                let (half, even) = (half_unit(bench, -1), Value::power(1));
                let sum = |first: Value| products_of(bench, &[first, half]);
                let odd = even + half_unit(bench, -2);
                let sums = [("2 and half a unit", sum(even)), ("2 and 3/2 of a unit", sum(odd))];
                Questions::of(bench, sums.map(|(label, sum)| (label.to_owned(), sum)))
            },
            read: results,
            published: expected(&[BINARY64], &Reading::numbers([two, two + last.shifted(1)])),
        },
    ]
}

/// c, and two products.
fn beside(bench: &Bench, label: &str, addend: Value, products: [Value; 2]) -> (String, Sum) {
    (label.to_owned(), products_of(bench, &products).addend(addend))
}

/// Whether each result is 2, or 2 and two units in its last place, the parameter of the first.
fn is_even(answered: &[Answered]) -> Reading {
    let units = Value::power(answered.first().map_or(0, |own| own.question.parameter));
    let even = |own: &Answered| [Value::power(1), Value::power(1) + units].map(Some).contains(&own.number.value());
    Reading::Truth(answered.iter().all(even))
}

/// The order of two products beside a c whose sum with 1 carries.
fn carry(bench: &Bench) -> Questions {
    let (one_of, unit) = (Value::power(0), half_unit(bench, -1));
    let addend = one_of + unit + unit.shifted(1);
    let mut questions = Questions::of(
        bench,
        [[unit, one_of], [one_of, unit]].map(|products| {
            beside(bench, "c = 1 and 3 units in its last place, 1 and a unit, in both orders", addend, products)
        }),
    );
    // Two units in the last place of 2.
    questions.asked.iter_mut().for_each(|question| question.parameter = 3 - bench.precision());
    questions
}

/// Two small products beside 1 or the number just below it as c.
fn small(bench: &Bench, addends: &[Value], terms: [Value; 2]) -> Questions {
    let sums = addends.iter().map(|addend| match *addend == Value::power(0) {
        true => beside(bench, "c = 1, and two small terms", *addend, terms),
        false => beside(bench, "c just below 1, and two small terms", *addend, terms),
    });
    Questions::of(bench, sums)
}

/// Sums of two products and c: the program for binary64, parts B and D.
fn of_two() -> Vec<Experiment> {
    let one_of = Reading::number(Value::power(0));
    let experiment = |name, question, source, vectors, read, reading: &Reading| Experiment {
        name,
        question,
        source,
        products: 2,
        whole: true,
        fits: with_addend,
        vectors,
        read,
        published: expected(&[BINARY64], reading),
    };
    vec![
        experiment(
            "two-small-terms",
            "Are two terms of a quarter of a unit lost beside 1?",
            "program for binary64 on A100, part B: c = 1, and twice 2^-54",
            |bench| small(bench, &[Value::power(0)], [half_unit(bench, 1); 2]),
            results,
            &one_of,
        ),
        experiment(
            "normalisation-of-two",
            "Is the sum rounded when it reaches 1, before the next term?",
            "program for binary64 on A100, part D, 2: c = 1 - 2^-53, and twice 2^-53",
            |bench| small(bench, &[below_one(bench)], [half_unit(bench, 0); 2]),
            results,
            &one_of,
        ),
        experiment(
            "carry-of-two",
            "Is the result even after a carry, 2 or 2 units in the last place above it, in both orders?",
            "program for binary64 on A100, part D, 4: c = 1 + 2^-51 + 2^-52, and 1 and 2^-52; it takes 2 and 2 + 2^-50",
            carry,
            is_even,
            &Reading::Truth(true),
        ),
        experiment(
            "monotonicity-of-two",
            "Does the result decrease while c grows from just below 1 to 1?",
            "program for binary64 on A100, part D, 5: c = 1 - 2^-53, then 1, and 2^-54 and 2^-53 + 2^-54",
            |bench| {
                let least = half_unit(bench, 1);
                small(bench, &[below_one(bench), Value::power(0)], [least, least + least.shifted(1)])
            },
            decreases,
            &Reading::Truth(false),
        ),
    ]
}
