//! Integer units of every format, size and overflow rule: the recipe of random units draws none.

use rayon::prelude::*;
use tensorsmith::describe::catalogue;
use tensorsmith::describe::format::{Format, Overflow};
use tensorsmith::describe::unit::Unit;
use tensorsmith::infer::field_differences;

use super::recovery::recovered;
use super::shared::long_tier;
use super::support::short;

/// Of the ordinary tier one in so many.
const SAMPLED: usize = 17;

fn units() -> Vec<Unit> {
    let plain = catalogue::unit("integer-int8-int32").expect("a unit");
    let format = |name: &str| Format::named(name).expect("a format");
    let mut units = Vec::new();
    for a in ["int4", "uint4", "int8", "uint8"] {
        for b in ["int4", "uint4", "int8", "uint8"] {
            for overflow in [Overflow::Wrap, Overflow::Saturate] {
                for products in [1, 2, 5, 16, 33] {
                    let name = format!("{a}-{b}-{}-{products}", overflow.name());
                    let mut unit = Unit { name, products, ..plain.clone() };
                    (unit.formats.a, unit.formats.b, unit.conversion.overflow) = (format(a), format(b), overflow);
                    unit.evidence.clear();
                    units.push(Unit::from_toml(&unit.name, &unit.to_toml()).expect("a unit of integers"));
                }
            }
        }
    }
    units
}

#[test]
fn integer_units_are_recovered() {
    let all = units();
    let chosen: Vec<&Unit> = all.iter().step_by(if long_tier() { 1 } else { SAMPLED }).collect();
    let missed: Vec<String> = chosen
        .par_iter()
        .filter_map(|unit| {
            let subject = (*unit).clone().into();
            let finding = match recovered(&subject, short(20_000), 20_000) {
                Ok(finding) => finding,
                Err(missed) => return Some(format!("{}: {missed}", unit.name)),
            };
            let unexplained =
                field_differences(&subject, &finding.hypothesis).into_iter().filter(|other| other.reason.is_none());
            let fields: Vec<String> = unexplained.map(|other| other.field).collect();
            (!fields.is_empty()).then(|| format!("{}: no reason for {fields:?}", unit.name))
        })
        .collect();
    println!("{} of {} integer units, {} missed", chosen.len(), all.len(), missed.len());
    assert!(chosen.len() > 8 && missed.is_empty(), "{}", missed.join("\n"));
}
