//! What is proved or refuted of tiny units is so on all their inputs.

mod definitions;
mod units;

use std::collections::BTreeMap;

use tensorsmith::describe::unit::Unit;
use tensorsmith::prove::property::{Property, Slices, Subject};
use tensorsmith::prove::settle::Verdict;

use crate::prove::shared::sampled;
use crate::prove::support::{prover, settled};
use definitions::{Inputs, Order};

/// The wrong verdicts of a tiny unit, and how many were compared of each property.
struct Compared {
    wrong: Vec<String>,
    counts: BTreeMap<&'static str, [u32; 2]>,
}

impl Compared {
    /// Asks the prover about properties of a unit, and tries all inputs.
    fn unit(&mut self, unit: &Unit, inputs: &Inputs, order: Order, asked: &dyn Fn(&str) -> bool) {
        let Some(prover) = prover() else { return };
        let subject = Subject::of(unit).with_slices(Slices { bits: 1, products: unit.products });
        for property in Property::all().iter().filter(|property| asked(property.name)) {
            let Ok(task) = property.task(&subject) else { continue };
            let Some(holds) = definitions::holds(property.name, inputs, order) else { continue };
            let expected = if holds { Verdict::Proved } else { Verdict::Refuted };
            self.counts.entry(property.name).or_default()[usize::from(holds)] += 1;
            let statement = settled(task, &prover);
            if statement.verdict() != expected {
                self.wrong.push(format!(
                    "{}: {}, by all inputs {}\n{}{:?}",
                    property.name,
                    statement.verdict().name(),
                    expected.name(),
                    unit.to_toml(),
                    statement.questions
                ));
            }
        }
    }
}

#[test]
fn properties_all_inputs_tiny_units() {
    if prover().is_none() {
        return;
    }
    let mut compared = Compared { wrong: Vec::new(), counts: BTreeMap::new() };
    let mut inputs_tried = 0;
    for scheme in units::SCHEMES {
        for unit in sampled(&units::of_scheme(scheme), 2) {
            let inputs = Inputs::of(unit);
            inputs_tried += inputs.len();
            compared.unit(unit, &inputs, Order::Unordered, &|_| true);
        }
    }
    let Compared { wrong, counts } = compared;
    println!("{inputs_tried} inputs; verdicts refuted and proved: {counts:?}");
    assert!(wrong.is_empty(), "{} wrong\n{}", wrong.len(), wrong.join("\n\n"));
}

/// With a NaN taken for a number some units that are monotone seem not to be, and the comparison above finds the verdict wrong.
#[test]
fn a_nan_that_is_ordered_is_found() {
    if prover().is_none() {
        return;
    }
    let monotone = |inputs: &Inputs, order| definitions::holds("monotone", inputs, order);
    let all = units::SCHEMES.into_iter().flat_map(units::of_scheme).filter(|unit| unit.has_addend());
    let mut changed = all
        .map(|unit| (Inputs::of(&unit), unit))
        .filter(|(inputs, _)| monotone(inputs, Order::Unordered) != monotone(inputs, Order::NanIsNumber));
    let (inputs, unit) = changed.next().expect("some unit is monotone where it has a NaN");
    let mut compared = Compared { wrong: Vec::new(), counts: BTreeMap::new() };
    compared.unit(&unit, &inputs, Order::NanIsNumber, &|name| name == "monotone");
    assert_eq!(compared.wrong.len(), 1);
    println!("{} more units", changed.count());
}

/// Products of subnormals that are flushed, and another floor, are told from those of the unit.
#[test]
fn other_products_and_anchors_are_found() {
    let fused = units::of_scheme("fused");
    let mut small = fused.iter().filter(|unit| units::bits(unit) <= units::BITS_OF_STAGES);
    assert!(small.any(definitions::other_stages_are_found));
}
