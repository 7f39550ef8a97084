//! Reading an instruction from TOML, and writing it. Says which file, field and value is wrong, and what is allowed; whether
//! the parts fit each other is checked elsewhere.

use std::path::Path;

use super::Instruction;
use super::fields::Entries;
use crate::describe::catalogue;
use crate::describe::file::{FileError, read, value};
use crate::describe::format::Format;
use crate::describe::text::Foreign;
use crate::describe::unit::Unit;

/// Reads the unit file whose path (the second text) stands in a field (the first one).
pub type UnitFiles<'a> = &'a dyn Fn(&str, &str) -> Result<Unit, FileError>;

/// The end of the path of a unit file; names of the catalogue have no such end.
const FILE: &str = ".toml";

impl Instruction {
    /// Reads and checks an instruction file. Paths of unit files start from its folder.
    ///
    /// # Errors
    /// The file or a unit file cannot be read or is not accepted, or its parts do not fit each other.
    pub fn from_file(path: &Path) -> Result<Instruction, FileError> {
        let folder = path.parent().unwrap_or(Path::new(""));
        Instruction::from_toml_in(folder, &path.shown(), &read(path)?)
    }

    /// Reads and checks the text of an instruction file in a folder; `file` names it in errors.
    ///
    /// # Errors
    /// As [`Instruction::from_file`].
    pub fn from_toml_in(folder: &Path, file: &str, text: &str) -> Result<Instruction, FileError> {
        let unit_file = |field: &str, name: &str| {
            let path = folder.join(name);
            let text = read(&path)
                .map_err(|error| FileError::value(file, field, value(name), format!("a unit file; {error}")))?;
            if is_instruction(&toml::from_str(&text).unwrap_or_default()) {
                return Err(FileError::value(file, field, value(name), "a unit file; this is an instruction file"));
            }
            Unit::from_toml(&format!("{file}: field `{field}`: {}", path.shown()), &text)
        };
        Instruction::from_toml_with(Some(&unit_file), file, text)
    }

    /// Reads and checks the text of an instruction file that names units of the catalogue; `file` names it in errors.
    ///
    /// # Errors
    /// The text is not an instruction, names an unknown unit or format, or its parts do not fit each other.
    pub fn from_toml(file: &str, text: &str) -> Result<Instruction, FileError> {
        Instruction::from_toml_with(None, file, text)
    }

    /// Reads and checks the text of an instruction file, whose unit files come from elsewhere.
    ///
    /// # Errors
    /// As [`Instruction::from_toml`], or those of a unit file.
    pub fn from_toml_with(units: Option<UnitFiles>, file: &str, text: &str) -> Result<Instruction, FileError> {
        let entries = Entries::parse(file, text)?;
        let mut instruction = entries.instruction;
        instruction.unit = unit_of(file, units, "unit", &entries.unit)?;
        let adder = entries.final_addition.as_deref();
        instruction.final_addition = adder.map(|name| unit_of(file, units, "final_addition", name)).transpose()?;
        let own = &instruction.unit.formats;
        let of_addend = &instruction.final_addition.as_ref().unwrap_or(&instruction.unit).formats.c;
        for (format, own) in
            [(&mut instruction.a, &own.a), (&mut instruction.b, &own.b), (&mut instruction.c, of_addend)]
        {
            if format.is_absent() {
                *format = own.clone();
            }
        }
        instruction.check().map_err(|(field, value, allowed)| FileError::value(file, field, value, allowed))?;
        Ok(instruction)
    }

    /// The text of an instruction file that reads as this instruction where `unit` names its unit, and `final_addition` the
    /// unit of its final addition: each the name of a unit of the catalogue, or the path of a unit file, which ends in
    /// `.toml`. Both are [`Unit::to_toml`]'s to write.
    ///
    /// # Panics
    /// `final_addition` is given where the instruction has none, or the reverse.
    pub fn to_toml(&self, unit: &str, final_addition: Option<&str>) -> String {
        assert_eq!(final_addition.is_some(), self.final_addition.is_some(), "a name for each unit");
        let mut instruction = self.clone();
        let own = &self.unit.formats;
        if (&self.a, &self.b) == (&own.a, &own.b) {
            [instruction.a, instruction.b] = [Format::absent(), Format::absent()];
        }
        if self.c == self.final_addition.as_ref().unwrap_or(&self.unit).formats.c {
            instruction.c = Format::absent();
        }
        let final_addition = final_addition.map(str::to_owned);
        let entries = Entries { instruction, unit: unit.to_owned(), final_addition };
        entries.to_toml()
    }
}

/// Whether these are the fields of an instruction file, and not of a unit file.
pub(in crate::describe) fn is_instruction(fields: &toml::Table) -> bool {
    fields.contains_key("shape") || fields.contains_key("unit")
}

/// The unit in that file, or of that name in the catalogue.
fn unit_of(file: &str, units: Option<UnitFiles>, field: &str, name: &str) -> Result<Unit, FileError> {
    if let (Some(unit_file), true) = (units, name.ends_with(FILE)) {
        return unit_file(field, name);
    }
    catalogue::unit(name).ok_or_else(|| {
        let files = if units.is_some() { "the path of a unit file (.toml), or one of " } else { "" };
        FileError::value(file, field, format!("{name:?}"), format!("{files}{}", catalogue::names().join(", ")))
    })
}
