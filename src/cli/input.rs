//! Units as named on the command line.

use std::path::Path;

use super::Failure;
use crate::describe::catalogue;
use crate::describe::unit::Unit;

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
        let unit = Unit::from_file(path)?;
        let text = std::fs::read_to_string(path)?;
        return Ok(Named { unit, file: Some(text) });
    }
    let names = catalogue::names().join(", ");
    Err(Failure(format!("unknown unit {name:?}; allowed: a unit file (.toml), or one of {names}")))
}

/// The named units, or the whole catalogue.
pub(super) fn units(names: &[String]) -> Result<Vec<Named>, Failure> {
    if names.is_empty() {
        return Ok(catalogue::units().into_iter().map(|unit| Named { unit, file: None }).collect());
    }
    names.iter().map(|name| unit(name)).collect()
}
