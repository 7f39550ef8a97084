//! The abstract's simple test on five platforms, with five answers.

use super::*;
use crate::check::published::run::results;

/// Position and value of the products that are not zero.
const PRODUCTS: [(usize, i128, i32); 10] = [
    (0, 1, 22),
    (1, 1, 6),
    (2, 1, 6),
    (3, 1, 30),
    (4, 1, 6),
    (5, 1, 30),
    (8, -1, 30),
    (9, -1, 30),
    (16, -1, -3),
    (17, -1, 22),
];

pub(super) fn experiments() -> Vec<Experiment> {
    let place = "abstract";
    let number = |eighths: i128| Reading::number(Value::of(eighths, -3));
    let answers = [0, 0, 8 * 191 + 7, 8 * 255 + 7, 0];
    vec![Experiment {
        name: "five-platforms",
        question: "What does one sum give on V100, A100, H100, MI100 and MI250X?",
        source: "abstract: 0, 0, 191.875, 255.875 and 0; its inputs are not at hand, so that these were found by search: with the \
                 catalogue's units they give the published answers, which is no evidence for the units",
        products: 20,
        whole: true,
        fits: any,
        vectors: |bench| {
            let place =
                |sum: Sum, (position, sign, exponent): (usize, i128, i32)| sum.at(position, Value::of(sign, exponent));
            let sum = PRODUCTS.into_iter().fold(Sum::default(), place);
            one(bench, "2^22, 64, 64, 2^30, 64, 2^30, 0, 0, -2^30, -2^30, 6 zeros, -1/8, -2^22", sum)
        },
        read: results,
        published: WIDE.into_iter().zip(answers).map(|(device, eighths)| on(device, number(eighths), place)).collect(),
    }]
}
