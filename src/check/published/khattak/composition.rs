//! What the fp8 instructions do with their 32 products: one block, two halves, or pairs in turn; and when c is added.

use super::*;
use features::{LARGE, SMALL};

/// Products of the instructions.
const PRODUCTS: usize = 32;

pub(super) fn experiments() -> Vec<Experiment> {
    [blocks(), addend()].concat()
}

/// Which products stand in a block with the first two.
fn partners(answered: &[Answered]) -> Reading {
    let as_if = |together: fn(i32) -> bool| {
        answered.iter().all(|own| features::remains(own) != together(own.question.parameter))
    };
    Reading::Name(if as_if(|_| false) {
        "one after the other"
    } else if as_if(|_| true) {
        "one block"
    } else if as_if(|place| place / 2 % 2 == 0) {
        "pairs in turn"
    } else if as_if(|place| place < 16) {
        "blocks of 16"
    } else if as_if(|place| place < 8) {
        "blocks of 8"
    } else if as_if(|place| place < 4) {
        "blocks of 4"
    } else {
        "otherwise"
    })
}

fn blocks() -> Vec<Experiment> {
    let of_unit = |own: &Model| {
        let name = if own.fma == 32 { "one block" } else { "blocks of 16" };
        Published::new(own.device, own.unit, Reading::Name(name), own.place)
    };
    let interleaved =
        of_interleaved(&Reading::Name("pairs in turn"), "recordings, replayed; README: inter_pattern = 1");
    vec![Experiment {
        name: "interleaving",
        question: "Which of 32 products are summed together with the first two?",
        source: "MATLAB-tensor-core, inter_pattern, interleave two 16-element vectors; vectors chosen here: 2^15 - 2^15 first, and 2^-18 in position i",
        products: PRODUCTS as u32,
        whole: true,
        fits: any,
        vectors: |bench| {
            let mut questions = Questions::default();
            for position in 2..PRODUCTS {
                let pair = Sum::default().at(0, Value::power(LARGE)).at(1, -Value::power(LARGE));
                let vector = bench.vector(&pair.at(position, Value::power(SMALL)), Fit::EXACT);
                questions.add(
                    format!("2^{LARGE} - 2^{LARGE}, and 2^{SMALL} in position {position}"),
                    position as i32,
                    vector,
                );
            }
            questions
        },
        read: partners,
        published: MODELS
            .iter()
            .filter(|own| own.unit.contains("e4m3") || own.unit.contains("e5m2"))
            .map(of_unit)
            .chain(interleaved)
            .collect(),
    }]
}

fn addend() -> Vec<Experiment> {
    let recordings = "recordings, replayed";
    let inside = of_models(|_| Reading::Truth(false));
    let cut = of_models(|_| Reading::Name("toward zero"));
    vec![
        Experiment {
            name: "addend-last",
            question: "Does a small c remain beside two large products that cancel?",
            source: "MATLAB-tensor-core, models/tools/Generic_BFMA_TC.m, and recordings of fp8 on H100, H200 and B200 with c; vector chosen here: 2^15 - 2^15, and c = 2^-18",
            products: 2,
            whole: true,
            fits: with_addend,
            vectors: |bench| {
                let pair = Sum::default().at(0, Value::power(LARGE)).at(1, -Value::power(LARGE));
                let label = format!("2^{LARGE} - 2^{LARGE}, and c = 2^{SMALL}");
                Questions::of(bench, [(label, pair.addend(Value::power(SMALL)))])
            },
            read: |answered| Reading::Truth(answered.iter().all(features::remains)),
            published: [inside, of_interleaved(&Reading::Truth(true), recordings)].concat(),
        },
        Experiment {
            name: "addend-rounding",
            question: "Which way is the sum of c and a product rounded?",
            source: "MATLAB-tensor-core, models/tools/Generic_BFMA_TC.m, and recordings of fp8 on H100, H200 and B200 with c; vectors chosen here: c = 2^8, and quarters of a unit in its last place",
            products: 1,
            whole: true,
            fits: with_addend,
            vectors: |bench| {
                features::quarters(bench, |sign, count| {
                    let quarters = Value::of(count, 7 - bench.d.precision() as i32);
                    Sum::default().at(0, sign * quarters).addend(sign * Value::power(8))
                })
            },
            read: features::direction,
            published: [cut, of_interleaved(&Reading::Name("to nearest, ties to even"), recordings)].concat(),
        },
    ]
}
