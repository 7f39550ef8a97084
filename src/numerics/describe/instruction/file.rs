//! Reading an instruction from TOML, and writing it. Says which file, field and value is wrong, and what is allowed; whether
//! the parts fit each other is checked elsewhere.

use std::path::Path;

use serde::Deserialize;

use super::{Form, Instruction, Kind, Order, RecordedAddend, Recordings, Shape, Start};
use crate::describe::catalogue;
use crate::describe::format::Format;
use crate::describe::text::Foreign;
use crate::describe::unit::file::{Reader, read};
use crate::describe::unit::tables::FormatEntry;
use crate::describe::unit::write::{format_entry, value};
use crate::describe::unit::{Evidence, FileError, Unit};

/// Formats of the operands, where they differ from the unit's.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OperandEntries {
    a: FormatEntry,
    b: FormatEntry,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct InstructionFile {
    name: String,
    summary: String,
    unit: String,
    shape: Shape,
    form: Option<Form>,
    kind: Option<Kind>,
    tiles: Option<String>,
    order: Order,
    start: Start,
    operands: Option<OperandEntries>,
    addend: Option<FormatEntry>,
    final_addition: Option<String>,
    evidence: Evidence,
    #[serde(default)]
    recordings: Vec<Recordings>,
}

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
                .map_err(|error| Reader { file }.refuse(field, value(&name), format!("a unit file; {error}")))?;
            if is_instruction(&toml::from_str(&text).unwrap_or_default()) {
                return Err(Reader { file }.refuse(field, value(&name), "a unit file; this is an instruction file"));
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
        let reader = Reader { file };
        let parsed: InstructionFile = reader.parse(text)?;
        let unit = unit_of(&reader, units, "unit", &parsed.unit)?;
        let adder = parsed.final_addition.as_deref();
        let final_addition = adder.map(|name| unit_of(&reader, units, "final_addition", name)).transpose()?;
        let (a, b) = parsed.operands.map_or((None, None), |operands| (Some(operands.a), Some(operands.b)));
        let format = |field: &str, entry: Option<FormatEntry>, own: &Format| {
            entry.map_or_else(|| Ok(own.clone()), |entry| reader.format(field, entry))
        };
        let instruction = Instruction {
            a: format("operands.a", a, &unit.formats.a)?,
            b: format("operands.b", b, &unit.formats.b)?,
            c: format("addend", parsed.addend, &final_addition.as_ref().unwrap_or(&unit).formats.c)?,
            final_addition,
            name: parsed.name,
            summary: parsed.summary,
            unit,
            shape: parsed.shape,
            form: parsed.form,
            kind: parsed.kind,
            tiles: parsed.tiles,
            order: parsed.order,
            start: parsed.start,
            evidence: parsed.evidence,
            recordings: parsed.recordings,
        };
        instruction.check().map_err(|(field, value, allowed)| reader.refuse(field, value, allowed))?;
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
        let mut text = String::new();
        let mut entry = |field: &str, value: String| text += &format!("{field} = {value}\n");
        entry("name", value(&self.name));
        entry("summary", value(&self.summary));
        entry("unit", value(&unit));
        let Shape { m, n, k } = self.shape;
        entry("shape", format!("{{ m = {m}, n = {n}, k = {k} }}"));
        self.form.iter().for_each(|form| entry("form", value(form)));
        self.kind.iter().for_each(|kind| entry("kind", value(kind)));
        self.tiles.iter().for_each(|tiles| entry("tiles", value(tiles)));
        entry("order", value(&self.order));
        entry("start", value(&self.start));
        let own = &self.unit.formats;
        if (&self.a, &self.b) != (&own.a, &own.b) {
            let (a, b) = (format_entry(&self.a), format_entry(&self.b));
            entry("operands", format!("{{ a = {a}, b = {b} }}"));
        }
        if self.c != self.final_addition.as_ref().unwrap_or(&self.unit).formats.c {
            entry("addend", format_entry(&self.c));
        }
        final_addition.iter().for_each(|name| entry("final_addition", value(name)));
        let Evidence { grade, source } = &self.evidence;
        text += &format!("\n[evidence]\ngrade = {}\nsource = {}\n", value(grade), value(source));
        text.extend(self.recordings.iter().map(recordings_table));
        text
    }
}

/// Whether these are the fields of an instruction file, and not of a unit file.
pub(in crate::describe) fn is_instruction(fields: &toml::Table) -> bool {
    fields.contains_key("shape") || fields.contains_key("unit")
}

/// The unit in that file, or of that name in the catalogue.
fn unit_of(reader: &Reader, units: Option<UnitFiles>, field: &str, name: &str) -> Result<Unit, FileError> {
    if let (Some(unit_file), true) = (units, name.ends_with(FILE)) {
        return unit_file(field, name);
    }
    catalogue::unit(name).ok_or_else(|| {
        let files = if units.is_some() { "the path of a unit file (.toml), or one of " } else { "" };
        reader.refuse(field, format!("{name:?}"), format!("{files}{}", catalogue::names().join(", ")))
    })
}

fn recordings_table(recordings: &Recordings) -> String {
    let Recordings { devices, operands, result, addend } = recordings;
    let [devices, operands, result] = [value(devices), value(operands), value(result)];
    let addend = match addend {
        RecordedAddend::File => String::new(),
        RecordedAddend::Zero => format!("addend = {}\n", value(addend)),
    };
    format!("\n[[recordings]]\ndevices = {devices}\noperands = {operands}\nresult = {result}\n{addend}")
}
