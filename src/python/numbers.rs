//! Numbers of NumPy as encodings of a format, by one of the rules that the command line has.

use clap::ValueEnum;
use pyo3::buffer::PyBuffer;
use pyo3::prelude::*;

use tensorsmith::describe::format::Format;
use tensorsmith::engine::gemm::Elements;
use tensorsmith::recording::{OperandRule, of_container, of_number};

use crate::failure::Failure;
use crate::memory::{Words, elements};

/// The rule of that name.
fn rule(name: &str) -> Result<OperandRule, Failure> {
    OperandRule::from_str(name, false).map_err(|_| {
        let allowed = "\"exact\", \"nearest\", \"cut\", or None, which refuses other types";
        Failure::Value(format!("operands is {name:?}; allowed: {allowed}"))
    })
}

/// An element that has no encoding.
fn refused(name: &str, place: usize, what: &str) -> Failure {
    Failure::Value(format!("{name}, element {place} of all, counted by rows: {what}"))
}

/// Numbers of float64, contiguous. They are read while the interpreter waits.
pub fn of_numbers(py: Python<'_>, name: &str, numbers: &PyBuffer<f64>, format: &Format, by: &str) -> PyResult<Words> {
    let rule = rule(by)?;
    let numbers = numbers.to_vec(py)?;
    let encoded = py.detach(|| {
        let encode = |(place, &number): (usize, &f64)| {
            let parsed = of_number(format, number, rule).map_err(|error| {
                let hint = if rule == OperandRule::Exact { ", or operands=\"nearest\" or \"cut\"" } else { "" };
                refused(name, place, &format!("{error}{hint}"))
            })?;
            Ok(parsed.bits)
        };
        numbers.iter().enumerate().map(encode).collect::<Result<Vec<u64>, Failure>>()
    })?;
    Ok(Words::of(format.width(), &encoded))
}

/// Words of the next wider format, whose last bits this one ignores, such as those of binary32 for tf32.
pub fn of_words(name: &str, words: &Bound<'_, PyAny>, format: &Format, by: &str) -> PyResult<Words> {
    let rule = rule(by)?;
    let mut words: Elements = elements(name, words)?;
    for place in 0..words.len() {
        let bits = words.get(place);
        let parsed = of_container(format, bits, rule).ok_or_else(|| {
            let allowed = format!("numbers that {} holds exactly, or operands=\"nearest\" or \"cut\"", format.name);
            refused(name, place, &format!("{bits:#x} has bits that are ignored; allowed: {allowed}"))
        })?;
        if parsed.bits != bits {
            words.set(place, parsed.bits);
        }
    }
    Ok(Words::new(words))
}
