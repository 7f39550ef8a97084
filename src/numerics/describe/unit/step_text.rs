//! Writing `[[step]]`: what differs from the defaults of a step.

use super::Unit;
use super::step_file::{
    INPUTS, NEGATED, OVERFLOWS, PERMUTATIONS, PLACES, RESULTS, ZEROS, is_of_one_number, numbers_before,
};
use super::step_list::{Permutation, StepList};
use crate::describe::arithmetic::{
    Arithmetic, Exponent, Flushing, InputSubnormals, Order, Round, RoundTo, Start, Step, StepRound, Window, ZeroSign,
};
use crate::describe::file::{format_entry, value};

fn word<T: PartialEq>(words: &[(&'static str, T)], meaning: &T) -> String {
    value(words.iter().find(|(_, known)| known == meaning).map_or("", |(word, _)| word))
}

/// The order of products, as files spell it.
pub(super) fn permutation(list: &StepList) -> String {
    match &list.permutation {
        Permutation::Listed(indices) => value(indices),
        named => word(&PERMUTATIONS, named),
    }
}

/// All steps, with their headings.
pub(super) fn steps(unit: &Unit) -> String {
    unit.step_texts().iter().map(|text| format!("\n[[step]]\n{text}")).collect()
}

impl Unit {
    /// The fields of every step as a file that lists them has them, one a line.
    pub fn step_texts(&self) -> Vec<String> {
        let Arithmetic { steps, c, .. } = self.arithmetic();
        let defaults = match &self.list {
            Some(list) => (list.addend, list.zero),
            None => (c.map_or(InputSubnormals::Kept, |c| c.subnormals), ZeroSign::Ieee),
        };
        let before = |index: usize| numbers_before(self.products, &steps[..index]);
        steps.iter().enumerate().map(|(index, step)| self::step(defaults, step, before(index))).collect()
    }
}

/// `inputs` and `zero` are those of a step that has none of its own.
fn step((inputs, zero): (InputSubnormals, ZeroSign), step: &Step, numbers: u32) -> String {
    let mut lines = Vec::new();
    let mut put = |key: &str, value: String| lines.push(format!("{key} = {value}\n"));
    if let Some(group) = step.group {
        put("group", group.to_string());
    }
    if step.lanes != 1 {
        put("lanes", step.lanes.to_string());
    }
    match step.order {
        Order::AtOnce => {}
        Order::Chain { by, start } => {
            put("order", value("chain"));
            put_if(&mut put, by != 1, "by", by.to_string());
            put_if(&mut put, start == Start::Zero, "start", value("zero"));
        }
        Order::Tree { by } => {
            put("order", value("tree"));
            put_if(&mut put, by != 2, "by", by.to_string());
        }
    }
    if let Some(place) = step.c {
        put("c", word(&PLACES, &place));
    }
    if let Some(negate) = step.negate {
        put("negate", word(&NEGATED, &negate));
    }
    put_if(&mut put, step.inputs != inputs, "inputs", word(&INPUTS, &step.inputs));
    if let Some(all) = &step.window {
        put("window", window(all));
    }
    match (step.exponent, &step.window) {
        (Exponent::Own, _) | (Exponent::Anchor, Some(_)) => {}
        (Exponent::Leading, None) if !is_of_one_number(step, numbers) => {}
        (Exponent::Anchor, None) => put("exponent", value("anchor")),
        (Exponent::Leading, _) => put("exponent", value("leading")),
        (Exponent::Fixed(exponent), _) => put("exponent", exponent.to_string()),
    }
    put_if(&mut put, step.shift != 0, "shift", step.shift.to_string());
    put_if(&mut put, step.scaled, "scaled", "true".to_owned());
    put_if(&mut put, step.zero != zero, "zero", word(&ZEROS, &step.zero));
    let rounds: Vec<String> = step.round.iter().map(round).collect();
    match rounds.as_slice() {
        [] => {}
        [one] => put("round", one.clone()),
        several => put("round", format!("[{}]", several.join(", "))),
    }
    lines.concat()
}

fn put_if(put: &mut impl FnMut(&str, String), wanted: bool, key: &str, value: String) {
    if wanted {
        put(key, value);
    }
}

/// A table on one line.
fn table(entries: Vec<(&str, String)>) -> String {
    let entries: Vec<String> = entries.into_iter().map(|(key, value)| format!("{key} = {value}")).collect();
    format!("{{ {} }}", entries.join(", "))
}

fn window(window: &Window) -> String {
    let mut entries =
        vec![("fraction_bits", window.fraction_bits.to_string()), ("rounding", value(window.rounding.name()))];
    entries.extend(window.floor.map(|floor| ("floor", floor.to_string())));
    entries.extend(window.width.map(|width| ("width", width.to_string())));
    entries.extend(window.addend.as_ref().map(|addend| {
        let reach = addend.reach.map(|reach| ("reach", reach.to_string()));
        let bits = ("fraction_bits", addend.fraction_bits.to_string());
        ("addend", table([bits].into_iter().chain(reach).collect()))
    }));
    table(entries)
}

fn round(round: &StepRound) -> String {
    let round = match round {
        StepRound::Result => return value("d"),
        StepRound::To(round) => round,
    };
    table(entries(round))
}

fn entries(round: &Round) -> Vec<(&'static str, String)> {
    let mut entries = Vec::new();
    match &round.to {
        RoundTo::Format(format) => entries.push(("format", format_entry(format))),
        RoundTo::Range { precision, exponent_min, exponent_max } => {
            entries.extend(precision.map(|bits| ("precision", bits.to_string())));
            entries.extend(exponent_min.map(|exponent| ("exponent_min", exponent.to_string())));
            entries.extend(exponent_max.map(|exponent| ("exponent_max", exponent.to_string())));
        }
    }
    if !matches!(round.to, RoundTo::Range { precision: None, .. }) {
        entries.push(("rounding", value(round.rounding.name())));
    }
    if matches!(round.to, RoundTo::Format(_)) {
        entries.push(("overflow", word(&OVERFLOWS, &round.overflow)));
    }
    if round.subnormals != Flushing::Kept {
        entries.push(("subnormals", word(&RESULTS, &round.subnormals)));
    }
    if round.rounded_zero_positive {
        entries.push(("rounded_zero", value("positive")));
    }
    entries
}
