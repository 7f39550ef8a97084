//! Subnormal numbers as operands, as the addend and as results.

use super::*;

/// Kept on all five devices, except where the catalogue flushes.
fn published() -> Vec<Published> {
    let reason = "the summary tells no formats apart; Xie et al., arXiv 2511.10909, find subnormal numbers of fp16 and bf16 \
                  units flushed on CDNA2, as the catalogue does";
    let kept = on_all(&WIDE, &Reading::Truth(true), SUMMARY);
    let flushed = |own: Published| match own.device {
        "MI250X" => own.instead(Reading::Truth(false), reason),
        _ => own,
    };
    kept.into_iter().map(flushed).collect()
}

fn all_remain(answered: &[Answered]) -> Reading {
    Reading::Truth(answered.iter().all(features::remains))
}

pub(super) fn experiments() -> Vec<Experiment> {
    vec![
        Experiment {
            name: "subnormal-operand",
            question: "Does a subnormal operand count, whichever side it stands on?",
            source: "abstract: subnormal number handling; vectors chosen here: the least subnormal a or b, times a large power of two",
            products: 1,
            whole: true,
            fits: |bench| bench.a.subnormals && bench.b.subnormals,
            vectors: |bench| {
                let least = |format: &crate::describe::format::Format| {
                    Value::power(format.exponent_min() - format.fraction_bits as i32)
                };
                let large = |format: &crate::describe::format::Format| Value::power(format.exponent_max().min(60));
                let sums = [
                    ("the least subnormal a", Term::Factors(least(&bench.a), large(&bench.b))),
                    ("the least subnormal b", Term::Factors(large(&bench.a), least(&bench.b))),
                ];
                Questions::of(bench, sums.map(|(label, term)| (label.to_owned(), Sum::default().at(0, term))))
            },
            read: all_remain,
            published: published(),
        },
        Experiment {
            name: "subnormal-addend",
            question: "Does a subnormal addend count?",
            source: "abstract: subnormal number handling; c = 2^-127 for results of fp32, in other formats half of the least normal number",
            products: 1,
            whole: true,
            fits: |bench| bench.has_addend && bench.c.subnormals,
            vectors: |bench| {
                let addend = Value::power(bench.c.exponent_min() - 1);
                one(bench, "c half of the least normal number", Sum::default().addend(addend).reading(addend))
            },
            read: all_remain,
            published: published(),
        },
        Experiment {
            name: "subnormal-result",
            question: "Do a normal product and a normal addend give a subnormal result?",
            source: "abstract: subnormal number handling; vector chosen here: 3/2 of the least normal result, less that number as c",
            products: 1,
            whole: true,
            fits: with_addend,
            vectors: |bench| {
                let least = bench.d.exponent_min();
                let product = Term::Product(Value::of(3, least - 1));
                let sum = Sum::default().at(0, product).addend(-Value::power(least));
                let normal = bench.vector(&sum, Fit { exponent: 0, subnormals: false });
                let mut questions = Questions::default();
                questions.add("3/2 of the least normal result, and c = -1 times it", 0, normal);
                questions
            },
            read: all_remain,
            published: Vec::new(),
        },
    ]
}
