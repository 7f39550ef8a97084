//! A field of a file, said once: its path, its values, where it is kept in what the file describes, and what it means. Reading,
//! writing and documentation follow from that.

use std::ops::RangeInclusive;

use serde::de::value::Error as NoValue;
use serde::de::{Deserializer, DeserializeOwned, Error as _, Visitor};
use serde::{Serialize, forward_to_deserialize_any};
use toml::de::ValueDeserializer;

use super::spelling::FormatOf;
use super::{Document, FileError, Given, format_entry, number_or, value};
use crate::describe::format::Format;

/// A field of files that describe a `T`.
pub(in crate::describe) struct Field<T: 'static> {
    /// Key, or table and key.
    pub path: &'static str,
    pub value: Value<T>,
    pub missing: Missing<T>,
    /// One line for the documentation.
    pub meaning: &'static str,
}

/// How a value is spelled, and where it is kept. Where a place is `None` there is none: a table that only some of the described
/// have.
pub(in crate::describe) enum Value<T: 'static> {
    /// Text, words, truth values and lists, as serde spells them.
    Plain(fn(&mut T) -> Option<&mut dyn Plain>),
    /// A number in a range, or a word that stands for none.
    Number(RangeInclusive<i64>, Option<&'static str>, fn(&mut T) -> Option<&mut dyn Count>),
    Format(FormatOf, fn(&mut T) -> Option<&mut Format>),
    /// One of some words, kept in fields of other types: by number, which of them is allowed, which one it is, and how it is
    /// kept.
    Word { words: &'static [&'static str], allows: fn(&T, usize) -> bool, get: fn(&T) -> usize, set: fn(&mut T, usize) },
    /// Anything else, with its values in words.
    Own { values: &'static str, read: fn(&mut T, &Given) -> Result<(), FileError>, write: fn(&T) -> String },
    /// The same, written as tables with their headings.
    Tables { values: &'static str, read: fn(&mut T, &Given) -> Result<(), FileError>, write: fn(&T) -> String },
}

/// What a file says that says nothing of a field.
pub(in crate::describe) enum Missing<T: 'static> {
    /// Nothing that is accepted.
    Refused,
    /// What the described has before any field is read.
    Optional,
    /// The same; where a field has it, it is not written.
    Unwritten,
    /// What follows from the fields before it, in words.
    Follows(&'static str, fn(&mut T)),
}

/// A value that serde reads and writes.
pub(in crate::describe) trait Plain {
    fn read(&mut self, given: ValueDeserializer) -> Result<(), toml::de::Error>;
    fn text(&self) -> String;
    /// Every value, of words and truth values.
    fn all(&self) -> Vec<String>;
}

impl<V: Serialize + DeserializeOwned> Plain for V {
    fn read(&mut self, given: ValueDeserializer) -> Result<(), toml::de::Error> {
        *self = V::deserialize(given)?;
        Ok(())
    }

    fn text(&self) -> String {
        value(self)
    }

    fn all(&self) -> Vec<String> {
        let mut all = Vec::new();
        // Fails: there is no value, only the question for one.
        let _ = V::deserialize(Asked(&mut all));
        all
    }
}

/// Asks a type for the words that it reads.
struct Asked<'a>(&'a mut Vec<String>);

impl<'de> Deserializer<'de> for Asked<'_> {
    type Error = NoValue;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, NoValue> {
        Err(NoValue::custom("no value"))
    }

    fn deserialize_bool<V: Visitor<'de>>(self, _: V) -> Result<V::Value, NoValue> {
        self.0.extend([false, true].map(|truth| value(&truth)));
        Err(NoValue::custom("no value"))
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        words: &'static [&'static str],
        _: V,
    ) -> Result<V::Value, NoValue> {
        self.0.extend(words.iter().map(|word| value(word)));
        Err(NoValue::custom("no value"))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, NoValue> {
        visitor.visit_some(self)
    }

    forward_to_deserialize_any! {
        i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct newtype_struct seq tuple
        tuple_struct map struct identifier ignored_any
    }
}

/// A number, or one that may be none.
pub(in crate::describe) trait Count {
    fn get(&self) -> Option<i64>;
    fn set(&mut self, number: Option<i64>);
}

impl Count for u32 {
    fn get(&self) -> Option<i64> {
        Some((*self).into())
    }

    fn set(&mut self, number: Option<i64>) {
        *self = number.unwrap_or_default() as u32;
    }
}

impl Count for Option<u32> {
    fn get(&self) -> Option<i64> {
        self.map(i64::from)
    }

    fn set(&mut self, number: Option<i64>) {
        *self = number.map(|number| number as u32);
    }
}

impl Count for Option<i32> {
    fn get(&self) -> Option<i64> {
        self.map(i64::from)
    }

    fn set(&mut self, number: Option<i64>) {
        *self = number.map(|number| number as i32);
    }
}

impl<T> Field<T> {
    /// Reads the field, if it is there. `of` says whose words are allowed.
    pub fn read(&self, document: &Document, described: &mut T, of: &str) -> Result<(), FileError> {
        let Some(given) = document.given(self.path) else {
            match self.missing {
                Missing::Refused => return Err(document.missing(self.path)),
                Missing::Optional | Missing::Unwritten => {}
                Missing::Follows(_, follow) => follow(described),
            }
            return Ok(());
        };
        match &self.value {
            Value::Plain(place) => {
                place(described).map_or(Ok(()), |place| given.parse_with(|value| place.read(value)))
            }
            Value::Number(range, none, place) => {
                let number = given.number(range, *none)?;
                place(described).into_iter().for_each(|place| place.set(number));
                Ok(())
            }
            Value::Format(of, place) => {
                let format = given.format(*of)?;
                place(described).into_iter().for_each(|place| *place = format.clone());
                Ok(())
            }
            Value::Word { words, allows, set, .. } => {
                let word: String = given.parse()?;
                let place = words.iter().position(|known| *known == word).filter(|&place| allows(described, place));
                let allowed = || {
                    let allowed = (0..words.len()).filter(|&place| allows(described, place));
                    let allowed: Vec<String> = allowed.map(|place| value(words[place])).collect();
                    format!("{}{of}", allowed.join(" or "))
                };
                let place = place.ok_or_else(|| given.refuse(value(&word), allowed()))?;
                set(described, place);
                Ok(())
            }
            Value::Own { read, .. } | Value::Tables { read, .. } => read(described, &given),
        }
    }

    /// The value as files spell it. Places are given for writing, so that it takes a described that may be changed; it changes
    /// nothing.
    pub fn spelled(&self, described: &mut T) -> Option<String> {
        match &self.value {
            Value::Plain(place) => Some(place(described)?.text()),
            Value::Number(_, none, place) => Some(number_or(place(described)?.get(), none.unwrap_or_default())),
            Value::Format(_, place) => Some(format_entry(place(described)?)),
            Value::Word { words, get, .. } => Some(value(words[get(described)])),
            Value::Own { write, .. } | Value::Tables { write, .. } => Some(write(described)),
        }
    }

    /// Its values, in the words of the documentation. `plain` is what is described before any field is read.
    pub fn values(&self, plain: &mut T) -> String {
        let code = |text: &String| format!("`{text}`");
        let mut all: Vec<String> = match &self.value {
            Value::Plain(place) => place(plain).map_or(Vec::new(), |place| place.all().iter().map(code).collect()),
            Value::Number(range, none, _) => {
                let numbers = format!("{} to {}", range.start(), range.end());
                [numbers].into_iter().chain(none.map(|word| code(&value(word)))).collect()
            }
            Value::Format(FormatOf::Numbers, _) => vec!["a format".to_owned()],
            Value::Format(FormatOf::Scales, _) => vec!["a scale format".to_owned()],
            Value::Word { words, .. } => words.iter().map(|word| code(&value(word))).collect(),
            Value::Own { values, .. } | Value::Tables { values, .. } => vec![(*values).to_owned()],
        };
        if all.is_empty() {
            all.push("text".to_owned());
        }
        let default = self.spelled(plain).map(|text| code(&text));
        let standing = all.iter_mut().find(|one| Some(&**one) == default.as_ref());
        match (&self.missing, standing) {
            (Missing::Refused, _) => {}
            (Missing::Follows(what, _), _) => all.push(format!("default: {what}")),
            (_, Some(standing)) => *standing += " (default)",
            (_, None) => all.push("may be missing".to_owned()),
        }
        all.join(", ")
    }
}

/// The text of a file: first the keys outside tables, then the tables, in the order of the fields. `plain` is what is described
/// before any field is read.
pub(in crate::describe) fn text<'a, T: Clone + 'static>(
    fields: impl Iterator<Item = &'a Field<T>>,
    described: &T,
    plain: &T,
) -> String {
    let (mut described, mut plain) = (described.clone(), plain.clone());
    let (mut text, mut last) = (String::new(), "");
    for field in fields {
        let Some(value) = field.spelled(&mut described) else { continue };
        if matches!(field.missing, Missing::Unwritten) && field.spelled(&mut plain).as_ref() == Some(&value) {
            continue;
        }
        if let Value::Tables { .. } = field.value {
            text += &value;
            continue;
        }
        let (table, key) = field.path.split_once('.').unwrap_or(("", field.path));
        if table != last {
            text += &format!("\n[{table}]\n");
            last = table;
        }
        text += &format!("{key} = {value}\n");
    }
    text
}
