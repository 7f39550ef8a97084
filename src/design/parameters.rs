//! Whether the parameters that a design file sets have values of the parameters' types: simulators cut off what does not fit.

use std::collections::HashMap;

use serde_json::Value;

use super::file::Design;
use super::ports::{list, range};
use crate::describe::unit::FileError;

/// Types whose values are whole numbers, and nothing else.
const WHOLE: [&str; 5] = ["byte", "shortint", "int", "integer", "longint"];
/// Vectors of bits. A parameter without a type is one of the bits of its value.
const VECTORS: [&str; 3] = ["logic", "bit", "reg"];

/// Finds a parameter of a module, in Verilator's syntax tree, that has a value which its type has not. Where none is set there, only
/// those are looked at that are numbers: the ranges of others may depend on what is set.
pub fn check(design: &Design, module: &Value, types: &HashMap<&str, &Value>, are_set: bool) -> Result<(), FileError> {
    let declared = list(module, "stmtsp").iter().filter(|node| node["type"] == "VAR" && node["isGParam"] == true);
    for node in declared {
        let Some(name) = node["name"].as_str() else { continue };
        let (Some(value), Some(kind)) = (design.said.parameters.get(name), basic(node, types)) else { continue };
        let Some([least, most]) = limits(kind) else { continue };
        let is_whole = kind["keyword"].as_str().is_some_and(|keyword| WHOLE.contains(&keyword));
        // One without a type that is a number until it is set.
        let is_number = is_whole || (kind["signed"] == true && most == u32::MAX.into());
        if !are_set && !is_number {
            continue;
        }
        let is_allowed = match value {
            toml::Value::Integer(number) => (least..=most).contains(&i128::from(*number)),
            toml::Value::String(_) if are_set => !is_whole,
            toml::Value::String(_) => false,
            _ => true,
        };
        if !is_allowed {
            let allowed = format!("a whole number from {least} to {most}");
            return Err(design.refuse(&format!("parameters.{name}"), value, allowed));
        }
    }
    Ok(())
}

/// The basic type of a parameter.
fn basic<'a>(node: &Value, types: &HashMap<&str, &'a Value>) -> Option<&'a Value> {
    let mut kind = *types.get(node["dtypep"].as_str()?)?;
    while kind["type"] != "BASICDTYPE" {
        kind = *types.get(kind["refDTypep"].as_str()?)?;
    }
    Some(kind)
}

/// The least and the greatest value of a basic type, where it has whole numbers. In a vector a negative number stands for its bits.
fn limits(kind: &Value) -> Option<[i128; 2]> {
    let keyword = kind["keyword"].as_str()?;
    let bits = kind["range"].as_str().map_or(Some(1), |text| range(text).map(|range| range.size()))?.min(64);
    let (half, whole): (i128, i128) = (1 << (bits - 1), 1 << bits);
    match (VECTORS.contains(&keyword), kind["signed"] == true) {
        (true, _) => Some([-half, whole - 1]),
        (false, _) if !WHOLE.contains(&keyword) => None,
        (false, true) => Some([-half, half - 1]),
        (false, false) => Some([0, whole - 1]),
    }
}
