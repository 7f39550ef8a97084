//! A description held against what was found: the fields in which they differ, and why no vector shows it.

use std::{mem, slice};

use serde::Serialize;

use super::space::{Setting, Space, dont_care, rounded_once, with};
use crate::describe::instruction::Instruction;
use crate::describe::subject::Subject;
use crate::describe::unit::Unit;

/// A field in which a description and what was found differ.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FieldDifference {
    /// Path of the field in unit and instruction files; those of the unit that adds c at the end follow `final_addition.`.
    /// `elsewhere` stands for what no hypothesis of the space has.
    pub field: String,
    pub described: String,
    pub found: String,
    /// Why no vector shows it, where that is known without one.
    pub reason: Option<String>,
}

/// The fields in which a subject and what was found, a hypothesis of the space, differ. From the one to the other they are changed
/// in turn, those first that are don't cares after the changes before: where each has a reason, no vector distinguishes the two.
pub fn field_differences(subject: &Subject, found: &Instruction) -> Vec<FieldDifference> {
    between(&arithmetic(subject.instruction()), arithmetic(found.clone()))
}

fn between(subject: &Instruction, mut reached: Instruction) -> Vec<FieldDifference> {
    let mut all = Vec::new();
    // As a hypothesis has it: c is added at the end by a fused unit, and no carry bits are named that are there anyway.
    let described = with(subject, &[]);
    if let (Some(own), Some(other), true) =
        (&subject.final_addition, &described.final_addition, reached.final_addition.is_some())
    {
        let [own, other] = [own, other].map(|adder| arithmetic(Instruction::alone(adder.clone())));
        let inner = between(&own, other).into_iter();
        all.extend(inner.map(|one| FieldDifference { field: format!("final_addition.{}", one.field), ..one }));
    }
    if described.unit.scheme != reached.unit.scheme {
        let reason = rounded_once(&reached, &described);
        let [own, other] = [&described, &reached].map(|instruction| instruction.unit.scheme.name().to_owned());
        all.push(row("scheme", own, other, reason.clone()));
        if reason.is_none() {
            // Their parameters are not those of the same thing.
            return all;
        }
        let Unit { scheme, alignment, addition, carry_bits, .. } = described.unit.clone();
        reached.unit = Unit { scheme, alignment, addition, carry_bits, ..reached.unit };
    }
    let wanted = settings(&described);
    // A change may leave another one to be made that was none before, but no more often than there are others.
    for _ in 0..wanted.len() * wanted.len() {
        let left = wanted.iter().filter(|setting| !setting.is_own_of(&reached));
        let reason = |setting| reached.is_valid().then(|| dont_care(setting, &reached)).flatten();
        let place = |(setting, reason): &(&Setting, Option<String>)| {
            (reason.is_none(), !with(&reached, slice::from_ref(*setting)).is_valid())
        };
        let Some((setting, reason)) = left.map(|setting| (setting, reason(setting))).min_by_key(place) else { break };
        let own = settings(&reached).into_iter().find(|own| own.field() == setting.field());
        let found = own.map_or("another value".to_owned(), |own| own.text());
        all.push(row(setting.field(), setting.text(), found, reason));
        reached = with(&reached, slice::from_ref(setting));
    }
    if !reached.has_arithmetic_of(&described) {
        all.push(row("elsewhere", "what no hypothesis has".to_owned(), "as every hypothesis has it".to_owned(), None));
    }
    all
}

fn row(field: &str, described: String, found: String, reason: Option<String>) -> FieldDifference {
    FieldDifference { field: field.to_owned(), described, found, reason }
}

/// The values of an instruction's parameters.
fn settings(instruction: &Instruction) -> Vec<Setting> {
    let space = Space::new(instruction.interface(), std::iter::empty());
    // A block may be wider than all products of the instruction.
    let width = Setting::BlockWidth(instruction.unit.products);
    let own = |values: Vec<Setting>| values.into_iter().find(|setting| setting.is_own_of(instruction));
    let all = space.parameters(instruction).into_iter().filter_map(own).filter(|own| own.field() != width.field());
    [width.clone()].into_iter().chain(all.collect::<Vec<_>>()).collect()
}

/// The instruction with the unit's factors in the order of its own: products are the same. A NaN of blocks is any where the final
/// addition gives another format.
fn arithmetic(mut instruction: Instruction) -> Instruction {
    let exchanged = instruction.exchanged();
    let Instruction { unit, final_addition, .. } = &mut instruction;
    if final_addition.as_ref().is_some_and(|adder| adder.formats.d != unit.formats.d) {
        unit.conversion.nan = unit.formats.d.nan().unwrap_or_default();
    }
    if exchanged {
        let formats = &mut unit.formats;
        mem::swap(&mut formats.a, &mut formats.b);
    }
    instruction
}
