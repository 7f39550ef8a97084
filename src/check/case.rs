//! Case files: one vector, what every engine said, what is right. Rerun with `cosim --case`; a copy in
//! `tests/regressions/` is a test.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::compare::Mismatch;
use crate::describe::catalogue;
use crate::describe::file::read;
use crate::describe::format::{Format, low_mask};
use crate::describe::interface::Interface;
use crate::describe::subject::{Subject, Texts};
use crate::describe::text::Foreign;
use crate::describe::unit::{FileError, Scales};
use crate::engine::{Batch, Engine, EngineError, Identity, Kind, Opened, Vector};

/// One vector with everything needed to run it again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// What the case shows, for people.
    #[serde(default)]
    pub summary: String,
    /// Name of a unit or an instruction of the catalogue, unless `unit_file` is given.
    pub unit: String,
    /// Text of the unit file, for a unit that is not in the catalogue, or the unit of such an instruction.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit_file: Option<String>,
    /// Text of the instruction file, for an instruction that is not in the catalogue. The paths in it are only words: its
    /// units are those of `unit_file` and `final_addition_file`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instruction_file: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub final_addition_file: Option<String>,
    /// Seed, index and class of the stimulus that found it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub found: Option<Found>,
    /// Encodings in hexadecimal.
    pub a: Vec<String>,
    pub b: Vec<String>,
    /// Left out where the unit has no addend.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub c: Option<String>,
    /// Scales of a block-scaled unit.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub scale_a: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub scale_b: Vec<String>,
    /// The right answer; of a unit with flags, these above d: see `describe::unit::Flags`.
    pub expected: String,
    /// What each engine answered when the case was written.
    #[serde(default)]
    pub answers: Vec<Answer>,
}

/// Where a case comes from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Found {
    pub seed: u64,
    pub index: u64,
    pub class: String,
    pub tensorsmith: String,
}

/// An engine's answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Answer {
    pub engine: String,
    pub d: String,
}

/// A case that was read and checked.
#[derive(Debug, Clone)]
pub struct Checked {
    pub subject: Subject,
    pub vector: Vector,
    pub expected: u64,
    /// Engines whose answers were wrong when the case was written.
    pub differed: Vec<Kind>,
}

/// The right answer of a case as one more engine: it knows that answer only.
pub struct Expected(pub u64);

/// The right answers of several cases as one more engine: it knows these only, and gives 0 for any other vector.
pub struct ExpectedOfEach(pub Vec<(Vector, u64)>);

impl Expected {
    const NAME: &str = "expected";

    fn identity() -> Identity {
        Identity { engine: Expected::NAME.to_owned(), version: "the case file".to_owned() }
    }
}

impl Engine for Expected {
    fn name(&self) -> &'static str {
        Expected::NAME
    }

    fn identity(&self) -> Identity {
        Expected::identity()
    }

    fn run(&mut self, batch: &Batch, results: &mut Vec<u64>) -> Result<(), EngineError> {
        results.clear();
        results.resize(batch.len(), self.0);
        Ok(())
    }
}

impl Engine for ExpectedOfEach {
    fn name(&self) -> &'static str {
        Expected::NAME
    }

    fn identity(&self) -> Identity {
        Expected::identity()
    }

    fn run(&mut self, batch: &Batch, results: &mut Vec<u64>) -> Result<(), EngineError> {
        let answer =
            |vector: &Vector| self.0.iter().find(|(known, _)| known == vector).map_or(0, |(_, answer)| *answer);
        results.clear();
        results.extend((0..batch.len()).map(|index| answer(&batch.vector(index))));
        Ok(())
    }
}

/// What the reference answers.
///
/// # Errors
/// The reference failed.
pub fn right_answer(subject: &Subject, vector: &Vector) -> Result<u64, EngineError> {
    let mut reference = match Kind::Reference.open_subject(subject)? {
        Opened::Ready(reference) => reference,
        Opened::Absent(message) => {
            return Err(EngineError { engine: Kind::Reference.name(), message: message.to_string() });
        }
    };
    let results = reference.answers(&Batch::of(vector))?;
    Ok(results[0])
}

impl Case {
    /// The case of a mismatch. What is not in the catalogue is written down.
    pub fn of(subject: &Subject, mismatch: &Mismatch, seed: Option<u64>, expected: u64) -> Case {
        let hex = |bits: &u64| format!("{bits:#x}");
        let Texts { unit_file, instruction_file, final_addition_file } = Texts::of(subject);
        Case {
            summary: format!("engines disagree on {}", subject.name()),
            unit: subject.name().to_owned(),
            unit_file,
            instruction_file,
            final_addition_file,
            found: seed.map(|seed| Found {
                seed,
                index: mismatch.index,
                class: mismatch.class.map_or("none", |class| class.name()).to_owned(),
                tensorsmith: env!("CARGO_PKG_VERSION").to_owned(),
            }),
            a: mismatch.vector.a.iter().map(hex).collect(),
            b: mismatch.vector.b.iter().map(hex).collect(),
            c: subject.interface().has_addend().then(|| hex(&mismatch.vector.c)),
            scale_a: mismatch.vector.scale_a.iter().map(hex).collect(),
            scale_b: mismatch.vector.scale_b.iter().map(hex).collect(),
            expected: hex(&expected),
            answers: mismatch.answers.iter().map(|(engine, d)| Answer { engine: engine.clone(), d: hex(d) }).collect(),
        }
    }

    /// The text of the case file.
    pub fn to_toml(&self) -> String {
        toml::to_string(self).expect("a case holds only text, numbers and lists")
    }

    /// Reads and checks a case file.
    ///
    /// # Errors
    /// The file cannot be read, is not a case, or does not fit its unit.
    pub fn read(path: &Path) -> Result<Checked, FileError> {
        let file = path.shown();
        let text = read(path)?;
        Case::from_toml(&file, &text)
    }

    /// The case file of a folder with the same vector and result of a subject, the first by name.
    pub fn find(folder: &Path, subject: &Subject, vector: &Vector, expected: u64) -> Option<PathBuf> {
        let mut paths: Vec<PathBuf> = std::fs::read_dir(folder).ok()?.flatten().map(|entry| entry.path()).collect();
        paths.retain(|path| path.extension().is_some_and(|ending| ending == "toml"));
        paths.sort();
        let is_same = |case: &Checked| (&case.subject, &case.vector, case.expected) == (subject, vector, expected);
        paths.into_iter().find(|path| Case::read(path).is_ok_and(|case| is_same(&case)))
    }

    /// Reads and checks the text of a case file; `file` names it in errors.
    ///
    /// # Errors
    /// As [`Case::read`].
    pub fn from_toml(file: &str, text: &str) -> Result<Checked, FileError> {
        let case: Case = toml::from_str(text).map_err(|error| FileError::syntax(file, text, &error))?;
        let subject = case.subject(file)?;
        let unit = subject.interface();
        let formats = &unit.formats;
        let vector = Vector {
            a: encodings(file, "a", &case.a, &formats.a, unit.products)?,
            b: encodings(file, "b", &case.b, &formats.b, unit.products)?,
            c: addend(file, case.c.as_deref(), &unit)?,
            scale_a: scales(file, "scale_a", &case.scale_a, &unit, |scales| &scales.a)?,
            scale_b: scales(file, "scale_b", &case.scale_b, &unit, |scales| &scales.b)?,
        };
        let expected = word(file, "expected", &case.expected, unit.answer_width(), &formats.d)?;
        let is_wrong = |answer: &&Answer| {
            word(file, "answers.d", &answer.d, unit.answer_width(), &formats.d).is_ok_and(|d| d != expected)
        };
        let differed = case.answers.iter().filter(is_wrong).filter_map(|answer| answer.engine.parse().ok()).collect();
        Ok(Checked { subject, vector, expected, differed })
    }

    /// The unit or the instruction that is written down or named.
    fn subject(&self, file: &str) -> Result<Subject, FileError> {
        let texts = Texts {
            unit_file: self.unit_file.clone(),
            instruction_file: self.instruction_file.clone(),
            final_addition_file: self.final_addition_file.clone(),
        };
        texts.subject(file)?.or_else(|| Subject::named(&self.unit)).ok_or_else(|| {
            let allowed = format!("an instruction of the catalogue, or one of {}", catalogue::names().join(", "));
            FileError::value(file, "unit", format!("{:?}", self.unit), allowed)
        })
    }
}

/// The scales of a or of b; a unit without scales has none.
fn scales(
    file: &str,
    field: &str,
    values: &[String],
    unit: &Interface,
    format: fn(&Scales) -> &Format,
) -> Result<Vec<u64>, FileError> {
    // Without scales the list is empty, and no format is asked for.
    let format = unit.scales.as_ref().map_or(&unit.formats.a, format);
    encodings(file, field, values, format, unit.scale_count())
}

fn encodings(file: &str, field: &str, values: &[String], format: &Format, count: u32) -> Result<Vec<u64>, FileError> {
    if values.len() != count as usize {
        let given = format!("a list of {}", values.len());
        return Err(FileError::value(file, field, given, format!("a list of {count}")));
    }
    let named = |(index, value): (usize, &String)| encoding(file, &format!("{field}[{index}]"), value, format);
    values.iter().enumerate().map(named).collect()
}

/// The addend, which stands in the case of every unit that has one.
fn addend(file: &str, value: Option<&str>, unit: &Interface) -> Result<u64, FileError> {
    let refuse = |value: &str, allowed: &str| FileError::value(file, "c", value, allowed);
    match (value, unit.has_addend()) {
        (Some(value), true) => encoding(file, "c", value, &unit.formats.c),
        (None, false) => Ok(0),
        (Some(value), false) => Err(refuse(&format!("{value:?}"), "no c: the unit has no addend")),
        (None, true) => Err(refuse("missing", "an encoding of the addend")),
    }
}

fn encoding(file: &str, field: &str, value: &str, format: &Format) -> Result<u64, FileError> {
    word(file, field, value, format.width(), format)
}

/// A word of that many bits: an encoding of the format, or one with flags above it.
fn word(file: &str, field: &str, value: &str, width: u32, format: &Format) -> Result<u64, FileError> {
    let digits = value.strip_prefix("0x");
    let bits = digits
        .filter(|digits| digits.chars().all(|digit| digit.is_ascii_hexdigit()))
        .and_then(|digits| u64::from_str_radix(digits, 16).ok())
        .filter(|bits| bits & !low_mask(width) == 0);
    bits.ok_or_else(|| {
        let allowed = format!("0x and hexadecimal digits, at most {width} bits of {}", format.name);
        FileError::value(file, field, format!("{value:?}"), allowed)
    })
}
