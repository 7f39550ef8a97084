//! What the authors' public programs (github.com/LLNL/FTTN) ask beside the named tests above: the direction of rounding where c is
//! a term, three extra bits under rounding to nearest, extra bits during accumulation (T_pres_extra_acc), the precision behind
//! results of the operands' format, monotonicity with large numbers.
//!
//! Constants are those of `fp16in.cpp` and of its copies for bf16, tf32 and binary64, with the formats' precision for 24 and 11. Two
//! things are changed. An accumulator with two extra bits keeps the program's smallest terms too, so that smaller ones are asked
//! here. And 1 - 2^-23 cut to binary16 is 1 - 2^-11, where the program waits for 1 - 2^-10; any result below 1 is taken here.

use super::*;
use crate::literature::Number;
use crate::literature::run::decreases;

/// p, of results, and of addends where they are shorter: 24 for binary32.
fn precision(bench: &Bench) -> i32 {
    bench.precision()
}

pub(super) fn experiments() -> Vec<Experiment> {
    [rounding(), accumulation(), narrow(), monotonicity()].concat()
}

/// Vectors of `directions`.
const DIRECTIONS: usize = 4;

/// 2 and 3/4 of a unit in its last place, as two products and as a product and c, for both signs; c is 2, then the small one.
fn directions(bench: &Bench) -> Questions {
    let small = Value::of(3, -precision(bench));
    let signs = [("", Value::power(0)), ("-", -Value::power(0))];
    let products = signs.map(|(name, sign)| {
        let sum = in_places(&[sign * small, sign * Value::power(1)]);
        (format!("{name}(2 and 3/4 of a unit), as products"), sum)
    });
    let addend = [
        ("2 and 3/4 of a unit, 2 as c".to_owned(), in_places(&[small]).addend(Value::power(1))),
        ("-(2 and 3/4 of a unit), 2 as the product".to_owned(), in_places(&[-Value::power(1)]).addend(-small)),
    ];
    Questions::of(bench, products.into_iter().chain(addend))
}

/// The direction that 3/4 of a unit beside 2 and -2 shows.
fn direction(answered: &[Answered]) -> &'static str {
    let kept = |own: &Answered, sign: i128| own.number == Number::from(Value::of(2 * sign, 0));
    let away = |own: &Answered, sign: i128| {
        let grown = own.number.value().map(|value| Value::of(sign, 0) * value - Value::power(1));
        grown.is_some_and(|grown| !grown.is_zero() && !grown.is_negative())
    };
    match answered {
        [positive, negative] if kept(positive, 1) && kept(negative, -1) => "toward zero",
        [positive, negative] if away(positive, 1) && away(negative, -1) => "to nearest",
        [positive, negative] if kept(positive, 1) && away(negative, -1) => "downward",
        [positive, negative] if away(positive, 1) && kept(negative, -1) => "upward",
        _ => "otherwise",
    }
}

/// The direction of both kinds of sums, where it is the same.
fn common(answered: &[Answered]) -> Option<&'static str> {
    let (products, addend) = answered.split_at_checked(DIRECTIONS / 2)?;
    Some(direction(products)).filter(|own| *own == direction(addend))
}

fn rounding() -> Vec<Experiment> {
    vec![
        Experiment {
            name: "rounding-direction-of-addend",
            question: "Which way is a sum rounded, of two products, and of a product and c?",
            source: "fp16in.cpp, initial rounding mode of a11b11+a12b21 and of a11b11+c11, for both output formats: 2 and 2^-23 + 2^-24; \
                     2^-10 + 2^-11 for fp16 results",
            products: 2,
            whole: true,
            fits: with_addend,
            vectors: directions,
            read: |answered| {
                let kinds = answered.chunks(DIRECTIONS / 2).map(direction);
                Reading::Each(kinds.map(Reading::Name).collect())
            },
            published: Vec::new(),
        },
        Experiment {
            name: "three-bits-to-nearest",
            question: "Are three bits below the last place kept, where the result is rounded to nearest?",
            source: "fp16in.cpp, T_3_bits_fin_rnd: 1.25 - (2^-3 + 2^-24 + 2^-26)",
            products: 2,
            whole: true,
            fits: with_addend,
            vectors: |bench| {
                let (p, mut questions) = (precision(bench), directions(bench));
                let small = Value::power(-3) + Value::power(-p) + Value::power(-p - 2);
                let sum = products_of(bench, &[Value::of(5, -2)]).addend(-small);
                let vector = bench.vector(&sum, Fit::EXACT);
                // A unit in the last place of the result.
                questions.add("1.25, and c = -(2^-3 + 5/8 of a unit)", 1 - p, vector);
                questions
            },
            read: |answered| match answered.split_last_chunk::<1>() {
                Some((first, [last])) if common(first) == Some("to nearest") => {
                    let below = Value::of(9, -3) - Value::power(last.question.parameter);
                    Reading::Truth(last.number == Number::from(below))
                }
                _ => Reading::Undecided("sums are not rounded to nearest"),
            },
            published: Vec::new(),
        },
    ]
}

/// Parameters of the first vectors of `preserved`: 1 beside two terms of half a unit, in all three places.
const TWO_TERMS: i32 = 0;
/// Halvings of the second of these terms, at most: 2, 4 and 8 terms in its place.
const HALVINGS: i32 = 3;

/// 1 and twice half a unit, in all places; then c = 1, half a unit, and 2^k terms that are as much together, with k.
fn preserved(bench: &Bench) -> Questions {
    let (one_of, half) = (Value::power(0), Value::power(-precision(bench)));
    let mut questions = Questions::default();
    for large in [2, 0, 1] {
        let value = |place: usize| if place == large { one_of } else { half };
        let sum = in_places(&[value(0), value(1)]).addend(value(2));
        let label = format!("1 in place {large}, and twice half a unit");
        questions.add(label, TWO_TERMS, bench.vector(&sum, Fit::EXACT));
    }
    for halvings in 1..=HALVINGS {
        let terms = [vec![half], vec![half.shifted(-halvings); 1 << halvings]].concat();
        let label = format!("c = 1, half a unit, and {} terms of it together", terms.len() - 1);
        questions.add(label, halvings, bench.vector(&in_places(&terms).addend(one_of), Fit::EXACT));
    }
    questions
}

fn is_preserved(answered: &[Answered]) -> Reading {
    let (places, smaller): (Vec<_>, Vec<_>) = answered.iter().partition(|own| own.question.parameter == TWO_TERMS);
    let lost = |own: &&Answered| own.number == Number::from(Value::power(0));
    Reading::Name(if places.len() < 3 {
        return Reading::Undecided("the formats do not have its terms");
    } else if places.iter().any(|own| own.number != places[0].number) {
        "no, the order decides"
    } else if places.iter().all(lost) {
        "no, both terms are lost"
    } else if smaller.iter().any(lost) {
        "yes, and smaller terms are lost one by one"
    } else {
        "yes, and no smaller terms are lost, or they are added first"
    })
}

fn accumulation() -> Vec<Experiment> {
    vec![Experiment {
        name: "extra-bits-in-accumulation",
        question: "Are extra bits kept while several terms are added?",
        source: "fp16in.cpp, T_pres_extra_acc: 1 and twice 2^-24 in all places; c = 1, 2^-24 and twice 2^-25; four and eight \
                 smaller terms are chosen here",
        products: 9,
        whole: false,
        fits: with_addend,
        vectors: preserved,
        read: is_preserved,
        published: Vec::new(),
    }]
}

/// The directions; then 1 and half a unit, 1 and half a unit and twice an eighth of it, and 1 less a far product.
fn behind(bench: &Bench) -> Questions {
    let (p, mut questions) = (precision(bench), directions(bench));
    let (one_of, half, eighth) = (Value::power(0), Value::power(-p), Value::power(-p - 3));
    let sums = [
        ("1, and half a unit", products_of(bench, &[one_of, half])),
        (
            "1, half a unit and an eighth of it, and c that eighth",
            products_of(bench, &[one_of, half + eighth]).addend(eighth),
        ),
        ("1, and a far product below 0", {
            Sum::default().at(0, one_of).at(1, Term::Factors(-Value::power(2 - p), eighth))
        }),
    ];
    for (label, sum) in sums {
        questions.add(label, 0, bench.vector(&sum, Fit::EXACT));
    }
    questions
}

fn narrow() -> Vec<Experiment> {
    vec![Experiment {
        name: "precision-behind-result",
        question: "Are sums kept with at least three bits more than results of the operands' format have?",
        source: "fp16in.cpp, full computation in 32 bits where the output is fp16: 1 + 2^-11 beside 1 + (2^-11 + 2^-14) + 2^-14 \
                 where sums are rounded to nearest; 1 - 2^-9 * 2^-14 where they are cut",
        products: 2,
        whole: true,
        fits: |bench| bench.has_addend && bench.d == bench.a && bench.a == bench.b && bench.c == bench.d,
        vectors: behind,
        read: |answered| {
            let Some((first, [tie, above, far])) = answered.split_last_chunk::<3>() else {
                return Reading::Undecided("the formats do not have its terms");
            };
            match common(first) {
                Some("to nearest") => Reading::Truth(tie.number != above.number),
                Some("toward zero") => Reading::Truth(traces::below_one(far)),
                _ => Reading::Undecided("sums are rounded neither to nearest nor toward zero"),
            }
        },
        published: Vec::new(),
    }]
}

fn monotonicity() -> Vec<Experiment> {
    vec![Experiment {
        name: "monotonicity",
        question: "Does the result decrease while c grows to a power of two, beside eight times 1?",
        source: "fp16in.cpp, monotonicity for multi-term addition, where one extra bit is kept: c = 2^25 - 2, then 2^25, and 8 times 1",
        products: 8,
        whole: true,
        fits: with_addend,
        vectors: |bench| {
            let large = Value::power(precision(bench) + 1);
            let sum = |addend: Value| products_of(bench, &[Value::power(0); 8]).addend(addend);
            let sums = [("c = 2^(p+1) - 2, and 8 times 1", sum(large - Value::power(1))), ("c = 2^(p+1)", sum(large))];
            Questions::of(bench, sums.map(|(label, sum)| (label.to_owned(), sum)))
        },
        read: decreases,
        published: Vec::new(),
    }]
}
