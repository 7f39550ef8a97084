//! JUnit XML by the rules of Jenkins' xUnit schema (`junit-10.xsd`), and what GitLab shows of it: type and text of a failure.

use std::collections::BTreeMap;

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

/// An element: its name, the attributes that it must and may have, its children, and whether it holds text.
struct Rule {
    name: &'static str,
    required: &'static [&'static str],
    allowed: &'static [&'static str],
    children: &'static [&'static str],
    text: bool,
}

const RERUN: [&str; 4] = ["rerunFailure", "rerunError", "flakyFailure", "flakyError"];

/// The schema.
fn rules() -> Vec<Rule> {
    let suite = &["group", "time", "skipped", "timestamp", "hostname", "id", "package", "file", "log", "url"];
    let results = &["skipped", "error", "failure", RERUN[0], RERUN[1], RERUN[2], RERUN[3], "system-out", "system-err"];
    let output: &[&str] = &["stackTrace", "system-out", "system-err"];
    let mut rules = vec![
        Rule {
            name: "testsuites",
            required: &[],
            allowed: &["name", "time", "tests", "failures", "errors"],
            children: &["testsuite"],
            text: false,
        },
        Rule {
            name: "testsuite",
            required: &["name", "tests", "failures", "errors"],
            allowed: suite,
            children: &["testsuite", "properties", "testcase", "system-out", "system-err"],
            text: false,
        },
        Rule {
            name: "testcase",
            required: &["name"],
            allowed: &["time", "classname", "group"],
            children: results,
            text: false,
        },
        Rule { name: "properties", required: &[], allowed: &[], children: &["property"], text: false },
        Rule { name: "property", required: &["name", "value"], allowed: &[], children: &[], text: false },
    ];
    rules.extend(["failure", "error", "skipped"].map(|name| Rule {
        name,
        required: &[],
        allowed: &["type", "message"],
        children: &[],
        text: true,
    }));
    rules.extend(["system-out", "system-err", "stackTrace"].map(|name| Rule {
        name,
        required: &[],
        allowed: &[],
        children: &[],
        text: true,
    }));
    rules.extend(RERUN.map(|name| Rule {
        name,
        required: &["type"],
        allowed: &["message"],
        children: output,
        text: true,
    }));
    rules
}

/// A case of a report that is not passed: `failure`, `error` or `skipped`, its attributes and its text.
#[derive(Debug, PartialEq, Eq)]
pub struct Fault {
    pub kind: String,
    pub attributes: BTreeMap<String, String>,
    pub text: String,
}

/// The cases of a report that are not passed, if it keeps the rules, its counts are right, and failures have type and text.
pub fn read(xml: &str) -> Result<Vec<Fault>, String> {
    let (rules, mut reader) = (rules(), Reader::from_str(xml));
    reader.config_mut().expand_empty_elements = true;
    let (mut open, mut faults): (Vec<String>, Vec<Fault>) = (Vec::new(), Vec::new());
    let (mut root, mut suites, mut cases) = (BTreeMap::new(), 0, 0);
    loop {
        match reader.read_event().map_err(|error| error.to_string())? {
            Event::Start(start) => {
                let name = String::from_utf8_lossy(start.name().as_ref()).into_owned();
                let attributes = attributes(&start, &rules, &name, open.last())?;
                match name.as_str() {
                    "testsuites" => root = attributes,
                    "testsuite" => suites += count(&attributes, "tests")?,
                    "testcase" => cases += 1,
                    "failure" | "error" | "skipped" => {
                        faults.push(Fault { kind: name.clone(), attributes, text: String::new() });
                    }
                    _ => {}
                }
                open.push(name);
            }
            Event::Text(own) => {
                put(&rules, &open, &own.xml10_content().map_err(|error| error.to_string())?, &mut faults)?
            }
            Event::GeneralRef(own) => {
                let letter = match &own[..] {
                    b"lt" => "<",
                    b"gt" => ">",
                    b"amp" => "&",
                    b"quot" => "\"",
                    b"apos" => "'",
                    _ => "?",
                };
                put(&rules, &open, letter, &mut faults)?;
            }
            Event::End(_) => drop(open.pop()),
            Event::Eof => break,
            _ => {}
        }
    }
    let of_kind = |kind: &str| faults.iter().filter(|fault| fault.kind == kind).count() as u64;
    let found = [cases, of_kind("failure"), of_kind("error")];
    let told = [count(&root, "tests")?, count(&root, "failures")?, count(&root, "errors")?];
    if told != found || suites != cases {
        return Err(format!("tests, failures, errors are {found:?}, and the report counts {told:?}"));
    }
    let is_bare = |fault: &&Fault| fault.text.trim().is_empty() || !fault.attributes.contains_key("type");
    match faults.iter().filter(|fault| fault.kind != "skipped").find(is_bare) {
        Some(fault) => Err(format!("{} without type or text", fault.kind)),
        None => Ok(faults),
    }
}

fn count(attributes: &BTreeMap<String, String>, name: &str) -> Result<u64, String> {
    attributes.get(name).and_then(|value| value.parse().ok()).ok_or_else(|| format!("{name} is no number"))
}

/// The attributes of an element, which is allowed there and has those that it must have and no other.
fn attributes(
    start: &BytesStart,
    rules: &[Rule],
    name: &str,
    parent: Option<&String>,
) -> Result<BTreeMap<String, String>, String> {
    let of = |name: &str| rules.iter().find(|rule| rule.name == name);
    let rule = of(name).ok_or_else(|| format!("element {name}"))?;
    let is_child =
        parent.map_or(name == "testsuites", |parent| of(parent).is_some_and(|of| of.children.contains(&name)));
    if !is_child {
        return Err(format!("element {name} in {parent:?}"));
    }
    let mut all = BTreeMap::new();
    for attribute in start.attributes() {
        let attribute = attribute.map_err(|error| error.to_string())?;
        let key = String::from_utf8_lossy(attribute.key.as_ref()).into_owned();
        let value = String::from_utf8_lossy(&attribute.value).into_owned();
        if !rule.required.contains(&&*key) && !rule.allowed.contains(&&*key) {
            return Err(format!("attribute {key} of {name}"));
        }
        // Of suites the schema restricts it: digits and a point.
        if key == "time" && !value.chars().all(|letter| letter.is_ascii_digit() || letter == '.') {
            return Err(format!("time {value:?}"));
        }
        all.insert(key, value);
    }
    match rule.required.iter().find(|key| !all.contains_key(**key)) {
        Some(key) => Err(format!("{name} without {key}")),
        None => Ok(all),
    }
}

/// Text in the element that is open.
fn put(rules: &[Rule], open: &[String], text: &str, faults: &mut [Fault]) -> Result<(), String> {
    let Some(name) = open.last() else { return Ok(()) };
    let is_mixed = rules.iter().any(|rule| rule.name == name && rule.text);
    if !is_mixed && !text.trim().is_empty() {
        return Err(format!("text in {name}"));
    }
    if let (true, Some(fault)) = (is_mixed, faults.last_mut()) {
        fault.text += text;
    }
    Ok(())
}
