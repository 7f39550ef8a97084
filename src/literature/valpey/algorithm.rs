//! Algorithm 1, step by step: what the model says where other works say something else.

use super::*;
use crate::literature::blocks;
use crate::literature::run::results;

/// Products of the block-size vectors: one more than the largest block has.
const LONGEST: u32 = 33;

pub(super) fn experiments() -> Vec<Experiment> {
    [terms(), shifted_bits(), products(), not_a_number()].concat()
}

fn terms() -> Vec<Experiment> {
    let xie = |device| on(device, Reading::Count(Some(8)), "Xie et al., arXiv 2511.10909");
    let four =
        "Xie et al. have 8; Fasi et al. set all but 4 products to zero, and Valpey et al. used HMMA.884, which has 4";
    vec![Experiment {
        name: "products-of-a-block",
        question: "How many products are summed together?",
        source: "algorithm 1, inputs: four terms, eight on Ampere; vectors chosen here: c = 1, -1 first, and a small product in \
                 position i; and these three in all places",
        products: LONGEST,
        whole: false,
        fits: with_addend,
        vectors: blocks::block_width,
        read: blocks::width,
        published: vec![
            on(VOLTA, Reading::Count(Some(4)), "algorithm 1, inputs"),
            on(TURING, Reading::Count(Some(4)), "algorithm 1, inputs").instead(Reading::Count(Some(8)), four),
            on(TURING, Reading::Count(Some(4)), "Fasi et al. 2021, section 3.2").instead(Reading::Count(Some(8)), four),
            xie(TURING),
            on(AMPERE, Reading::Count(Some(8)), "algorithm 1, inputs"),
        ],
    }]
}

fn shifted_bits() -> Vec<Experiment> {
    let number = |exponent: i32| Reading::number(Value::power(exponent));
    let place = "algorithm 1, steps 2c and 3";
    let turing = "Turing keeps one bit more than Volta: Fasi et al. 2021 measured it on T4, and Xie et al. have 24 fraction bits";
    vec![Experiment {
        name: "shifted-bits",
        question: "How many of the bits that alignment shifts out are kept: 2^-23 if none, 2^-24 if one?",
        source: "section 4.3; algorithm 1, steps 2c and 3; vector of Fasi et al. 2021, section 3.1.4: 1 and c = -1 + 2^-24",
        products: 1,
        whole: true,
        fits: with_addend,
        vectors: |bench| {
            let addend = Value::power(-bench.precision()) - Value::power(0);
            one(bench, "1, and c just above -1", products_of(bench, &[Value::power(0)]).addend(addend))
        },
        read: results,
        published: vec![
            on(VOLTA, number(-23), place),
            on(TURING, number(-23), place).instead(number(-24), turing),
            on(TURING, number(-24), "Fasi et al. 2021, section 3.2"),
            on(AMPERE, number(-24), place),
        ],
    }]
}

fn products() -> Vec<Experiment> {
    let numbers =
        |exponents: [Option<i32>; 2]| Reading::numbers(exponents.map(|e| e.map_or(Value::ZERO, Value::power)));
    let (place, kept) = ("algorithm 1, steps 1 to 3", numbers([Some(-23), Some(-24)]));
    let own = "the algorithm takes products as normalised fp32 numbers; public recordings of V100 refute it: 409 of 2,500 results \
               differ; so do the authors' own sums, rounding-of-sums, the first and the last";
    let recordings = "the algorithm takes products as normalised fp32 numbers; public recordings of A100 refute it: 309 of 2,500 \
                      results differ";
    let turing = "the algorithm takes products as normalised fp32 numbers, and Turing as Volta; no recording of T4 is public, those \
                  of V100 and A100 refute it";
    vec![Experiment {
        name: "product-normalisation",
        question: "Are products normalised before alignment, so that beside 2.25 one bit less is kept than beside 1?",
        source: "algorithm 1, steps 1 to 3; vectors chosen here: 1.5 * 1.5 - 1.5 * 1.5 + 2^-23, and with 2^-24",
        products: 3,
        whole: true,
        fits: any,
        vectors: |bench| {
            let half = Value::of(3, -1);
            let sums = [-23, -24].map(|exponent| {
                let sum = Sum::default().at(0, Term::Factors(half, half)).at(1, Term::Factors(-half, half));
                (format!("1.5 * 1.5 - 1.5 * 1.5 + 2^{exponent}"), sum.at(2, Value::power(exponent)))
            });
            Questions::of(bench, sums)
        },
        read: results,
        published: vec![
            on(VOLTA, numbers([None, None]), place).instead(numbers([Some(-23), None]), own),
            on(TURING, numbers([None, None]), place).instead(kept.clone(), turing),
            on(AMPERE, numbers([Some(-23), None]), place).instead(kept, recordings),
        ],
    }]
}

fn not_a_number() -> Vec<Experiment> {
    vec![Experiment {
        name: "not-a-number",
        question: "Is the result NaN where an operand is, and where infinities of both signs meet?",
        source: "algorithm 1, step 2b; vectors chosen here: NaN * 1; infinity * 1 - infinity * 1; infinity * 1 and c = -infinity",
        products: 2,
        whole: true,
        fits: with_addend,
        vectors: |bench| {
            let one_of = Value::power(0).encoding(&bench.b, true);
            let product = |a: Option<u64>| Some(Term::Encodings(a?, one_of?));
            let place = |terms: [Option<Term>; 2]| Some(Sum::default().at(0, terms[0]?).at(1, terms[1]?));
            let infinity = |negative| product(bench.a.infinity(negative));
            let c = bench.c.infinity(true);
            let sums = [
                ("NaN * 1", product(bench.a.nan()).map(|nan| Sum::default().at(0, nan))),
                ("infinity * 1 - infinity * 1", place([infinity(false), infinity(true)])),
                (
                    "infinity * 1, and c = -infinity",
                    infinity(false).and_then(|infinity| Some(Sum::default().at(0, infinity).addend_encoding(c?))),
                ),
            ];
            let mut questions = Questions::default();
            for (number, (label, sum)) in sums.into_iter().enumerate() {
                let vector = sum.and_then(|sum| bench.vector(&sum, crate::check::probe::Fit::EXACT));
                questions.add(label, number as i32, vector);
            }
            questions
        },
        read: results,
        published: on_all(&WIDE, &Reading::Numbers(vec![crate::literature::Number::NaN; 3]), "algorithm 1, step 2b"),
    }]
}
