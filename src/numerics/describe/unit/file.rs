//! Reading a unit from TOML. Says which file, field and value is wrong, and what is allowed; computes nothing.

use std::ops::Range;
use std::path::Path;

use serde::de::DeserializeOwned;
use thiserror::Error;

use super::check::EXPONENT_FLOORS;
use super::integer;
use super::place::field_at;
use super::tables::{AlignmentTable, FormatEntry, FormatLayout, FormatsTable, NumberOr, SumTable, UnitFile};
use super::{Alignment, Conversion, Formats, Scheme, Unit};
use crate::describe::format::Format;
use crate::describe::plan::{OperationsPlan, exact_alignment};
use crate::describe::text::{Foreign, shown_lines};

/// Why a file of the user's (a unit, an instruction, a case) was not accepted.
#[derive(Debug, Error)]
pub enum FileError {
    #[error("{file}: cannot be read: {source}")]
    Read { file: String, source: std::io::Error },
    #[error("{file}: {message}")]
    Syntax { file: String, message: String },
    #[error("{file}: field `{field}` is {value}; allowed: {allowed}")]
    Value { file: String, field: String, value: String, allowed: String },
}

impl FileError {
    /// What the TOML reader says, with the path of the field if the text is TOML at all.
    pub fn syntax(file: &str, text: &str, error: &toml::de::Error) -> FileError {
        // What is missing is so in a table, and the begin of the text stands for the whole of it.
        let whole = |span: &Range<usize>| span.start == 0 && error.message().starts_with("missing field");
        let field = error.span().filter(|span| !whole(span)).and_then(|span| field_at(text, span.start));
        let place = field.map_or(String::new(), |field| format!("field `{field}`: "));
        FileError::Syntax { file: file.to_owned(), message: shown_lines(&format!("{place}{error}")) }
    }
}

/// The text of a file of the user's.
pub(in crate::describe) fn read(path: &Path) -> Result<String, FileError> {
    std::fs::read_to_string(path).map_err(|source| FileError::Read { file: path.shown(), source })
}

/// The file being read, for error messages.
pub(in crate::describe) struct Reader<'a> {
    pub file: &'a str,
}

impl Reader<'_> {
    /// Reads one of the forms that the file can have.
    pub(in crate::describe) fn parse<T: DeserializeOwned>(&self, text: &str) -> Result<T, FileError> {
        toml::from_str(text).map_err(|error| FileError::syntax(self.file, text, &error))
    }

    pub(in crate::describe) fn refuse(&self, field: &str, value: impl ToString, allowed: impl ToString) -> FileError {
        FileError::Value {
            file: self.file.to_owned(),
            field: field.to_owned(),
            value: value.to_string(),
            allowed: allowed.to_string(),
        }
    }

    pub(super) fn number(&self, field: &str, entry: NumberOr, low: i64, high: i64) -> Result<i64, FileError> {
        let value = match entry {
            NumberOr::Number(value) if (low..=high).contains(&value) => return Ok(value),
            NumberOr::Number(value) => value.to_string(),
            NumberOr::Large(value) => value.to_string(),
            NumberOr::Word(text) => format!("{text:?}"),
            NumberOr::Other(text) => text,
        };
        Err(self.refuse(field, value, format!("{low} to {high}")))
    }

    pub(super) fn number_or(
        &self,
        field: &str,
        entry: NumberOr,
        word: &str,
        low: i64,
        high: i64,
    ) -> Result<Option<i64>, FileError> {
        match entry {
            NumberOr::Word(text) if text == word => Ok(None),
            entry => match self.number(field, entry, low, high) {
                Err(FileError::Value { file, field, value, allowed }) => {
                    Err(FileError::Value { file, field, value, allowed: format!("{allowed}, or {word:?}") })
                }
                number => number.map(Some),
            },
        }
    }

    pub(in crate::describe) fn format(&self, field: &str, entry: FormatEntry) -> Result<Format, FileError> {
        match entry {
            FormatEntry::Name(name) => Format::named(&name).ok_or_else(|| {
                let names: Vec<String> = Format::standard().into_iter().map(|format| format.name).collect();
                self.refuse(field, format!("{name:?}"), format!("{}, or a table with a layout", names.join(", ")))
            }),
            FormatEntry::Layout(layout) => self.layout(field, layout),
        }
    }

    fn layout(&self, field: &str, layout: FormatLayout) -> Result<Format, FileError> {
        let part = |name: &str| format!("{field}.{name}");
        let exponent_bits = self.number(&part("exponent_bits"), layout.exponent_bits, 1, 11)?;
        let fraction_bits = self.number(&part("fraction_bits"), layout.fraction_bits, 1, 52)?;
        let room = 63 - exponent_bits - fraction_bits;
        let padding_bits = match layout.padding_bits {
            Some(entry) => self.number(&part("padding_bits"), entry, 0, room.min(32))?,
            None => 0,
        };
        let bias = self.number(&part("bias"), layout.bias, -1100, 1100)?;
        Ok(Format {
            name: format!("e{exponent_bits}m{fraction_bits}"),
            signed: true,
            exponent_bits: exponent_bits as u32,
            fraction_bits: fraction_bits as u32,
            padding_bits: padding_bits as u32,
            bias: bias as i32,
            non_finite: layout.non_finite,
            subnormals: true,
        })
    }

    fn alignment(&self, table: Option<AlignmentTable>) -> Result<Alignment, FileError> {
        let table = table.ok_or_else(|| {
            self.refuse(
                "alignment",
                "missing",
                "a table, for schemes \"fused\", \"block-scaled\" and \"fused-then-add\"",
            )
        })?;
        let (low, high) = EXPONENT_FLOORS;
        let floor =
            self.number_or("alignment.exponent_floor", table.exponent_floor, "none", low.into(), high.into())?;
        Ok(Alignment {
            fraction_bits: self.number("alignment.fraction_bits", table.fraction_bits, 1, 100)? as u32,
            rounding: table.rounding,
            exponent_floor: floor.map(|value| value as i32),
            normalise_products: table.normalise_products,
        })
    }

    fn carry_bits(&self, table: Option<SumTable>) -> Result<Option<u32>, FileError> {
        match table.and_then(|table| table.carry_bits) {
            Some(entry) => Ok(self.number_or("sum.carry_bits", entry, "derived", 0, 64)?.map(|value| value as u32)),
            None => Ok(None),
        }
    }

    /// Refuses a table that a scheme has no use for.
    fn absent(&self, scheme: Scheme, table: &str, present: bool, reason: &str) -> Result<(), FileError> {
        match present {
            true => Err(self.refuse(table, "a table", format!("none for {:?}{reason}", scheme.name()))),
            false => Ok(()),
        }
    }

    pub(super) fn products(&self, entry: NumberOr) -> Result<u32, FileError> {
        Ok(self.number("products", entry, 1, 64)? as u32)
    }

    pub(super) fn formats(&self, table: FormatsTable) -> Result<Formats, FileError> {
        Ok(Formats {
            a: self.format("formats.a", table.a)?,
            b: self.format("formats.b", table.b)?,
            c: table.c.map_or(Ok(Format::absent()), |entry| self.format("formats.c", entry))?,
            d: self.format("formats.d", table.d)?,
        })
    }

    fn unit(&self, file: UnitFile) -> Result<Unit, FileError> {
        let products = self.products(file.products)?;
        let formats = self.formats(file.formats)?;
        let scales = file.scales.map(|table| self.scales(table)).transpose()?;
        let addition = file.addition.map(|table| self.addition(table)).transpose()?;
        let order = self.order(file.scheme, file.sum.as_ref())?;
        let (alignment, carry_bits) = match file.scheme {
            Scheme::Fused | Scheme::BlockScaled => (self.alignment(file.alignment)?, self.carry_bits(file.sum)?),
            Scheme::FmaChain | Scheme::EvenOddChain | Scheme::Pairwise => {
                let reason = ", where each step is rounded once";
                self.absent(file.scheme, "alignment", file.alignment.is_some(), reason)?;
                (OperationsPlan::alignment(file.scheme, &formats), None)
            }
            Scheme::Exact => {
                let reason = ", where no bit is lost before the one rounding";
                self.absent(file.scheme, "alignment", file.alignment.is_some(), reason)?;
                self.absent(file.scheme, "sum", file.sum.is_some(), reason)?;
                (exact_alignment(&formats), None)
            }
            Scheme::FusedThenAdd => {
                let reason = ": every sum has the carry bits that it needs";
                self.absent(file.scheme, "sum", file.sum.is_some(), reason)?;
                (self.alignment(file.alignment)?, None)
            }
            Scheme::Integer => (Alignment::NONE, None),
        };
        let nan = match file.conversion.nan {
            // TOML integers are signed: a negative one is an encoding of 64 bits.
            Some(NumberOr::Large(encoding)) => encoding,
            Some(NumberOr::Number(encoding)) => encoding as u64,
            Some(NumberOr::Word(text) | NumberOr::Other(text)) => {
                let allowed = "the encoding of a NaN, an integer such as 0x7fc00000";
                return Err(self.refuse("conversion.nan", format!("{text:?}"), allowed));
            }
            None => formats.d.nan().unwrap_or_default(),
        };
        let conversion = Conversion {
            rounding: file.conversion.rounding,
            overflow: file.conversion.overflow,
            nan,
            zero_negative: self.zero_negative(file.scheme, file.conversion.exact_zero)?,
            rounded_zero_positive: self.rounded_zero_positive(file.scheme, file.conversion.rounded_zero)?,
            flags: file.conversion.flags,
        };
        Ok(Unit {
            name: file.name,
            summary: file.summary,
            scheme: file.scheme,
            products,
            formats,
            alignment,
            scales,
            addition,
            carry_bits,
            order,
            conversion,
            flush: self.flush(file.scheme, &file.subnormals)?,
            cuts: self.cuts(file.scheme, file.pipeline)?,
            target: file.rtl.map(|table| table.target).unwrap_or_default(),
            evidence: file.evidence,
        })
    }
}

impl Unit {
    /// Reads and checks a unit file.
    ///
    /// # Errors
    /// The file cannot be read, is not TOML of the documented form, or holds a value that is not allowed.
    pub fn from_file(path: &Path) -> Result<Unit, FileError> {
        let file = path.shown();
        Unit::from_toml(&file, &read(path)?)
    }

    /// Reads and checks the text of a unit file; `file` names it in errors.
    ///
    /// # Errors
    /// As [`Unit::from_file`].
    pub fn from_toml(file: &str, text: &str) -> Result<Unit, FileError> {
        let reader = Reader { file };
        let unit = match integer::names_scheme(text) {
            true => integer::unit(&reader, reader.parse(text)?)?,
            false => reader.unit(reader.parse(text)?)?,
        };
        unit.check().map_err(|problem| FileError::Value {
            file: file.to_owned(),
            field: problem.field,
            value: problem.value,
            allowed: problem.allowed,
        })?;
        Ok(unit)
    }
}
