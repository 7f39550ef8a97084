//! Values, vectors and compositions in few words, for people.

use crate::describe::instruction::{Instruction, Order};
use crate::engine::Vector;

/// What a parameter's value is indistinguishable from: a line for each reason, with a few of the values that it is the reason
/// for; values come with their reasons.
pub fn indistinguishable_lines<'a>(field: &str, values: impl Iterator<Item = (&'a str, &'a str)>) -> Vec<String> {
    /// Values that are shown.
    const VALUES: usize = 3;
    let mut groups: Vec<(&str, Vec<String>)> = Vec::new();
    for (value, reason) in values {
        let value = short(field, value);
        match groups.iter_mut().find(|(known, _)| *known == reason) {
            Some((_, values)) => values.push(value),
            None => groups.push((reason, vec![value])),
        }
    }
    let line = |(reason, values): (&str, Vec<String>)| {
        format!("{field} indistinguishable from {}: {reason}", few(&values, VALUES))
    };
    groups.into_iter().map(line).collect()
}

/// The values of a parameter that fit, in few words: numbers as intervals, after those that are none.
pub(super) fn fitting<'a>(field: &str, values: impl Iterator<Item = &'a str>) -> String {
    /// Values and intervals that are shown.
    const VALUES: usize = 6;
    let (mut numbers, mut all) = (Vec::new(), Vec::new());
    for value in values {
        match value.parse::<i64>() {
            Ok(number) => numbers.push(number),
            Err(_) => all.push(short(field, value)),
        }
    }
    numbers.sort_unstable();
    numbers.dedup();
    for interval in numbers.chunk_by(|one, next| one + 1 == *next) {
        match interval {
            [first, .., last] => all.push(format!("{first} to {last}")),
            single => all.extend(single.iter().map(i64::to_string)),
        }
    }
    few(&all, VALUES)
}

/// A value in few words: of subnormals, only what is not kept.
pub fn short(field: &str, value: &str) -> String {
    let plain = value.trim_matches(['{', '}', ' ']);
    if !field.ends_with("subnormals") {
        return plain.trim_matches('"').to_owned();
    }
    let words: Vec<String> = plain
        .split(", ")
        .filter_map(|entry| entry.split_once(" = "))
        .map(|(what, rule)| (what, rule.trim_matches('"')))
        .filter(|(_, rule)| *rule != "kept")
        .map(|(what, rule)| format!("{what} {rule}"))
        .collect();
    if words.is_empty() { "kept".to_owned() } else { words.join(" and ") }
}

/// The operands of a vector, without the zeros behind the last that is not zero.
pub fn vector_text(vector: &Vector) -> String {
    let scales = match vector.scale_a.is_empty() {
        true => String::new(),
        false => format!(", scale_a = {}, scale_b = {}", encodings(&vector.scale_a), encodings(&vector.scale_b)),
    };
    format!("a = {}, b = {}{scales}, c = {:#x}", encodings(&vector.a), encodings(&vector.b), vector.c)
}

/// Encodings up to the last one that is not zero.
fn encodings(operands: &[u64]) -> String {
    let end = operands.iter().rposition(|&bits| bits != 0).map_or(1, |last| last + 1);
    let hex: Vec<String> = operands[..end.min(operands.len())].iter().map(|bits| format!("{bits:#x}")).collect();
    hex.join(",")
}

/// So many values at most, and how many more there are.
pub(super) fn few(values: &[String], most: usize) -> String {
    if values.len() <= most {
        return values.join(", ");
    }
    let (shown, more) = values.split_at(most - 1);
    format!("{} and {} more", shown.join(", "), more.len())
}

/// How an instruction is made of its unit, in words.
pub fn composition(instruction: &Instruction) -> String {
    let blocks = instruction.blocks();
    let longest = blocks.iter().map(Vec::len).max().unwrap_or_default();
    let same = blocks.iter().all(|block| block.len() == longest);
    let products = |count: usize| format!("{count} product{}", if count == 1 { "" } else { "s" });
    let mut parts = match (blocks.len(), instruction.order) {
        (1, _) => vec![products(longest)],
        (count, Order::Contiguous) if same => {
            vec![format!("{count} blocks of {}", products(longest)), "contiguous".to_owned()]
        }
        (count, Order::Contiguous) => {
            let last = blocks.last().map_or(0, Vec::len);
            let last = format!("the last of {last}");
            vec![format!("{count} blocks of {}", products(longest)), last, "contiguous".to_owned()]
        }
        (count, Order::InterleavedPairs) => {
            vec![format!("{count} blocks of {}", products(longest)), "interleaved pairs".to_owned()]
        }
    };
    match (&instruction.final_addition, blocks.len()) {
        (Some(_), 1) => parts.push("c added last".to_owned()),
        (Some(_), _) => parts.push("from zero, c added last".to_owned()),
        (None, 1) => {}
        (None, _) => parts.push("chained from c".to_owned()),
    }
    parts.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subnormals_in_few_words() {
        let short = |value| short("subnormals", value);
        assert_eq!(short("{ operands = \"kept\", addend = \"kept\", result = \"kept\" }"), "kept");
        let flushed = "{ operands = \"flushed-to-plus-zero\", addend = \"kept\", result = \"flushed\" }";
        assert_eq!(short(flushed), "operands flushed-to-plus-zero and result flushed");
        assert_eq!(super::short("conversion.rounding", "\"toward-zero\""), "toward-zero");
    }

    #[test]
    fn numbers_that_fit_are_intervals() {
        let fitting = |values: &[&str]| super::fitting("alignment.exponent_floor", values.iter().copied());
        assert_eq!(fitting(&["23", "25", "22", "24"]), "22 to 25");
        assert_eq!(fitting(&["-3", "\"none\"", "7", "-4", "6", "9"]), "none, -4 to -3, 6 to 7, 9");
        assert_eq!(fitting(&["23"]), "23");
        let apart: Vec<String> = (0..10).map(|number| (3 * number).to_string()).collect();
        let apart: Vec<&str> = apart.iter().map(String::as_str).collect();
        assert_eq!(fitting(&apart), "0, 3, 6, 9, 12 and 5 more");
    }

    #[test]
    fn reason_is_said_once() {
        let reasons = [("1", "spare"), ("2", "no vector"), ("3", "spare"), ("4", "spare"), ("5", "spare")];
        let lines = indistinguishable_lines("sum.carry_bits", reasons.into_iter());
        assert_eq!(
            lines,
            [
                "sum.carry_bits indistinguishable from 1, 3 and 2 more: spare",
                "sum.carry_bits indistinguishable from 2: no vector"
            ]
        );
    }
}
