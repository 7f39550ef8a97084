//! Units and instructions as named on the command line.

use std::path::Path;

use super::Failure;
use crate::describe::catalogue;
use crate::describe::subject::Subject;
use crate::describe::unit::Unit;
use crate::engine::Kind;

/// A unit or an instruction, and the text of the unit's file if it is not in the catalogue.
pub(super) struct Named {
    pub subject: Subject,
    pub file: Option<String>,
}

/// The unit or instruction of that name in the catalogue, or the unit in that file (`.toml` or with a path).
pub(super) fn subject(name: &str) -> Result<Named, Failure> {
    if let Some(instruction) = catalogue::instruction(name) {
        return Ok(Named { subject: instruction.into(), file: None });
    }
    let (unit, file) = unit_and_file(name, "an instruction (see `tensorsmith instructions`), ")?;
    Ok(Named { subject: unit.into(), file })
}

/// The unit of that name in the catalogue, or the unit in that file (`.toml` or with a path).
pub(super) fn unit(name: &str) -> Result<Unit, Failure> {
    Ok(unit_and_file(name, "")?.0)
}

fn unit_and_file(name: &str, also_allowed: &str) -> Result<(Unit, Option<String>), Failure> {
    if let Some(unit) = catalogue::unit(name) {
        return Ok((unit, None));
    }
    let path = Path::new(name);
    if path.extension().is_some_and(|extension| extension == "toml") || path.components().count() > 1 {
        let (unit, text) = Unit::from_file(path)?;
        return Ok((unit, Some(text)));
    }
    if let Some(instruction) = catalogue::instruction(name) {
        let units: Vec<&str> = instruction.units().map(|unit| unit.name.as_str()).collect();
        return Err(Failure(format!(
            "{name} is an instruction; allowed: a unit, such as its own: {}",
            units.join(", ")
        )));
    }
    let names = catalogue::names().join(", ");
    Err(Failure(format!("unknown unit {name:?}; allowed: {also_allowed}a unit file (.toml), or one of {names}")))
}

/// Refuses an engine that is named twice: it would agree with itself.
pub(super) fn check_engines(kinds: &[Kind]) -> Result<(), Failure> {
    for (index, kind) in kinds.iter().enumerate() {
        if kinds[..index].contains(kind) {
            return Err(Failure(format!("--engines: {} is named twice; allowed: each engine once", kind.name())));
        }
    }
    Ok(())
}
