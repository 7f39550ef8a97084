//! Calls of C, of programs and of what writes files in a design's text: such a design can do anything that its user can.

use serde_json::Value;

use super::ports::{list, place};

/// Nodes of Verilator's syntax tree, by their types in its releases, and what they are.
const CALLS: [(&str, &str); 17] = [
    ("SYSTEMT", "$system runs a program"),
    ("SYSTEMF", "$system runs a program"),
    ("CSTMTUSER", "$c is C++"),
    ("CEXPRUSER", "$c is C++"),
    ("UCSTMT", "$c is C++"),
    ("UCFUNC", "$c is C++"),
    ("SYSTEMCSECTION", "`systemc_.. begins C++"),
    ("SCHDR", "`systemc_header begins C++"),
    ("SCIMP", "`systemc_implementation begins C++"),
    ("SCIMPHDR", "`systemc_imp_header begins C++"),
    ("SCINT", "`systemc_interface begins C++"),
    ("SCCTOR", "`systemc_ctor begins C++"),
    ("SCDTOR", "`systemc_dtor begins C++"),
    ("FOPENMCD", "$fopen writes a file"),
    ("FOPEN", "$fopen writes a file"),
    ("WRITEMEM", "$writemem writes a file"),
    ("DUMPCTL", "$dump.. writes a file"),
];

/// The first such call, and where it is.
pub fn first(tree: &Value, files: &Value) -> Option<String> {
    match tree {
        Value::Array(nodes) => nodes.iter().find_map(|node| first(node, files)),
        Value::Object(fields) => {
            let here = call(tree).map(|what| format!("{}: {what}", place(text(tree, "loc"), files)));
            here.or_else(|| fields.values().find_map(|node| first(node, files)))
        }
        _ => None,
    }
}

/// What a node calls.
fn call(node: &Value) -> Option<String> {
    for (field, what) in [("dpiImport", "is a function of C"), ("dpiExport", "is exported to C")] {
        if node[field] == true {
            return Some(format!("{} {what}", text(node, "name")));
        }
    }
    let (kind, what) = CALLS.iter().find(|(kind, _)| *kind == text(node, "type"))?;
    let only_reads = *kind == "FOPEN" && list(node, "modep").first().is_some_and(is_reading);
    (!only_reads).then(|| (*what).to_owned())
}

/// Whether a mode is a constant that only reads.
fn is_reading(mode: &Value) -> bool {
    let written = text(mode, "name").trim_start_matches('\\');
    mode["type"] == "CONST" && written.starts_with("\"r") && !written.contains('+')
}

fn text<'a>(node: &'a Value, name: &str) -> &'a str {
    node[name].as_str().unwrap_or_default()
}
