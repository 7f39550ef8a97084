//! Final rounding, bits of results, normalisation, subnormals.

use super::*;
use crate::literature::Number;

pub(super) fn experiments() -> Vec<Experiment> {
    [rounding(), bits(), normalisation(), subnormals()].concat()
}

/// The quarters of 4, which are whole units of c; and whether the sum holds such a unit, with its exponent as the parameter.
fn quarters(bench: &Bench) -> Questions {
    let last = 1 - bench.d.precision() as i32;
    let one = Value::power(0);
    let mut questions = features::quarters(bench, |sign, count| {
        products_of(bench, &[sign; 3]).addend(sign * (one + Value::of(count, last)))
    });
    let unit = products_of(bench, &[-one]).addend(one + Value::power(last));
    questions.add("c = 1 and a unit in its last place, and -1", last, bench.vector(&unit, Fit::EXACT));
    questions
}

/// The direction of rounding, of the result and not of a shorter window.
fn direction(answered: &[Answered]) -> Reading {
    match answered {
        [quarters @ .., unit] if unit.number == Number::from(Value::power(unit.question.parameter)) => {
            features::direction(quarters)
        }
        _ => Reading::Undecided("the sum does not hold a unit in the last place of c, and is cut before it is rounded"),
    }
}

fn rounding() -> Vec<Experiment> {
    let cut = of_models(|_| Reading::Name("toward zero"));
    let nearest = of(&NARROW, |_| Reading::Name("to nearest, ties to even"));
    vec![Experiment {
        name: "final-rounding",
        question: "Which way is the normalised sum rounded to the result?",
        source: "MATLAB-tensor-core, frmode; vectors chosen here: 4 and quarters of a unit in its last place, as c and \
                 three times 1; 1 and a unit in its last place as c, and -1",
        products: 3,
        whole: true,
        fits: with_addend,
        vectors: quarters,
        read: direction,
        published: [cut, nearest].concat(),
    }]
}

/// The smallest term that remains beside 1.
fn result_bits(answered: &[Answered]) -> Reading {
    let kept = |own: &&Answered| own.number == Number::from(Value::power(0) + Value::power(-own.question.parameter));
    let last = answered.iter().filter(kept).map(|own| own.question.parameter).max();
    match last {
        Some(bits) if answered.iter().all(|own| own.question.parameter <= bits) => Reading::AtLeast(bits),
        None => Reading::Undecided("not even 1/2 is seen beside 1: flushed, or below the terms' least exponent"),
        _ => Reading::Count(last),
    }
}

fn bits() -> Vec<Experiment> {
    let fp8 = |own: &&Model| own.neab == -10;
    let thirteen = |own: &Model| Published::new(own.device, own.unit, Reading::Count(Some(13)), own.place);
    let whole = of_interleaved(&Reading::Count(Some(23)), "recordings, replayed");
    vec![Experiment {
        name: "result-bits",
        question: "How many fraction bits does the result have?",
        source: "MATLAB-tensor-core, neab = -10 for fp8: 13 bits; vectors chosen here: 1 + 2^-h, h from 1 to 60",
        products: 2,
        whole: false,
        fits: any,
        vectors: |bench| {
            let mut questions = Questions::default();
            for last in 1..=60 {
                let sum = Sum::default().at(bench.place(0), Value::power(0)).at(bench.place(1), Value::power(-last));
                questions.add(format!("1 + 2^-{last}"), last, bench.vector(&sum, Fit::EXACT));
            }
            questions
        },
        read: result_bits,
        published: MODELS
            .iter()
            .filter(fp8)
            .map(thirteen)
            // e4m3 operands have no product below 2^-18.
            .chain(whole.into_iter().filter(|own| own.unit.contains("e5m2")))
            .collect(),
    }]
}

fn normalisation() -> Vec<Experiment> {
    let normalised = |own: &&Model| !own.unit.contains("tf32");
    let yes = |own: &Model| Published::new(own.device, own.unit, Reading::Truth(true), own.place);
    vec![Experiment {
        name: "normalised-once",
        question: "Does the result decrease while c grows, because the sum is normalised once?",
        source: "MATLAB-tensor-core, normalization patterns; vectors chosen here: c just below 1, then 1, and 3 to 12 small terms; 1, \
                 1/2 and 3/4 of a unit in all places",
        products: 12,
        whole: false,
        fits: with_addend,
        vectors: features::carried,
        read: features::decreases,
        published: MODELS.iter().filter(normalised).filter(|own| own.unit != "blackwell-e4m3-fp32").map(yes).collect(),
    }]
}

fn subnormals() -> Vec<Experiment> {
    vec![Experiment {
        name: "subnormals",
        question: "Do subnormal operands and a subnormal addend count?",
        source: "MATLAB-tensor-core, in_subnormals = 1, out_subnormals = 1; vectors chosen here: the least subnormal a, and the least c",
        products: 1,
        whole: true,
        fits: |bench| bench.has_addend && bench.c.subnormals && bench.a.subnormals,
        vectors: |bench| {
            let least = |format: &crate::describe::format::Format| {
                Value::power(format.exponent_min() - format.fraction_bits as i32)
            };
            let half = Value::power(bench.c.exponent_min() - 1);
            let product = Term::Factors(least(&bench.a), Value::power(bench.b.exponent_max().min(60)));
            let sums = [
                ("the least subnormal a, times a large b".to_owned(), Sum::default().at(0, product)),
                ("half of the least normal c".to_owned(), Sum::default().addend(half).reading(half)),
            ];
            Questions::of(bench, sums)
        },
        read: |answered| Reading::Truth(answered.iter().all(features::remains)),
        published: of_models(|_| Reading::Truth(true)),
    }]
}
