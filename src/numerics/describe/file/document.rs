//! The text of a file, taken apart into the values of its fields. Knows no field.

use std::ops::Range;

use serde::de::{self, DeserializeOwned, Deserializer as _};
use toml::Spanned;
use toml::de::{DeTable, DeValue, ValueDeserializer};

use super::FileError;

/// A text of TOML. Paths of fields are those of keys, or of a table and a key in it, such as `formats.a`.
pub(in crate::describe) struct Document<'a> {
    file: &'a str,
    text: &'a str,
    root: Spanned<DeTable<'a>>,
}

/// The value of a field as it stands in a file.
pub(in crate::describe) struct Given<'a> {
    pub file: &'a str,
    text: &'a str,
    /// Path of the field.
    pub path: &'a str,
    value: Spanned<DeValue<'a>>,
}

impl<'a> Document<'a> {
    pub fn parse(file: &'a str, text: &'a str) -> Result<Document<'a>, FileError> {
        let root = DeTable::parse(text).map_err(|error| FileError::syntax(file, text, &error))?;
        Ok(Document { file, text, root })
    }

    /// The value of a field, if it stands there.
    pub fn given<'b>(&'b self, path: &'b str) -> Option<Given<'b>> {
        let value = match path.split_once('.') {
            None => self.root.get_ref().get(path)?,
            Some((table, key)) => self.root.get_ref().get(table)?.get_ref().get(key)?,
        };
        Some(self.of(path, value))
    }

    fn of<'b>(&'b self, path: &'b str, value: &Spanned<DeValue<'b>>) -> Given<'b> {
        Given { file: self.file, text: self.text, path, value: value.clone() }
    }

    /// Refuses what is no field, and tables that are none.
    pub fn check_known(&self, fields: &[&str]) -> Result<(), FileError> {
        self.check_table(self.root.get_ref(), "", fields)
    }

    fn check_table(&self, table: &DeTable<'a>, place: &str, fields: &[&str]) -> Result<(), FileError> {
        for (key, value) in table {
            let path = format!("{place}{}", key.get_ref());
            let below = format!("{path}.");
            let is_table = fields.iter().any(|field| field.starts_with(&below));
            match value.get_ref() {
                // A key in quotes may have a point of its own.
                _ if fields.contains(&path.as_str()) && !key.get_ref().contains('.') => {}
                DeValue::Table(table) if is_table => self.check_table(table, &below, fields)?,
                _ if is_table => return self.of(&path, value).parse::<toml::Table>().map(|_| ()),
                _ => {
                    let known = fields.iter().filter_map(|field| field.strip_prefix(place)?.split('.').next());
                    let mut known: Vec<&str> = known.collect();
                    known.dedup();
                    let message =
                        format!("unknown field `{}`, expected one of `{}`", key.get_ref(), known.join("`, `"));
                    return Err(self.at(key.span(), message));
                }
            }
        }
        Ok(())
    }

    /// That a field, or its whole table, is missing.
    pub fn missing(&self, path: &str) -> FileError {
        let table = path.split_once('.').and_then(|(table, key)| Some((self.root.get_ref().get(table)?, key)));
        match table {
            Some((table, key)) => self.at(table.span(), format!("missing field `{key}`")),
            None => {
                let name = path.split('.').next().unwrap_or(path);
                self.at(self.root.span(), format!("missing field `{name}`"))
            }
        }
    }

    /// An error at a place of the text, shown as those of the TOML reader are.
    fn at(&self, span: Range<usize>, message: String) -> FileError {
        /// Refuses every value with a message.
        struct Refused(String);
        impl de::Visitor<'_> for Refused {
            type Value = ();
            fn expecting(&self, out: &mut std::fmt::Formatter) -> std::fmt::Result {
                out.write_str(&self.0)
            }
            fn visit_bool<E: de::Error>(self, _: bool) -> Result<(), E> {
                Err(E::custom(self.0))
            }
        }
        let place = ValueDeserializer::from(Spanned::new(span, DeValue::Boolean(true)));
        let mut error = place.deserialize_any(Refused(message)).expect_err("every value is refused");
        error.set_input(Some(self.text));
        FileError::syntax(self.file, self.text, &error)
    }

    pub fn refuse(&self, field: &str, value: impl ToString, allowed: impl ToString) -> FileError {
        FileError::value(self.file, field, value, allowed)
    }
}

impl Given<'_> {
    /// The value as TOML and serde spell it.
    pub fn parse<V: DeserializeOwned>(&self) -> Result<V, FileError> {
        self.parse_with(|value| V::deserialize(value))
    }

    pub fn parse_with<V>(
        &self,
        read: impl FnOnce(ValueDeserializer) -> Result<V, toml::de::Error>,
    ) -> Result<V, FileError> {
        read(ValueDeserializer::from(self.value.clone())).map_err(|mut error| {
            error.set_input(Some(self.text));
            FileError::syntax(self.file, self.text, &error)
        })
    }

    pub fn refuse(&self, value: impl ToString, allowed: impl ToString) -> FileError {
        FileError::value(self.file, self.path, value, allowed)
    }
}
