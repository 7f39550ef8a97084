//! Slide "Results - Top-level Architecture": how the elements T0, T1, T2 and T3 of a matrix with 16 products, and C, are added.

use super::*;
use crate::literature::Number;

/// Products of the matrix, and of the half (T0, T1).
pub(super) const MATRIX: usize = 16;
const HALF: usize = 8;

const RESULTS: &str = "slide Results - Top-level Architecture";

/// Results of binary32.
fn wide(bench: &Bench) -> bool {
    bench.d.precision() == 24
}

/// 1 in place i and 2^-23 + 2^-24 in place j, for every i and j.
fn pairs(bench: &Bench) -> Questions {
    let terms = [Value::power(0), Value::of(3, -24)];
    let places = (0..MATRIX * MATRIX).map(|number| vec![number / MATRIX, number % MATRIX]);
    let placements: Vec<Vec<usize>> = places.filter(|places| places[0] != places[1]).collect();
    permuted(bench, "1, 2^-23 + 2^-24", MATRIX, &terms, &placements)
}

/// Pairs of places in the order of their vectors.
pub(super) fn places_of_pairs() -> impl Iterator<Item = [usize; 2]> {
    (0..MATRIX * MATRIX).map(|number| [number / MATRIX, number % MATRIX]).filter(|[i, j]| i != j)
}

/// Whether the result is 1 + 2^-22, the even one of two that are equally near.
pub(super) fn is_nearest(answered: &Answered) -> bool {
    answered.number == Number::from(Value::power(0) + Value::power(-22))
}

/// How many pairs are rounded to nearest: those within a half, and those across.
fn nearest_within_and_across(answered: &[Answered]) -> Reading {
    let count = |across: bool| {
        let pairs = places_of_pairs().zip(answered);
        let chosen = pairs.filter(|([i, j], answered)| (i / HALF != j / HALF) == across && is_nearest(answered));
        Some(chosen.count() as i32)
    };
    Reading::counts(vec![count(false), count(true)])
}

/// Large, minus large and small in every placement over the products and C.
fn permutations(bench: &Bench) -> Questions {
    let placements: Vec<Vec<usize>> = placements(MATRIX + 1).map(|places| places.to_vec()).collect();
    permuted(bench, "2^30, -2^30, 2^-14", MATRIX, &large_and_small(least()), &placements)
}

/// Whether the small term remains.
pub(super) fn is_kept(answered: &Answered) -> bool {
    answered.number == Number::from(least())
}

/// How many small terms remain.
fn kept(answered: &[Answered]) -> Reading {
    Reading::Count(Some(answered.iter().filter(|answered| is_kept(answered)).count() as i32))
}

/// The large terms in T2 or T3 and the small one in C, T0 or T1.
fn large_ones_last() -> Vec<Vec<usize>> {
    let second = |place: usize| (HALF..MATRIX).contains(&place);
    let all =
        placements(MATRIX + 1).filter(|[large, minus, small]| second(*large) && second(*minus) && !second(*small));
    all.map(|places| places.to_vec()).collect()
}

pub(super) fn experiments() -> Vec<Experiment> {
    [rounding(), order()].concat()
}

fn rounding() -> Vec<Experiment> {
    let reason = "the catalogue cuts every sum, and chains the elements through c: no other work tells how they are added, and \
                  recordings of V100 have one element";
    vec![Experiment {
        name: "rounding-between-elements",
        question: "How many pairs of places give a sum rounded to nearest: within (T0, T1) or (T2, T3), and across?",
        source: "slides, full 16x16 matrix: permuted between groups; vectors chosen here: 1 and 2^-23 + 2^-24 in all 240 pairs",
        products: MATRIX as u32,
        whole: true,
        fits: wide,
        vectors: pairs,
        read: nearest_within_and_across,
        published: on_read(
            &Reading::counts(vec![Some(0), Some(128)]),
            RESULTS,
            &Reading::counts(vec![Some(0); 2]),
            reason,
        ),
    }]
}

fn order() -> Vec<Experiment> {
    let reason = "the catalogue chains the elements, (((C + T0) + T1) + T2) + T3: no other work tells their order, and recordings \
                  of V100 have one element";
    vec![
        Experiment {
            name: "order-of-elements",
            question: "In how many of 504 placements does a small term of C, T0 or T1 remain beside large ones that cancel in T2 + T3?",
            source: "slides, summation order (C0 + (T0 + T1)) + (T2 + T3); vectors chosen here: 2^30 + -2^30 + 2^-14",
            products: MATRIX as u32,
            whole: true,
            fits: with_addend,
            vectors: |bench| {
                permuted(bench, "2^30, -2^30, 2^-14", MATRIX, &large_and_small(least()), &large_ones_last())
            },
            read: kept,
            published: on_read(&Reading::Count(Some(504)), RESULTS, &Reading::Count(Some(0)), reason),
        },
        Experiment {
            name: "permutations",
            question: "In how many of the 4,080 placements does a small term remain beside two large ones that cancel?",
            source: "slides, expanded testing to the full 16x16 matrix, which print no results: 2^30 + -2^30 + 2^-14 over 16 products and C",
            products: MATRIX as u32,
            whole: true,
            fits: with_addend,
            vectors: permutations,
            read: kept,
            published: Vec::new(),
        },
    ]
}
