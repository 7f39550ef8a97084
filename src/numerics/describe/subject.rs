//! What answers vectors: a unit by itself, or an instruction that composes units.

use std::path::Path;

use super::catalogue;
use super::file::read;
use super::instruction::Instruction;
use super::instruction::file::is_instruction;
use super::unit::{FileError, Unit};
use crate::describe::text::Foreign;

/// A unit or an instruction.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::large_enum_variant, reason = "one subject a comparison")]
pub enum Subject {
    Unit(Unit),
    Instruction(Instruction),
}

impl Subject {
    /// The unit or the instruction of that name in the catalogue.
    pub fn named(name: &str) -> Option<Subject> {
        let instruction = || catalogue::instruction(name).map(Subject::Instruction);
        catalogue::unit(name).map(Subject::Unit).or_else(instruction)
    }

    /// Reads an instruction file, which has the fields `shape` and `unit`, or a unit file, which has the field `scheme`.
    ///
    /// # Errors
    /// The file cannot be read, or is neither; or those of [`Unit::from_file`] and [`Instruction::from_file`].
    pub fn from_file(path: &Path) -> Result<Subject, FileError> {
        let folder = path.parent().unwrap_or(Path::new(""));
        Subject::read(&path.shown(), &read(path)?, |file, text| Instruction::from_toml_in(folder, file, text))
    }

    /// Reads the text of either; an instruction names units of the catalogue. `file` names the text in errors.
    ///
    /// # Errors
    /// The text is neither; or those of [`Unit::from_toml`] and [`Instruction::from_toml`].
    pub fn from_toml(file: &str, text: &str) -> Result<Subject, FileError> {
        Subject::read(file, text, Instruction::from_toml)
    }

    fn read(
        file: &str,
        text: &str,
        instruction: impl Fn(&str, &str) -> Result<Instruction, FileError>,
    ) -> Result<Subject, FileError> {
        let fields: toml::Table = toml::from_str(text).unwrap_or_default();
        if is_instruction(&fields) {
            return instruction(file, text).map(Subject::Instruction);
        }
        let unit = Unit::from_toml(file, text).map(Subject::Unit);
        unit.map_err(|error| match error {
            FileError::Syntax { file, message } if !fields.is_empty() && !fields.contains_key("scheme") => {
                let neither = "neither `scheme`, as a unit file has, nor `shape`, as an instruction file has";
                FileError::Syntax { file, message: format!("{neither}; as a unit file: {message}") }
            }
            error => error,
        })
    }

    /// Whether the catalogue has it under its name.
    pub fn is_in_catalogue(&self) -> bool {
        Subject::named(self.name()).as_ref() == Some(self)
    }

    /// Name in the catalogue or in the user's file.
    pub fn name(&self) -> &str {
        match self {
            Subject::Unit(unit) => &unit.name,
            Subject::Instruction(instruction) => &instruction.name,
        }
    }

    /// The units that it is made of: itself, or those of an instruction.
    pub fn units(&self) -> Vec<&Unit> {
        match self {
            Subject::Unit(unit) => vec![unit],
            Subject::Instruction(instruction) => instruction.units().collect(),
        }
    }

    /// The instruction, or the unit as one by itself.
    pub fn instruction(&self) -> Instruction {
        match self {
            Subject::Unit(unit) => Instruction::alone(unit.clone()),
            Subject::Instruction(instruction) => instruction.clone(),
        }
    }
}

impl From<Unit> for Subject {
    fn from(unit: Unit) -> Subject {
        Subject::Unit(unit)
    }
}

impl From<Instruction> for Subject {
    fn from(instruction: Instruction) -> Subject {
        Subject::Instruction(instruction)
    }
}
