//! What the fp8 instructions do with their 32 products: one block, two halves, or pairs in turn; and when c is added.

use super::*;

/// Products of the instructions.
const PRODUCTS: usize = 32;

pub(super) fn experiments() -> Vec<Experiment> {
    [halves(), addend()].concat()
}

fn halves() -> Vec<Experiment> {
    let of_unit = |own: &Model| {
        let name = if own.fma == 32 { "one block" } else { "blocks of 16" };
        Published::new(own.device, own.unit, Reading::Name(name), own.place)
    };
    let interleaved =
        of_interleaved(&Reading::Name("pairs in turn"), "recordings, replayed; README: inter_pattern = 1");
    vec![Experiment {
        name: "interleaving",
        question: "Which of 32 products are summed together with the first two?",
        source: "MATLAB-tensor-core, inter_pattern, interleave two 16-element vectors; vectors chosen here: 1 - 1 first, and a \
                 small one in position i; and two placements of it between them",
        products: PRODUCTS as u32,
        whole: false,
        fits: any,
        vectors: blocks::partners,
        read: blocks::partners_read,
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
            source: "MATLAB-tensor-core, models/tools/Generic_BFMA_TC.m, and recordings of fp8 on H100, H200 and B200 with c; vectors \
                     chosen here: 1 - 1, and a small c; c = 1, -1, and a small product",
            products: 3,
            whole: false,
            fits: with_addend,
            vectors: blocks::small_addend,
            read: blocks::small_addend_read,
            published: [inside, of_interleaved(&Reading::Truth(true), recordings)].concat(),
        },
        Experiment {
            name: "addend-rounding",
            question: "Which way is the sum of c and a product rounded?",
            source: "MATLAB-tensor-core, models/tools/Generic_BFMA_TC.m, and recordings of fp8 on H100, H200 and B200 with c; vectors \
                     chosen here: c = 2^8, and quarters of a unit in its last place",
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
