//! How numbers and formats are spelled in files: reading and writing them.

use std::fmt;
use std::ops::RangeInclusive;

use serde::{Deserialize, Deserializer, Serialize, de};

use super::{FileError, Given};
use crate::describe::format::{Format, NonFinite};

/// A value as TOML spells it: text in quotes, words of the file, lists.
pub fn value(value: &(impl Serialize + ?Sized)) -> String {
    toml::Value::try_from(value).map_or_else(|_| String::new(), |value| value.to_string())
}

/// A number, or the word that stands for none.
pub fn number_or<T: ToString>(number: Option<T>, word: &str) -> String {
    number.map_or_else(|| value(word), |number| number.to_string())
}

/// A number, or a word that stands for none. Anything else is kept as text for the message that refuses it.
pub(super) enum NumberOr {
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

impl NumberOr {
    /// The number of a field, or none where the word stands for that.
    pub(super) fn within(
        self,
        file: &str,
        field: &str,
        allowed: &RangeInclusive<i64>,
        none: Option<&str>,
    ) -> Result<Option<i64>, FileError> {
        let value = match self {
            NumberOr::Word(text) if Some(text.as_str()) == none => return Ok(None),
            NumberOr::Number(value) if allowed.contains(&value) => return Ok(Some(value)),
            NumberOr::Number(value) => value.to_string(),
            NumberOr::Large(value) => value.to_string(),
            NumberOr::Word(text) => format!("{text:?}"),
            NumberOr::Other(text) => text,
        };
        let word = none.map_or(String::new(), |word| format!(", or {word:?}"));
        Err(FileError::value(file, field, value, format!("{} to {}{word}", allowed.start(), allowed.end())))
    }
}

impl Given<'_> {
    /// A number, or none where the word stands for that.
    pub fn number(&self, allowed: &RangeInclusive<i64>, none: Option<&str>) -> Result<Option<i64>, FileError> {
        self.parse::<NumberOr>()?.within(self.file, self.path, allowed, none)
    }

    /// An encoding of up to 64 bits. TOML integers are signed: a negative one is an encoding with its highest bit set.
    pub fn encoding(&self, allowed: &str) -> Result<u64, FileError> {
        match self.parse()? {
            NumberOr::Large(encoding) => Ok(encoding),
            NumberOr::Number(encoding) => Ok(encoding as u64),
            NumberOr::Word(text) | NumberOr::Other(text) => Err(self.refuse(format!("{text:?}"), allowed)),
        }
    }

    /// A format.
    pub fn format(&self, of: FormatOf) -> Result<Format, FileError> {
        self.parse::<FormatEntry>()?.format(self.file, self.path, of)
    }
}

/// What a format is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::describe) enum FormatOf {
    /// Operands, addends and results.
    Numbers,
    Scales,
}

/// The name of a format, or its layout.
pub(in crate::describe) enum FormatEntry {
    Name(String),
    Layout(FormatLayout),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::describe) struct FormatLayout {
    exponent_bits: NumberOr,
    fraction_bits: NumberOr,
    padding_bits: Option<NumberOr>,
    bias: NumberOr,
    /// That of IEEE 754 where it is missing.
    non_finite: Option<NonFinite>,
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

impl FormatEntry {
    pub fn format(self, file: &str, field: &str, of: FormatOf) -> Result<Format, FileError> {
        let layout = match self {
            FormatEntry::Layout(layout) => layout,
            FormatEntry::Name(name) => {
                let fits = |format: &Format| of == FormatOf::Numbers || is_scale_format(format);
                return Format::named(&name).filter(fits).ok_or_else(|| {
                    let formats = Format::standard().into_iter().filter(fits);
                    let names: Vec<String> = formats.map(|format| format.name).collect();
                    let allowed = format!("{}, or a table with a layout", names.join(", "));
                    FileError::value(file, field, format!("{name:?}"), allowed)
                });
            }
        };
        let format = layout.format(file, field, of)?;
        if of == FormatOf::Numbers || is_scale_format(&format) {
            return Ok(format);
        }
        let allowed = "\"none\", \"all-ones-nan\": a scale has neither sign nor infinity";
        Err(FileError::value(file, &format!("{field}.non_finite"), value(&format.non_finite), allowed))
    }
}

impl FormatLayout {
    fn format(self, file: &str, field: &str, of: FormatOf) -> Result<Format, FileError> {
        let number = |name: &str, entry: NumberOr, allowed: RangeInclusive<i64>| {
            entry.within(file, &format!("{field}.{name}"), &allowed, None).map(Option::unwrap_or_default)
        };
        let scales = of == FormatOf::Scales;
        let exponent_bits = number("exponent_bits", self.exponent_bits, 1..=if scales { 8 } else { 11 })?;
        let fraction_bits = number("fraction_bits", self.fraction_bits, if scales { 0..=8 } else { 1..=52 })?;
        let padding = 0..=if scales { 0 } else { (63 - exponent_bits - fraction_bits).min(32) };
        let padding_bits = number("padding_bits", self.padding_bits.unwrap_or(NumberOr::Number(0)), padding)?;
        let bias = number("bias", self.bias, if scales { -300..=300 } else { -1100..=1100 })?;
        Ok(Format {
            name: format!("{}e{exponent_bits}m{fraction_bits}", if scales { "u" } else { "" }),
            signed: !scales,
            exponent_bits: exponent_bits as u32,
            fraction_bits: fraction_bits as u32,
            padding_bits: padding_bits as u32,
            bias: bias as i32,
            non_finite: self.non_finite.unwrap_or(NonFinite::Ieee),
            subnormals: fraction_bits > 0,
        })
    }
}

/// Checks a format that no file was read for: one that has a name, or a layout that files can have.
pub(super) fn check_format(file: &str, field: &str, format: &Format, of: FormatOf) -> Result<(), FileError> {
    let number = |number: i64| NumberOr::Number(number);
    let layout = || FormatLayout {
        exponent_bits: number(format.exponent_bits.into()),
        fraction_bits: number(format.fraction_bits.into()),
        padding_bits: Some(number(format.padding_bits.into())),
        bias: number(format.bias.into()),
        non_finite: Some(format.non_finite),
    };
    let entry = match Format::named(&format.name).as_ref() == Some(format) {
        true => FormatEntry::Name(format.name.clone()),
        false => FormatEntry::Layout(layout()),
    };
    let spelled = entry.format(file, field, of)?;
    match spelled == *format {
        true => Ok(()),
        false => {
            let signs = |format: &Format| format!("signed = {}, subnormals = {}", format.signed, format.subnormals);
            Err(FileError::value(file, field, signs(format), format!("{} for such a format", signs(&spelled))))
        }
    }
}

/// Whether numbers of the format can scale a block: unsigned, without infinity, all powers of two or with subnormals.
fn is_scale_format(format: &Format) -> bool {
    let finite_or_nan = matches!(format.non_finite, NonFinite::None | NonFinite::AllOnesNan);
    let floating_point = !format.is_integer();
    floating_point
        && !format.signed
        && format.padding_bits == 0
        && finite_or_nan
        && format.subnormals == (format.fraction_bits > 0)
}

/// A format: its name, or its layout.
pub(in crate::describe) fn format_entry(format: &Format) -> String {
    if Format::named(&format.name).as_ref() == Some(format) {
        return value(&format.name);
    }
    let padding = match format.padding_bits {
        0 => String::new(),
        bits => format!(", padding_bits = {bits}"),
    };
    let (exponent, fraction, bias) = (format.exponent_bits, format.fraction_bits, format.bias);
    let non_finite = value(&format.non_finite);
    format!(
        "{{ exponent_bits = {exponent}, fraction_bits = {fraction}, bias = {bias}, non_finite = {non_finite}{padding} }}"
    )
}
