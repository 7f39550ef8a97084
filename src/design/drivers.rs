//! Variables with two drivers, which Verilator lets pass: the last one wins in simulation, and both burn in hardware.

use std::collections::BTreeMap;

use serde_json::Value;

use super::ports::{list, place};

/// A process, a continuous assignment or an output of an instance, and how it drives a variable.
struct Driver<'a> {
    process: &'a str,
    location: &'a str,
    /// Whether all bits are driven.
    whole: bool,
    name: &'a str,
}

/// The first variable that is driven as a whole, and by something else too, and where.
pub fn conflict(tree: &Value, files: &Value) -> Option<String> {
    list(tree, "modulesp").iter().find_map(|module| {
        let mut drivers: BTreeMap<&str, Vec<Driver>> = BTreeMap::new();
        processes(module, &mut drivers);
        drivers.values().find_map(|drivers| {
            let whole = drivers.iter().find(|driver| driver.whole)?;
            let other = drivers.iter().find(|driver| driver.process != whole.process)?;
            let [first, second] = [whole, other].map(|driver| place(driver.location, files));
            Some(format!("{} has two drivers: {first} and {second}", whole.name))
        })
    })
}

/// Looks for processes and instances, in blocks of generated text too.
fn processes<'a>(node: &'a Value, drivers: &mut BTreeMap<&'a str, Vec<Driver<'a>>>) {
    for statement in list(node, "stmtsp") {
        match statement["type"].as_str().unwrap_or_default() {
            "ALWAYS" => collect(statement, statement["addr"].as_str().unwrap_or_default(), drivers),
            "CELL" => {
                for pin in list(statement, "pinsp") {
                    driven(pin, "exprp", pin["addr"].as_str().unwrap_or_default(), drivers);
                }
            }
            "BEGIN" | "GENBLOCK" => processes(statement, drivers),
            _ => {}
        }
    }
}

/// Every assignment in a process.
fn collect<'a>(node: &'a Value, process: &'a str, drivers: &mut BTreeMap<&'a str, Vec<Driver<'a>>>) {
    match node {
        Value::Array(nodes) => nodes.iter().for_each(|node| collect(node, process, drivers)),
        Value::Object(fields) => {
            if node["type"].as_str().is_some_and(|name| name.starts_with("ASSIGN")) {
                driven(node, "lhsp", process, drivers);
            }
            fields.values().for_each(|node| collect(node, process, drivers));
        }
        _ => {}
    }
}

/// What an assignment or a connection writes.
fn driven<'a>(node: &'a Value, side: &str, process: &'a str, drivers: &mut BTreeMap<&'a str, Vec<Driver<'a>>>) {
    let Some(mut target) = list(node, side).first() else { return };
    let mut whole = true;
    while let Some(inner) = list(target, "fromp").first() {
        (target, whole) = (inner, false);
    }
    if target["type"] == "VARREF" && target["access"] == "WR" {
        let text = |name: &str| target[name].as_str().unwrap_or_default();
        let driver = Driver { process, location: text("loc"), whole, name: text("name") };
        drivers.entry(text("varp")).or_default().push(driver);
    }
}
