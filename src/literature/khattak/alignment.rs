//! Block size, extra alignment bits, sticky bit, least anchor.

use super::*;
use crate::literature::Number;
use crate::literature::run::results;

/// Twice the largest block.
const LONGEST: usize = 64;

/// Fraction bits of binary32, from which neab counts.
const FRACTION_BITS: i32 = 23;

/// The large terms are 2^11, so that fp8 operands have small ones far enough away.
const LARGE: i32 = 11;

/// Farthest small term: as many bits below the large ones, and where formats have no more as far as they go.
const DISTANCE_MAX: i32 = 72;

/// Places of the two large terms and the small one: a sum that aligns all of them is the same in any.
const PLACES: [[usize; 3]; 3] = [[0, 1, 2], [0, 2, 1], [1, 2, 0]];

pub(super) fn experiments() -> Vec<Experiment> {
    [sizes(), anchors()].concat()
}

fn distances(bench: &Bench) -> Questions {
    let mut questions = Questions::default();
    for places in PLACES {
        for distance in 1..=DISTANCE_MAX {
            let small = Value::power(LARGE - distance);
            let terms = [Value::power(LARGE), -Value::power(LARGE), small].into_iter().zip(places);
            let sum = terms.fold(Sum::default(), |sum, (term, place)| sum.at(bench.place(place), term));
            let label = format!("2^{LARGE}, -2^{LARGE}, 2^{} in {places:?}", LARGE - distance);
            questions.add(label, distance, bench.vector(&sum.reading(small), Fit::EXACT));
        }
    }
    questions
}

/// The farthest term that remains wherever it stands, less the fraction bits of binary32.
fn extra_bits(answered: &[Answered]) -> Reading {
    let kept = |own: &&Answered| own.number == Number::from(Value::power(LARGE - own.question.parameter));
    let farthest = answered.iter().map(|own| own.question.parameter).max();
    let sweeps = answered.chunk_by(|own, next| own.question.parameter < next.question.parameter);
    let mut remains = sweeps.map(|sweep| sweep.iter().filter(kept).map(|own| own.question.parameter).max());
    let first = remains.next().flatten();
    if remains.any(|other| other != first) {
        return Reading::Undecided("how far terms remain depends on their places: not all are aligned to one exponent");
    }
    match first {
        Some(distance) if first == farthest => Reading::AtLeast(distance - FRACTION_BITS),
        _ => Reading::Count(first.map(|distance| distance - FRACTION_BITS)),
    }
}

fn sizes() -> Vec<Experiment> {
    vec![
        Experiment {
            name: "fma-size",
            question: "How many products are added before a single normalisation?",
            source: "MATLAB-tensor-core, fma; vectors chosen here: c large, its negative first, and a small product in position i; and \
                     these three in all places",
            products: LONGEST as u32,
            whole: false,
            fits: with_addend,
            vectors: blocks::block_width,
            read: blocks::width,
            published: [&MODELS[..], &NARROW].map(|models| of(models, |own| Reading::Count(Some(own.fma)))).concat(),
        },
        Experiment {
            name: "extra-alignment-bits",
            question: "How many bits below the 23 fraction bits of binary32 does alignment keep?",
            source: "MATLAB-tensor-core, neab; vectors chosen here: 2^11 - 2^11 + 2^N, N from 10 down, in three orders",
            products: 3,
            whole: false,
            fits: any,
            vectors: distances,
            read: extra_bits,
            published: [&MODELS[..], &NARROW].map(|models| of(models, |own| Reading::Count(Some(own.neab)))).concat(),
        },
        Experiment {
            name: "sticky-bit",
            question: "Do bits that alignment shifts out leave a trace, so that they change the rounding of a sum?",
            source: "MATLAB-tensor-core, stkbitenabled = 0; vectors chosen here: 1, and a far c below 0; 1, and c a little above \
                     half a unit, where the result is rounded to nearest",
            products: 2,
            whole: false,
            fits: with_addend,
            vectors: traces::sticky,
            read: traces::sticky_read,
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
