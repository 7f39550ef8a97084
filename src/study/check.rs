//! Reads a study file. What it must say: the allowed range of each field, and units that can do what their curves ask.

use std::collections::BTreeSet;
use std::path::Path;

use super::file::{Combination, Curve, Distribution, Drawn, Parts, Said, Study};
use super::norms::Norm;
use crate::describe::file::read;
use crate::describe::format::{Format, Rounding};
use crate::describe::instruction::Instruction;
use crate::describe::subject::Subject;
use crate::describe::text::{Foreign, LINES_ALLOWED, is_one_line};
use crate::describe::unit::{FileError, Unit};
use crate::engine::gemm::{PARTS_MAX, gives_binary32};

/// Largest size of drawn matrices: B has 8 bytes an element.
const SIZE_MAX: usize = 32_768;
/// Words that an operand is split into at most.
const WORDS_MAX: u32 = 16;
/// Binary places between the scales of two words at most.
const SHIFT_MAX: u32 = 64;
/// Bits of a slice, as int8 has them without its sign.
const SLICE_BITS: std::ops::RangeInclusive<u32> = 1..=7;

impl Study {
    /// Reads and checks the text of a study file, whose paths start from a folder; `file` names it in errors.
    ///
    /// # Errors
    /// The text is no study, a value is not allowed, or a unit is not there.
    pub fn from_toml(folder: &Path, file: &str, text: &str) -> Result<Study, FileError> {
        let said: Said = toml::from_str(text).map_err(|error| FileError::syntax(file, text, &error))?;
        let reading = Reading { file };
        reading.check(&said)?;
        let instructions =
            said.curves.iter().map(|curve| reading.instruction(folder, &said, curve)).collect::<Result<_, _>>()?;
        let study = Study { said, instructions, folder: folder.to_owned() };
        for (curve, instruction) in study.said.curves.iter().zip(&study.instructions) {
            reading.fits(curve, instruction.as_ref())?;
        }
        Ok(study)
    }

    /// Reads and checks a study file.
    ///
    /// # Errors
    /// The file cannot be read, or those of [`Study::from_toml`].
    pub fn from_file(path: &Path) -> Result<Study, FileError> {
        let file = path.shown();
        let text = read(path)?;
        Study::from_toml(path.parent().unwrap_or(Path::new("")), &file, &text)
    }
}

/// A file that is being read.
pub(super) struct Reading<'a> {
    pub file: &'a str,
}

impl Reading<'_> {
    fn refuse<T>(&self, field: &str, value: impl ToString, allowed: impl ToString) -> Result<T, FileError> {
        Err(FileError::value(self.file, field, value, allowed))
    }

    pub fn check(&self, said: &Said) -> Result<(), FileError> {
        let known = said.name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-');
        if said.name.is_empty() || said.name.len() > 64 || !known {
            let allowed = "lower-case letters, digits and hyphens, at most 64";
            return self.refuse("name", format!("{:?}", said.name), allowed);
        }
        if said.norms.is_empty() {
            return self.refuse("norms", "[]", Norm::ALL.map(Norm::name).join(", "));
        }
        if let Some((_, norm)) = (0..).zip(&said.norms).find(|(place, norm)| said.norms[..*place].contains(norm)) {
            return self.refuse("norms", format!("{:?} twice", norm.name()), "each norm once");
        }
        self.check_matrices(&said.matrices)?;
        let mut names = BTreeSet::new();
        for (place, curve) in said.curves.iter().enumerate() {
            let field = |name: &str| format!("curves[{place}].{name}");
            if curve.name.is_empty() || !is_one_line(&curve.name) {
                return self.refuse(&field("name"), format!("{:?}", curve.name), LINES_ALLOWED);
            }
            if !names.insert(&curve.name) {
                return self.refuse(&field("name"), format!("{:?}", curve.name), "each name once");
            }
            self.check_curve(curve, &field)?;
        }
        if names.is_empty() {
            return self.refuse("curves", "[]", "at least one");
        }
        let uses = |name: &String| said.curves.iter().any(|curve| curve.unit.as_ref() == Some(name));
        if let Some(name) = said.units.keys().find(|name| !uses(name)) {
            return self.refuse(&format!("units.{name}"), "named by no curve", "units that a curve names");
        }
        for (place, claim) in said.claims.iter().enumerate() {
            let [least, greatest] = claim.ratio;
            if !(0.0 <= least && least <= greatest) {
                let allowed = "numbers from 0 on, the lesser first";
                return self.refuse(&format!("claims[{place}].ratio"), format!("{:?}", claim.ratio), allowed);
            }
            for (field, name) in [("curve", &claim.curve), ("against", &claim.against)] {
                if !names.contains(name) {
                    let known: Vec<&str> = names.iter().map(|name| name.as_str()).collect();
                    return self.refuse(&format!("claims[{place}].{field}"), format!("{name:?}"), known.join(", "));
                }
            }
        }
        Ok(())
    }

    fn check_matrices(&self, drawn: &Drawn) -> Result<(), FileError> {
        let files = matches!(drawn.distribution, Distribution::Files { .. });
        if files != drawn.sizes.is_empty() {
            let allowed = if files { "none, the files have their sizes" } else { "at least one" };
            return self.refuse("matrices.sizes", format!("{:?}", drawn.sizes), allowed);
        }
        if let Some(size) = drawn.sizes.iter().find(|size| !(1..=SIZE_MAX).contains(*size)) {
            return self.refuse("matrices.sizes", size, format!("1 to {SIZE_MAX}"));
        }
        if !drawn.sizes.is_sorted_by(|one, next| one < next) {
            return self.refuse("matrices.sizes", format!("{:?}", drawn.sizes), "each size once, ascending");
        }
        if let Some(largest) = drawn.largest.filter(|largest| !drawn.sizes.contains(largest)) {
            return self.refuse("matrices.largest", largest, format!("one of {:?}", drawn.sizes));
        }
        if drawn.rows == Some(0) {
            return self.refuse("matrices.rows", 0, "at least 1");
        }
        if let Some(name) = &drawn.format {
            self.format("matrices.format", name)?;
        }
        let field = "matrices.distribution";
        match &drawn.distribution {
            Distribution::Uniform { low, high } if !(low < high && low.abs() < 1e100 && high.abs() < 1e100) => {
                self.refuse(field, format!("{low} to {high}"), "low < high, of magnitudes below 1e100")
            }
            Distribution::Normal { mean, deviation }
                if !(mean.abs() < 1e100 && *deviation > 0.0 && *deviation < 1e100) =>
            {
                self.refuse(field, format!("{mean}, {deviation}"), "a deviation above 0, magnitudes below 1e100")
            }
            Distribution::LogUniform { exponents: [low, high] } if !(low <= high && *low >= -300 && *high <= 300) => {
                self.refuse(field, format!("{low} to {high}"), "-300 to 300, the lower one first")
            }
            _ => Ok(()),
        }
    }

    fn check_curve(&self, curve: &Curve, field: &dyn Fn(&str) -> String) -> Result<(), FileError> {
        let words = &curve.words;
        if !(1..=WORDS_MAX).contains(&words.count) {
            return self.refuse(&field("words.count"), words.count, format!("1 to {WORDS_MAX}"));
        }
        if words.shift > SHIFT_MAX {
            return self.refuse(&field("words.shift"), words.shift, format!("0 to {SHIFT_MAX}"));
        }
        if words.rounding.is_empty() || words.rounding.len() > words.count as usize {
            let allowed = format!("1 to {}, one a word at most", words.count);
            return self.refuse(&field("words.rounding"), format!("{} roundings", words.rounding.len()), allowed);
        }
        if let Some(bits) = words.slice_bits.filter(|bits| !SLICE_BITS.contains(bits)) {
            let allowed = format!("{} to {}", SLICE_BITS.start(), SLICE_BITS.end());
            return self.refuse(&field("words.slice_bits"), bits, allowed);
        }
        if words.slice_bits.is_some() && words.shift != 0 {
            return self.refuse(&field("words.shift"), words.shift, "0 beside slice_bits");
        }
        let mut pairs = BTreeSet::new();
        let known = |word: &u32| (1..=words.count).contains(word);
        if let Some(pair) = curve.products.iter().find(|pair| !pair.iter().all(known) || !pairs.insert(**pair)) {
            let allowed = format!("pairs of 1 to {}, each once", words.count);
            return self.refuse(&field("products"), format!("{pair:?}"), allowed);
        }
        if pairs.is_empty() {
            return self.refuse(&field("products"), "[]", "at least one pair");
        }
        self.check_sums(curve, &pairs, field)?;
        for (name, step) in
            curve.input.iter().map(|step| ("input", step)).chain(curve.result.iter().map(|own| ("result", own)))
        {
            self.format(&field(&format!("{name}.format")), &step.format)?;
        }
        if curve.unit.is_none() && curve.published.is_empty() {
            return self.refuse(&field("unit"), "missing", "a unit or an instruction, unless values were published");
        }
        self.check_sizes(curve, field)
    }

    /// Where products are summed, and how their sums are added.
    fn check_sums(
        &self,
        curve: &Curve,
        pairs: &BTreeSet<[u32; 2]>,
        field: &dyn Fn(&str) -> String,
    ) -> Result<(), FileError> {
        let words = &curve.words;
        if curve.combination == Combination::Chained && (words.shift != 0 || words.slice_bits.is_some()) {
            return self.refuse(&field("combination"), "\"chained\"", "\"separate\", for words of different scales");
        }
        if curve.promote_every == Some(0) {
            return self.refuse(&field("promote_every"), 0, "at least 1");
        }
        if let Some(chosen) = &curve.promote_products {
            let unknown = chosen.iter().find(|pair| !pairs.contains(*pair));
            if chosen.is_empty() || unknown.is_some() {
                let value = unknown.map_or("[]".to_owned(), |pair| format!("{pair:?}"));
                return self.refuse(&field("promote_products"), value, "some of products, at least one");
            }
            if curve.promote_every.is_none() {
                return self.refuse(&field("promote_products"), "given", "none without promote_every");
            }
        }
        let parts = curve.split_k.as_ref().map_or(Vec::new(), Parts::all);
        if let Some(parts) = parts.iter().find(|parts| !(1..=PARTS_MAX as u32).contains(*parts)) {
            return self.refuse(&field("split_k"), parts, format!("1 to {PARTS_MAX}"));
        }
        if curve.split_k.is_some() && curve.promote_every.is_some() {
            return self.refuse(&field("split_k"), "given", "none beside promote_every");
        }
        let promoted = curve.split_k.is_some() || curve.promote_every.is_some();
        if promoted && curve.combination == Combination::Chained {
            return self.refuse(&field("combination"), "\"chained\"", "\"separate\", beside promote_every and split_k");
        }
        if !["binary32", "binary64"].contains(&curve.add.format.as_str()) {
            let value = format!("{:?}", curve.add.format);
            return self.refuse(&field("add.format"), value, "\"binary32\", \"binary64\"");
        }
        if ![Rounding::NearestEven, Rounding::TowardZero].contains(&curve.add.rounding) {
            let value = format!("{:?}", curve.add.rounding.name());
            return self.refuse(&field("add.rounding"), value, "\"nearest-even\", \"toward-zero\"");
        }
        Ok(())
    }

    /// Sizes by which parts of K and published errors are given, and these errors.
    fn check_sizes(&self, curve: &Curve, field: &dyn Fn(&str) -> String) -> Result<(), FileError> {
        let is_size = |text: &str| {
            text.parse().is_ok_and(|size: usize| (1..=SIZE_MAX).contains(&size) && size.to_string() == text)
        };
        let allowed = format!("sizes from 1 to {SIZE_MAX}");
        if let Some(Parts::BySize(sizes)) = &curve.split_k
            && let Some(size) = sizes.keys().find(|size| !is_size(size))
        {
            return self.refuse(&field("split_k"), format!("{size:?}"), allowed);
        }
        for (size, error) in curve.published.values().flatten() {
            if !is_size(size) {
                return self.refuse(&field("published"), format!("{size:?}"), allowed);
            }
            if !(error.is_normal() && *error > 0.0) {
                return self.refuse(&field("published"), format!("{error:e} at {size}"), "numbers above 0");
            }
        }
        Ok(())
    }

    fn format(&self, field: &str, name: &str) -> Result<Format, FileError> {
        let all = || Format::standard().into_iter().filter(|format| !format.is_integer() && format.signed);
        let names = || all().map(|format| format.name).collect::<Vec<_>>().join(", ");
        all().find(|format| format.name == name).map_or_else(|| self.refuse(field, format!("{name:?}"), names()), Ok)
    }

    /// What multiplies for a curve.
    pub fn instruction(&self, folder: &Path, said: &Said, curve: &Curve) -> Result<Option<Instruction>, FileError> {
        let Some(name) = &curve.unit else { return Ok(None) };
        if let Some(own) = said.units.get(name) {
            let mut fields = own.clone();
            fields.insert("name".to_owned(), name.clone().into());
            let file = format!("{}, unit {name}", self.file);
            return Unit::from_toml(&file, &fields.to_string()).map(|unit| Some(Instruction::alone(unit)));
        }
        let is_file = Path::new(name).extension().is_some_and(|extension| extension == "toml");
        let subject = match is_file {
            true => Some(Subject::from_file(&folder.join(name))?),
            false => Subject::named(name),
        };
        match subject {
            Some(subject) => Ok(Some(subject.instruction())),
            None => {
                let field = format!("curve {:?}, unit", curve.name);
                self.refuse(
                    &field,
                    format!("{name:?}"),
                    "units of the study, units and instructions of the catalogue, files (.toml)",
                )
            }
        }
    }

    /// Whether the unit of a curve can do what is asked of it.
    pub fn fits(&self, curve: &Curve, instruction: Option<&Instruction>) -> Result<(), FileError> {
        let Some(instruction) = instruction else { return Ok(()) };
        let field = format!("curve {:?}, unit", curve.name);
        let name = format!("{:?}", instruction.name);
        if instruction.unit.scales.is_some() {
            return self.refuse(&field, name, "units without scales of blocks");
        }
        if instruction.c.is_absent() {
            return self.refuse(&field, name, "units with an addend");
        }
        let integers = instruction.a.is_integer() && instruction.b.is_integer();
        let wide = |format: &Format| format.is_integer() && format.signed && format.width() == 32;
        match curve.words.slice_bits {
            Some(bits) => {
                let holds = |format: &Format| format.signed && format.width() > bits;
                if !(integers && holds(&instruction.a) && holds(&instruction.b) && wide(instruction.d())) {
                    let allowed = format!("units of signed integers of more than {bits} bits with sums of int32");
                    return self.refuse(&field, name, allowed);
                }
            }
            None if instruction.a.is_integer() || instruction.b.is_integer() => {
                return self.refuse(&field, name, "units of floating-point numbers, or words.slice_bits");
            }
            None => {}
        }
        if let Some(every) = curve.promote_every.filter(|every| !every.is_multiple_of(instruction.shape.k)) {
            let allowed = format!("multiples of {}, the k of {}", instruction.shape.k, instruction.name);
            return self.refuse(&format!("curve {:?}, promote_every", curve.name), every, allowed);
        }
        let promoted = curve.promote_every.is_some() || curve.split_k.is_some();
        if promoted && !gives_binary32(instruction) {
            return self.refuse(&field, name, "units whose c and d are binary32, beside promote_every and split_k");
        }
        if curve.combination == Combination::Chained && instruction.c != *instruction.d() {
            return self.refuse(&field, name, "units whose c and d have one format, where products are chained");
        }
        Ok(())
    }
}
