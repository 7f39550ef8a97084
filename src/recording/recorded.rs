//! What a recording is of: a unit or an instruction, of the catalogue or described inside the recording; or a box of which only
//! the interface is known.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::describe::file::read;
use crate::describe::interface::Interface;
use crate::describe::subject::{Subject, Texts};
use crate::describe::text::Foreign;
use crate::describe::unit::FileError;

/// What answered, or was said to.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::large_enum_variant, reason = "one a recording")]
pub enum Recorded {
    Subject(Subject),
    /// A box that nobody has described.
    Interface(Interface),
}

/// Texts of files, as they stand in a header.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Described {
    /// The file that was named, as it was named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit_file: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instruction_file: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub final_addition_file: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interface_file: Option<String>,
}

impl Recorded {
    /// Reads a unit file, an instruction file or an interface file.
    ///
    /// # Errors
    /// The file cannot be read, or is none of these.
    pub fn from_file(path: &Path) -> Result<Recorded, FileError> {
        let file = path.shown();
        let text = read(path)?;
        match Interface::is_file(&toml::from_str(&text).unwrap_or_default()) {
            true => Interface::from_toml(&file, &text).map(Recorded::Interface),
            false => Subject::from_file(path).map(Recorded::Subject),
        }
    }

    /// What a header names, as it describes it; else the unit or the instruction of that name in the catalogue.
    pub(super) fn of(name: &str, described: Option<&Described>) -> Result<Recorded, String> {
        let unknown = || {
            format!("field `subject` is {name:?}; allowed: a unit or an instruction of the catalogue, or `described`")
        };
        let Some(described) = described else {
            return Subject::named(name).map(Recorded::Subject).ok_or_else(unknown);
        };
        let recorded = described.recorded()?;
        match recorded.name() == name {
            true => Ok(recorded),
            false => Err(format!("field `subject` is {name:?}; allowed: {:?}, as `described` says", recorded.name())),
        }
    }

    /// Name of the unit, the instruction or the interface.
    pub fn name(&self) -> &str {
        match self {
            Recorded::Subject(subject) => subject.name(),
            Recorded::Interface(interface) => &interface.name,
        }
    }

    /// Formats and sizes of the vectors.
    pub fn interface(&self) -> Interface {
        match self {
            Recorded::Subject(subject) => subject.interface(),
            Recorded::Interface(interface) => interface.clone(),
        }
    }

    /// The unit or the instruction, if it is known.
    pub fn subject(&self) -> Option<&Subject> {
        match self {
            Recorded::Subject(subject) => Some(subject),
            Recorded::Interface(_) => None,
        }
    }

    /// What a header has to say of it; nothing of what the catalogue has. `file` is where it was read.
    pub fn described(&self, file: Option<&str>) -> Option<Described> {
        let described = match self {
            Recorded::Subject(subject) if subject.is_in_catalogue() => return None,
            Recorded::Subject(subject) => Described::from_texts(Texts::of(subject)),
            Recorded::Interface(interface) => {
                Described { interface_file: Some(interface.to_toml()), ..Described::default() }
            }
        };
        Some(Described { file: file.map(str::to_owned), ..described })
    }
}

/// The first field on which results depend and in which a second subject differs from a first one: there and here.
pub fn difference_of_answers(one: &Subject, other: &Subject) -> Option<[String; 2]> {
    let [one, other] = [one, other].map(|subject| Described::from_texts(Texts::written(subject)));
    one.difference(&other)
}

/// How a subject, or a unit of it, differs from what the catalogue has under its name, in words: the first field on which results depend.
pub fn unlike_catalogue(subject: &Subject) -> Option<String> {
    let unlike = |subject: Subject| {
        let known = Subject::named(subject.name()).filter(|known| *known != subject)?;
        let fields = difference_of_answers(&known, &subject)?;
        let [before, now] = fields.each_ref().map(|field| field.trim_start_matches("unit_file."));
        Some(format!("the catalogue's {} has {before}, this one {now}", subject.name()))
    };
    let units = subject.units().into_iter().cloned().map(Subject::Unit);
    std::iter::once(subject.clone()).chain(units).find_map(unlike)
}

impl Described {
    fn from_texts(Texts { unit_file, instruction_file, final_addition_file }: Texts) -> Described {
        Described { unit_file, instruction_file, final_addition_file, ..Described::default() }
    }

    /// What the texts describe.
    fn recorded(&self) -> Result<Recorded, String> {
        let texts = Texts {
            unit_file: self.unit_file.clone(),
            instruction_file: self.instruction_file.clone(),
            final_addition_file: self.final_addition_file.clone(),
        };
        let subject = texts.subject("field `described`").map_err(|error| error.to_string())?;
        match (&self.interface_file, subject) {
            (None, Some(subject)) => Ok(Recorded::Subject(subject)),
            (Some(text), None) => Interface::from_toml("field `described`: field `interface_file`", text)
                .map(Recorded::Interface)
                .map_err(|error| error.to_string()),
            (Some(_), Some(_)) => {
                Err("field `described` has `interface_file` and others; allowed: that alone, or none".to_owned())
            }
            (None, None) => {
                Err("field `described` is empty; allowed: `unit_file`, `instruction_file` or `interface_file`"
                    .to_owned())
            }
        }
    }

    /// Every field of every text by its path, for people, but for what says nothing of the answers.
    pub(super) fn facts(&self) -> BTreeMap<String, String> {
        let Described { file: _, unit_file, instruction_file, final_addition_file, interface_file } = self;
        let texts = [
            ("unit_file", unit_file),
            ("instruction_file", instruction_file),
            ("final_addition_file", final_addition_file),
            ("interface_file", interface_file),
        ];
        let mut facts = BTreeMap::new();
        for (name, text) in texts.into_iter().filter_map(|(name, text)| Some((name, text.as_ref()?))) {
            let mut table: toml::Table = toml::from_str(text).unwrap_or_default();
            SAYS_NOTHING_OF_ANSWERS.iter().for_each(|field| drop(table.remove(*field)));
            add(name, &toml::Value::Table(table), &mut facts);
        }
        facts
    }

    /// The first thing in which a later description differs from this one: then and now.
    pub fn difference(&self, now: &Described) -> Option<[String; 2]> {
        difference([self.facts(), now.facts()])
    }
}

/// Fields and tables of unit and instruction files.
const SAYS_NOTHING_OF_ANSWERS: [&str; 5] = ["summary", "evidence", "pipeline", "rtl", "recordings"];

/// Adds a value, or each of a table, under its path.
fn add(path: &str, value: &toml::Value, facts: &mut BTreeMap<String, String>) {
    match value {
        toml::Value::Table(table) => table.iter().for_each(|(key, value)| add(&format!("{path}.{key}"), value, facts)),
        other => drop(facts.insert(path.to_owned(), other.to_string())),
    }
}

/// The first fact in which two lists differ, as each says it.
pub(super) fn difference(mut facts: [BTreeMap<String, String>; 2]) -> Option<[String; 2]> {
    let names: Vec<String> = facts.iter().flat_map(BTreeMap::keys).cloned().collect();
    let name = names.into_iter().find(|name| facts[0].get(name) != facts[1].get(name))?;
    Some([0, 1].map(|side| match facts[side].remove(&name) {
        Some(value) => format!("{name} {value}"),
        None => format!("{name} missing"),
    }))
}
