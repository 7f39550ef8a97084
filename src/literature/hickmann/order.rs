//! Slides "Possible Micro-Architectures", "Internal Datapath Width Experimental Results" and "Results - Internal
//! Architecture": order of operations and internal precision of the smallest element, four products and C.

use super::*;
use crate::literature::Number;
use crate::literature::run::results;

/// Greatest and least exponent of the small term.
pub(super) const EXPONENTS: (i32, i32) = (30, -28);

/// Vectors of one sweep.
pub(super) const SWEEP: usize = (EXPONENTS.0 - EXPONENTS.1 + 1) as usize;

const RESULTS: &str = "slide Results - Internal Architecture";

fn element() -> Vec<Vec<usize>> {
    placements(ELEMENT).map(|places| places.to_vec()).collect()
}

/// Large, minus large and small in every placement over the four products.
fn order(bench: &Bench) -> Questions {
    permuted(bench, "2^30, -2^30, 2^-14", ELEMENT, &large_and_small(least()), &element())
}

fn is_kept(answered: &Answered) -> bool {
    answered.number == Number::from(least())
}

/// Which structure keeps the small term in just those placements.
fn structure(answered: &[Answered]) -> Reading {
    let kept: Vec<bool> = answered.iter().map(is_kept).collect();
    let as_if = |keeps: fn([usize; 3]) -> bool| placements(ELEMENT).map(keeps).eq(kept.iter().copied());
    Reading::Name(if as_if(|_| false) {
        "no rounding inside"
    } else if as_if(|_| true) {
        "exact, or more than 44 bits kept"
    } else if as_if(|[large, minus, small]| small > large && small > minus) {
        "chain, first product first"
    } else if as_if(|[large, minus, small]| small < large && small < minus) {
        "chain, last product first"
    } else if as_if(|[large, minus, _]| large / 2 == minus / 2) {
        "tree of pairs"
    } else {
        "something else"
    })
}

/// The sweep of the small term's exponent in every placement.
fn widths(bench: &Bench) -> Questions {
    let mut questions = Questions::default();
    for places in placements(ELEMENT) {
        sweep(bench, &mut questions, (EXPONENTS.1..=EXPONENTS.0).rev(), |exponent| {
            let names = places.map(|place| place.to_string()).join(", ");
            let terms = large_and_small(Value::power(exponent));
            (format!("2^30, -2^30, 2^{exponent} in {names}"), placed(ELEMENT, &terms, &places))
        });
    }
    questions
}

/// The least exponent that remains, for each placement.
fn least_kept(answered: &[Answered]) -> Reading {
    let kept = |answered: &&Answered| answered.number == Number::from(Value::power(answered.question.parameter));
    Reading::Each(answered.chunks(SWEEP).map(|sweep| end_of(sweep, kept)).collect())
}

/// The addend as the small term, as the large one and as its negative, the other two in every placement over the products.
fn with_small_addend(bench: &Bench) -> Questions {
    let all: Vec<[usize; 3]> = placements(ELEMENT + 1).collect();
    let with_addend_as = |term: usize| all.iter().filter(move |places| places[term] == ELEMENT);
    let ordered: Vec<Vec<usize>> =
        [2, 0, 1].into_iter().flat_map(with_addend_as).map(|places| places.to_vec()).collect();
    permuted(bench, "2^30, -2^30, 2^-14", ELEMENT, &large_and_small(least()), &ordered)
}

pub(super) fn experiments() -> Vec<Experiment> {
    [products(), addend()].concat()
}

fn products() -> Vec<Experiment> {
    // The leading bit and 23 below it.
    let width = Reading::counts(vec![Some(30 - 23); 24]);
    vec![
        Experiment {
            name: "order-of-operations",
            question: "Is a small term lost beside two large ones that cancel, whichever products they are?",
            source: "slides, order of operations: 2^30 + -2^30 + 2^-14 in all 24 placements over four products",
            products: ELEMENT as u32,
            whole: true,
            fits: any,
            vectors: order,
            read: results,
            published: on_all(&Reading::all(24, Value::ZERO), RESULTS),
        },
        Experiment {
            name: "structure",
            question: "In which placements does the small term remain: a chain's, a tree's, or none?",
            source: "slides, possible micro-architectures: chain of FMAs, tree of FP adds, tree of INT adds; the same vectors",
            products: ELEMENT as u32,
            whole: true,
            fits: any,
            vectors: order,
            read: structure,
            published: on_all(&Reading::Name("no rounding inside"), RESULTS),
        },
        Experiment {
            name: "internal-precision",
            question: "From which exponent on does a small term remain beside two large ones that cancel?",
            source: "slides, internal precision: 2^30 + -2^30 + 2^N, N from 30 to -28, in all 24 placements",
            products: ELEMENT as u32,
            whole: true,
            fits: any,
            vectors: widths,
            read: least_kept,
            published: on_all(&width, RESULTS),
        },
    ]
}

fn addend() -> Vec<Experiment> {
    let reason = "the catalogue sums C with the products, as Fasi et al. 2021, section 3.1.2, found; public recordings of V100 agree";
    let after: Vec<Value> = (0..36).map(|place| if place < 12 { least() } else { Value::ZERO }).collect();
    let place = "slide Results - Top-level Architecture: C always added to the result";
    let published = on_read(&Reading::numbers(after), place, &Reading::all(36, Value::ZERO), reason);
    vec![Experiment {
        name: "order-with-addend",
        question: "Does a small C remain beside two large products that cancel, because it is added to their sum?",
        source: "slides, accumulator ordering: the same with C; vectors chosen here: 2^30 + -2^30 + 2^-14, C being 2^-14, 2^30, -2^30",
        products: ELEMENT as u32,
        whole: true,
        fits: with_addend,
        vectors: with_small_addend,
        read: results,
        published,
    }]
}
