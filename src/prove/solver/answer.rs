//! What a solver's process says, read and checked.

use std::collections::HashMap;

use dashu_int::IBig;

use super::process::Outcome;
use super::{Answer, Limits, Reason};
use crate::compute::word::term::Graph;
use crate::prove::smt::Query;

/// Words of programs that ran out of memory.
const OUT_OF_MEMORY: [&str; 4] = ["bad_alloc", "MemoryError", "out of memory", "cannot allocate memory"];

/// Reads an answer.
pub(super) fn of(query: &Query, outcome: Outcome, limits: Limits) -> Answer {
    let (status, printed, complained) = match outcome {
        Outcome::Ended(status, printed, complained) => (status, printed, complained),
        Outcome::OutOfTime => return Answer::Unknown(Reason::Time(limits.time)),
        Outcome::NotStarted(why) => return Answer::Unknown(Reason::Crashed(why)),
    };
    let (verdict, rest) = printed.trim_start().split_once('\n').unwrap_or((printed.trim(), ""));
    match verdict.trim() {
        // Some exit with 1, because there are no values to get. A program that was ended by a signal has no exit code, and a
        // shell around it one above 128.
        "sat" | "unsat" | "unknown" if !matches!(status.code(), Some(0 | 1)) => {
            Answer::Unknown(Reason::Crashed(status.to_string()))
        }
        "unsat" => Answer::Unsatisfiable,
        "sat" => match model(query.graph, rest) {
            Ok(numbers) => checked(query, numbers),
            Err(why) => Answer::Unknown(Reason::Nonsense(why)),
        },
        "unknown" => Answer::Unknown(Reason::GaveUp),
        _ if OUT_OF_MEMORY.iter().any(|words| printed.contains(words) || complained.contains(words)) => {
            Answer::Unknown(Reason::Memory(limits.memory_bytes))
        }
        _ if !status.success() => {
            Answer::Unknown(Reason::Crashed(format!("{status}{}", last_line(&complained, &printed))))
        }
        other => Answer::Unknown(Reason::Nonsense(format!("{:?}", other.chars().take(80).collect::<String>()))),
    }
}

/// The last line that says something.
fn last_line(complained: &str, printed: &str) -> String {
    let line =
        |text: &str| text.lines().rev().find(|line| !line.trim().is_empty()).map(|line| format!(": {}", line.trim()));
    line(complained).or_else(|| line(printed)).unwrap_or_default()
}

/// The number for each variable of a graph, from `((|a[0]| #x0007) ...)`; the least one of those that the query did not need.
fn model(graph: &Graph, text: &str) -> Result<Vec<IBig>, String> {
    let mut values = HashMap::new();
    let mut words =
        text.split(|letter: char| letter.is_whitespace() || "()".contains(letter)).filter(|word| !word.is_empty());
    while let Some(name) = words.next() {
        let Some(value) = words.next() else { return Err(format!("no value for {name}")) };
        let digits = value.strip_prefix("#b").map(|digits| (digits, 2));
        let digits = digits.or_else(|| value.strip_prefix("#x").map(|digits| (digits, 16)));
        let number = digits.and_then(|(digits, radix)| IBig::from_str_radix(digits, radix).ok());
        let Some(number) = number else { return Err(format!("{value} is no value for {name}")) };
        values.insert(name.trim_matches('|').to_owned(), number);
    }
    let number = |variable: &crate::compute::word::term::Variable| {
        let Some(bits) = values.remove(&variable.name) else { return variable.range.low.clone() };
        let modulus = IBig::ONE << variable.range.width() as usize;
        let is_negative = variable.range.is_signed() && bits >= &modulus >> 1;
        if is_negative { bits - modulus } else { bits }
    };
    let numbers = graph.variables().iter().map(number).collect();
    match values.keys().next() {
        Some(stranger) => Err(format!("a value for {stranger}, which is no variable")),
        None => Ok(numbers),
    }
}

/// Values count only where the graph, evaluated without bound, agrees.
fn checked(query: &Query, numbers: Vec<IBig>) -> Answer {
    match query.is_satisfied_by(&numbers) {
        true => Answer::Satisfiable(numbers),
        false => Answer::Unknown(Reason::Nonsense("its values do not satisfy the query".to_owned())),
    }
}
