//! What was found as files: a unit file, or an instruction file with those of its units beside it. The writers are those of
//! units and instructions; here the evidence gets its place and everything its name. Writes only what reads back the same.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use super::InferError;
use super::evidence::{Finding, ParameterEvidence};
use super::wording::{few, vector_text};
use crate::describe::instruction::Instruction;
use crate::describe::subject::Subject;
use crate::describe::unit::{Evidence, FileError, Grade, Scheme, Unit};
use crate::emit::SourceFile;

/// What was found under its name, and the texts of its files: the first is the one that was asked for.
#[derive(Debug, Clone)]
pub struct Written {
    pub subject: Subject,
    pub files: Vec<SourceFile>,
}

/// Names of an instruction's units.
const UNIT: &str = "-unit";
/// The longest of the endings.
const ADDITION: &str = "-addition";

/// The files that may be written beside one: those of an instruction's units.
pub fn companions(file: &Path) -> [PathBuf; 2] {
    let stem = file.file_stem().unwrap_or_default().to_string_lossy();
    [UNIT, ADDITION].map(|ending| file.with_file_name(format!("{stem}{ending}.toml")))
}

/// The shortest and the longest name that what is found under a name may take.
pub fn names(name: &str) -> [String; 2] {
    [name.to_owned(), format!("{name}{ADDITION}")]
}

impl Finding {
    /// The files of what was found: `name` is its name, `source` what answered, `file` the name of the first file.
    ///
    /// # Errors
    /// The name is none for a unit; or a text does not read as what was found, and then there are no files.
    pub fn written(&self, name: &str, source: &str, file: &str) -> Result<Written, InferError> {
        let hypothesis = &self.hypothesis;
        let answers = if self.recorded { "recorded answers in" } else { "answers of the engine" };
        let summary = format!("inferred from {} {answers} {source}", self.asked);
        let alone = hypothesis.is_alone();
        let unit = Unit {
            name: if alone { name.to_owned() } else { format!("{name}{UNIT}") },
            summary: if alone { summary.clone() } else { format!("unit of {name}, {summary}") },
            evidence: self.unit_evidence(alone),
            ..hypothesis.unit.clone()
        };
        if alone {
            let files = vec![SourceFile { name: file.to_owned(), text: unit.to_toml() }];
            let read = Unit::from_toml(file, &files[0].text)?;
            return checked(read == unit, Written { subject: unit.into(), files });
        }
        let final_addition = hypothesis.final_addition.as_ref().map(|adder| Unit {
            name: format!("{name}{ADDITION}"),
            summary: format!("final addition of {name}, {summary}"),
            evidence: self.final_addition_evidence(),
            ..adder.clone()
        });
        let instruction = Instruction {
            name: name.to_owned(),
            summary,
            unit,
            final_addition,
            evidence: inferred(self.composition_source()),
            ..hypothesis.clone()
        };
        let files = instruction_files(&instruction, file);
        let text = |name: &str| files.iter().find(|file| file.name == name).map_or("", |file| file.text.as_str());
        let unit_file = |_: &str, name: &str| -> Result<Unit, FileError> { Unit::from_toml(name, text(name)) };
        let read = Instruction::from_toml_with(Some(&unit_file), file, text(file))?;
        checked(read == instruction, Written { subject: instruction.into(), files })
    }

    /// The evidence of each field of the unit; by itself it carries that of the composition too.
    fn unit_evidence(&self, alone: bool) -> BTreeMap<String, Evidence> {
        let mut all = BTreeMap::from([("scheme".to_owned(), inferred(self.scheme_source()))]);
        for parameter in &self.parameters {
            let source = self.source(parameter);
            match place(parameter.field) {
                Place::Unit(field) => add_source(&mut all, field, &source),
                Place::Composition | Place::FinalAddition(_) if alone => {
                    add_source(&mut all, "products", &format!("{} {source}", label(parameter)));
                }
                Place::Composition | Place::FinalAddition(_) => {}
            }
        }
        all
    }

    /// What is known of the final addition.
    fn final_addition_evidence(&self) -> BTreeMap<String, Evidence> {
        let mut all: BTreeMap<String, Evidence> = BTreeMap::new();
        for parameter in &self.parameters {
            let Place::FinalAddition(field) = place(parameter.field) else { continue };
            add_source(&mut all, field, &self.source(parameter));
        }
        all
    }

    /// What is known of the composition.
    fn composition_source(&self) -> String {
        let composed = |parameter: &&ParameterEvidence| {
            parameter.field == FINAL_ADDITION || matches!(place(parameter.field), Place::Composition)
        };
        let own = self.parameters.iter().filter(composed);
        let sources: Vec<String> =
            own.map(|parameter| format!("{} {}", label(parameter), self.source(parameter))).collect();
        sources.join("; ")
    }

    fn scheme_source(&self) -> String {
        let mut text = format!("all {} answers fit", self.asked);
        for scheme in Scheme::ALL.iter().filter(|scheme| **scheme != self.hypothesis.unit.scheme) {
            let own = self.refuted.iter().filter(|refuted| refuted.hypothesis.unit.scheme == *scheme);
            if let Some(fewest) = own.map(|refuted| refuted.by.len()).min() {
                let _ = write!(text, "; {} fails on {fewest} or more of those it was tried on", scheme.name());
            }
        }
        for other in &self.equivalent {
            let scheme = other.hypothesis.unit.scheme.name();
            let _ = match self.recorded {
                false => write!(text, "; {}", other.equality(scheme)),
                true => write!(text, "; {scheme} fits as well"),
            };
            let own = other.differing(&self.parameters);
            let own: Vec<String> = own.map(|own| format!("{} = {}", own.field, own.fitting())).collect();
            if !own.is_empty() {
                let _ = write!(text, " ({})", own.join("; "));
            }
        }
        text
    }

    /// What is known of a parameter, in a line.
    fn source(&self, parameter: &ParameterEvidence) -> String {
        let open = self.recorded && !parameter.indistinguishable.is_empty();
        let fitting = if open { format!("the recorded answers fit {}; ", parameter.fitting()) } else { String::new() };
        fitting + &source(parameter)
    }
}

/// Fails where what was read is not what was written.
fn checked(same: bool, written: Written) -> Result<Written, InferError> {
    let file = || written.files.first().map_or(String::new(), |file| file.name.clone());
    if same { Ok(written) } else { Err(InferError::NotReadBack(file())) }
}

/// The file of an instruction, then those of its units, named after it.
fn instruction_files(instruction: &Instruction, file: &str) -> Vec<SourceFile> {
    let [unit, addition] = companions(Path::new(file)).map(|path| path.to_string_lossy().into_owned());
    let addition = instruction.final_addition.as_ref().map(|adder| (addition, adder.to_toml()));
    let text = instruction.to_toml(&unit, addition.as_ref().map(|(name, _)| name.as_str()));
    let mut files =
        vec![SourceFile { name: file.to_owned(), text }, SourceFile { name: unit, text: instruction.unit.to_toml() }];
    files.extend(addition.map(|(name, text)| SourceFile { name, text }));
    files
}

/// Where the evidence of a field is written.
enum Place {
    /// Beside that field of the unit.
    Unit(&'static str),
    /// Beside that field of the unit that adds c at the end.
    FinalAddition(&'static str),
    /// How the instruction is composed of blocks.
    Composition,
}

/// Whether there is a final addition, and how it rounds.
const FINAL_ADDITION: &str = "final_addition";

fn place(field: &'static str) -> Place {
    let of_table = |field: &'static str| match field {
        "formats.a" | "formats.b" | "formats.c" | "formats.d" => "formats",
        "scales.group" => "scales",
        field => field,
    };
    match field.strip_prefix(FINAL_ADDITION).map(|own| own.trim_start_matches('.')) {
        Some("") => Place::FinalAddition("conversion.rounding"),
        Some(own) => Place::FinalAddition(of_table(own)),
        None if ["products", "order"].contains(&field) => Place::Composition,
        None => Place::Unit(of_table(field)),
    }
}

/// Adds to the evidence of a field.
fn add_source(all: &mut BTreeMap<String, Evidence>, field: &str, source: &str) {
    let entry = all.entry(field.to_owned()).or_insert_with(|| inferred(String::new()));
    let before = if entry.source.is_empty() { "" } else { "; " };
    entry.source += &format!("{before}{source}");
}

/// A field and its value, before what is known of it.
fn label(parameter: &ParameterEvidence) -> String {
    format!("{} = {}:", parameter.field, parameter.value)
}

fn inferred(source: String) -> Evidence {
    Evidence { grade: Grade::Inferred, source }
}

/// What excluded the other values, in a line: the first two vectors, and what remains.
fn source(parameter: &ParameterEvidence) -> String {
    let mut text = String::new();
    for exclusion in parameter.exclusions.iter().take(2) {
        let (vector, answer) = (vector_text(&exclusion.vector), exclusion.answer);
        let test = exclusion.test.map_or(String::new(), |test| format!("{test}: "));
        let _ = write!(text, "{test}{vector} gives {answer:#x}: not {}; ", few(&exclusion.excluded, 6));
    }
    let excluded: usize = parameter.exclusions.iter().map(|exclusion| exclusion.excluded.len()).sum();
    let _ = write!(text, "{excluded} other values excluded");
    let mut by_reason: Vec<(&str, Vec<String>)> = Vec::new();
    for other in &parameter.indistinguishable {
        match by_reason.iter_mut().find(|(reason, _)| *reason == other.reason) {
            Some((_, values)) => values.push(other.value.clone()),
            None => by_reason.push((&other.reason, vec![other.value.clone()])),
        }
    }
    for (reason, values) in by_reason {
        let _ = write!(text, "; indistinguishable from {} ({reason})", few(&values, 6));
    }
    text
}
