//! Hickmann, Bradford: Experimental analysis of matrix multiplication functional units, slides of ARITH 2019. Measured on
//! V100.
//!
//! The slides print the terms of most tests, and that they were permuted over all inputs; here they stand in every placement.
//! Where they print no terms these are chosen here, and the source says so. What the slides conclude is compared for the
//! catalogue's units of V100, for the unit that has what they conclude of the products of one element, and for the one that has
//! all readings of binary32: that C is added to their sum rounded to nearest, how elements are added, and that subnormal numbers of
//! binary32 are zero. The two structures that they reject are run too.

mod order;
mod pictures;
mod rounding;
mod top_level;

pub(super) use pictures::grid;

use super::terms::{any, with_addend};
use super::{Answered, Experiment, Published, Questions, Reading};
use crate::check::probe::{Bench, Fit, Sum, Value};

/// The catalogue's unit of V100, and the tree of integer adders as the slides describe it.
const WIDE: [&str; 2] = ["volta-fp16-fp32", "hickmann-integer-tree-fp16-fp32"];
const NARROW: [&str; 1] = ["volta-fp16-fp16"];

/// The unit that has all readings of results of binary32.
const READ: &str = "hickmann-reading-fp16-fp32";

/// The structures that the slides consider and reject.
pub(super) const REJECTED: &[&str] = &["hickmann-fma-chain-fp16-fp32", "hickmann-adder-tree-fp16-fp32"];

/// Products of the smallest element.
const ELEMENT: usize = 4;

pub(super) fn experiments() -> Vec<Experiment> {
    [order::experiments(), rounding::experiments(), top_level::experiments()].concat()
}

/// A reading on V100.
fn on(units: &[&'static str], reading: &Reading, place: &'static str) -> Vec<Published> {
    units.iter().map(|unit| Published::new("V100", unit, reading.clone(), place)).collect()
}

/// A reading of binary32 on V100, which all three units have.
fn on_all(reading: &Reading, place: &'static str) -> Vec<Published> {
    on(&[WIDE[0], WIDE[1], READ], reading, place)
}

/// A reading of binary32 on V100, in the place of which the catalogue's own units have another.
fn on_read(reading: &Reading, place: &'static str, instead: &Reading, reason: &'static str) -> Vec<Published> {
    let own = on(&WIDE, reading, place).into_iter().map(|published| published.instead(instead.clone(), reason));
    own.chain(on(&[READ], reading, place)).collect()
}

/// Every way to give three terms places of their own, the first term's place changing slowest.
fn placements(places: usize) -> impl Iterator<Item = [usize; 3]> {
    let all =
        (0..places.pow(3)).map(move |number| [number / places / places, number / places % places, number % places]);
    all.filter(|[i, j, k]| i != j && j != k && i != k)
}

/// Terms in their places; the place after the products is the addend's.
fn placed(products: usize, terms: &[Value], places: &[usize]) -> Sum {
    terms.iter().zip(places).fold(Sum::default(), |sum, (term, place)| match *place < products {
        true => sum.at(*place, *term),
        false => sum.addend(*term),
    })
}

/// Large, minus large, and a small one.
fn large_and_small(small: Value) -> [Value; 3] {
    [Value::power(30), -Value::power(30), small]
}

/// The small term of most tests.
fn least() -> Value {
    Value::power(-14)
}

/// A place's name.
fn place_name(products: usize, place: usize) -> String {
    if place < products { format!("{place}") } else { "C".to_owned() }
}

/// Vectors of terms in several placements, numbered from 0; `what` names the terms.
fn permuted(bench: &Bench, what: &str, products: usize, terms: &[Value], placements: &[Vec<usize>]) -> Questions {
    let sums = placements.iter().map(|places| {
        let names: Vec<String> = places.iter().map(|place| place_name(products, *place)).collect();
        (format!("{what} in {}", names.join(", ")), placed(products, terms, places))
    });
    Questions::of(bench, sums)
}

/// The same terms, and their negatives, in several placements.
fn both_signs(bench: &Bench, what: &str, terms: &[Value], placements: &[Vec<usize>]) -> Questions {
    let negative: Vec<Value> = terms.iter().map(|term| -*term).collect();
    let mut questions = permuted(bench, what, ELEMENT, terms, placements);
    let more = permuted(bench, &format!("-({what})"), ELEMENT, &negative, placements);
    questions.asked.extend(more.asked);
    questions.left_out.extend(more.left_out);
    questions
}

/// Adds a sweep of an exponent; the parameter is the exponent.
fn sweep(
    bench: &Bench,
    questions: &mut Questions,
    exponents: impl Iterator<Item = i32>,
    sum: impl Fn(i32) -> (String, Sum),
) {
    for exponent in exponents {
        let (label, sum) = sum(exponent);
        questions.add(label, exponent, bench.vector(&sum, Fit::EXACT));
    }
}

/// The least exponent of a sweep that is seen; a bound where it is the last one.
fn end_of(sweep: &[Answered], seen: impl Fn(&&Answered) -> bool) -> Reading {
    let least = sweep.iter().filter(seen).map(|answered| answered.question.parameter).min();
    match least {
        Some(exponent) if sweep.iter().all(|answered| answered.question.parameter >= exponent) => {
            Reading::AtMost(exponent)
        }
        _ => Reading::Count(least),
    }
}
