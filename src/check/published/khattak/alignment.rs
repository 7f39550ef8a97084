//! Block size, extra alignment bits, sticky bit, least anchor.

use super::*;
use crate::check::published::Number;
use crate::check::published::run::results;

/// Twice the largest block.
const LONGEST: usize = 64;

/// Fraction bits of binary32, from which neab counts.
const FRACTION_BITS: i32 = 23;

/// The large terms are 2^11, so that fp8 operands have small ones far enough away.
const LARGE: i32 = 11;

pub(super) fn experiments() -> Vec<Experiment> {
    [sizes(), anchors()].concat()
}

fn distances(bench: &Bench) -> Questions {
    let mut questions = Questions::default();
    for distance in 1..=36 {
        let terms = [Value::power(LARGE), -Value::power(LARGE), Value::power(LARGE - distance)];
        let sum = terms.into_iter().enumerate().fold(Sum::default(), |sum, (place, term)| sum.at(place, term));
        questions.add(
            format!("2^{LARGE} - 2^{LARGE} + 2^{}", LARGE - distance),
            distance,
            bench.vector(&sum, Fit::EXACT),
        );
    }
    questions
}

/// The farthest term that remains, less the fraction bits of binary32.
fn extra_bits(answered: &[Answered]) -> Reading {
    let kept = |own: &&Answered| own.number == Number::from(Value::power(LARGE - own.question.parameter));
    let farthest = answered.iter().filter(kept).map(|own| own.question.parameter).max();
    Reading::Count(farthest.map(|distance| distance - FRACTION_BITS))
}

fn sizes() -> Vec<Experiment> {
    vec![
        Experiment {
            name: "fma-size",
            question: "How many products are added before a single normalisation?",
            source: "MATLAB-tensor-core, fma; vectors chosen here: c = 2^15, -2^15 first, and 2^-18 in position i",
            products: LONGEST as u32,
            whole: true,
            fits: with_addend,
            vectors: |bench| features::block_width(bench, LONGEST - 1),
            read: features::first_kept,
            published: [&MODELS[..], &NARROW].map(|models| of(models, |own| Reading::Count(Some(own.fma)))).concat(),
        },
        Experiment {
            name: "extra-alignment-bits",
            question: "How many bits below the 23 fraction bits of binary32 does alignment keep?",
            source: "MATLAB-tensor-core, neab; vectors chosen here: 2^11 - 2^11 + 2^N, N from 10 to -25",
            products: 3,
            whole: false,
            fits: any,
            vectors: distances,
            read: extra_bits,
            published: [&MODELS[..], &NARROW].map(|models| of(models, |own| Reading::Count(Some(own.neab)))).concat(),
        },
        Experiment {
            name: "sticky-bit",
            question: "Do bits that alignment shifts out leave a trace, so that 1 less a small term is below 1?",
            source: "MATLAB-tensor-core, stkbitenabled = 0; vector chosen here: 1, and c = -2^-40",
            products: 1,
            whole: true,
            fits: with_addend,
            vectors: |bench| {
                let sum = products_of(bench, &[Value::power(0)]).addend(-Value::power(-40));
                Questions::of(bench, [("1, and c = -2^-40".to_owned(), sum)])
            },
            read: |answered| {
                let below = |value: Value| (value - Value::power(0)).is_negative();
                Reading::Truth(answered.iter().all(|own| own.number.value().is_some_and(below)))
            },
            published: of_models(|_| Reading::Truth(false)),
        },
    ]
}

fn anchors() -> Vec<Experiment> {
    let reading = Reading::numbers([Value::power(-149), Value::ZERO]);
    let on = |(device, unit, place)| Published::new(device, unit, reading.clone(), place);
    vec![Experiment {
        name: "least-anchor",
        question: "Are terms aligned to 2^-133 at least: is 2^-158 kept beside 511 * 2^-158, and 2^-159 lost beside 1023 * 2^-159?",
        source: "MATLAB-tensor-core, min_exp_limit = -133; vectors chosen here for 25 fraction bits, sums of 2^-149 each",
        products: 2,
        whole: true,
        fits: |bench| bench.a.exponent_min() <= -126 && bench.d.precision() == 24,
        vectors: |bench| {
            let sum = |significand: i128, exponent: i32| {
                let sum = Sum::default().at(0, Value::of(significand, exponent)).at(1, Value::power(exponent));
                (format!("{significand} * 2^{exponent} + 2^{exponent}"), sum)
            };
            Questions::of(bench, [sum(511, -158), sum(1023, -159)])
        },
        read: results,
        published: [
            ("H100", "hopper-bf16-fp32", H100),
            ("H100", "hopper-tf32-fp32", H100),
            ("B200", "hopper-bf16-fp32", B200),
            ("B200", "hopper-tf32-fp32", B200),
        ]
        .map(on)
        .to_vec(),
    }]
}
