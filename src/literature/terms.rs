//! Vectors as several works have them: products of 1 and a value in the first positions, and an addend.

use super::Questions;
use crate::check::probe::{Bench, Sum, Term, Value};

/// For questions of all formats.
pub(super) fn any(_: &Bench) -> bool {
    true
}

/// For questions of an addend.
pub(super) fn with_addend(bench: &Bench) -> bool {
    bench.has_addend
}

/// A single vector.
pub(super) fn one(bench: &Bench, label: &str, sum: Sum) -> Questions {
    Questions::of(bench, [(label.to_owned(), sum)])
}

/// 1 times a value, or other factors of it where b's format does not have it.
fn once(bench: &Bench, value: Value) -> Term {
    match value.encoding(&bench.b, true) {
        Some(_) => Term::Factors(Value::power(0), value),
        None => Term::Product(value),
    }
}

/// Products of these values in the first positions.
pub(super) fn products_of(bench: &Bench, values: &[Value]) -> Sum {
    let place = |sum: Sum, (position, value): (usize, &Value)| sum.at(position, once(bench, *value));
    values.iter().enumerate().fold(Sum::default(), place)
}
