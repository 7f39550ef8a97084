//! One unit to be built: its sources, the shape read from its header, and the texts written around it.
//!
//! The shape comes from the parameter lines of the top module, which the emitter writes one per line with a plain
//! number. Nothing here understands SystemVerilog beyond that, and nothing here touches a file.

use super::Error;
use super::cache::Key;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// Which warnings of Verilator are fatal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lint {
    /// All of them, as for every emitted unit.
    All,
    /// For a deliberately broken twin: a signal may be left unused, undriven or constant.
    /// Whatever may change the simulation (UNOPTFLAT, LATCH, MULTIDRIVEN, WIDTH...) stays fatal.
    Mutant,
    /// For files that a user wrote: the warnings of `DIFFERENCES` are.
    Given,
}

/// Warnings that tell of text to which simulators and synthesis give different meanings.
pub const DIFFERENCES: [&str; 9] = [
    "ALWCOMBORDER",
    "ASSIGNDLY",
    "BLKANDNBLK",
    "BLKSEQ",
    "COMBDLY",
    "INITIALDLY",
    "MULTIDRIVEN",
    "PROCASSWIRE",
    "STMTDLY",
];

/// A checked request.
#[derive(Debug, Clone)]
pub struct Unit {
    pub(super) module: String,
    /// The top and the files it may need, by name.
    pub(super) sources: BTreeMap<String, String>,
    /// Stage signals to be made readable: name and bits.
    pub(super) signals: Vec<(String, u32)>,
    /// The instance of the top module that has them, and its module; `None`: the top module itself.
    inside: Option<(String, String)>,
    /// Parameters of the top module that have other values than in its text: names and values.
    overrides: Vec<(String, String)>,
    pub(super) lint: Lint,
    /// What the parameters of the top module say, in the order of `PARAMETERS`.
    shape: [u32; PARAMETERS.len()],
}

impl Unit {
    /// `sources` holds file names and texts: `<module>.sv` and whatever it instantiates; others do no harm.
    pub fn new(
        module: &str,
        sources: &[(String, String)],
        signals: &[(String, u32)],
        inside: Option<(String, String)>,
        lint: Lint,
    ) -> Result<Self, Error> {
        let all = named(module, sources)?;
        let top = format!("{module}.sv");
        let Some(text) = all.get(&top) else {
            return Err(Error::Unit(format!("module {module} needs a source named {top}")));
        };
        let shape = read_shape(&top, text)?;
        check_signals(signals)?;
        if let Some(name) =
            inside.iter().flat_map(|(instance, module)| [instance, module]).find(|name| !is_plain_name(name))
        {
            return Err(Error::Unit(format!("instance {name:?} is not allowed: {PLAIN_NAME}")));
        }
        let (module, sources) = (module.to_string(), needed(&top, &all));
        Ok(Self { module, sources, signals: signals.to_vec(), inside, overrides: Vec::new(), lint, shape })
    }

    /// Files that a user wrote, all of them: the module may stand in any. `header` is a text that has the parameter lines.
    pub fn given(module: &str, sources: &[(String, String)], header: &str) -> Result<Self, Error> {
        let sources = named(module, sources)?;
        Self::with_header(module, sources, Vec::new(), Lint::Given, header)
    }

    /// A module of the library with other parameters. `header` is a text that has the parameter lines of those.
    pub fn overridden(
        module: &str,
        sources: &[(String, String)],
        overrides: &[(String, String)],
        header: &str,
    ) -> Result<Self, Error> {
        let all = named(module, sources)?;
        Self::with_header(module, needed(&format!("{module}.sv"), &all), overrides.to_vec(), Lint::All, header)
    }

    fn with_header(
        module: &str,
        sources: BTreeMap<String, String>,
        overrides: Vec<(String, String)>,
        lint: Lint,
        header: &str,
    ) -> Result<Self, Error> {
        let shape = read_shape(&format!("{module}.sv"), header)?;
        Ok(Self { module: module.to_string(), sources, signals: Vec::new(), inside: None, overrides, lint, shape })
    }

    /// What Verilator is told to read, with which parameters. Of emitted files it finds the others by itself.
    pub(super) fn files(&self) -> Vec<String> {
        let overrides = self.overrides.iter().map(|(name, value)| format!("-G{name}={value}"));
        match self.lint {
            Lint::Given => self.sources.keys().cloned().collect(),
            Lint::All | Lint::Mutant => overrides.chain([format!("{}.sv", self.module)]).collect(),
        }
    }

    /// The hash of the files that the unit is made from, and of the signals that stay readable. A model tells its own.
    pub fn hash(&self) -> String {
        Key::new("sources")
            .text(&self.module)
            .texts(self.sources.iter().flat_map(|(name, text)| [name.as_str(), text.as_str()]))
            .texts(self.overrides.iter().flat_map(|(name, value)| [name.as_str(), value.as_str()]))
            .text(&self.configuration())
            .finish()
    }

    /// The symbol that returns the unit's table.
    pub fn entry(module: &str) -> String {
        format!("tensorsmith_unit_{module}")
    }

    /// Verilator's configuration file: which signals stay readable. Empty for an untraced unit.
    pub(super) fn configuration(&self) -> String {
        let module = self.inside.as_ref().map_or(&self.module, |(_, module)| module);
        self.signals.iter().fold("`verilator_config\n".to_string(), |mut text, (name, _)| {
            let _ = writeln!(text, "public_flat_rd -module \"{module}\" -var \"{name}\"");
            text
        })
    }

    /// The member of Verilator's root class that holds a signal.
    pub(super) fn member(&self, signal: &str) -> String {
        let instance = self.inside.as_ref().map(|(instance, _)| format!("{instance}__DOT__"));
        format!("{}__DOT__{}{signal}", self.module, instance.unwrap_or_default())
    }

    /// What unit_model.cpp expects to find defined.
    pub(super) fn definitions(&self) -> String {
        let mut text = String::new();
        let mut define = |name: &str, value: &str| {
            let _ = writeln!(text, "#define TENSORSMITH_{name} {value}");
        };
        define("TOP", &format!("V{}", self.module));
        define("MODULE", &format!("\"{}\"", self.module));
        define("SOURCES", &format!("\"{}\"", self.hash()));
        define("ENTRY", &Self::entry(&self.module));
        for (value, parameter) in self.shape.iter().zip(&PARAMETERS) {
            define(parameter.macro_name, &value.to_string());
        }
        let signals: Vec<String> = self
            .signals
            .iter()
            .map(|(name, bits)| format!("SIGNAL(\"{name}\", {bits}u, {})", self.member(name)))
            .collect();
        define("SIGNALS(SIGNAL)", &signals.join(" \\\n    "));
        text
    }
}

/// Sources by name, if a module and they have names that tools take.
fn named(module: &str, sources: &[(String, String)]) -> Result<BTreeMap<String, String>, Error> {
    if !is_plain_name(module) {
        return Err(Error::Unit(format!("module name {module:?} is not allowed: {PLAIN_NAME}")));
    }
    let mut all = BTreeMap::new();
    for (name, text) in sources {
        if !is_source_name(name) {
            return Err(Error::Unit(format!("source {name:?} is no plain file name ending in .sv or .svh")));
        }
        if all.insert(name.clone(), text.clone()).is_some() {
            return Err(Error::Unit(format!("source {name:?} is given twice")));
        }
    }
    Ok(all)
}

const PLAIN_NAME: &str = "a letter first, then letters, digits and single underscores";

/// A parameter of the top module that gives the shape of its ports.
struct Parameter {
    name: &'static str,
    macro_name: &'static str,
    /// Least and greatest value that the harness can handle.
    least: u32,
    greatest: u32,
    /// Whether a module without it has the value 0.
    optional: bool,
}

const fn parameter(name: &'static str, macro_name: &'static str, greatest: u32, optional: bool) -> Parameter {
    Parameter { name, macro_name, least: 1, greatest, optional }
}

const PARAMETERS: [Parameter; 10] = [
    parameter("Products", "PRODUCTS", 256, false),
    parameter("OperandAWidth", "A_WIDTH", 64, false),
    parameter("OperandBWidth", "B_WIDTH", 64, false),
    parameter("AddendWidth", "C_WIDTH", 64, true),
    parameter("ResultWidth", "D_WIDTH", 64, false),
    parameter("FlagsWidth", "FLAGS_WIDTH", 8, true),
    parameter("Scales", "SCALES", 256, true),
    parameter("ScaleAWidth", "SCALE_A_WIDTH", 64, true),
    parameter("ScaleBWidth", "SCALE_B_WIDTH", 64, true),
    parameter("Latency", "LATENCY", 255, true),
];

fn read_shape(file: &str, text: &str) -> Result<[u32; PARAMETERS.len()], Error> {
    let mut shape = [0; PARAMETERS.len()];
    for (slot, Parameter { name, least, greatest, optional, .. }) in shape.iter_mut().zip(&PARAMETERS) {
        let Some(written) = text.lines().find_map(|line| parameter_value(line, name)) else {
            if *optional {
                continue;
            }
            let wanted = format!("a line `localparam int {name} = <number>` in the module header");
            return Err(Error::Unit(format!("{file} lacks {wanted}")));
        };
        let value = written.parse().ok().filter(|value| (least..=greatest).contains(&value));
        let Some(value) = value else {
            let allowed = format!("a plain number from {least} to {greatest} is allowed");
            return Err(Error::Unit(format!("{file}: parameter {name} is {written}; {allowed}")));
        };
        *slot = value;
    }
    Ok(shape)
}

/// The text behind `=` in a line that declares that parameter.
fn parameter_value<'line>(line: &'line str, name: &str) -> Option<&'line str> {
    let code = line.split("//").next()?;
    let (declaration, value) = code.split_once('=')?;
    let mut words = declaration.split_whitespace();
    let declares = matches!(words.next(), Some("parameter" | "localparam")) && words.next_back() == Some(name);
    declares.then(|| value.trim().trim_end_matches([',', ')', '(', ' ']))
}

fn check_signals(signals: &[(String, u32)]) -> Result<(), Error> {
    for (name, bits) in signals {
        if !is_plain_name(name) {
            return Err(Error::Unit(format!("signal {name:?} is not allowed: {PLAIN_NAME}")));
        }
        if !(1..=65536).contains(bits) {
            return Err(Error::Unit(format!("signal {name} has {bits} bits; 1 to 65536 are allowed")));
        }
    }
    let names: BTreeSet<&String> = signals.iter().map(|(name, _)| name).collect();
    if names.len() < signals.len() {
        return Err(Error::Unit("a signal is listed twice".to_string()));
    }
    Ok(())
}

/// A source file may define anything; its name must only be safe to write into the work folder.
fn is_source_name(name: &str) -> bool {
    let stem = name.strip_suffix(".sv").or_else(|| name.strip_suffix(".svh"));
    stem.is_some_and(|stem| {
        stem.starts_with(is_word) && stem.chars().all(|letter| is_word(letter) || "-.".contains(letter))
    })
}

fn is_word(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_'
}

/// Names that Verilator carries into C++ unchanged; it rewrites double underscores, and its releases differ in how.
fn is_plain_name(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_alphabetic()) && name.chars().all(is_word) && !name.contains("__")
}

/// The top and every file whose name occurs as a word in a file already needed, comments to the end of a line excepted. Too
/// many at worst: what is missing makes Verilator fail, and a file that no unit names rebuilds no unit.
fn needed(top: &str, all: &BTreeMap<String, String>) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    let mut waiting = vec![top];
    while let Some(name) = waiting.pop() {
        let Some(text) = all.get(name) else { continue };
        if found.insert(name.to_string(), text.clone()).is_some() {
            continue;
        }
        let code = text.lines().filter_map(|line| line.split("//").next());
        let words: BTreeSet<&str> = code.flat_map(|code| code.split(|letter| !is_word(letter))).collect();
        let named = |file: &&str| file.rsplit_once('.').is_some_and(|(stem, _)| words.contains(stem));
        waiting.extend(all.keys().map(String::as_str).filter(named));
    }
    found
}
