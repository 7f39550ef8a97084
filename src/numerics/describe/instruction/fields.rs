//! The fields of an instruction file, each said once. Reading, writing and documentation follow from this table.

use serde::Deserialize;

use super::{Instruction, RecordedAddend, Recordings, Shape};
use crate::describe::file::Missing::{self, Refused, Unwritten};
use crate::describe::file::Value::{self, Own, Plain};
use crate::describe::file::{
    Document, Field, FileError, FormatEntry, FormatOf, between_marks, format_entry, table, text, value,
};
use crate::describe::format::Format;
use crate::describe::unit::{Evidence, Scheme, Unit};

/// An instruction as its file says it: with the names of its units, and formats only where they are not those of the units.
#[derive(Clone)]
pub(super) struct Entries {
    /// All but its units and formats.
    pub instruction: Instruction,
    pub unit: String,
    pub final_addition: Option<String>,
    /// Formats of a and b.
    pub operands: Option<[Format; 2]>,
    /// Format of c.
    pub addend: Option<Format>,
}

/// Every field, in the order in which files are read and written.
#[rustfmt::skip]
static FIELDS: &[Field<Entries>] = &[
    of("name", Refused, Plain(|entries| Some(&mut entries.instruction.name)),
        "lower-case letters, digits and single hyphens, a letter first, at most 64 of them; in reports and case files"),
    of("summary", Refused, Plain(|entries| Some(&mut entries.instruction.summary)),
        "one line for people, without control characters"),
    of("unit", Refused, Plain(|entries| Some(&mut entries.unit)),
        "the unit of every block: one of the catalogue, or the path of a unit file"),
    of("shape", Refused,
        Own {
            tables: false,
            values: "`{ m, n, k }`, each 1 to 1024",
            read: |entries, given| given.parse().map(|shape| entries.instruction.shape = shape),
            write: |entries| {
                let Shape { m, n, k } = entries.instruction.shape;
                format!("{{ m = {m}, n = {n}, k = {k} }}")
            },
        },
        "D is m x n, with k products per element"),
    of("form", Unwritten, Plain(|entries| Some(&mut entries.instruction.form)),
        "family of machine instructions; GPUs are asked for instructions of the catalogue only"),
    of("kind", Unwritten, Plain(|entries| Some(&mut entries.instruction.kind)), "variant of the family, as PTX names it"),
    of("tiles", Unwritten, Plain(|entries| Some(&mut entries.instruction.tiles)),
        "other shapes with the same arithmetic, for people"),
    of("order", Refused, Plain(|entries| Some(&mut entries.instruction.order)), "which indices each block takes: see below"),
    of("start", Refused, Plain(|entries| Some(&mut entries.instruction.start)),
        "what the first block adds its products to: c, or zero; then c is added by `final_addition`, or the unit has no addend"),
    of("operands", Unwritten,
        Own {
            tables: false,
            values: "`{ a, b }`, formats as in unit files",
            read: |entries, given| {
                let OperandEntries { a, b } = given.parse()?;
                let a = a.format(given.file, "operands.a", FormatOf::Numbers)?;
                let b = b.format(given.file, "operands.b", FormatOf::Numbers)?;
                entries.operands = Some([a, b]);
                Ok(())
            },
            write: |entries| {
                let operands = entries.operands.as_ref();
                let entry = |[a, b]: &[Format; 2]| format!("{{ a = {}, b = {} }}", format_entry(a), format_entry(b));
                operands.map_or(String::new(), entry)
            },
        },
        "formats of a and b, if not the unit's"),
    of("addend", Unwritten,
        Own {
            tables: false,
            values: "a format",
            read: |entries, given| given.format(FormatOf::Numbers).map(|format| entries.addend = Some(format)),
            write: |entries| entries.addend.as_ref().map_or(String::new(), format_entry),
        },
        "format of c, if not that of the unit which adds c"),
    of("final_addition", Unwritten, Plain(|entries| Some(&mut entries.final_addition)),
        "with `start = \"zero\"`, the unit that adds c to the chain at the end: one of the catalogue, or the path of a unit \
         file; one product, of the chain's result and 1; its a has the format of the chain's result"),
    of("evidence", Refused,
        Own {
            tables: true,
            values: "`{ grade, source }`",
            read: |entries, given| given.parse().map(|evidence| entries.instruction.evidence = evidence),
            write: |entries| {
                let Evidence { grade, source } = &entries.instruction.evidence;
                format!("\n[evidence]\ngrade = {}\nsource = {}\n", value(grade), value(source))
            },
        },
        "where the composition comes from; grades as in unit files"),
    of("recordings", Unwritten,
        Own {
            tables: true,
            values: "a list of `{ devices, operands, result, addend }`",
            read: |entries, given| given.parse().map(|recordings| entries.instruction.recordings = recordings),
            write: |entries| entries.instruction.recordings.iter().map(recordings_table).collect(),
        },
        "public recordings that the instruction answers for: see below; `replay` asks instructions of the catalogue only"),
];

const fn of(
    path: &'static str,
    missing: Missing<Entries>,
    value: Value<Entries>,
    meaning: &'static str,
) -> Field<Entries> {
    Field { path, value, missing, meaning }
}

/// Formats of the operands, where they differ from the unit's.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OperandEntries {
    a: FormatEntry,
    b: FormatEntry,
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

impl Entries {
    /// What a file says before any field is read.
    fn plain() -> Entries {
        let instruction = Instruction::alone(Unit::plain(Scheme::Fused));
        Entries { instruction, unit: String::new(), final_addition: None, operands: None, addend: None }
    }

    /// Reads the text of an instruction file, and checks each field by itself.
    pub fn parse(file: &str, text: &str) -> Result<Entries, FileError> {
        let document = Document::parse(file, text)?;
        document.check_known(&FIELDS.iter().map(|field| field.path).collect::<Vec<_>>())?;
        let mut entries = Entries::plain();
        FIELDS.iter().try_for_each(|field| field.read(&document, &mut entries, ""))?;
        Ok(entries)
    }

    pub fn to_toml(&self) -> String {
        text(FIELDS.iter(), self, &Entries::plain())
    }
}

/// The documentation of instruction files with what the table of fields says of them between its marks.
pub fn documentation(text: &str) -> String {
    let mut plain = Entries::plain();
    let fields = FIELDS.iter();
    let rows = fields.map(|field| [format!("`{}`", field.path), field.values(&mut plain), field.meaning.to_owned()]);
    between_marks(text, "fields", &table(["field", "value", "meaning"], rows))
}
