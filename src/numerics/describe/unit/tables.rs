//! The tables of a unit file as TOML spells them, before any value is checked.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Deserializer, de};

use super::pipeline::PipelineTable;
use super::target::RtlTable;
use super::{AlignmentRounding, Evidence, Groups, ProductOrder, ProductOverflow, Scheme};
use crate::describe::format::{NonFinite, Overflow, Rounding};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct UnitFile {
    pub name: String,
    #[serde(default)]
    pub summary: String,
    pub scheme: Scheme,
    pub products: NumberOr,
    pub formats: FormatsTable,
    pub alignment: Option<AlignmentTable>,
    pub scales: Option<ScalesTable>,
    pub addition: Option<AdditionTable>,
    pub sum: Option<SumTable>,
    pub conversion: ConversionTable,
    #[serde(default)]
    pub subnormals: SubnormalsTable,
    pub pipeline: Option<PipelineTable>,
    pub rtl: Option<RtlTable>,
    #[serde(default)]
    pub evidence: BTreeMap<String, Evidence>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FormatsTable {
    pub a: FormatEntry,
    pub b: FormatEntry,
    pub c: Option<FormatEntry>,
    pub d: FormatEntry,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AlignmentTable {
    pub fraction_bits: NumberOr,
    pub rounding: AlignmentRounding,
    pub exponent_floor: NumberOr,
    #[serde(default)]
    pub normalise_products: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ScalesTable {
    pub a: FormatEntry,
    pub b: FormatEntry,
    pub block: NumberOr,
    pub group: Option<NumberOr>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AdditionTable {
    pub groups: Groups,
    pub product_overflow: ProductOverflow,
    pub sum_fraction_bits: NumberOr,
    pub addend_fraction_bits: NumberOr,
    pub rounding: AlignmentRounding,
    pub exponent_floor: NumberOr,
    pub addend_reach: NumberOr,
    pub total_fraction_bits: Option<NumberOr>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SumTable {
    pub carry_bits: Option<NumberOr>,
    pub order: Option<ProductOrder>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ConversionTable {
    pub rounding: Rounding,
    pub overflow: Overflow,
    pub nan: Option<NumberOr>,
    pub exact_zero: Option<ExactZero>,
    #[serde(default)]
    pub rounded_zero: RoundedZero,
    #[serde(default)]
    pub flags: bool,
}

#[derive(Deserialize, Clone, Copy, PartialEq)]
#[serde(rename_all = "kebab-case")]
pub(super) enum ExactZero {
    Positive,
    Negative,
    Ieee,
}

#[derive(Deserialize, Default, Clone, Copy, PartialEq)]
#[serde(rename_all = "kebab-case")]
pub(super) enum RoundedZero {
    #[default]
    Signed,
    Positive,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
pub(super) struct SubnormalsTable {
    #[serde(default)]
    pub operands: Subnormal,
    #[serde(default)]
    pub addend: Subnormal,
    #[serde(default)]
    pub result: SubnormalResult,
}

#[derive(Deserialize, Default, Clone, Copy, PartialEq)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Subnormal {
    #[default]
    Kept,
    Flushed,
    FlushedToPlusZero,
}

impl Subnormal {
    pub fn is_flushed(self) -> bool {
        self != Subnormal::Kept
    }
}

#[derive(Deserialize, Default, Clone, Copy, PartialEq)]
#[serde(rename_all = "kebab-case")]
pub(super) enum SubnormalResult {
    #[default]
    Kept,
    Flushed,
    FlushedIfTiny,
}

/// A number, or a word that stands for none. Anything else is kept as text for the message that refuses it.
pub(in crate::describe) enum NumberOr {
    Number(i64),
    /// Above the greatest signed number: an encoding of 64 bits.
    Large(u64),
    Word(String),
    Other(String),
}

impl<'de> Deserialize<'de> for NumberOr {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl de::Visitor<'_> for Visitor {
            type Value = NumberOr;
            fn expecting(&self, out: &mut fmt::Formatter) -> fmt::Result {
                out.write_str("an integer or a word")
            }
            fn visit_i64<E>(self, value: i64) -> Result<NumberOr, E> {
                Ok(NumberOr::Number(value))
            }
            fn visit_u64<E>(self, value: u64) -> Result<NumberOr, E> {
                Ok(i64::try_from(value).map_or(NumberOr::Large(value), NumberOr::Number))
            }
            fn visit_i128<E>(self, value: i128) -> Result<NumberOr, E> {
                Ok(NumberOr::Other(value.to_string()))
            }
            fn visit_u128<E>(self, value: u128) -> Result<NumberOr, E> {
                Ok(NumberOr::Other(value.to_string()))
            }
            fn visit_f64<E>(self, value: f64) -> Result<NumberOr, E> {
                Ok(NumberOr::Other(format!("{value:?}")))
            }
            fn visit_bool<E>(self, value: bool) -> Result<NumberOr, E> {
                Ok(NumberOr::Other(value.to_string()))
            }
            fn visit_str<E>(self, value: &str) -> Result<NumberOr, E> {
                Ok(NumberOr::Word(value.to_owned()))
            }
        }
        deserializer.deserialize_any(Visitor)
    }
}

/// The name of a format, or its layout.
pub(in crate::describe) enum FormatEntry {
    Name(String),
    Layout(FormatLayout),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::describe) struct FormatLayout {
    pub exponent_bits: NumberOr,
    pub fraction_bits: NumberOr,
    pub padding_bits: Option<NumberOr>,
    pub bias: NumberOr,
    pub non_finite: NonFinite,
}

impl<'de> Deserialize<'de> for FormatEntry {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl<'de> de::Visitor<'de> for Visitor {
            type Value = FormatEntry;
            fn expecting(&self, out: &mut fmt::Formatter) -> fmt::Result {
                out.write_str("the name of a format or a table with its layout")
            }
            fn visit_str<E>(self, value: &str) -> Result<FormatEntry, E> {
                Ok(FormatEntry::Name(value.to_owned()))
            }
            fn visit_map<A: de::MapAccess<'de>>(self, map: A) -> Result<FormatEntry, A::Error> {
                FormatLayout::deserialize(de::value::MapAccessDeserializer::new(map)).map(FormatEntry::Layout)
            }
        }
        deserializer.deserialize_any(Visitor)
    }
}
