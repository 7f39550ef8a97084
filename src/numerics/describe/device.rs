//! A named part: which instructions it has, which units it computes by themselves, and which public recordings were made on
//! it.
//!
//! What verifies an instruction on a device is derived: recordings of that instruction which were made on that device.

use serde::{Deserialize, Serialize};

use super::catalogue;
use super::defaults::LibraryInstructions;
use super::instruction::Instruction;
use super::unit::{Evidence, FileError, Unit};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DeviceFile {
    name: String,
    summary: String,
    parts: Vec<String>,
    architecture: String,
    targets: Vec<String>,
    #[serde(default)]
    live: Vec<String>,
    recorded_as: Vec<String>,
    instructions: Vec<String>,
    #[serde(default)]
    units: Vec<String>,
    defaults: Vec<DefaultsFile>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DefaultsFile {
    instructions: Vec<String>,
    evidence: Evidence,
}

/// A family of parts that compute alike.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Device {
    pub name: String,
    /// One line for people.
    pub summary: String,
    /// Products as they are sold.
    pub parts: Vec<String>,
    pub architecture: String,
    /// Targets of the compiler, such as `sm_90a`.
    pub targets: Vec<String>,
    /// Parts whose instructions answered the engine, all of them.
    pub live: Vec<String>,
    /// Device folders of the public recordings, such as `A2`.
    pub recorded_as: Vec<String>,
    pub instructions: Vec<Instruction>,
    /// Units that an instruction outside matrices computes by itself.
    pub units: Vec<Unit>,
    /// What products take where no instruction is named.
    pub defaults: Vec<LibraryInstructions>,
}

impl Device {
    /// Reads and checks the text of a device file; `file` names it in errors.
    ///
    /// # Errors
    /// The text is not a device, or names an instruction that the catalogue does not have, or names one twice.
    pub fn from_toml(file: &str, text: &str) -> Result<Device, FileError> {
        let parsed: DeviceFile = toml::from_str(text).map_err(|error| FileError::syntax(file, text, &error))?;
        let refuse = |field: &str, value: String, allowed: String| FileError::value(file, field, value, allowed);
        let names = members(file, "instructions", &parsed.instructions)?;
        if names.is_empty() {
            return Err(refuse("instructions", "[]".to_owned(), "at least one instruction".to_owned()));
        }
        let twice = parsed.units.iter().enumerate().find(|(place, name)| parsed.units[..*place].contains(name));
        if let Some((_, name)) = twice {
            return Err(refuse("units", format!("{name:?} twice"), "each unit once".to_owned()));
        }
        let unit = |name: &String| {
            let unknown = || refuse("units", format!("{name:?}"), catalogue::names().join(", "));
            catalogue::unit(name).ok_or_else(unknown)
        };
        let units = parsed.units.iter().map(unit).collect::<Result<_, _>>()?;
        let defaults =
            parsed.defaults.into_iter().map(|listed| defaults(file, listed, &names)).collect::<Result<_, _>>()?;
        Ok(Device {
            name: parsed.name,
            summary: parsed.summary,
            parts: parsed.parts,
            architecture: parsed.architecture,
            targets: parsed.targets,
            live: parsed.live,
            recorded_as: parsed.recorded_as,
            instructions: names.iter().filter_map(|name| catalogue::instruction(name)).collect(),
            units,
            defaults,
        })
    }

    /// The device of the catalogue that is meant: by its own name or by that of one of its parts, in any case, with blanks or
    /// underscores for hyphens.
    pub fn meant(name: &str) -> Option<Device> {
        let alike = |known: &str| catalogue::plain(known) == catalogue::plain(name);
        let by_name = catalogue::device_names().into_iter().find(|known| alike(known)).and_then(catalogue::device);
        let has = |device: &Device| device.parts.iter().any(|part| alike(part));
        by_name.or_else(|| catalogue::devices().into_iter().find(has))
    }

    /// The recordings of an instruction that were made on this device: folder names, in the order of the device file.
    pub fn replayed(&self, instruction: &Instruction) -> Vec<&str> {
        let recorded =
            |folder: &&String| instruction.recordings.iter().any(|recordings| recordings.devices.contains(folder));
        self.recorded_as.iter().filter(recorded).map(String::as_str).collect()
    }
}

/// The instructions that the entries of a field name: each is the name of an instruction, or of a family, then all of its members.
fn members(file: &str, field: &str, entries: &[String]) -> Result<Vec<String>, FileError> {
    let mut names: Vec<String> = Vec::new();
    for entry in entries {
        let members = catalogue::instruction_members(entry).or_else(|| {
            let known = catalogue::instruction_names().contains(&entry.as_str());
            known.then(|| vec![entry.clone()])
        });
        let unknown =
            || FileError::value(file, field, format!("{entry:?}"), catalogue::instruction_entries().join(", "));
        for name in members.ok_or_else(unknown)? {
            if names.contains(&name) {
                return Err(FileError::value(file, field, format!("{name:?} twice"), "each instruction once"));
            }
            names.push(name);
        }
    }
    Ok(names)
}

/// An entry of `defaults`, whose instructions are some of the device's, without scales.
fn defaults(file: &str, listed: DefaultsFile, all: &[String]) -> Result<LibraryInstructions, FileError> {
    const FIELD: &str = "defaults.instructions";
    let names = members(file, FIELD, &listed.instructions)?;
    let is_scaled =
        |name: &String| catalogue::instruction(name).is_some_and(|instruction| instruction.unit.scales.is_some());
    match names.iter().find(|name| !all.contains(name) || is_scaled(name)) {
        Some(name) => {
            Err(FileError::value(file, FIELD, format!("{name:?}"), "the device's instructions without scales"))
        }
        None => {
            Ok(LibraryInstructions { entries: listed.instructions, instructions: names, evidence: listed.evidence })
        }
    }
}
