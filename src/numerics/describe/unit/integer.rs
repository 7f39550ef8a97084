//! Reading and checking units of the integer scheme: their files have no tables of floating-point choices.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::check::{Problem, problem};
use super::file::{FileError, Reader};
use super::pipeline::PipelineTable;
use super::tables::{FormatsTable, NumberOr};
use super::target::RtlTable;
use super::{Alignment, Conversion, Evidence, Flush, ProductOrder, Scheme, Unit};
use crate::describe::format::{Format, Overflow, Rounding};

/// The unit file of an integer unit.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct IntegerFile {
    name: String,
    #[serde(default)]
    summary: String,
    scheme: Scheme,
    products: NumberOr,
    formats: FormatsTable,
    conversion: ConversionTable,
    pipeline: Option<PipelineTable>,
    rtl: Option<RtlTable>,
    #[serde(default)]
    evidence: BTreeMap<String, Evidence>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ConversionTable {
    overflow: IntegerOverflow,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
enum IntegerOverflow {
    Wrap,
    Saturate,
}

/// Field paths that `evidence` may name.
pub(super) const EVIDENCE_FIELDS: [&str; 4] = ["scheme", "products", "formats", "conversion.overflow"];

/// Whether the text names the integer scheme, and so has the form of [`IntegerFile`].
pub(super) fn names_scheme(text: &str) -> bool {
    #[derive(Deserialize)]
    struct SchemeOnly {
        scheme: Scheme,
    }
    toml::from_str(text).is_ok_and(|file: SchemeOnly| file.scheme == Scheme::Integer)
}

pub(super) fn unit(reader: &Reader, file: IntegerFile) -> Result<Unit, FileError> {
    Ok(Unit {
        name: file.name,
        summary: file.summary,
        scheme: file.scheme,
        products: reader.products(file.products)?,
        formats: reader.formats(file.formats)?,
        alignment: Alignment::NONE,
        scales: None,
        addition: None,
        carry_bits: None,
        conversion: Conversion {
            rounding: Rounding::TowardZero,
            overflow: match file.conversion.overflow {
                IntegerOverflow::Wrap => Overflow::Wrap,
                IntegerOverflow::Saturate => Overflow::Saturate,
            },
            nan: 0,
            zero_negative: false,
            rounded_zero_positive: false,
            flags: false,
        },
        order: ProductOrder::Ascending,
        flush: Flush::default(),
        cuts: reader.cuts(file.scheme, file.pipeline)?,
        target: file.rtl.map(|table| table.target).unwrap_or_default(),
        evidence: file.evidence,
    })
}

impl Unit {
    /// Every format of an integer unit is an integer.
    pub(super) fn check_integers(&self) -> Result<(), Problem> {
        let formats = &self.formats;
        for (field, format) in [("a", &formats.a), ("b", &formats.b), ("c", &formats.c), ("d", &formats.d)] {
            if !format.is_integer() {
                let integers: Vec<String> =
                    Format::standard().into_iter().filter(Format::is_integer).map(|format| format.name).collect();
                return Err(problem(&format!("formats.{field}"), &format.name, integers.join(", ")));
            }
        }
        Ok(())
    }
}
