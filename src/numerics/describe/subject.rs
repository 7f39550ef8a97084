//! What answers vectors: a unit by itself, or an instruction that composes units.

use std::path::Path;

use super::catalogue;
use super::file::{FileError, read};
use super::instruction::Instruction;
use super::instruction::file::is_instruction;
use super::unit::Unit;
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
            FileError::Syntax { file, message }
                if !fields.is_empty() && !["scheme", "step"].iter().any(|key| fields.contains_key(*key)) =>
            {
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

    /// As [`Instruction::has_arithmetic_of`], of units as instructions.
    pub fn has_arithmetic_of(&self, other: &Subject) -> bool {
        self.instruction().has_arithmetic_of(&other.instruction())
    }
}

/// The texts of the files that describe a unit or an instruction, as other files keep them. Paths in them are only words.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Texts {
    /// Of the unit, or of the unit of the instruction.
    pub unit_file: Option<String>,
    pub instruction_file: Option<String>,
    pub final_addition_file: Option<String>,
}

impl Texts {
    /// What has to be kept of a subject; nothing of one of the catalogue.
    pub fn of(subject: &Subject) -> Texts {
        if subject.is_in_catalogue() { Texts::default() } else { Texts::written(subject) }
    }

    /// The texts of any subject.
    pub fn written(subject: &Subject) -> Texts {
        match subject {
            Subject::Unit(unit) => Texts { unit_file: Some(unit.to_toml()), ..Texts::default() },
            Subject::Instruction(instruction) => {
                let adder = instruction.final_addition.as_ref();
                let text = instruction.to_toml("unit.toml", adder.map(|_| "final-addition.toml"));
                Texts {
                    unit_file: Some(instruction.unit.to_toml()),
                    instruction_file: Some(text),
                    final_addition_file: adder.map(Unit::to_toml),
                }
            }
        }
    }

    /// The subject that they describe, none of no texts; `file` names the file that keeps them.
    ///
    /// # Errors
    /// A text is not what its field says, or one is missing.
    pub fn subject(&self, file: &str) -> Result<Option<Subject>, FileError> {
        let place = |field: &str| format!("{file}: field `{field}`");
        let unit = |field: &str, text: &str| Unit::from_toml(&place(field), text);
        match (&self.instruction_file, &self.unit_file, &self.final_addition_file) {
            (Some(text), own, adder) => {
                let own_units = |field: &str, _: &str| {
                    let (name, text) = match field {
                        "unit" => ("unit_file", own),
                        _ => ("final_addition_file", adder),
                    };
                    let allowed = "the text of the instruction's unit file";
                    let missing = || FileError::value(file, name, "missing", allowed);
                    unit(name, text.as_ref().ok_or_else(missing)?)
                };
                let place = place("instruction_file");
                Instruction::from_toml_with(Some(&own_units), &place, text).map(|read| Some(read.into()))
            }
            (None, _, Some(_)) => {
                Err(FileError::value(file, "final_addition_file", "given", "none without an `instruction_file`"))
            }
            (None, Some(text), None) => unit("unit_file", text).map(|unit| Some(unit.into())),
            (None, None, None) => Ok(None),
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
