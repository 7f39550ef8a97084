//! Inference is blind: of engines it sees the interface, of descriptions those that it is handed, and of checks what makes vectors.

/// All that inference may name of these modules.
const SEEN: [(&str, &[&str]); 2] = [
    ("engine::", &["Batch", "Engine", "EngineError", "Identity", "Vector"]),
    ("check::", &["probe", "stimulus", "case"]),
];

/// What reads the catalogue, and what knows how units sum.
const HIDDEN: [&str; 8] = [
    "catalogue",
    "Subject::named",
    "Instruction::from_toml(",
    "from_file",
    "datapath",
    "compute::",
    "crate::recording",
    "crate::literature",
];

/// Lines of code that see more.
pub fn sights(text: &str) -> Vec<String> {
    let code = text.lines().map(|line| line.split("//").next().unwrap_or_default());
    code.filter(|line| sees(line)).map(str::to_owned).collect()
}

fn sees(line: &str) -> bool {
    let beyond = |(module, seen): &(&str, &[&str])| {
        line.match_indices(module)
            .any(|(start, _)| !used(&line[start + module.len()..]).all(|name| seen.contains(&name)))
    };
    HIDDEN.iter().any(|text| line.contains(text)) || SEEN.iter().any(beyond)
}

/// The first names of a path's rest, such as `Batch` and `Engine` of `{Batch, Engine};`.
fn used(rest: &str) -> impl Iterator<Item = &str> {
    let several = rest.strip_prefix('{').map(|names| names.split('}').next().unwrap_or_default());
    several.unwrap_or(rest.split([',', ';', ' ', '(']).next().unwrap_or_default()).split(',').map(first)
}

/// The first name of a path.
fn first(path: &str) -> &str {
    path.trim().split([':', '<', '>', ')']).next().unwrap_or_default()
}

#[test]
fn each_way_to_see_more_is_caught() {
    for seeing in [
        "use crate::describe::catalogue;",
        "let known = Subject::named(\"hopper-fp16-fp32\");",
        "let known = Instruction::from_toml(file, text);",
        "let known = Subject::from_file(path);",
        "use crate::compute::Model;",
        "use crate::engine::{Batch, Emulator};",
        "use crate::engine::Wide;",
        "use crate::recording::Reader;",
        "use crate::engine::rtl::Rtl;",
        "let engine: Box<crate::engine::Netlist> = open();",
        "use crate::engine::*;",
        "use crate::literature;",
    ] {
        assert_eq!(sights(seeing), [seeing]);
    }
    for blind in [
        "use crate::engine::{Batch, Engine, EngineError, Vector};",
        "use crate::check::probe::{Bench, Value};",
        "// Emulator",
    ] {
        assert!(sights(blind).is_empty(), "{blind}");
    }
}
