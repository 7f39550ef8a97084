//! A design file: what is read, and what is refused before any tool is asked.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use toml::Value;

use super::limits::Limits;
use crate::describe::file::read;
use crate::describe::interface::Interface;
use crate::describe::subject::Subject;
use crate::describe::text::Foreign;
use crate::describe::unit::FileError;

/// Most clocks that a latency, an interval or a reset may have.
const CLOCKS_MAX: u32 = 4096;
/// Clocks without a vector taken or a result given after which a design counts as stuck, unless the file says otherwise.
const PATIENCE: u32 = 1000;

/// A design of a user's own, as its file says it. Documented in `DESIGN_FILE.md` beside this file.
#[derive(Debug, Clone, PartialEq)]
pub struct Design {
    /// The file, as it is shown.
    pub file: String,
    /// The folder that paths in the file start from.
    pub folder: PathBuf,
    pub said: Said,
    /// What simulates it; the file does not say that.
    pub simulator: Simulator,
    /// What it may use, and whether it may call C and the system; the file does not say that either.
    pub limits: Limits,
    pub system_calls: bool,
}

/// What simulates a design.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Simulator {
    #[default]
    Verilator,
    /// A second opinion, much slower.
    Icarus,
    /// For VHDL: GHDL, which runs the source itself.
    Ghdl,
    /// Yosys' netlist, many vectors at a time, of a design whose registers only delay.
    Netlist,
}

/// The fields of a design file.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Said {
    /// What it is called in reports.
    pub name: String,
    /// Unit or instruction that it should equal: a name of the catalogue, or a file beside this one.
    pub equals: Option<String>,
    /// The module, or the VHDL entity.
    pub top: String,
    /// Files in the order in which tools read them; `*`, `?` and `**` stand for names.
    pub sources: Vec<String>,
    /// Folders of included files.
    #[serde(default)]
    pub include: Vec<String>,
    /// Macros of the preprocessor.
    #[serde(default)]
    pub defines: BTreeMap<String, Value>,
    /// Parameters of the module, or generics of the entity.
    #[serde(default)]
    pub parameters: BTreeMap<String, Value>,
    pub ports: Ports,
    /// Input ports, or parts of them, that always have the same value.
    #[serde(default)]
    pub ties: BTreeMap<String, Constant>,
    pub clock: Option<Clock>,
    pub reset: Option<Reset>,
    #[serde(default)]
    pub timing: Timing,
    pub input: Option<Handshake>,
    pub output: Option<Handshake>,
}

/// Where operands and results are.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ports {
    pub a: Places,
    pub b: Places,
    pub scale_a: Option<Places>,
    pub scale_b: Option<Places>,
    pub c: Option<Places>,
    pub d: Places,
    pub flags: Option<Places>,
}

/// Places of one operand, which hold its elements side by side.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(untagged, expecting = "expected a port such as \"a_i\" or \"op[31:0]\", a list of ports, or { port, order }")]
pub enum Places {
    /// A port or a part of one.
    One(String),
    /// Several, element 0 first.
    Each(Vec<String>),
    /// A port or several, and where element 0 is.
    Ordered(Ordered),
}

/// A port with its order.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ordered {
    pub port: Box<Places>,
    pub order: Order,
}

/// Where element 0 is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Order {
    /// In the lowest bits, or at the lowest index.
    Ascending,
    /// In the highest.
    Descending,
}

/// A value for an input.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(untagged, expecting = "expected a whole number from 0, or text such as \"0xff\"")]
pub enum Constant {
    Number(u64),
    Digits(String),
}

/// The clock.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Clock {
    pub port: String,
    #[serde(default)]
    pub edge: Edge,
    /// An input that stops the design while it is low.
    pub enable: Option<String>,
}

/// The edge on which registers take their values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Edge {
    #[default]
    Rising,
    Falling,
}

/// The reset.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reset {
    pub port: String,
    #[serde(default)]
    pub active: Level,
    /// Whether it needs an edge of the clock.
    #[serde(default = "yes")]
    pub synchronous: bool,
    /// Clocks that it is held.
    #[serde(default = "two")]
    pub cycles: u32,
}

fn yes() -> bool {
    true
}

fn two() -> u32 {
    2
}

/// A level of a signal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Level {
    #[default]
    High,
    Low,
}

/// When a result is there.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Timing {
    /// Clocks from the edge that takes a vector to its result; without, `output.valid` says when.
    pub latency: Option<u32>,
    /// Least clocks between two vectors.
    pub interval: Option<u32>,
    /// Whether operands have to stand still until the result is there.
    #[serde(default)]
    pub hold: bool,
    /// Clocks without a vector taken or a result given after which the design counts as stuck.
    pub patience: Option<u32>,
}

/// Ports that say when something is there and when it is taken.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Handshake {
    pub valid: Option<String>,
    pub ready: Option<String>,
}

impl Design {
    /// Reads and checks a design file; its sources are not looked at.
    ///
    /// # Errors
    /// The file cannot be read, is no design file, or contradicts itself: which field, and what is allowed.
    pub fn read(path: &Path) -> Result<Design, FileError> {
        let file = path.shown();
        let text = read(path)?;
        Design::parse(path.parent().unwrap_or(Path::new("")), &file, &text)
    }

    /// The same of a text; `file` names it in errors, and paths start from `folder`.
    ///
    /// # Errors
    /// As [`Design::read`].
    pub fn parse(folder: &Path, file: &str, text: &str) -> Result<Design, FileError> {
        let said: Said = toml::from_str(text).map_err(|error| FileError::syntax(file, text, &error))?;
        let folder = std::env::current_dir().unwrap_or_default().join(folder);
        let (simulator, limits) = (Simulator::default(), Limits::default());
        let design = Design { file: file.to_owned(), folder, said, simulator, limits, system_calls: false };
        design.check()?;
        Ok(design)
    }

    /// That a field has a value that is not allowed.
    pub(crate) fn refuse(&self, field: &str, value: impl fmt::Display, allowed: impl fmt::Display) -> FileError {
        FileError::value(&self.file, field, value, allowed)
    }

    fn check(&self) -> Result<(), FileError> {
        let said = &self.said;
        let names = [("name", &said.name, '-'), ("top", &said.top, '_')];
        for (field, name, mark) in names {
            let is_letter = |letter: char| letter.is_ascii_alphanumeric() || letter == '_' || letter == mark;
            if !name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
                || !name.chars().all(is_letter)
            {
                return Err(self.refuse(
                    field,
                    format!("{name:?}"),
                    format!("a letter, then letters, digits, _ and {mark}"),
                ));
            }
        }
        for (field, values) in [("parameters", &said.parameters), ("defines", &said.defines)] {
            for (name, value) in values {
                let path = format!("{field}.{name}");
                if !is_identifier(name) {
                    return Err(self.refuse(field, format!("{name:?}"), "names of letters, digits and _"));
                }
                if !matches!(value, Value::Integer(_) | Value::Boolean(_) | Value::String(_)) {
                    return Err(self.refuse(&path, value, "a whole number, text, true or false"));
                }
                let misleads = |letter: char| letter.is_control() || "\"\\".contains(letter);
                if value.as_str().is_some_and(|text| text.contains(misleads)) {
                    let value = format!("{:?}", value.as_str().unwrap_or_default());
                    return Err(self.refuse(&path, value, "text without quotes, backslashes and control characters"));
                }
            }
        }
        self.check_timing()
    }

    fn check_timing(&self) -> Result<(), FileError> {
        let Said { clock, reset, timing, input, output, .. } = &self.said;
        let number = |field: &str, value: Option<u32>, least: u32, most: u32| match value {
            Some(value) if !(least..=most).contains(&value) => {
                Err(self.refuse(field, value, format!("a whole number from {least} to {most}")))
            }
            _ => Ok(()),
        };
        number("timing.latency", timing.latency, 1, CLOCKS_MAX)?;
        number("timing.interval", timing.interval, 1, CLOCKS_MAX)?;
        number("timing.patience", timing.patience, 1, 1 << 30)?;
        let least = reset.as_ref().map_or(0, |reset| u32::from(reset.synchronous));
        number("reset.cycles", reset.as_ref().map(|reset| reset.cycles), least, CLOCKS_MAX)?;
        let valid = output.as_ref().and_then(|output| output.valid.as_ref());
        if clock.is_none() {
            let tables = [
                ("reset", reset.is_some()),
                ("timing", *timing != Timing::default()),
                ("input", input.is_some()),
                ("output", output.is_some()),
            ];
            return match tables.iter().find(|(_, there)| *there) {
                Some((table, _)) => Err(self.refuse(table, "there", "it beside the table `clock` only")),
                None => Ok(()),
            };
        }
        match (timing.latency, valid) {
            (None, None) => {
                Err(self.refuse("timing.latency", "missing", "a number of clocks, or a port `output.valid`"))
            }
            (Some(_), _) if output.as_ref().is_some_and(|output| output.ready.is_some()) => Err(self.refuse(
                "output.ready",
                "there",
                "without `timing.latency`: a result that waits has no fixed latency",
            )),
            _ => Ok(()),
        }
    }

    /// Whether the design is one of another interface: that of what it should equal, where the file says that.
    ///
    /// # Errors
    /// What it should equal cannot be read.
    pub fn is_of_another(&self, interface: &Interface) -> Result<bool, FileError> {
        let Some(name) = &self.said.equals else { return Ok(false) };
        let subject = match Subject::named(name) {
            Some(subject) => subject,
            None if Path::new(name).extension().is_some() => Subject::from_file(&self.folder.join(name))?,
            None => return Ok(false),
        };
        let own = Interface { name: interface.name.clone(), ..subject.interface() };
        Ok(own != *interface)
    }

    /// Clocks without progress after which the design counts as stuck: at least those of a result.
    pub fn patience(&self) -> u32 {
        let Timing { latency, interval, patience, .. } = &self.said.timing;
        patience.unwrap_or(PATIENCE).max(2 * latency.unwrap_or(0)).max(2 * interval.unwrap_or(0))
    }
}

/// A name that Verilog and VHDL take as it is.
pub(super) fn is_identifier(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
}

impl Places {
    /// Every place, and where element 0 is.
    pub fn flat(&self) -> (Vec<&str>, Order) {
        match self {
            Places::One(place) => (vec![place], Order::Ascending),
            Places::Each(places) => (places.iter().map(String::as_str).collect(), Order::Ascending),
            Places::Ordered(Ordered { port, order }) => (port.flat().0, *order),
        }
    }
}
