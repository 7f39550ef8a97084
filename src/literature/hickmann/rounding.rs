//! Slides "Best Estimate of Tensor Core Microarchitecture" and "Results - Internal Architecture": rounding points, rounding of
//! C, subnormals.

use super::*;
use crate::check::probe::Term;
use crate::literature::Number;
use crate::literature::run::results;

const ESTIMATE: &str = "slide Best Estimate of Tensor Core Microarchitecture";

/// 1 + 2^-exponent.
fn one_and(exponent: i32) -> Value {
    Value::power(0) + Value::power(exponent)
}

/// So many times a value, then its negative.
fn signed(count: usize, value: Value) -> Reading {
    let positive = std::iter::repeat_n(value, count);
    Reading::numbers(positive.clone().chain(positive.map(|value| -value)))
}

/// The slides' constants are those of binary16.
fn binary16(bench: &Bench) -> bool {
    bench.d == bench.a && bench.d.precision() == 11
}

fn every_placement() -> Vec<Vec<usize>> {
    placements(ELEMENT).map(|places| places.to_vec()).collect()
}

/// The sum of 1, a power of two and 2^N, for N from -12 to -30, and negated.
fn narrow_widths(bench: &Bench, second: i32) -> Questions {
    let mut questions = Questions::default();
    for (sign, name) in [(1, ""), (-1, "-")] {
        sweep(bench, &mut questions, (-30..=-12).rev(), |exponent| {
            let terms = [0, second, exponent].map(|power| Value::of(sign, power));
            (format!("{name}(1 + 2^{second} + 2^{exponent})"), placed(ELEMENT, &terms, &[0, 1, 2]))
        });
    }
    questions
}

/// The least N for which the result is beyond what 1 and the second term give, for both signs.
fn least_seen(answered: &[Answered], without: Value) -> Reading {
    let seen = |answered: &&Answered| ![without, -without].map(Number::from).contains(&answered.number);
    let sweeps = answered.chunks(answered.len().div_ceil(2).max(1));
    Reading::Each(sweeps.map(|sweep| end_of(sweep, seen)).collect())
}

pub(super) fn experiments() -> Vec<Experiment> {
    [wide(), narrow(), narrow_width(), addend(), subnormals()].concat()
}

fn wide() -> Vec<Experiment> {
    vec![
        Experiment {
            name: "fp32-rounding",
            question: "Is what lies below the last place of the result cut, for both signs?",
            source: "slides, FP32 round test: +/- (1.0 + 2^-23 + 2^-24), in all placements",
            products: ELEMENT as u32,
            whole: true,
            fits: any,
            vectors: |bench| {
                let terms = [0, -23, -24].map(Value::power);
                both_signs(bench, "1, 2^-23, 2^-24", &terms, &every_placement())
            },
            read: results,
            published: on_all(&signed(24, one_and(-23)), ESTIMATE),
        },
        Experiment {
            name: "integer-overflow",
            question: "Is the sum normalised and cut again where it grows beyond 2?",
            source: "slides, integer overflow test: +/- (1.0 + 1.0 + 2^-23 + 2^-24), in all placements",
            products: ELEMENT as u32,
            whole: true,
            fits: any,
            vectors: |bench| {
                let terms = [0, -23, -24, 0].map(Value::power);
                // The fourth term has the place that is left: the places' numbers add up to 6.
                let placements: Vec<Vec<usize>> =
                    placements(ELEMENT).map(|[i, j, k]| vec![i, j, k, 6 - i - j - k]).collect();
                both_signs(bench, "1, 2^-23, 2^-24, 1", &terms, &placements)
            },
            read: results,
            published: on_all(&signed(24, Value::power(1)), ESTIMATE),
        },
    ]
}

fn narrow() -> Vec<Experiment> {
    vec![Experiment {
        name: "fp16-rounding",
        question: "Are results of binary16 rounded to nearest, ties to even?",
        source: "slides, FP16 round test: +/- (1.0 + 2^-10 + 2^-11), in all placements",
        products: ELEMENT as u32,
        whole: true,
        fits: binary16,
        vectors: |bench| {
            let terms = [0, -10, -11].map(Value::power);
            both_signs(bench, "1, 2^-10, 2^-11", &terms, &every_placement())
        },
        read: results,
        published: on(&NARROW, &signed(24, one_and(-9)), ESTIMATE),
    }]
}

fn narrow_width() -> Vec<Experiment> {
    let width = Reading::counts(vec![Some(-23); 2]);
    let erratum =
        "1 + 2^-10 is a number of binary16, and 2^-12 less than half a unit beside it: 2^-10 must be 2^-11, a tie";
    vec![
        Experiment {
            name: "fp16-datapath-width-as-printed",
            question: "Down to which N does 2^N change the rounding of 1 + 2^-10 to binary16?",
            source: "slides, FP16 datapath width: +/- (1.0 + 2^-10 + 2^N), N from -12 to -30",
            products: ELEMENT as u32,
            whole: true,
            fits: binary16,
            vectors: |bench| narrow_widths(bench, -10),
            read: |answered| least_seen(answered, one_and(-10)),
            published: on(&NARROW, &width, ESTIMATE)
                .into_iter()
                .map(|published| published.instead(Reading::counts(vec![None; 2]), erratum))
                .collect(),
        },
        Experiment {
            name: "fp16-datapath-width",
            question: "Down to which N does 2^N break the tie of 1 + 2^-11 in the rounding to binary16?",
            source: "slides, FP16 datapath width, with 2^-11 for the printed 2^-10: +/- (1.0 + 2^-11 + 2^N), N from -12 to -30",
            products: ELEMENT as u32,
            whole: true,
            fits: binary16,
            vectors: |bench| narrow_widths(bench, -11),
            read: |answered| least_seen(answered, Value::power(0)),
            published: on(&NARROW, &width, ESTIMATE),
        },
    ]
}

fn addend() -> Vec<Experiment> {
    let reason = "the catalogue cuts the sum of C and the products, as Fasi et al. 2021, section 3.1, found; public recordings of V100 agree";
    let place = "slide Results - Top-level Architecture: C added using RNE";
    let published = on_read(&signed(12, one_and(-22)), place, &signed(12, one_and(-23)), reason);
    vec![Experiment {
        name: "rounding-of-addend",
        question: "Is the sum of C and the products rounded to nearest, ties to even?",
        source: "slides, accumulator rounding; vectors chosen here: C = +/- 1, and 2^-23, 2^-24 in all placements over the products",
        products: ELEMENT as u32,
        whole: true,
        fits: with_addend,
        vectors: |bench| {
            let terms = [0, -23, -24].map(Value::power);
            let with_addend = placements(ELEMENT + 1).filter(|places| places[0] == ELEMENT);
            let placements: Vec<Vec<usize>> = with_addend.map(|places| places.to_vec()).collect();
            both_signs(bench, "1, 2^-23, 2^-24", &terms, &placements)
        },
        read: results,
        published,
    }]
}

fn subnormals() -> Vec<Experiment> {
    let place = "slide Results - Internal Architecture";
    let kept = "the catalogue keeps them, as Fasi et al. 2021, section 3.1.1, found on V100: 2^-149 is returned";
    let wide = [Value::power(-149), Value::power(-126) - Value::power(-149)];
    let [volta, own] = WIDE;
    vec![
        Experiment {
            name: "fp16-subnormals",
            question: "Do subnormal numbers count as what they are, as operands and as results?",
            source: "slides, results; vectors chosen here: 2^-24 * 1, and 2^-14 * 2^-1",
            products: 1,
            whole: true,
            fits: any,
            vectors: |bench| {
                let least = bench.a.exponent_min();
                let factors = |a: i32, b: i32| Sum::default().at(0, Term::Factors(Value::power(a), Value::power(b)));
                let sums = [
                    ("the least subnormal a, times 1".to_owned(), factors(least - bench.a.fraction_bits as i32, 0)),
                    ("the least normal a, times 1/2".to_owned(), factors(least, -1)),
                ];
                Questions::of(bench, sums)
            },
            read: results,
            published: on(&NARROW, &Reading::numbers([-24, -15].map(Value::power)), place),
        },
        Experiment {
            name: "fp32-subnormals",
            question: "Do subnormal numbers of binary32 count as what they are?",
            source: "slides, results; vectors chosen here: C alone, the least and the greatest subnormal number",
            products: 1,
            whole: true,
            fits: |bench| bench.has_addend && bench.c.precision() == 24,
            vectors: |bench| {
                let (least, normal) = (bench.c.exponent_min() - bench.c.fraction_bits as i32, bench.c.exponent_min());
                let values = [Value::power(least), Value::power(normal) - Value::power(least)];
                let labels = ["the least subnormal C", "the greatest subnormal C"];
                let sum = |(label, value): (&str, Value)| (label.to_owned(), Sum::default().addend(value));
                Questions::of(bench, labels.into_iter().zip(values).map(sum))
            },
            read: results,
            published: vec![
                Published::new("V100", volta, Reading::all(2, Value::ZERO), place)
                    .instead(Reading::numbers(wide), kept),
                Published::new("V100", own, Reading::all(2, Value::ZERO), place),
                Published::new("V100", READ, Reading::all(2, Value::ZERO), place),
            ],
        },
    ]
}
