//! The part of Yosys' JSON that is read: modules with ports, cells and names.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

/// What `write_json` writes.
#[derive(Deserialize)]
pub(crate) struct Design {
    pub modules: BTreeMap<String, Module>,
}

#[derive(Deserialize)]
pub(crate) struct Module {
    #[serde(default)]
    pub attributes: BTreeMap<String, Value>,
    pub ports: BTreeMap<String, Port>,
    pub cells: BTreeMap<String, Cell>,
    pub netnames: BTreeMap<String, Name>,
    #[serde(default)]
    pub memories: BTreeMap<String, Value>,
}

#[derive(Deserialize)]
pub(crate) struct Port {
    pub direction: String,
    pub bits: Vec<Bit>,
}

#[derive(Deserialize)]
pub(crate) struct Cell {
    #[serde(rename = "type")]
    pub kind: String,
    #[serde(default)]
    pub parameters: BTreeMap<String, Value>,
    #[serde(default)]
    pub attributes: BTreeMap<String, Value>,
    pub connections: BTreeMap<String, Vec<Bit>>,
}

#[derive(Deserialize)]
pub(crate) struct Name {
    #[serde(default)]
    pub hide_name: u32,
    pub bits: Vec<Bit>,
}

/// A net's number, or a constant: "0", "1", "x", "z".
#[derive(Deserialize, Clone, PartialEq, Eq, Debug)]
#[serde(untagged)]
pub(crate) enum Bit {
    Net(u64),
    Constant(String),
}

/// A parameter's or attribute's text.
pub(crate) fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
