//! The fields of an instruction file, each said once. Reading, writing and documentation follow from this table.

use super::{Instruction, Recordings, SIZES};
use crate::describe::file::Missing::{self, Refused, Unwritten};
use crate::describe::file::Value::{self, Format, Number, Plain};
use crate::describe::file::{Document, Field, FileError, FormatOf, between_marks, table, text};
use crate::describe::unit::{Scheme, Unit};

/// An instruction as its file says it: with the names of its units, and formats only where they are not those of the units.
#[derive(Clone)]
pub(super) struct Entries {
    pub instruction: Instruction,
    pub unit: String,
    pub final_addition: Option<String>,
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
    of("form", Unwritten, Plain(|entries| Some(&mut entries.instruction.form)),
        "family of machine instructions; GPUs are asked for instructions of the catalogue only"),
    of("kind", Unwritten, Plain(|entries| Some(&mut entries.instruction.kind)),
        "variant of the family, as PTX names it"),
    of("tiles", Unwritten, Plain(|entries| Some(&mut entries.instruction.tiles)),
        "other shapes with the same arithmetic, for people"),
    of("order", Refused, Plain(|entries| Some(&mut entries.instruction.order)),
        "which indices of the k products each block takes: see below"),
    of("start", Refused, Plain(|entries| Some(&mut entries.instruction.start)),
        "what the first block adds its products to: c, or zero; then c is added by `final_addition`, or the unit has no addend"),
    of("addend", Unwritten, Format(FormatOf::Numbers, |entries| Some(&mut entries.instruction.c)),
        "format of c, if not that of the unit which adds c"),
    of("final_addition", Unwritten, Plain(|entries| Some(&mut entries.final_addition)),
        "with `start = \"zero\"`, the unit that adds c to the chain at the end: one of the catalogue, or the path of a unit \
         file; one product, of the chain's result and 1; its a has the format of the chain's result"),
    of("shape.m", Refused, Number(SIZES, None, |entries| Some(&mut entries.instruction.shape.m)), "rows of D"),
    of("shape.n", Refused, Number(SIZES, None, |entries| Some(&mut entries.instruction.shape.n)), "columns of D"),
    of("shape.k", Refused, Number(SIZES, None, |entries| Some(&mut entries.instruction.shape.k)),
        "products of each element of D"),
    of("operands.a", Unwritten, Format(FormatOf::Numbers, |entries| Some(&mut entries.instruction.a)),
        "format of a, if not the unit's"),
    of("operands.b", Unwritten, Format(FormatOf::Numbers, |entries| Some(&mut entries.instruction.b)),
        "format of b, if not the unit's"),
    of("evidence.grade", Refused, Plain(|entries| Some(&mut entries.instruction.evidence.grade)),
        "how well the composition is known"),
    of("evidence.source", Refused, Plain(|entries| Some(&mut entries.instruction.evidence.source)),
        "where it comes from"),
    of("recordings", Unwritten,
        Value::Own {
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

fn recordings_table(recordings: &Recordings) -> String {
    format!("\n[[recordings]]\n{}", toml::to_string(recordings).unwrap_or_default())
}

impl Entries {
    /// What a file says before any field is read.
    fn plain() -> Entries {
        let instruction = Instruction::alone(Unit::plain(Scheme::Fused));
        Entries { instruction, unit: String::new(), final_addition: None }
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
