//! Section 4.3: accumulation order, normalisation, carry-out bits.

use super::*;
use crate::literature::run::{Answered, results};

/// Whether all results are the same.
fn alike(answered: &[Answered]) -> Reading {
    Reading::Truth(answered.windows(2).all(|pair| pair[0].number == pair[1].number))
}

/// 1, 2^-24 and 3 * 2^-25 in each three of the four places b[0], b[1], b[2] and c: a sum rounded after each addition depends
/// on which two come first.
fn places(bench: &Bench) -> Questions {
    let half = -bench.precision();
    let values = [Value::power(0), Value::power(half), Value::of(3, half - 1)];
    let orders = (0..64).map(|order| [order / 16, order / 4 % 4, order % 4]);
    let distinct = orders.filter(|[i, j, k]| i != j && j != k && i != k);
    let sums = distinct.map(|order| {
        let mut terms = [Value::ZERO; 4];
        order.iter().zip(values).for_each(|(place, value)| terms[*place] = value);
        let names: Vec<&str> = order.iter().map(|place| ["b[0]", "b[1]", "b[2]", "c"][*place]).collect();
        let label = format!("1, half and 3/4 of a unit in its last place as {}", names.join(", "));
        (label, products_of(bench, &terms[..3]).addend(terms[3]))
    });
    Questions::of(bench, sums)
}

/// So many products of the largest significands, and an addend of the largest significand.
fn largest(bench: &Bench, count: usize) -> Questions {
    let below_two = |precision: u32| Value::power(1) - Value::power(1 - precision as i32);
    let factors = Term::Factors(below_two(bench.a.precision()), below_two(bench.b.precision()));
    let sum = (0..count).fold(Sum::default(), |sum, position| sum.at(position, factors));
    one(bench, "products of the largest significands, and such a c", sum.addend(below_two(bench.c.precision())))
}

pub(super) fn experiments() -> Vec<Experiment> {
    [orders(), carries()].concat()
}

fn orders() -> Vec<Experiment> {
    // 1.8124666213989258 * 2^-2.
    let addend = Value::of(15_204_072, -25);
    vec![
        Experiment {
            name: "accumulation-order",
            question: "Is the result the same wherever the terms stand?",
            source: "section 4.3, property 3; vectors chosen here: 1, 2^-24, 3 * 2^-25 in three of four places",
            products: 3,
            whole: true,
            fits: with_addend,
            vectors: places,
            read: alike,
            published: [
                on_all(&WIDE, &Reading::Truth(true), "section 4.3"),
                // Not on the matrix unit, but a sequence of fused multiply-adds, whose properties are quite different.
                vec![on(("A100", "ampere-mma-m8n8k4-fp16-fp32"), Reading::Truth(false), "section 3.1")],
            ]
            .concat(),
        },
        Experiment {
            name: "normalisation",
            question: "Is a sum of two products lost beside c that would count if it were normalised first?",
            source: "section 4.3, property 4; authors' page, normalization during accumulation",
            products: 2,
            whole: true,
            fits: with_addend,
            vectors: |bench| {
                let factors = [
                    Term::Factors(Value::of(543, -24), Value::of(1931, -21)),
                    Term::Factors(Value::power(-14), Value::power(-24)),
                ];
                let sum = Sum::default().at(0, factors[0]).at(1, factors[1]).addend(Value::of(15_204_072, -25));
                one(bench, "543 * 2^-24 times 1931 * 2^-21, 2^-14 times 2^-24, and c = 15204072 * 2^-25", sum)
            },
            read: results,
            published: on_all(&WIDE, &Reading::number(addend), "section 4.3; authors' page"),
        },
    ]
}

fn carries() -> Vec<Experiment> {
    // 0x418fe001 and 0x4207e001.
    let (five_terms, nine_terms) = (Value::of(0x8f_e001, -19), Value::of(0x87_e001, -18));
    vec![
        Experiment {
            name: "three-carry-bits",
            question: "Does a sum need the third carry bit, and has it?",
            source: "section 4.3; authors' page, number of carry-out bits required due to lack of normalization",
            products: 4,
            whole: true,
            fits: with_addend,
            vectors: |bench| {
                let factors = [
                    (Value::of(1688, -15), Value::of(1087, -1)),
                    (Value::of(1808, -13), Value::of(2031, -4)),
                    (Value::of(3, 14), Value::of(1365, -21)),
                    (Value::power(10), Value::power(-7)),
                ];
                let sum = factors
                    .iter()
                    .enumerate()
                    .fold(Sum::default(), |sum, (position, (a, b))| sum.at(position, Term::Factors(*a, *b)));
                one(bench, "four products near or below 2^5, and c = 65525 * 2^-11", sum.addend(Value::of(65525, -11)))
            },
            read: results,
            published: on_all(&[VOLTA, TURING], &Reading::number(Value::power(7)), "section 4.3; authors' page"),
        },
        Experiment {
            name: "carry-bits-of-five-terms",
            question: "Does the sum of five largest terms keep all its carry bits?",
            source: "section 4.3, 3 extra bits for 5 terms; vector chosen here: a = b = 2 - 2^-10 four times, c = 2 - 2^-23",
            products: 4,
            whole: true,
            fits: with_addend,
            vectors: |bench| largest(bench, 4),
            read: results,
            published: on_all(&[VOLTA, TURING], &Reading::number(five_terms), "section 4.3"),
        },
        Experiment {
            name: "carry-bits-of-nine-terms",
            question: "Does the sum of nine largest terms keep all its carry bits?",
            source: "section 4.3, 4 extra bits for 9 terms, for which no solver found a vector; here a = b = 2 - 2^-10 eight times",
            products: 8,
            whole: true,
            fits: with_addend,
            vectors: |bench| largest(bench, 8),
            read: results,
            published: on_all(
                &[AMPERE],
                &Reading::number(nine_terms),
                "section 4.3, without a vector; algorithm 1, step 4",
            ),
        },
    ]
}
