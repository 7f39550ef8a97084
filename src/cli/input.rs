//! Units as named on the command line.

use std::path::Path;

use super::Failure;
use crate::describe::catalogue;
use crate::describe::unit::Unit;
use crate::engine::Kind;

/// A unit, and the text of its file if it is not in the catalogue.
pub(super) struct Named {
    pub unit: Unit,
    pub file: Option<String>,
}

/// The unit of that name in the catalogue, or the unit in that file (`.toml` or with a path).
pub(super) fn unit(name: &str) -> Result<Named, Failure> {
    if let Some(unit) = catalogue::unit(name) {
        return Ok(Named { unit, file: None });
    }
    let path = Path::new(name);
    if path.extension().is_some_and(|extension| extension == "toml") || path.components().count() > 1 {
        let (unit, text) = Unit::from_file(path)?;
        return Ok(Named { unit, file: Some(text) });
    }
    let names = catalogue::names().join(", ");
    Err(Failure(format!("unknown unit {name:?}; allowed: a unit file (.toml), or one of {names}")))
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

/// The named units, or the whole catalogue.
pub(super) fn units(names: &[String]) -> Result<Vec<Named>, Failure> {
    if names.is_empty() {
        return Ok(catalogue::units().into_iter().map(|unit| Named { unit, file: None }).collect());
    }
    names.iter().map(|name| unit(name)).collect()
}
