//! The ports of a design, as Verilator tells them, once its parameters are set.

use std::collections::HashMap;

use serde_json::Value;

use super::file::Design;
use super::{drivers, parameters};

/// A port.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Port {
    pub name: String,
    pub direction: Direction,
    /// Where it is declared: file and line.
    pub place: String,
    /// Ranges outside of the vectors that it holds, outermost first: unpacked ones, then packed ones.
    pub unpacked: Vec<Range>,
    pub packed: Vec<Range>,
    /// Bits of the innermost vector, and its range.
    pub vector: Range,
}

/// Where values of a port come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    Input,
    Output,
    /// Neither, or both: it cannot be driven.
    Other,
}

/// A range as it is written: `[left:right]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Range {
    pub left: i64,
    pub right: i64,
}

impl Range {
    /// Bits or elements.
    pub fn size(self) -> usize {
        self.left.abs_diff(self.right) as usize + 1
    }

    /// Lowest index.
    pub fn low(self) -> i64 {
        self.left.min(self.right)
    }

    /// Highest index.
    pub fn high(self) -> i64 {
        self.left.max(self.right)
    }
}

impl std::fmt::Display for Range {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "[{}:{}]", self.left, self.right)
    }
}

impl Port {
    /// All ranges but the innermost, outermost first.
    pub fn dimensions(&self) -> Vec<Range> {
        self.unpacked.iter().chain(&self.packed).copied().collect()
    }

    /// All bits.
    pub fn bits(&self) -> usize {
        self.dimensions().iter().map(|range| range.size()).product::<usize>() * self.vector.size()
    }

    /// The port's type as it is declared, without its name.
    pub fn shape(&self) -> String {
        let packed: String = self.packed.iter().map(Range::to_string).collect();
        let unpacked: String = self.unpacked.iter().map(Range::to_string).collect();
        let gap = if unpacked.is_empty() { "" } else { " " };
        format!("{packed}{}{gap}{unpacked}", self.vector)
    }
}

/// The ports of the module in a syntax tree of Verilator's, in order.
///
/// # Errors
/// The tree is not as expected, a variable has two drivers, or a parameter a value that its type has not: in which file, and why.
pub fn read([tree, files]: &[String; 2], design: &Design) -> Result<Vec<Port>, String> {
    let refused = |what: String| format!("{}: {what}", design.file);
    let (tree, files) = (parse(tree).map_err(refused)?, parse(files).map_err(refused)?);
    if let Some(conflict) = drivers::conflict(&tree, &files) {
        return Err(refused(conflict));
    }
    let module = module(&tree, &design.said.top);
    let module = module.ok_or_else(|| refused(format!("Verilator's syntax tree has no module {}", design.said.top)))?;
    let mut types = HashMap::new();
    collect_types(&tree["miscsp"], &mut types);
    parameters::check(design, module, &types, true).map_err(|error| error.to_string())?;
    let ports = list(module, "stmtsp").iter().filter(|node| node["type"] == "VAR" && node["isPrimaryIO"] == true);
    ports.map(|node| port(node, &types, &files).map_err(refused)).collect()
}

/// Checks parameters by a tree in which none is set.
pub fn check_unset([tree, _]: &[String; 2], design: &Design) -> Result<(), String> {
    let tree = parse(tree).map_err(|what| format!("{}: {what}", design.file))?;
    let mut types = HashMap::new();
    collect_types(&tree["miscsp"], &mut types);
    let Some(module) = module(&tree, &design.said.top) else { return Ok(()) };
    parameters::check(design, module, &types, false).map_err(|error| error.to_string())
}

fn parse(text: &str) -> Result<Value, String> {
    serde_json::from_str(&json(text)).map_err(|error| format!("Verilator's syntax tree: {error}"))
}

/// The module of that name, or the only one.
fn module<'a>(tree: &'a Value, top: &str) -> Option<&'a Value> {
    let modules = list(tree, "modulesp").iter().filter(|node| node["type"] == "MODULE");
    let named = |name: &str| modules.clone().find(|module| module[name] == top);
    named("origName").or_else(|| named("name")).or_else(|| modules.clone().next())
}

/// Verilator's JSON with escapes that JSON has: it writes bytes beside ASCII in octal, `\303`.
fn json(text: &str) -> String {
    let mut parts = text.split('\\');
    let mut json = parts.next().unwrap_or_default().to_owned();
    let mut is_escaped = false;
    for part in parts {
        let digits = part.get(..3).filter(|digits| digits.bytes().all(|digit| (b'0'..=b'7').contains(&digit)));
        match digits.and_then(|digits| u8::from_str_radix(digits, 8).ok()).filter(|_| !is_escaped) {
            Some(byte) => json += &format!("\\u{byte:04x}{}", &part[3..]),
            None => json += &format!("\\{part}"),
        }
        // A backslash that is written twice escapes nothing behind it.
        is_escaped = part.is_empty() && !is_escaped;
    }
    json
}

/// A syntax tree and the names of its files.
pub fn both([tree, files]: &[String; 2]) -> Result<[Value; 2], String> {
    Ok([parse(tree)?, parse(files)?])
}

pub(super) fn list<'a>(node: &'a Value, name: &str) -> &'a [Value] {
    node[name].as_array().map_or(&[], Vec::as_slice)
}

/// Every type by its address.
fn collect_types<'a>(node: &'a Value, types: &mut HashMap<&'a str, &'a Value>) {
    match node {
        Value::Array(nodes) => nodes.iter().for_each(|node| collect_types(node, types)),
        Value::Object(fields) => {
            let is_type = node["type"].as_str().is_some_and(|name| name.ends_with("DTYPE"));
            if let (true, Some(address)) = (is_type, node["addr"].as_str()) {
                types.insert(address, node);
            }
            fields.values().for_each(|node| collect_types(node, types));
        }
        _ => {}
    }
}

fn port(node: &Value, types: &HashMap<&str, &Value>, files: &Value) -> Result<Port, String> {
    let name = node["verilogName"].as_str().or(node["name"].as_str()).unwrap_or_default().to_owned();
    let direction = match node["direction"].as_str() {
        Some("INPUT") => Direction::Input,
        Some("OUTPUT") => Direction::Output,
        _ => Direction::Other,
    };
    let place = place(node["loc"].as_str().unwrap_or_default(), files);
    let mut port =
        Port { name, direction, place, unpacked: Vec::new(), packed: Vec::new(), vector: Range { left: 0, right: 0 } };
    let mut kind = &node["dtypep"];
    loop {
        let refuse = || {
            format!(
                "{}: port {} has a type that cannot be driven: vectors and arrays of them can",
                port.place, port.name
            )
        };
        let found = kind.as_str().and_then(|address| types.get(address)).ok_or_else(refuse)?;
        match found["type"].as_str().unwrap_or_default() {
            "BASICDTYPE" => {
                port.vector = bits_of(found, types)
                    .map(|bits| match found["range"].as_str().and_then(range) {
                        Some(range) => range,
                        None => Range { left: bits as i64 - 1, right: 0 },
                    })
                    .ok_or_else(refuse)?;
                return Ok(port);
            }
            "STRUCTDTYPE" | "UNIONDTYPE" => {
                let bits = bits_of(found, types).ok_or_else(refuse)?;
                port.vector = Range { left: bits as i64 - 1, right: 0 };
                return Ok(port);
            }
            "UNPACKARRAYDTYPE" => port.unpacked.push(found["declRange"].as_str().and_then(range).ok_or_else(refuse)?),
            "PACKARRAYDTYPE" => port.packed.push(found["declRange"].as_str().and_then(range).ok_or_else(refuse)?),
            "REFDTYPE" | "ENUMDTYPE" | "CONSTDTYPE" | "DEFIMPLICITDTYPE" => {}
            _ => return Err(refuse()),
        }
        kind = &found["refDTypep"];
    }
}

/// Bits of a type; none of one that has no bits.
fn bits_of(kind: &Value, types: &HashMap<&str, &Value>) -> Option<usize> {
    let inner = || bits_of(types.get(kind["refDTypep"].as_str()?)?, types);
    match kind["type"].as_str()? {
        "BASICDTYPE" => match (kind["range"].as_str(), kind["keyword"].as_str()?) {
            (Some(text), _) => Some(range(text)?.size()),
            (None, "logic" | "bit" | "reg") => Some(1),
            _ => None,
        },
        "STRUCTDTYPE" | "UNIONDTYPE" if kind["packed"] == true => {
            let members =
                list(kind, "membersp").iter().map(|member| bits_of(member, types)).collect::<Option<Vec<_>>>()?;
            if kind["type"] == "UNIONDTYPE" { members.into_iter().max() } else { Some(members.into_iter().sum()) }
        }
        "PACKARRAYDTYPE" => Some(range(kind["declRange"].as_str()?)?.size() * inner()?),
        "REFDTYPE" | "ENUMDTYPE" | "CONSTDTYPE" | "MEMBERDTYPE" | "DEFIMPLICITDTYPE" => inner(),
        _ => None,
    }
}

/// A range, in brackets or without.
pub(super) fn range(text: &str) -> Option<Range> {
    let (left, right) = text.trim_matches(['[', ']']).split_once(':')?;
    Some(Range { left: left.trim().parse().ok()?, right: right.trim().parse().ok()? })
}

/// File and line of a place such as `e,4:23,4:24`.
pub(super) fn place(location: &str, files: &Value) -> String {
    let mut parts = location.split([',', ':']);
    let (file, line) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    let name = files["files"][file]["filename"].as_str().unwrap_or("?");
    format!("{}:{line}", super::seen_from_here(name))
}

#[cfg(test)]
mod tests {
    use super::json;

    #[test]
    fn escapes_of_verilator() {
        for (text, expected) in [
            (r#"{"a": "/\303\274/x", "b": 1}"#, r#"{"a": "/\u00c3\u00bc/x", "b": 1}"#),
            (r#""\\303 \" \n \\""#, r#""\\303 \" \n \\""#),
            (r#""\\\303""#, r#""\\\u00c3""#),
            ("plain", "plain"),
        ] {
            assert_eq!(json(text), expected);
        }
    }
}
